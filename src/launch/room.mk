# src/launch
