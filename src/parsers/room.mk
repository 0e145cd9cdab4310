# src/parsers
