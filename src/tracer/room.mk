# src/tracer: cupel-tracer, which sees what a vessel executes and connects to.
core_sources += src/tracer/protocol.h
