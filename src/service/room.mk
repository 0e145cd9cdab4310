# src/service: what lives between runs, and what all kinds of jobs share
core_sources += \
	src/service/cache_dir.c src/service/cache_dir.h \
	src/service/cgroup.c src/service/cgroup.h \
	src/service/file.c src/service/file.h \
	src/service/filter_cache.c src/service/filter_cache.h \
	src/service/filter_load.c src/service/filter_load.h \
	src/service/flight.c src/service/flight.h \
	src/service/flights.c src/service/flights.h \
	src/service/many.c src/service/many.h \
	src/service/many_items.c src/service/many_items.h \
	src/service/many_pool.c src/service/many_private.h \
	src/service/parse_program.c src/service/parse_program.h \
	src/service/phases.c src/service/phases.h \
	src/service/pool.c src/service/pool.h \
	src/service/prepare.c src/service/prepare.h \
	src/service/report.c src/service/report.h \
	src/service/report_answer.c src/service/report_answer.h \
	src/service/request.c src/service/request.h \
	src/service/schema.c src/service/schema.h \
	src/service/sealed.c src/service/sealed.h \
	src/service/secret.c src/service/secret.h \
	src/service/spec_handle.c src/service/spec_handle.h \
	src/service/template_private.h \
	src/service/template.c src/service/template.h \
	src/service/trace.c src/service/trace.h \
	src/service/trees.c src/service/trees.h \
	src/service/vessel.c src/service/vessel.h \
	src/service/vessel_end.c src/service/vessel_private.h \
	src/service/vessel_result.c src/service/vessel_result.h

# Named through variables: automake takes a plain target for a rule of its own.
parse_program_object = src/service/libcore_la-parse_program.lo
$(parse_program_object): cupel-parse.bin
