# src/boundary: bytes from inside become values here, and only here
core_sources += \
	src/boundary/json.h \
	src/boundary/payload.h \
	src/boundary/schema.h
