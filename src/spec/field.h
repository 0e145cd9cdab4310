/* field.h -- the one table of what a caller may ask for.
 *
 * One row for each option.  The same row drives the command line
 * (--wall-time-s 1.5), the JSON spec ("wall_time_s": 1.5), the profiles,
 * --help, the completions, the man page's option list and the range check, so
 * they cannot disagree.
 */
#ifndef CUPEL_SPEC_FIELD_H
#define CUPEL_SPEC_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/spec.h"

enum field_type {
	FIELD_TEXT,    /* const char * */
	FIELD_LIST,    /* struct spec_list; the option may be repeated */
	FIELD_BOOL,    /* bool */
	FIELD_ENUM,    /* an enum of spec.h, by the words of the row */
	FIELD_COUNT,   /* uint64_t */
	FIELD_SIZE,    /* uint64_t bytes */
	FIELD_TIME,    /* uint64_t thousandths, of a second mostly */
	FIELD_RLIMIT,  /* rlimits[], rlimit_is_set[] */
	FIELD_TRACE,   /* const char *, 32 hex digits */
	FIELD_PROFILE, /* const char *, and the profile is applied */
	FIELD_SPEC,    /* a document to be read; nothing is kept of it */
	FIELD_HELP,
	FIELD_TYPE_MAX_
};

enum field_group {
	GROUP_START,
	GROUP_VIEW,
	GROUP_LIMITS,
	GROUP_STREAMS,
	GROUP_HOW,
	GROUP_MAX_
};

enum field_flag {
	FIELD_CLI_ONLY = 1 << 0,     /* not in a spec document */
	FIELD_IN_PROFILE = 1 << 1,   /* a profile may say it */
	FIELD_PROFILE_ONLY = 1 << 2, /* no option, no key of a spec */
	FIELD_CAN_BE_OFF = 1 << 3,   /* "unlimited" is a value */
	FIELD_PAIRS = 1 << 4,        /* in JSON an object will do: {"K": "V"} */
	FIELD_OPT_ARG = 1 << 5,      /* --name or --name=ARG */
	FIELD_EFFECT = 1 << 6,       /* part of spec_hash as it stands */
	FIELD_IS_FILE = 1 << 7,      /* completes to files */
	FIELD_IS_DIR = 1 << 8,       /* completes to directories */
	FIELD_REPLACES = 1 << 9,     /* LIST: what a spec or an option says
				      * takes the place of a profile's */
};

/* A value of an enum; one that is yet to come has a name and nothing else. */
struct field_word {
	const char *name; /* NULL ends the array */
	bool is_later;
};

struct field {
	const char *name; /* "wall-time-s" */
	enum field_type type;
	enum field_group group;
	unsigned flags;    /* enum field_flag */
	size_t offset;     /* into struct spec */
	uint64_t min, max; /* COUNT, SIZE, TIME: in the unit of the struct */
	const struct field_word *words;
	const char *arg;  /* shown in help; NULL where there is none */
	const char *help; /* one line, no full stop */
};

extern const struct field fields[];
extern const size_t fields_len;

/* field_find -- the row named name (without "--"), or NULL. */
const struct field *field_find(const char *name);

/* field_find_json -- the row whose JSON key is key[0..n-1], or NULL. */
const struct field *field_find_json(const char *key, size_t n);

/* field_write_key -- the JSON key of f. */
#define FIELD_KEY_MAX 32
void field_write_key(const struct field *f, char out[FIELD_KEY_MAX]);

/* field_is_option -- whether the command line knows it. */
bool field_is_option(const struct field *f);

/* field_group_title -- "What the command sees". */
const char *field_group_title(enum field_group group);

/* field_find_word -- the value of an enum's word, or -1; words that are yet to
 * come are not found. */
int field_find_word(const struct field *f, const char *text);

/* What --rlimit can name. */
struct field_rlimit {
	const char *name;   /* "nofile" */
	const char *option; /* the row that is meant by it, or NULL */
	bool is_size;       /* takes K, M, G */
	uint64_t max;
};
extern const struct field_rlimit field_rlimits[SPEC_RLIMIT_MAX_];

/* field_rlimit_find -- by name, case ignored; -1 if there is none. */
int field_rlimit_find(const char *name, size_t n);

/* Read access to the value of a row. */
uint64_t field_number(const struct spec *s, const struct field *f);
const char *field_word_of(const struct spec *s, const struct field *f);
bool field_bool(const struct spec *s, const struct field *f);
const char *field_text(const struct spec *s, const struct field *f);
const struct spec_list *field_list(const struct spec *s, const struct field *f);

#endif
