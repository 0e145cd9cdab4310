/* flag.h -- flags, which are what a static analyser suspects, and the reader of
 * review-flags.jsonl. */
#ifndef CUPEL_JOBS_CONFIRM_FLAG_H
#define CUPEL_JOBS_CONFIRM_FLAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "boundary/json.h"

#define FLAGS_BYTES      ((size_t)64 << 20) /* of a flags file */
#define FLAGS_MAX        ((size_t)1 << 20)
#define FLAGS_MEMORY     ((size_t)512 << 20) /* what is kept of one */
#define FLAG_FAULTS_MAX  1000U /* kept one by one; others are counted */
#define FLAG_LINE_BYTES  ((size_t)256 << 10)
#define FLAG_LINE_MEMORY ((size_t)16 << 20) /* of one line's values */
/* A report may name a file or a rule once and mean it in a million places, and
 * each place is a record with the name in it. */
#define FLAG_FILE_BYTES 4096U               /* PATH_MAX */
#define FLAG_NAME_BYTES 1024U               /* of a function, a class, a rule */
#define FLAG_LINE_MAX   UINT64_C(100000000) /* of a source file */

/* The log's record of a flag: its status, and where in the log it is. */
struct flag_record {
	int status; /* enum confirm_status */
	off_t at;
	size_t len;
};

struct flag {
	size_t number;    /* line or result of the flags file, from 1 */
	const char *file; /* relative to the repository; bytes of the caller */
	const char *function; /* "f", "Class.method"; NULL = see line */
	/* For a rule that stands for no class: "tool:rule", which is not a
	 * class. */
	const char *flag_class;
	uint64_t line; /* 0 = none */
	/* The parameter without which it does not fail, or NULL.  If a message
	 * of an analyser names it (tool is set), it may be something other than
	 * a parameter, and is then ignored. */
	const char *argument;
	const struct json_value *hints; /* witness_hints, or NULL */
	const char *tool, *rule;        /* of an analyser, or NULL */
	bool has_no_class;              /* its rule stands for no class */
	bool is_recorded;          /* the log has it already: not run again */
	struct flag_record record; /* set if is_recorded */
};

struct flag_fault { /* what was skipped */
	size_t number;
	const char *message;
};

struct flags {
	struct flag *items;
	size_t len, room;
	struct flag_fault *faults;
	size_t faults_len, faults_room;
	size_t faults_all;  /* all faults, also those that were only counted */
	size_t left_out;    /* results that say that they are not findings */
	const char *unit;   /* what number counts: "line", "result" */
	struct arena arena; /* owns every string */
};

/* flags_read -- text[0..n-1], one JSON object a line; blank lines are ignored.
 *
 * @ret		zeroed by the caller; flags_done() frees it, on failure too
 * Returns 0; -ENOMEM: no memory, or over FLAGS_MEMORY. */
int flags_read(const char *text, size_t n, struct flags *ret);
void flags_done(struct flags *f);

/* flags_add -- append a flag, whose strings live in f->arena or longer.  A flag
 * over FLAGS_MAX, or with a name that is too long, becomes a fault instead.
 * Returns 0 or -ENOMEM. */
int flags_add(struct flags *f, const struct flag *flag);

/* flags_fault -- note that the line or result `number` was skipped.
 *
 * @message	lives in f->arena or longer; NULL is -ENOMEM
 * Returns 0 or -ENOMEM. */
int flags_fault(struct flags *f, size_t number, const char *message);

/* flags_fault_json -- the same for a line that is not JSON; e says why.
 * Returns 0 or -ENOMEM. */
int flags_fault_json(struct flags *f, size_t number,
		     const struct json_error *e);

#endif
