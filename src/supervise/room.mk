# src/supervise: watch one vessel from outside
core_sources += \
	src/supervise/outcome.h src/supervise/supervise.h
