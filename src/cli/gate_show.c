/* gate_show.c -- cupel gate list, show, verify, attest and gc. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "base/plural.h"
#include "cli/cli.h"
#include "cli/file.h"
#include "cli/gate.h"
#include "jobs/gate/ledger/gc.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"
#include "jobs/gate/show/attest.h"
#include "jobs/gate/show/html.h"
#include "jobs/gate/show/story.h"
#include "jobs/gate/show/story_line.h"

#define STATES_MAX 4096U /* in one directory of states */

int gate_print(const struct story *story, const struct state *s, bool is_json)
{
	owned_buf struct buf out = { 0 };
	struct jsonw w = { .out = &out };

	if (is_json) {
		story_write_json(story, s->path, &w);
		buf_char(&out, '\n');
	} else {
		story_write_text(story, s, &out);
	}
	return cli_print(&out);
}

/* --- which gate ------------------------------------------------------------- */

/* The number of --number; 0: the last gate; -1: not a number. */
static long number_read(const struct gate_words *w)
{
	const char *text = gate_text(w, GATE_NUMBER);
	size_t n = text != NULL ? strlen(text) : 0;

	if (text == NULL)
		return 0;
	if (n < 1 || n > 7 || strspn(text, "0123456789") != n)
		return -1;
	return strtol(text, NULL, 10) > 0 ? strtol(text, NULL, 10) : -1;
}

/* A verb that handles one gate of a whole ledger. */
static int one_gate(const struct gate_words *w,
		    int (*run)(const struct gate_words *w,
			       const struct story *story,
			       const struct state *s))
{
	struct state s = STATE_NONE;
	struct ledger_book b = { 0 };
	long number = number_read(w), at = -1;
	struct story story;
	int status;

	if (number < 0)
		return cli_usage("--number: '%.80s' is not a number from 1 up",
				 gate_text(w, GATE_NUMBER));
	status = gate_book_open(w, &s, &b);
	if (status == CLI_OK)
		at = story_find(&b, (size_t)number);
	if (status == CLI_OK && (at < 0 || !story_read(&b, (size_t)at, &story)))
		status = cli_usage(
			"gate: %.300s: the ledger has no gate with that number",
			s.path);
	if (status == CLI_OK)
		status = run(w, &story, &s);
	ledger_book_done(&b);
	state_close(&s);
	return status;
}

static int show(const struct gate_words *w, const struct story *story,
		const struct state *s)
{
	const char *file = gate_text(w, GATE_HTML);
	owned_buf struct buf page = { 0 };
	struct cupel_error err = { 0 };

	if (file == NULL)
		return gate_print(story, s, gate_has(w, GATE_JSON));
	html_write(story, s, &page);
	if (buf_has_failed(&page)) {
		cli_complain("--html: the page would be too long; use --json "
			     "instead");
		return GATE_INTERNAL;
	}
	if (file_write(file, 0644, page.bytes, page.len, &err) < 0)
		return gate_fail(&err);
	return gate_has(w, GATE_JSON) ? gate_print(story, s, true) : CLI_OK;
}

int gate_show_verb(const struct gate_words *w)
{
	return one_gate(w, show);
}

/* Take NAME from NAME[=ALGORITHM:HEX]; the digest has to be of the tree that was
 * judged.  Returns CLI_OK or an exit status. */
static int subject_read(const struct gate_words *w,
			const struct json_value *tree, const char *worktree,
			struct buf *ret)
{
	const char *slash = strrchr(worktree, '/');
	const char *text = gate_text(w, GATE_SUBJECT);
	const char *digest = text != NULL ? strrchr(text, '=') : NULL;

	if (text == NULL)
		text = slash != NULL && slash[1] != '\0' ? slash + 1 : worktree;
	if (digest != NULL && strchr(digest, ':') == NULL)
		digest = NULL;
	if (digest != NULL && !attest_has_digest(tree, digest + 1)) {
		const char *id = story_text(tree, "git_tree");

		return cli_usage("--subject: %.200s was not judged; the tree "
				 "that was is %s%s%s",
				 digest + 1, story_text(tree, "blake3"),
				 id[0] != '\0' ? ", gitTree:" : "", id);
	}
	buf_add(ret, text,
		digest != NULL ? (size_t)(digest - text) : strlen(text));
	if (buf_has_failed(ret))
		return GATE_INTERNAL;
	return ret->len > 0 ? CLI_OK
			    : cli_usage("--subject: the name is empty");
}

