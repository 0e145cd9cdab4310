/* gate.c -- cupel gate: its options, its verbs. */
#include "cli/gate.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "jobs/gate/ledger/evidence.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"

const struct option_row gate_options[] = {
	[GATE_WORKTREE] = { "worktree", OPTION_WORD, "DIR", VALUES_DIRS,
			    "the tree that is judged (default: the current "
			    "directory)" },
	[GATE_BASELINE] = { "baseline", OPTION_WORD, "FILE", VALUES_FILES,
			    "the file that cupel gate baseline wrote for the "
			    "tree before the change" },
	[GATE_CATALOGUE] = { "catalogue", OPTION_LIST, "FILE", VALUES_FILES,
			     "gates that are added to the shipped ones or "
			     "replace them; FILE must lie outside the work "
			     "tree" },
	[GATE_OSV] = { "osv", OPTION_WORD, "DIR", VALUES_DIRS,
		       "OSV records of known vulnerabilities, for the signal "
		       "cve_delta; DIR must lie outside the work tree" },
	[GATE_REPLAN] = { "replan", OPTION_WORD, "COMMAND", VALUES_NONE,
			  "run COMMAND with /bin/sh -c after an attempt that "
			  "failed and can be tried again; it may change the "
			  "work tree" },
	[GATE_STATE] = { "state", OPTION_WORD, "DIR", VALUES_DIRS,
			 "where the ledger and the evidence are kept (default: "
			 "$XDG_STATE_HOME/cupel/gates/GATE)" },
	[GATE_JSON] = { "json", OPTION_FLAG, NULL, VALUES_NONE,
			"print one JSON object instead of text" },
	[GATE_HTML] = { "html", OPTION_WORD, "FILE", VALUES_FILES,
			"show: write one HTML page without scripts or outside "
			"references" },
	[GATE_MAX_ATTEMPTS] = { "max-attempts", OPTION_WORD, "N", VALUES_NONE,
				"most attempts, 1 to 32 (default: the gate's "
				"own); more than the gate's needs "
				"--operator-ack" },
	[GATE_OPERATOR_ACK] = { "operator-ack", OPTION_WORD, "NAME",
				VALUES_NONE,
				"who allows more attempts; the name is "
				"recorded in the ledger" },
	[GATE_CHAIN_HEAD] = { "chain-head", OPTION_WORD, "HASH", VALUES_NONE,
			      "the hash of an earlier ledger, which this one "
			      "continues" },
	[GATE_RESUME] = { "resume", OPTION_FLAG, NULL, VALUES_NONE,
			  "continue a gate whose runner was killed; its last "
			  "attempt counts as lost" },
	[GATE_NO_WAIT] = { "no-wait", OPTION_FLAG, NULL, VALUES_NONE,
			   "fail when another runner uses the same state, "
			   "instead of waiting" },
	[GATE_BACKEND] = { "backend", OPTION_WORD, "NAME", VALUES_NONE,
			   "option of every phase, see cupel-run(1)" },
	[GATE_NUMBER] = { "number", OPTION_WORD, "N", VALUES_NONE,
			  "show, attest: the gate with that number in the "
			  "ledger (default: the last one)" },
	[GATE_PREDICATE] = { "predicate", OPTION_WORD, "NAME", VALUES_NONE,
			     "attest: test-result (the default) or "
			     "verification-summary" },
	[GATE_SUBJECT] = { "subject", OPTION_WORD, "NAME[=ALGORITHM:HEX]",
			   VALUES_NONE,
			   "attest: the name of what was judged (default: the "
			   "work tree's); a digest has to be the one in the "
			   "ledger, blake3:... or gitTree:..." },
	[GATE_OLDER_THAN] = { "older-than", OPTION_WORD, "TIME", VALUES_NONE,
			      "gc: remove gates that ended longer ago than "
			      "this: 14d, 12h, 30m or 20s (default: 14d)" },
	[GATE_KEEP_FAILED] = { "keep-failed", OPTION_FLAG, NULL, VALUES_NONE,
			       "gc: keep the evidence of gates that did not "
			       "pass" },
	[GATE_NO_CHECK] = { "no-check", OPTION_FLAG, NULL, VALUES_NONE,
			    "baseline: do not judge the same tree by the new "
			    "baseline, which shows whether any tree could "
			    "pass" },
	[GATE_QUIET] = { "quiet", OPTION_FLAG, NULL, VALUES_NONE,
			 "print no progress on stderr" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};
static_assert(sizeof gate_options / sizeof *gate_options == GATE_OPTIONS + 1,
	      "a row for every option");

/* How long readers wait for a gc, which takes milliseconds. */
#define GC_WAIT_MS 30000

#define BIT(flag) (1UL << GATE_##flag)
#define RUN_BITS                                                               \
	(BIT(WORKTREE) | BIT(CATALOGUE) | BIT(BACKEND) | BIT(QUIET) | BIT(OSV))

static const struct {
	const char *name, *words;
	int (*run)(const struct gate_words *w);
	unsigned long options;
	int least, most; /* words */
} verbs[] = {
	{ "run", "GATE", gate_run_verb,
	  RUN_BITS | BIT(BASELINE) | BIT(REPLAN) | BIT(STATE) | BIT(JSON) |
		  BIT(MAX_ATTEMPTS) | BIT(OPERATOR_ACK) | BIT(CHAIN_HEAD) |
		  BIT(RESUME) | BIT(NO_WAIT),
	  1, 1 },
	{ "baseline", "GATE FILE", gate_baseline_verb, RUN_BITS | BIT(NO_CHECK),
	  2, 2 },
	{ "list", "[GATE]", gate_list_verb, BIT(STATE) | BIT(JSON), 0, 1 },
	{ "show", "[GATE]", gate_show_verb,
	  BIT(STATE) | BIT(JSON) | BIT(HTML) | BIT(NUMBER), 0, 1 },
	{ "verify", "[GATE]", gate_verify_verb, BIT(STATE) | BIT(CHAIN_HEAD), 0,
	  1 },
	{ "attest", "[GATE]", gate_attest_verb,
	  BIT(STATE) | BIT(NUMBER) | BIT(PREDICATE) | BIT(SUBJECT), 0, 1 },
	{ "gc", "[GATE]", gate_gc_verb,
	  BIT(STATE) | BIT(OLDER_THAN) | BIT(KEEP_FAILED) | BIT(NO_WAIT), 0,
	  1 },
};
#define VERBS (sizeof verbs / sizeof *verbs)

const char *gate_text(const struct gate_words *w, enum gate_flag flag)
{
	return option_text(&w->values[flag], NULL);
}

bool gate_has(const struct gate_words *w, enum gate_flag flag)
{
	return w->values[flag].count > 0;
}

int gate_fail(const struct cupel_error *err)
{
	int status = cli_fail(err);

	return status == CLI_FAILED ? GATE_INTERNAL : status;
}

int gate_broken(const struct state *s, const struct cupel_error *err)
{
	cli_complain("%.300s/" LEDGER_FILE ": %s", s->path, err->what);
	return GATE_BROKEN;
}

int gate_state_open(const struct gate_words *w, struct state *ret)
{
	struct state_request req = { .path = gate_text(w, GATE_STATE),
				     .name = w->words[0],
				     .worktree_fd = -1 };
	struct cupel_error err = { 0 };

	if (req.path == NULL && req.name == NULL)
		return cli_usage("gate: which gate? give GATE or --state DIR");
	if (req.path == NULL && strchr(req.name, '/') != NULL)
		return cli_usage("gate: '%.80s' is not the name of a gate",
				 req.name);
	return state_open(&req, ret, &err) < 0 ? gate_fail(&err) : CLI_OK;
}

int gate_book_open(const struct gate_words *w, struct state *ret,
		   struct ledger_book *ret_book)
{
	struct cupel_error err = { 0 };
	int status = gate_state_open(w, ret);
	int e;

	if (status != CLI_OK)
		return status;
	e = state_lock_evidence(ret, false, GC_WAIT_MS, &err);
	if (e == -EBUSY)
		return cli_complain("%s", err.what), CLI_HOST;
	if (e < 0)
		return gate_fail(&err);
	e = ledger_read(ret->dir_fd, gate_text(w, GATE_CHAIN_HEAD), ret_book,
			&err);
	if (e == -ENOENT)
		return cli_usage("gate: %.300s holds no ledger; 'cupel gate "
				 "run' begins one",
				 ret->path);
	if (e == 0)
		e = evidence_verify(ret, ret_book, &err);
	if (e == LEDGER_BROKEN)
		return gate_broken(ret, &err);
	return e < 0 ? gate_fail(&err) : CLI_OK;
}

/* Returns 0, OPTION_HELP or CLI_USAGE. */
static int words_read(size_t verb, int argc, char *argv[], struct gate_words *w)
{
	int rest = argc;
	int r = option_read(argc, argv, gate_options, w->values, &rest);

	if (r != 0)
		return r;
	for (; rest < argc; rest++) {
		if (w->words_len == verbs[verb].most)
			return cli_usage("gate %s: unexpected operand '%.80s'",
					 verbs[verb].name, argv[rest]);
		w->words[w->words_len++] = argv[rest];
	}
	return 0;
}

static int words_check(size_t verb, const struct gate_words *w)
{
	for (int i = 0; i < GATE_OPTIONS; i++)
		if (w->values[i].count > 0 &&
		    (verbs[verb].options & 1UL << i) == 0)
			return cli_usage("--%s: is not an option of gate %s",
					 gate_options[i].name,
					 verbs[verb].name);
	if (w->words_len < verbs[verb].least)
		return cli_usage("gate %s: needs %s", verbs[verb].name,
				 verbs[verb].words);
	return 0;
}

static int verb_run(size_t verb, int argc, char *argv[], const char *command)
{
	struct gate_words w = { 0 };
	int r = words_read(verb, argc, argv, &w);

	if (r == 0)
		r = words_check(verb, &w);
	if (r == OPTION_HELP)
		r = command_show_help(command);
	else if (r == 0)
		r = verbs[verb].run(&w);
	option_done(gate_options, w.values);
	return r;
}

int gate_command(int argc, char *argv[])
{
	const char *verb = argc > 1 ? argv[1] : "";
	size_t i = 0;

	if (strcmp(verb, "--help") == 0)
		return command_show_help(argv[0]);
	while (i < VERBS && strcmp(verbs[i].name, verb) != 0)
		i++;
	if (i == VERBS)
		return cli_usage("gate: expected run, baseline, list, show, "
				 "verify, attest or gc, not '%.80s'",
				 verb);
	return verb_run(i, argc - 1, argv + 1, argv[0]);
}
