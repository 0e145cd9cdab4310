# src/launch: from a plan to a running vessel
core_sources += \
	src/launch/launch.h src/launch/record.h