static int attest(const struct gate_words *w, const struct story *story,
		  const struct state *s)
{
	const char *word = gate_text(w, GATE_PREDICATE);
	const struct json_value *tree = attest_tree(story);
	enum attest_predicate predicate =
		attest_find(word != NULL ? word : "test-result");
	owned_buf struct buf out = { 0 }, name = { 0 };
	struct jsonw jw = { .out = &out };
	int status;

	if (predicate == ATTEST_MAX_)
		return cli_usage("--predicate: expected test-result or "
				 "verification-summary, not '%.80s'",
				 word);
	if (story->ended == NULL)
		return cli_usage("gate attest: %.300s: the gate has not ended",
				 s->path);
	if (tree == NULL)
		return cli_usage("gate attest: %.300s: the ledger does not say "
				 "which tree the last attempt judged",
				 s->path);
	status = subject_read(w, tree, story_text(story->begun, "worktree"),
			      &name);
	if (status != CLI_OK)
		return status;
	attest_write(story, predicate, name.bytes, &jw);
	buf_char(&out, '\n');
	return cli_print(&out);
}

int gate_attest_verb(const struct gate_words *w)
{
	return one_gate(w, attest);
}

/* --- verify ----------------------------------------------------------------- */

int gate_verify_verb(const struct gate_words *w)
{
	struct state s = STATE_NONE;
	struct ledger_book b = { 0 };
	owned_buf struct buf out = { 0 };
	int status = gate_book_open(w, &s, &b);

	if (status == CLI_OK) {
		buf_format(&out, "%zu record%s, one whole chain\n", b.len,
			   plural_s(b.len));
		if (b.hash[0] != '\0')
			buf_format(&out, "chain head %s\n", b.hash);
		if (b.is_torn)
			buf_text(&out, "the last line is not counted: its "
				       "writer was killed while writing it\n");
		status = cli_print(&out);
	}
	ledger_book_done(&b);
	state_close(&s);
	return status;
}

/* --- list ------------------------------------------------------------------- */

static void list_json(const struct story *story, size_t number,
		      const struct state *s, struct jsonw *w)
{
	const char *outcome = story_text(story->ended, "outcome");

	jsonw_object(w, NULL);
	jsonw_uint(w, "number", number);
	jsonw_text(w, "gate", story_text(story->begun, "gate"));
	jsonw_text(w, "catalogue", story_text(story->begun, "catalogue"));
	jsonw_text_or_null(w, "outcome", outcome[0] != '\0' ? outcome : NULL);
	jsonw_uint(w, "attempts", story->attempts_len);
	jsonw_text(w, "begun_at", story_text(story->begun, "at"));
	jsonw_text(w, "state", s->path);
	jsonw_end_object(w);
}

static void list_text(const struct story *story, size_t number, struct buf *out)
{
	const char *outcome = story_text(story->ended, "outcome");
	owned_buf struct buf line = { 0 };

	buf_format(&line, "%3zu  %.19s  %-20s %2zu attempt%s  %s%s", number,
		   story_text(story->begun, "at"),
		   outcome[0] != '\0' ? outcome : "not ended",
		   story->attempts_len, story->attempts_len == 1 ? " " : "s",
		   story_text(story->begun, "gate"),
		   story_is_loose(story) ? " (loose)" : "");
	if (!buf_has_failed(&line))
		story_line_fold("", line.bytes, line.len, out);
}

/* List all gates of one ledger. */
static int list_one(const struct gate_words *w, struct buf *out,
		    struct jsonw *jw)
{
	struct state s = STATE_NONE;
	struct ledger_book b = { 0 };
	int status = gate_book_open(w, &s, &b);
	struct story story;
	size_t number = 0;

