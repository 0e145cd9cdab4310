/* ci_makefile.h -- the rules of a Makefile of the repository: what its targets
 * need and run.  Private to ci_*.
 *
 * Nothing is computed but variables: of a conditional both sides are read, and a
 * function stays as it is written.  Source: GNU make's manual, "Writing
 * Makefiles" and "Writing Rules". */
#ifndef CUPEL_PARSERS_CI_MAKEFILE_H
#define CUPEL_PARSERS_CI_MAKEFILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "parsers/common/parse.h"

#define MAKEFILE_RULES    20000U /* of one Makefile, with what it includes */
#define MAKEFILE_VARS     2000U
#define MAKEFILE_INCLUDES 16U
#define MAKEFILE_BYTES    ((size_t)8 << 20)  /* of memory for one */
#define MAKEFILE_TEXT     ((size_t)64 << 10) /* of an expanded text */
#define MAKEFILE_DEPTH    16U                /* variables in variables */
#define MAKEFILE_STEPS    4096U /* variables that one text may lead to */
#define MAKEFILE_KNOWN    64U   /* answers that are kept */

struct ci;

struct makefile_var {
	struct json_text name, value;
	char *text;   /* where the value lies if more was added to it */
	size_t room;  /* bytes there */
	bool is_open; /* its value is being put in */
};

/* One target of one rule; all texts lie in the input or in the arena. */
struct makefile_rule {
	struct json_text target;
	struct json_text needs;  /* as written */
	struct json_text recipe; /* its lines as written; perhaps empty */
	size_t order;
	unsigned walk; /* the last one that came here */
};

struct makefile {
	const struct parse_input *in;
	struct arena arena;
	struct makefile_rule *rules; /* sorted by target, then order */
	size_t rules_len;
	struct makefile_var *vars; /* sorted by name */
	size_t vars_len;
	struct json_text goal; /* the default one; bytes NULL: none */
	unsigned walks;
	bool is_cut;    /* a cap above was met while it was read */
	unsigned steps; /* left for the text under way */
	size_t work;    /* bytes read so far, for the caller to count */
	struct {
		struct json_text target;
		bool is_test;
	} known[MAKEFILE_KNOWN];
	size_t known_len;
};

/* ci_makefile_read -- read the Makefile and what it includes.  Returns NULL when
 * memory runs out; ci_makefile_free() frees it. */
struct makefile *ci_makefile_read(struct ci *ci,
				  const struct parse_input *file);
void ci_makefile_free(struct makefile *m);

/* ci_makefile_rules_find -- the first rule of that target, and how many follow
 * each other; NULL: none. */
struct makefile_rule *ci_makefile_rules_find(const struct makefile *m,
					     struct json_text target,
					     size_t *ret_len);

/* ci_makefile_word -- cut the next word off; a backslash at a line's end is white
 * space. */
struct json_text ci_makefile_word(struct json_text *rest);

/* ci_makefile_set -- take "name op= value", name and op being what is before the
 * '='. */
void ci_makefile_set(struct makefile *m, struct json_text before,
		     struct json_text value);

/* ci_makefile_expand -- append the text with its variables' values; $(MAKE) becomes
 * "make", and a variable that nobody sets is empty.
 *
 * Returns false when out has failed, or the text leads to too many variables. */
bool ci_makefile_expand(struct makefile *m, struct json_text text,
			struct buf *out);

#endif
