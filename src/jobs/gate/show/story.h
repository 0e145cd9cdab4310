/* story.h -- a gate as its records tell it, for those who look at it.
 *
 * Room: jobs/gate/show.
 *
 * Must:     take every name, log and detail for hostile text, which stays text
 *           on a terminal, in a page and in a statement
 * Must not: change a ledger; judge anew
 */
#ifndef CUPEL_JOBS_GATE_SHOW_STORY_H
#define CUPEL_JOBS_GATE_SHOW_STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boundary/json.h"

struct buf;
struct jsonw;
struct ledger_book;
struct state;

#define STORY_ATTEMPTS_MAX 64U /* more than a gate may have */

struct story_attempt {
	uint64_t number;
	const struct json_value *ended;  /* the record, or NULL: not yet */
	const struct json_value *replan; /* the planner's, or NULL */
	size_t first, last; /* its records in the book, [first, last) */
};

/* Records of the book, which outlives it. */
struct story {
	const struct ledger_book *book;
	size_t first;                           /* gate.begun */
	const struct json_value *begun, *ended; /* ended NULL: it has not */
	struct story_attempt attempts[STORY_ATTEMPTS_MAX];
	size_t attempts_len;
};

/* story_read -- the gate that begins at the book's record first.
 * Returns whether one begins there. */
bool story_read(const struct ledger_book *b, size_t first, struct story *ret);

/* story_find -- the index of gate number n, counted from 1; 0: the last one.
 * Returns -1 if there is none. */
long story_find(const struct ledger_book *b, size_t n);

/* story_is -- whether a record is of that kind. */
bool story_is(const struct json_value *record, const char *kind);

/* story_text -- a member's string; "" where there is none. */
const char *story_text(const struct json_value *v, const char *name);
uint64_t story_number(const struct json_value *v, const char *name);
bool story_bool(const struct json_value *v, const char *name);

/* story_item -- item i of a member that is an array, or NULL after the last. */
const struct json_value *story_item(const struct json_value *v,
				    const char *name, size_t i);

/* story_isolation -- the least class of the last attempt's runs, or NULL. */
const char *story_isolation(const struct story *s);

/* story_is_loose -- whether its gate was a loose one, which every verdict must
 * say. */
bool story_is_loose(const struct story *s);

/* story_write_json -- write the object of `cupel gate run --json`.
 *
 * @state	the directory */
void story_write_json(const struct story *s, const char *state,
		      struct jsonw *w);

/* story_write_text -- write the same for a terminal of 80 columns.
 *
 * @state	where evidence is read from */
void story_write_text(const struct story *s, const struct state *state,
		      struct buf *out);

/* story_signal_write -- write one signal for the same terminal, with its facts if it
 * did not pass. */
void story_signal_write(const char *kind, bool passed,
			const struct json_value *details, struct buf *out);

/* story_fact -- called for each fact of a signal's details in turn: "failures"
 * and what it is, in one line. */
typedef void story_fact(void *data, const char *name, const char *text,
			size_t len);
void story_facts(const struct json_value *details, story_fact *fact,
		 void *data);

#endif
