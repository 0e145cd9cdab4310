# profiles: data that is compiled in and installed
profile_files = \
	profiles/default.json \
	profiles/test.json \
	profiles/python-function.json \
	profiles/node-function.json \
	profiles/probe.json \
	profiles/parser.json
profilesdir = $(pkgdatadir)/profiles
dist_profiles_DATA = $(profile_files)

EXTRA_DIST += profiles/embed
core_generated += profiles/profile_texts.c
CLEANFILES += profiles/profile_texts.c
profiles/profile_texts.c: $(profile_files) profiles/embed
	$(AM_V_GEN)$(MKDIR_P) profiles && rm -f $@ $@.tmp && \
	list=; for f in $(profile_files); do list="$$list $(srcdir)/$$f"; done; \
	$(srcdir)/profiles/embed profile_texts .json $$list >$@.tmp && \
	mv $@.tmp $@
