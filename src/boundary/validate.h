/* validate.h -- what `cupel validate` prints (CONTRACT 1.10), as text.
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

/* validate_text -- hold one text against the set's root schema.
 *
 * @set	compiled (schema_set_use), or NULL: only strict JSON is asked for
 * @out	receives the line, with its newline; check buf_has_failed */
enum validate_verdict validate_text(const struct schema_set *set,
				    const char *bytes, size_t n,
				    struct buf *out);

/* validate_lines -- each line of bytes is a text (JSON Lines); what stands
 * after the last newline is one if it is not empty.  An empty line is no text
 * and thus not strict JSON.  No line at all is valid. */
enum validate_verdict validate_lines(const struct schema_set *set,
				     const char *bytes, size_t n,
				     struct buf *out);

#endif
