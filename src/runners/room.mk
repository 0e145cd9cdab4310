# src/runners
