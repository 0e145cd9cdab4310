/* change_side.h -- the part of one gathered context that change.c compares. */
#ifndef CUPEL_JOBS_GATE_KINDS_CHANGE_SIDE_H
#define CUPEL_JOBS_GATE_KINDS_CHANGE_SIDE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "boundary/json.h"

/* One thing, identified by its key; texts are borrowed or the arena's. */
struct fact {
	const char *key;
	const char *source; /* the file that it is from, or NULL */
	const char *text;   /* what it says, or NULL */
	const char *name;   /* of a package, as is its ecosystem */
	const char *ecosystem;
	const char *content; /* of a package: DIGEST:FINGERPRINT, or "" */
	uint64_t count;
};

struct facts {
	struct fact *items; /* sorted by key, then by text */
	size_t len, room;
};

/* Zero is valid: nothing. */
struct side {
	const struct json_value *files; /* object: digest by name */
	struct facts ci;                /* key: a file that defines CI */
	struct facts scripts;           /* key: a script that an install runs */
	struct facts origins;           /* key: a registry or a URL */
	struct facts foreign;  /* the same of files that are not the project's
			       * own: tests, examples, vendored code */
	struct facts tests;    /* key: path and command; text: the command */
	struct facts builds;   /* key: a manifest; text: its script build */
	struct facts packages; /* key: ecosystem, file and name; text: a version
				* of it, and from where */
	struct facts gaps;     /* key: what the probes could not read; count: 1
			     * where it had no room */
};

/* side_read -- context as attempt_context.h has it.  Returns 0 or -ENOMEM. */
int side_read(const struct json_value *context, struct arena *arena,
	      struct side *ret);

/* facts_find -- the one of that key, or NULL. */
const struct fact *facts_find(const struct facts *f, const char *key);

#endif
