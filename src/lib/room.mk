# src/lib: the public library
include_HEADERS += src/cupel.h
core_sources += \
	src/lib/filter_cache.c src/lib/filter_cache.h \
	src/lib/filter_load.c src/lib/filter_load.h
