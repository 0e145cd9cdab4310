/* pattern_private.h -- what the files of the pattern translator share. */
#ifndef CUPEL_BOUNDARY_PATTERN_PRIVATE_H
#define CUPEL_BOUNDARY_PATTERN_PRIVATE_H

#include "base/buf.h"
#include "boundary/pattern.h"

#define PATTERN_CODE_MAX 0x10ffffU
#define PATTERN_GROUPS   250 /* nested; PCRE2's own limit */

/* A pattern being read.  Functions that return false have set why. */
struct ecma {
	const char *text;
	size_t n, at;
	struct buf *out;
	const char *why;
	unsigned groups; /* that capture, in the whole pattern */
};

/* What one escape stands for. */
enum escape_kind {
	ESCAPE_CODE,     /* a code point */
	ESCAPE_SET,      /* \d and the like: set is for inside [...] */
	ESCAPE_EDGE,     /* \b or \B: written to out already */
	ESCAPE_REFERENCE /* \1, \k<name>: written to out already */
};

struct escape {
	enum escape_kind kind;
	uint32_t code;
	struct buf set; /* to be freed with buf_done; may be empty */
};

bool ecma_fail(struct ecma *e, const char *why);
/* ecma_peek -- the byte at an offset from here, or -1 past the end. */
int ecma_peek(const struct ecma *e, size_t ahead);
/* ecma_code -- the code point here, moving past it. */
uint32_t ecma_code(struct ecma *e);
/* ecma_put -- one code point as PCRE2 reads it inside or outside a class. */
void ecma_put(struct buf *out, uint32_t code);
/* ecma_escape -- read an escape; at is the byte after the backslash. */
bool ecma_escape(struct ecma *e, bool in_class, struct escape *ret);
/* ecma_class -- a class; at is after the '[', and then after the ']'. */
bool ecma_class(struct ecma *e);
/* ecma_property -- the rest after \p or \P: its set, for inside [...]. */
bool ecma_property(struct ecma *e, bool negated, struct buf *set);
/* ecma_group_name -- "<name>" here: moves past it and gives the name. */
bool ecma_group_name(struct ecma *e, const char **name, size_t *len);
/* ecma_group_find -- the number of the group with that name, 0 if none; twice
 * is set when there are several. */
unsigned ecma_group_find(const struct ecma *e, const char *name, size_t len,
			 bool *twice);

#endif
