# src/result
