# src/spec: what the caller asks for
core_sources += src/spec/spec.h
