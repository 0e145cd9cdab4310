# src/boundary: bytes from inside become values here, and only here
boundary_json_sources = \
	src/boundary/decimal.c src/boundary/decimal.h \
	src/boundary/decimal_es.c \
	src/boundary/json.c src/boundary/json.h \
	src/boundary/json_lex.c src/boundary/json_private.h \
	src/boundary/json_value.c \
	src/boundary/json_write.c
core_sources += $(boundary_json_sources) \
	src/boundary/pattern.c src/boundary/pattern.h \
	src/boundary/pattern_escape.c src/boundary/pattern_private.h \
	src/boundary/pattern_property.c \
	src/boundary/pattern_translate.c \
	src/boundary/payload.c src/boundary/payload.h \
	src/boundary/sanitize.c src/boundary/sanitize.h \
	src/boundary/sanitize_text.c \
	src/boundary/schema.c src/boundary/schema.h \
	src/boundary/schema_eval.c src/boundary/schema_eval.h \
	src/boundary/schema_eval_array.c \
	src/boundary/schema_eval_logic.c \
	src/boundary/schema_eval_object.c \
	src/boundary/schema_eval_value.c \
	src/boundary/schema_keyword.c \
	src/boundary/schema_link.c \
	src/boundary/schema_meta.c src/boundary/schema_private.h \
	src/boundary/schema_resolve.c \
	src/boundary/schema_scan.c \
	src/boundary/uri.c src/boundary/uri.h \
	src/boundary/validate.c src/boundary/validate.h

# The metaschemas of draft 2020-12, as bytes in the program: doc_NAME[].
METASCHEMAS = \
	src/boundary/metaschema/applicator.json \
	src/boundary/metaschema/content.json \
	src/boundary/metaschema/core.json \
	src/boundary/metaschema/format-annotation.json \
	src/boundary/metaschema/meta-data.json \
	src/boundary/metaschema/schema.json \
	src/boundary/metaschema/unevaluated.json \
	src/boundary/metaschema/validation.json
EXTRA_DIST += $(METASCHEMAS)
BUILT_SOURCES += src/boundary/metaschemas.inc
CLEANFILES += src/boundary/metaschemas.inc
src/boundary/metaschemas.inc: $(METASCHEMAS)
	@$(MKDIR_P) src/boundary
	$(AM_V_GEN)for f in $(METASCHEMAS); do \
		name=`basename $$f .json | tr - _`; \
		echo "static const unsigned char doc_$$name[] = {"; \
		od -An -v -tx1 $(srcdir)/$$f | \
			sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; \
		echo '};'; \
	done > $@.tmp && mv $@.tmp $@
$(libcore_la_OBJECTS) $(libcore_testing_a_OBJECTS): \
	src/boundary/metaschemas.inc
