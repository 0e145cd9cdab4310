# src/boundary: bytes from inside become values here, and only here
boundary_json_sources = \
	src/boundary/decimal.c src/boundary/decimal.h \
	src/boundary/decimal_es.c \
	src/boundary/json.c src/boundary/json.h \
	src/boundary/json_lex.c src/boundary/json_private.h \
	src/boundary/json_value.c \
	src/boundary/json_write.c
core_sources += $(boundary_json_sources) \
	src/boundary/payload.h \
	src/boundary/schema.h
