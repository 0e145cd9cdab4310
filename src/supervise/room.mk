# src/supervise
