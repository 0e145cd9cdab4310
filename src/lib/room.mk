# src/lib
