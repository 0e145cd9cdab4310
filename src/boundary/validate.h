/* validate.h -- what `cupel validate` prints, as text.
 *
 * For each text one line: {"valid": bool, "errors": [{instance, schema,
 * message}]}.  A text that is not strict JSON has one error whose message gives
 * line, column, the reader's code and what was expected; so has a schema that
 * gave no answer. */
#ifndef CUPEL_BOUNDARY_VALIDATE_H
#define CUPEL_BOUNDARY_VALIDATE_H

#include <stddef.h>

struct buf;
struct schema_set;

/* The worst of all texts is the command's exit status. */
enum validate_verdict {
	VALIDATE_VALID = 0,
	VALIDATE_INVALID = 1,
	VALIDATE_UNUSABLE = 2, /* not strict JSON, or no answer */
};

struct validate_input {
	const char *bytes;
	size_t n;
	size_t line; /* which line of a larger input this is; 0: all of one */
};

/* validate_text -- check one text against the set's root schema.
 *
 * @set	compiled (schema_set_use), or NULL: only strict JSON is checked
 * @out	receives the line, with its newline; check buf_has_failed
 * @why	receives the reason when there is no answer; may be NULL */
enum validate_verdict validate_text(const struct schema_set *set,
				    const struct validate_input *in,
				    struct buf *out, struct buf *why);

#endif
