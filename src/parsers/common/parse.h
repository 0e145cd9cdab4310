/* parse.h -- the input and the output of a built-in probe.
 *
 * Room: parsers.  One program, cupel-parse, that runs only inside the vessel.
 *
 * Must:     read what it was given and nothing else; bound everything by a
 *           named cap; say what could not be read, and go on with the rest
 *           name the file that each fact came from
 * Must not: open a file by name; resolve, execute or fetch what a file names
 *           touch a hostile byte before the second filter is up (program/parse_wall.h)
 *
 * A probe is one function and one row of the table in program/parse_main.c.
 * */
#ifndef CUPEL_PARSERS_PARSE_H
#define CUPEL_PARSERS_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/jsonw.h"
#include "boundary/json.h"

/* cupel-probes(5), "BUILT-IN PROBES". */
#define PARSE_SLICE_BYTES  ((size_t)1 << 20)
#define PARSE_STRING_BYTES ((size_t)64 << 10)
#define PARSE_DEPTH        64U
#define PARSE_NOTES_MAX    200U /* errors, and warnings; the rest is counted */

struct role; /* role.h */

/* One declared input. */
struct parse_input {
	const char *name; /* relative path: bytes, not NUL-terminated */
	size_t name_len;
	const char *bytes; /* hostile */
	size_t len;
	bool is_name_only;       /* declared by name: there are no bytes */
	const struct role *role; /* NULL: the project's own */
};

struct parse_inputs {
	const struct parse_input *items; /* sorted by the bytes of the names */
	size_t len;
};

/* Errors or warnings: JSON objects {code, source, offset, message}. */
struct parse_notes {
	struct buf text; /* a JSON array, not yet closed */
	struct jsonw out;
	size_t total; /* noted; at most PARSE_NOTES_MAX are kept */
	/* Where a note about a file that is not the project's own goes, because
	 * it must not lower the confidence in the project's own facts.  NULL:
	 * here. */
	struct parse_notes *of_others;
};

struct parse_report {
	const char *version; /* of the probe; NULL: "1.0" */
	struct parse_notes errors, warnings;
	struct buf slice; /* one JSON value, at most PARSE_SLICE_BYTES */
	size_t merged;    /* pairs that YAML's merge keys took, in all inputs */
};

void parse_report_init(struct parse_report *r);
void parse_report_done(struct parse_report *r);

/* report_note -- add one.
 *
 * @in		the file it is about, or NULL
 * @offset	byte in it, or -1
 * @message	one line; printable or not, it is escaped */
void report_note(struct parse_notes *n, const char *code,
		 const struct parse_input *in, int64_t offset,
		 const char *message);

/* report_write -- the probe's whole output (cupel-probes(5)) as JSON. */
void report_write(struct parse_report *r, const char *probe, struct buf *out);

/* input_name_write -- "key": the input's name, escaped as base/name.h has it. */
void input_name_write(struct jsonw *w, const char *key,
		      const struct parse_input *in);

/* source_write -- the same for the file that a fact is from; with "role" and
 * "role_reason" (role.h) when that is not the project's own, unless key is
 * NULL: a name in an array stands alone. */
void source_write(struct jsonw *w, const char *key,
		  const struct parse_input *in);

/* input_base -- the last segment of the name; *ret_len bytes. */
const char *input_base(const struct parse_input *in, size_t *ret_len);
/* input_dir_len -- length of the directory part without its slash, 0 = root. */
size_t input_dir_len(const struct parse_input *in);
int input_base_is(const struct parse_input *in, const char *base);
/* input_is_own -- whether it is the project's own, so that its content
 * counts. */
bool input_is_own(const struct parse_input *in);
/* input_is_installed -- whether it lies below a directory node_modules. */
bool input_is_installed(const struct parse_input *in);

/* input_bom_note -- how many bytes of a byte order mark its bytes begin with, 3
 * or 0; one is noted as a warning. */
size_t input_bom_note(const struct parse_input *in, struct parse_report *r);

/* input_find -- the input named base in directory dir (dir_len 0: the root), or
 * NULL.  Source: the order of parse_inputs. */
const struct parse_input *input_find(const struct parse_inputs *in,
				     const char *dir, size_t dir_len,
				     const char *base);

/* parse_json -- the input as one JSON object.
 *
 * A failure is noted as an error with file and offset.  A byte order mark at
 * the start is passed over with a warning, as package managers do.
 * Returns 0 or -EINVAL. */
int parse_json(const struct parse_input *in, struct arena *arena,
	       size_t memory_bytes, struct json_value *ret,
	       struct parse_report *r);

/* parse_text -- the string of v, or an empty one ({ NULL, 0 }) when v is NULL,
 * no string, or longer than PARSE_STRING_BYTES (noted as an error). */
struct json_text parse_text(const struct json_value *v,
			    const struct parse_input *in,
			    struct parse_report *r);

/* The probes.  Each fills r->slice; 0, or -ENOMEM. */
int ci_run(const struct parse_inputs *in, struct parse_report *r);
int dependencies_run(const struct parse_inputs *in, struct parse_report *r);
int deployment_run(const struct parse_inputs *in, struct parse_report *r);
int language_detection_run(const struct parse_inputs *in,
			   struct parse_report *r);
int node_build_system_run(const struct parse_inputs *in,
			  struct parse_report *r);
int node_manifest_run(const struct parse_inputs *in, struct parse_report *r);
int test_inventory_run(const struct parse_inputs *in, struct parse_report *r);
/* These are not in the catalogue: a repo-context.yaml as JSON, for explain; a
 * report of a test runner, for service/report.c. */
int context_read_run(const struct parse_inputs *in, struct parse_report *r);
int test_report_run(const struct parse_inputs *in, struct parse_report *r);

#endif
