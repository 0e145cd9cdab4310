# src/lib: the public library
include_HEADERS += src/cupel.h
