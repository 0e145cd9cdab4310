/* schema_meta.c -- the metaschemas of draft 2020-12, built in. */
#include "boundary/schema_private.h"

/* Made from metaschema/ by room.mk: one array for each document. */
#include "boundary/metaschemas.inc"

#define BASE "https://json-schema.org/draft/2020-12/"

const struct schema_builtin schema_builtins[] = {
	{ BASE "schema", doc_schema, sizeof doc_schema },
	{ BASE "meta/core", doc_core, sizeof doc_core },
	{ BASE "meta/applicator", doc_applicator, sizeof doc_applicator },
	{ BASE "meta/unevaluated", doc_unevaluated, sizeof doc_unevaluated },
	{ BASE "meta/validation", doc_validation, sizeof doc_validation },
	{ BASE "meta/meta-data", doc_meta_data, sizeof doc_meta_data },
	{ BASE "meta/format-annotation", doc_format_annotation,
	  sizeof doc_format_annotation },
	{ BASE "meta/content", doc_content, sizeof doc_content },
};
const size_t schema_builtins_len =
	sizeof schema_builtins / sizeof *schema_builtins;
