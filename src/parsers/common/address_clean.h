/* address_clean.h -- texts of a repository without the users, passwords and tokens
 * of the addresses in them.
 *
 * What a probe writes goes to whoever reads the context.  Each text that may be
 * or have an address is written by address_put(). */
#ifndef CUPEL_PARSERS_ADDRESS_CLEAN_H
#define CUPEL_PARSERS_ADDRESS_CLEAN_H

#include "parsers/common/parse.h"

/* The longest word that is read; a text with a longer one is not known. */
#define ADDRESS_WORD_MAX ((size_t)4096)

enum address_kind {
	ADDRESS_TEXT, /* a constraint, a version, a URL */
	ADDRESS_NAME, /* a package's name: a port would be half a password */
	/* A command line: only the users and passwords of "scheme://" are
	 * removed, the rest is the command's. */
	ADDRESS_COMMAND,
};

/* address_clean -- t without users, passwords and tokens.
 *
 * @out		empty; what is left of t.  When it has failed, t has to be
 *		left out: it could not be read
 * Returns false if nothing had to be removed; out is then of no use. */
bool address_clean(struct json_text t, enum address_kind kind, struct buf *out);

/* address_fragment_clean -- the same for a text that was the fragment of an
 * address and has lost its '#'. */
bool address_fragment_clean(struct json_text t, struct buf *out);

/* address_put -- "key": t without them; null when t.bytes is NULL, and
 * "(unreadable)" for a t that could not be read. */
void address_put(struct jsonw *w, const char *key, struct json_text t,
		 enum address_kind kind);

#endif
