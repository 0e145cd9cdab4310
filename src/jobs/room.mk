# src/jobs
