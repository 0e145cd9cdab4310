# src/plan: what will be done, decided as plain data
filter_sources = \
	src/plan/filter_bpf.c \
	src/plan/filter_call.c \
	src/plan/filter_compile.c \
	src/plan/filter_entry.c \
	src/plan/filter_floor.c \
	src/plan/filter_merge.c \
	src/plan/filter_read.c src/plan/filter_reader.h \
	src/plan/filter_run.c src/plan/filter_rule.h \
	src/plan/filter_set.c
core_sources += \
	src/plan/backend.c src/plan/backend.h \
	src/plan/build.c src/plan/build.h \
	src/plan/cache.c src/plan/cache.h \
	src/plan/call_name.c src/plan/call_name.h \
	src/plan/cgroup.c src/plan/cgroup.h \
	src/plan/egress.c src/plan/egress.h src/plan/egress_json.c \
	src/plan/env.c \
	src/plan/etc.c \
	src/plan/hash.c \
	src/plan/host.c \
	src/plan/host_cache.c \
	src/plan/host_cgroup.c src/plan/host_cgroup.h src/plan/host_cgroup1.c \
	src/plan/host_choice.c src/plan/host_choice.h \
	src/plan/host_egress.c src/plan/host_egress.h \
	src/plan/host_exec.c src/plan/host_exec.h \
	src/plan/host_hit.c src/plan/host_hit.h \
	src/plan/host_home.c src/plan/host_home.h \
	src/plan/host_ids.c \
	src/plan/host_lesser.c src/plan/host_lesser.h \
	src/plan/host_mounts.c src/plan/host_mounts.h \
	src/plan/host_path.c src/plan/host_path.h \
	src/plan/host_program.c src/plan/host_program.h \
	src/plan/host_runtime.c src/plan/host_runtime.h \
	src/plan/host_rustup.c src/plan/host_rustup.h \
	src/plan/host_script.c src/plan/host_script.h \
	src/plan/host_search.c src/plan/host_search.h \
	src/plan/host_shim.c src/plan/host_shim.h \
	src/plan/ids.c \
	src/plan/json.c \
	src/plan/landlock.c \
	src/plan/lesser.c \
	src/plan/limits.c \
	src/plan/program.c src/plan/program.h \
	src/plan/report.c \
	src/plan/steps.c \
	src/plan/views.c \
	src/plan/filter.h \
	src/plan/filter_data.h \
	src/plan/filter_engine.c src/plan/filter_engine.h \
	src/plan/filter_shipped.c \
	$(filter_sources) \
	src/plan/host.h \
	src/plan/plan.h \
	src/plan/shape.c src/plan/shape.h \
	src/plan/template.c src/plan/template.h \
	src/plan/phases.c src/plan/phases.h \
	src/plan/trace.c src/plan/trace.h \
	src/plan/trace_filter.c src/plan/trace_filter.h \
	src/plan/wall.c src/plan/wall.h

# The shipped filters are compiled during the build: filterc reads the JSON and
# writes C, which the core needs.  So filterc is built from the rooms' sources,
# and without sanitizers (its output is what is tested).
noinst_PROGRAMS += src/plan/filterc
src_plan_filterc_SOURCES = src/plan/filterc.c $(filter_sources) \
	$(base_sources) $(boundary_json_sources)
src_plan_filterc_CPPFLAGS = $(AM_CPPFLAGS)
src_plan_filterc_CFLAGS = $(CUPEL_CFLAGS)
src_plan_filterc_LDFLAGS =
src_plan_filterc_LDADD = $(SECCOMP_LIBS)

core_generated += src/plan/filter_data.c
CLEANFILES += src/plan/filter_data.c
src/plan/filter_data.c: src/plan/filterc$(EXEEXT) $(seccomp_halves) $(seccomp_made)
	$(AM_V_GEN)srcs="$(seccomp_made)"; for f in $(seccomp_halves); do \
		srcs="$$srcs $(srcdir)/$$f"; done; srcs="$$srcs --"; \
	for f in $(filter_sources) $(boundary_json_sources); do \
		srcs="$$srcs $(srcdir)/$$f"; done; \
	src/plan/filterc$(EXEEXT) $(host_cpu) $$srcs >$@.new && mv -f $@.new $@
