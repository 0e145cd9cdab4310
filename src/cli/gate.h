/* gate.h -- the verbs of cupel gate, and what they share. */
#ifndef CUPEL_CLI_GATE_H
#define CUPEL_CLI_GATE_H

#include <stdbool.h>

#include "cli/option.h"

struct cupel_error;
struct ledger_book;
struct state;
struct story;

/* Exit statuses of cupel gate besides enum cli_exit's 0, 2 and 3. */
enum gate_exit {
	GATE_BROKEN = 4,   /* the ledger is broken */
	GATE_INTERNAL = 5, /* a fault of ours, no memory, or a full disk */
	GATE_ESCALATE = 11,
	GATE_UNRECOVERABLE = 12,
};

enum gate_flag {
	GATE_WORKTREE,
	GATE_BASELINE,
	GATE_CATALOGUE,
	GATE_OSV,
	GATE_REPLAN,
	GATE_STATE,
	GATE_JSON,
	GATE_HTML,
	GATE_MAX_ATTEMPTS,
	GATE_OPERATOR_ACK,
	GATE_CHAIN_HEAD,
	GATE_RESUME,
	GATE_NO_WAIT,
	GATE_BACKEND,
	GATE_NUMBER,
	GATE_PREDICATE,
	GATE_SUBJECT,
	GATE_OLDER_THAN,
	GATE_KEEP_FAILED,
	GATE_NO_CHECK,
	GATE_QUIET,
	GATE_OPTIONS
};

/* What the caller asked for, including the words after the options. */
struct gate_words {
	struct option_value values[GATE_OPTIONS];
	const char *words[2];
	int words_len;
};

/* gate_text -- the last text of an option, or NULL. */
const char *gate_text(const struct gate_words *w, enum gate_flag flag);
bool gate_has(const struct gate_words *w, enum gate_flag flag);

/* gate_fail -- complain with err->what; returns the matching exit status. */
int gate_fail(const struct cupel_error *err);

/* gate_broken -- the same for a ledger that is broken. */
int gate_broken(const struct state *s, const struct cupel_error *err);

/* gate_state_open -- open for reading the state of --state, or of the gate that
 * the first word names; complains.  Returns CLI_OK or an exit status. */
int gate_state_open(const struct gate_words *w, struct state *ret);

/* gate_book_open -- the same, and read its whole ledger with the evidence.
 * @ret_book	ledger_book_done() frees it, whatever is returned */
int gate_book_open(const struct gate_words *w, struct state *ret,
		   struct ledger_book *ret_book);

/* gate_print -- print one gate of a book, as JSON or for a person. */
int gate_print(const struct story *story, const struct state *s, bool is_json);

/* The verbs.  Each returns the exit status. */
int gate_run_verb(const struct gate_words *w);
int gate_baseline_verb(const struct gate_words *w);
int gate_list_verb(const struct gate_words *w);
int gate_show_verb(const struct gate_words *w);
int gate_verify_verb(const struct gate_words *w);
int gate_attest_verb(const struct gate_words *w);
int gate_gc_verb(const struct gate_words *w);

#endif