	for (size_t i = 0; status == CLI_OK && i < b.len; i++) {
		if (!story_read(&b, i, &story))
			continue;
		number++;
		if (gate_has(w, GATE_JSON))
			list_json(&story, number, &s, jw);
		else
			list_text(&story, number, out);
	}
	ledger_book_done(&b);
	state_close(&s);
	return status;
}

/* List the ledgers of all gates whose state is in the default place. */
static int list_all(const struct gate_words *w, struct buf *out,
		    struct jsonw *jw)
{
	struct gate_words each = *w;
	struct cupel_error err = { 0 };
	char path[PATH_MAX];
	const struct dirent *d;
	int status = CLI_OK;
	size_t seen = 0;
	DIR *dir;

	if (state_path("", path, &err) < 0)
		return gate_fail(&err);
	dir = opendir(path);
	if (dir == NULL)
		return errno == ENOENT ? CLI_OK
				       : cli_usage("gate list: %.300s: %s",
						   path, strerror(errno));
	while ((d = readdir(dir)) != NULL && seen++ < STATES_MAX) {
		int one;

		if (d->d_name[0] == '.')
			continue;
		each.words[0] = d->d_name;
		one = list_one(&each, out, jw);
		status = one > status ? one : status;
	}
	closedir(dir);
	return status;
}

int gate_list_verb(const struct gate_words *w)
{
	owned_buf struct buf out = { 0 };
	struct jsonw jw = { .out = &out };
	bool is_all = gate_text(w, GATE_STATE) == NULL && w->words_len == 0;
	int status, printed;

	if (gate_has(w, GATE_JSON))
		jsonw_array(&jw, NULL);
	status = is_all ? list_all(w, &out, &jw) : list_one(w, &out, &jw);
	if (gate_has(w, GATE_JSON)) {
		jsonw_end_array(&jw);
		buf_char(&out, '\n');
	}
	printed = out.len > 0 ? cli_print(&out) : CLI_OK;
	return status != CLI_OK ? status : printed;
}

/* --- gc --------------------------------------------------------------------- */

/* "14d" in seconds; -1: not a time. */
static int64_t time_read(const char *text)
{
	static const struct {
		char unit;
		int64_t s;
	} units[] = { { 'd', 86400 }, { 'h', 3600 }, { 'm', 60 }, { 's', 1 } };
	size_t n = strspn(text, "0123456789");

	if (n < 1 || n > 6 || strlen(text) != n + 1)
		return -1;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (text[n] == units[i].unit)
			return units[i].s * strtol(text, NULL, 10);
	return -1;
}

static int gc(const struct gate_words *w, const struct state *s, int64_t age_s)
{
	const struct gc_request req = { .before_s = (int64_t)time(NULL) - age_s,
					.keep_failed =
						gate_has(w, GATE_KEEP_FAILED) };
	owned_buf struct buf out = { 0 };
	struct cupel_error err = { 0 };
	struct gc_counts counts;
	int wait_ms = gate_has(w, GATE_NO_WAIT) ? 0 : INT_MAX;
	int e = state_lock(s, wait_ms, -1, &err);

	if (e == 0)
		e = state_lock_evidence(s, true, wait_ms, &err);
	if (e == -EBUSY)
		return cli_complain("%s", err.what), CLI_HOST;
	if (e == 0)
		e = gc_run(s, &req, &counts, &err);
	if (e == LEDGER_BROKEN)
		return gate_broken(s, &err);
	if (e < 0)
		return gate_fail(&err);
	buf_format(&out, "%zu gate%s, %zu file%s removed\n", counts.gates,
		   plural_s(counts.gates), counts.files,
		   plural_s(counts.files));
	return cli_print(&out);
}

int gate_gc_verb(const struct gate_words *w)
{
	const char *age = gate_text(w, GATE_OLDER_THAN);
	int64_t age_s = time_read(age != NULL ? age : "14d");
	struct state s = STATE_NONE;
	int status;

	if (age_s < 0)
		return cli_usage("--older-than: '%.80s' is not a time such as "
				 "14d, 12h, 30m or 20s",
				 age);
	status = gate_state_open(w, &s);
	if (status == CLI_OK)
		status = gc(w, &s, age_s);
	state_close(&s);
	return status;
}
