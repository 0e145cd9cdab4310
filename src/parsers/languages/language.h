/* language.h -- what the pieces of language_detection share; private to it. */
#ifndef CUPEL_PARSERS_LANGUAGE_H
#define CUPEL_PARSERS_LANGUAGE_H

#include <stdbool.h>

#include "parsers/common/parse.h"

/* profiles/data/languages.txt is ours; a test holds it to these. */
#define LANGUAGES_MAX     256U
#define LANGUAGE_KEYS_MAX 1024U

/* What a rule of the table compares. */
enum language_rule {
	LANGUAGE_NAME,      /* the whole file name */
	LANGUAGE_EXTENSION, /* the name's end, in small letters */
	LANGUAGE_SHARED,    /* the same, claimed by more than one */
	LANGUAGE_PREFIX,    /* the name's beginning */
	LANGUAGE_DIRECTORY, /* a directory on the way */
	LANGUAGE_SUFFIX,    /* the name's end, in small letters */
	LANGUAGE_RULE_MAX_
};

/* Whose file it is. */
enum language_origin {
	LANGUAGE_OWN,
	LANGUAGE_VENDORED,
	LANGUAGE_GENERATED,
	LANGUAGE_ORIGIN_MAX_
};

struct language_key {
	struct json_text text; /* in the table's bytes */
	enum language_rule rule;
	unsigned language;           /* index, of the first three rules */
	enum language_origin origin; /* of the last two */
};

struct language {
	struct json_text name, kind; /* in the table's bytes */
};

struct language_table {
	struct language languages[LANGUAGES_MAX];
	size_t languages_len;
	struct language_key
		keys[LANGUAGE_KEYS_MAX]; /* by rule, text, language */
	size_t keys_len;
};

/* language_table_read -- the table of profiles/data/languages.txt.
 *
 * @ret		zeroed by the caller; it owns nothing
 * Returns 0; -E2BIG when the data outgrew the constants above; -EINVAL when a
 * line of it is no row. */
int language_table_read(struct language_table *ret);

/* language_find -- the first key that says what language the file is of, or
 * NULL.  One of rule LANGUAGE_SHARED is followed by the other claims. */
const struct language_key *language_find(const struct language_table *t,
					 const struct parse_input *in);

enum language_origin language_origin_of(const struct language_table *t,
					const struct parse_input *in);

/* language_is_dockerfile -- whether the name is one that image builders read:
 * Dockerfile, Containerfile, with ".anything" behind or "anything." before it,
 * in any case; not its .dockerignore, not a text about it (.md).  Or a name
 * without a dot in a directory "dockerfiles" or ".dockerfiles", other than
 * Makefile, README and LICENSE. */
bool language_is_dockerfile(const struct parse_input *in);

/* How many files of a language are counted for language_primary_find(). */
struct language_count {
	size_t files;
	/* Of them, those that are neither tests nor declarations (.d.ts).  Files of an
	 * extension that several languages share are not among them. */
	size_t program;
};

/* The primary language, and the manifest at the root that names it. */
struct language_primary {
	const struct language *language;    /* NULL: there is none */
	const struct parse_input *manifest; /* NULL: the files alone say it */
};

/* language_primary_find -- the programming language with most files; but one
 * that a manifest at the root names, such as Cargo.toml, comes before one that
 * none names, unless that has many times as many files.  Tests are often in another
 * language than what they test, so of languages that are used together, such as
 * JavaScript and TypeScript, the files of the program decide.
 *
 * @counts	LANGUAGES_MAX of them, by the index of the language
 * Of several with as many files the first by name is taken. */
struct language_primary language_primary_find(
	const struct language_table *t, const struct parse_inputs *in,
	const struct language_count *counts);

/* language_monorepo_write -- write the evidence of several packages in one
 * repository as items {reason, source} of the open array w.  Only files at the
 * root count.
 *
 * @packages	package.json (or, if more, project.json) of the repository's own
 *		below the root: nx.json and turbo.json count with two of them
 * Returns whether there was any. */
bool language_monorepo_write(const struct parse_inputs *in, size_t packages,
			     struct jsonw *w, struct parse_report *r);

#endif
