/* idle_scan.h -- what the readers of a shell's command line share; private to
 * idle.c. */
#ifndef CUPEL_JOBS_GATE_KINDS_IDLE_SCAN_H
#define CUPEL_JOBS_GATE_KINDS_IDLE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "boundary/json.h"

#define IDLE_WORD_BYTES 4096U
#define IDLE_DEEP_MAX   12U /* of groups, and of shells in shells */
#define IDLE_WORDS_MAX  64U /* of a command that are looked at */

/* One token.  kind is 'w' for a word with its quotes, 'a' for "&&", 'o' for "||", '|'
 * for a pipe, '&', ';' (also a newline), '(' and ')'; 0 is the end. */
struct idle_token {
	char kind;
	struct json_text text;
};

/* What a command's status says. */
enum idle_said {
	SAID_NONE,  /* there was no command */
	SAID_IDLE,  /* 0, whatever happened */
	SAID_RUNS,  /* a program of which nothing is known ran, and says it */
	SAID_EXITS, /* the shell ends with 0 */
	SAID_KEEPS, /* the shell ends with the status before */
};

struct idle_scan {
	struct json_text rest;
	struct idle_token token; /* the one that is looked at */
	bool is_test;
	bool has_errexit, has_pipefail;
	bool is_judge;  /* the last command judges what it reads */
	bool is_hidden; /* the status cannot be followed */
	unsigned deep;
};

struct idle_words {
	struct json_text items[IDLE_WORDS_MAX];
	size_t len;
};

/* idle_token.c: cut the next token off *rest; remarks and blanks are left out. */
struct idle_token idle_token_take(struct json_text *rest);
/* The word without quotes and backslashes, in out, which is terminated and cut at its
 * size.  Returns out. */
char *idle_word_plain(struct json_text word, char out[IDLE_WORD_BYTES]);
/* Whether word is in the list, which ends with NULL. */
bool idle_is_in(const char *word, const char *const *list);

/* idle_words.c: what one command of words says. */
enum idle_said idle_words_read(struct idle_scan *s, const struct idle_words *w);

/* idle.c: read the list that follows, up to a closing bracket or the end. */
enum idle_said idle_list_read(struct idle_scan *s);

#endif
