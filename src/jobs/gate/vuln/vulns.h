/* vulns.h -- known vulnerabilities, whoever reported them.
 *
 * The room jobs/gate/vuln finds what is known of a tree's packages.
 *
 * Must:     treat what a scanner or a lockfile says as hostile: cap it, check
 *           it, escape it
 *           say that nothing is known if something cannot be read
 * Must not: leave out what cannot be compared
 */
#ifndef CUPEL_JOBS_GATE_VULN_VULNS_H
#define CUPEL_JOBS_GATE_VULN_VULNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"

struct jsonw;

#define VULNS_MAX       20000U /* of one tree; with more, nothing is known */
#define VULN_FIXED_MAX  8U
#define VULN_TEXT_BYTES 512U /* of an id, a package, a version */

/* One vulnerability of one package.  Texts are the arena's. */
struct vuln {
	const char *id;
	const char *package;  /* a package URL without a version */
	const char *version;  /* or NULL */
	const char *severity; /* a closed word, or NULL */
	const char *fixed[VULN_FIXED_MAX];
	size_t fixed_len;
};

/* Zero is valid, except for the arena. */
struct vulns {
	struct arena *arena;
	struct vuln *items;
	size_t len, room;
	bool no_memory;
	const char *problem; /* why nothing is known, or NULL: a word of the
			      * schema gate-baseline */
};

/* What somebody reports of one.  Members may be NULL, except id and package. */
struct vuln_said {
	const struct json_value *id, *version, *severity;
	const char *package; /* a package URL; its version does not count */
	/* Versions: a string with commas, or an array of strings. */
	const struct json_value *fixed;
};

/* vulns_add -- add one.  If its id or package is invalid, that becomes the
 * problem. */
void vulns_add(struct vulns *v, const struct vuln_said *said);

/* vulns_purl_build -- a package URL of type and name, without a version.  Bytes
 * that are not allowed in one are escaped.  NULL without memory. */
const char *vulns_purl_build(struct arena *arena, const char *type,
			     const char *name);

/* vulns_write -- write the array of all, sorted, each once. */
void vulns_write(struct vulns *v, const char *key, struct jsonw *w);

/* vuln_text_find -- the member as text without NUL, or NULL. */
const char *vuln_text_find(const struct json_value *v, const char *name);

#endif
