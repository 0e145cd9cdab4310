/* html.c -- see html.h. */
#include "jobs/gate/show/html.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"
#include "jobs/gate/show/html_change.h"
#include "jobs/gate/show/html_style.h"
#include "jobs/gate/show/story.h"
#include "jobs/gate/show/story_change.h"
#include "jobs/gate/show/story_line.h"
#include "jobs/trace/happened.h"
#include "jobs/trace/tree.h"

#define TREE_BYTES ((size_t)1 << 20) /* of one run; a longer one is cut */

/* Write <tag class>text</tag>, with hostile text; class may be NULL. */
static void element(struct buf *out, const char *tag, const char *class,
		    const char *text)
{
	buf_format(out, "<%s", tag);
	if (class != NULL)
		buf_format(out, " class=\"%s\"", class);
	buf_char(out, '>');
	story_line_escape(text, strlen(text), out);
	buf_format(out, "</%s>", tag);
}

static void pair(struct buf *out, const char *name, const char *text)
{
	if (text[0] == '\0')
		return;
	element(out, "dt", NULL, name);
	element(out, "dd", NULL, text);
	buf_char(out, '\n');
}

/* --- signals ---------------------------------------------------------------- */

static void fact_write(void *data, const char *name, const char *text,
		       size_t len)
{
	struct buf *out = data;

	element(out, "dt", NULL, name);
	buf_text(out, "<dd>");
	story_line_escape(text, len, out);
	buf_text(out, "</dd>\n");
}

/* The path, in the state directory, of the evidence of that name. */
static const char *path_of(const struct story_attempt *a, const char *name)
{
	return story_text(story_kept(a, name), "path");
}

static void evidence_write(const struct story_attempt *a,
			   const struct json_value *signal, struct buf *out)
{
	const struct json_value *from = json_find(signal, "provenance");
	const struct json_value *file;

	for (size_t i = 0; (file = story_item(from, "files", i)) != NULL; i++) {
		const char *name = story_text(file, "path");

		buf_text(out, "<dt>evidence</dt><dd>");
		story_line_escape(name, strlen(name), out);
		buf_text(out, "<br>");
		element(out, "code", "soft", path_of(a, name));
		buf_text(out, "</dd>\n");
	}
}

static void signal_write(const struct story_attempt *a,
			 const struct json_value *signal, struct buf *out)
{
	bool passed = story_bool(signal, "passed");

	buf_format(out, "<details%s><summary class=\"%s\">%s ",
		   passed ? "" : " open", passed ? "good" : "bad",
		   passed ? "passed:" : "failed:");
	element(out, "b", NULL, story_text(signal, "kind"));
	buf_text(out, "</summary><dl>\n");
	story_facts(json_find(signal, "details"), fact_write, out);
	evidence_write(a, signal, out);
	buf_text(out, "</dl></details>\n");
}

/* --- the trace -------------------------------------------------------------- */

static bool has_text(const char *line, size_t n, const char *part)
{
	return part[0] != '\0' && memmem(line, n, part, strlen(part)) != NULL;
}

/* Whether the line is about something that the trace signal calls new. */
static bool is_new(const struct json_value *trace, const char *line, size_t n)
{
	static const char *const lists[] = { "new_executables", "new_shells",
					     "new_endpoints" };
	static const char *const names[] = { "path", "host", "address" };
	const struct json_value *item;

	for (size_t l = 0; l < 3; l++)
		for (size_t i = 0;
		     (item = story_item(trace, lists[l], i)) != NULL; i++)
			for (size_t k = 0; k < 3; k++)
				if (has_text(line, n,
					     story_text(item, names[k])))
					return true;
	return false;
}

static void tree_lines(const struct json_value *trace, const struct buf *tree,
		       struct buf *out)
{
	const char *at = tree->bytes, *end = at + tree->len;

	if (tree->len > TREE_BYTES)
		end = at + TREE_BYTES;
	buf_text(out, "<pre>");
	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((eol != NULL ? eol : end) - at);
		bool marked = is_new(trace, at, n);

		buf_text(out, marked ? "<mark>" : "");
		story_line_escape(at, n, out);
		buf_text(out, marked ? "  new</mark>\n" : "\n");
		at += n + 1;
	}
	buf_text(out,
		 tree->len > TREE_BYTES ? "... and more</pre>\n" : "</pre>\n");
}

/* Show the tree of one run, if it was traced. */
static void tree_show(const struct story_attempt *a,
		      const struct json_value *run,
		      const struct json_value *trace, const struct state *s,
		      struct buf *out)
{
	owned_buf struct buf bytes = { 0 }, tree = { 0 };
	struct happened h = { 0 };
	struct cupel_error err;
	const char *name = story_text(run, "result");
	const char *path = path_of(a, name);

	if (story_bool(story_kept(a, name), "truncated")) {
		buf_text(out, "<p>what ");
		element(out, "b", NULL, story_text(run, "phase"));
		buf_text(out, " executed and reached is not shown: the "
			      "evidence was cut</p>\n");
		return;
	}
	if (path[0] != '\0' && state_read(s, path, &bytes) == NULL &&
	    happened_read(path, bytes.bytes, bytes.len, &h, &err) == 0 &&
	    h.trace != NULL && tree_write(&h, &tree) == 0 && tree.len > 0) {
		buf_text(out, "<details><summary>what ");
		element(out, "b", NULL, story_text(run, "phase"));
		buf_text(out, " executed and reached</summary>");
		tree_lines(trace, &tree, out);
		buf_text(out, "</details>\n");
	}
	happened_done(&h);
}

/* --- what changed ----------------------------------------------------------- */

/* Show what changed; there is evidence of it if both trees were gathered. */
static void change_show(const struct story_attempt *a, const struct state *s,
			struct buf *out)
{
	const struct json_value *change;
	struct arena arena = { 0 };
	bool is_cut;

	if (story_change_read(a, s, &arena, &change, &is_cut))
		html_change_write(change, out);
	else if (is_cut)
		buf_text(out, "<p>what changed in packages and files is not "
			      "shown: the evidence was cut</p>\n");
	arena_done(&arena);
}

/* --- an attempt ------------------------------------------------------------- */

static void run_row(const struct json_value *r, struct buf *out)
{
	uint64_t ms = story_number(r, "wall_ms");
	bool is_ok = strcmp(story_text(r, "status"), "OK") == 0;

	buf_text(out, "<tr>");
	element(out, "td", NULL, story_text(r, "phase"));
	element(out, "td", is_ok ? "good" : "bad", story_text(r, "status"));
	buf_format(out,
		   "<td>%" PRIu64 ".%" PRIu64 " s</td><td>%" PRIu64 " ms</td>",
		   ms / 1000, ms % 1000 / 100, story_number(r, "cpu_ms"));
	element(out, "td", NULL, story_text(r, "isolation_class"));
	buf_text(out, "</tr>\n");
}

static void runs_write(const struct story *s, const struct story_attempt *a,
		       struct buf *out)
{
	buf_text(out, "<div class=\"wide\"><table><tr><th>phase</th>"
		      "<th>status</th><th>time</th><th>processor</th>"
		      "<th>isolation</th></tr>\n");
	for (size_t i = a->first; i < a->last; i++)
		if (story_is(&s->book->records[i], "run.ended"))
			run_row(&s->book->records[i], out);
	buf_text(out, "</table></div>\n");
	for (size_t i = a->first; i < a->last; i++) {
		const struct json_value *r = &s->book->records[i];
		const char *host = story_text(r, "host");

		if (!story_is(r, "egress.blocked"))
			continue;
		buf_text(out, "<p class=\"bad\">refused: ");
		element(out, "code", NULL,
			host[0] != '\0' ? host : story_text(r, "address"));
		buf_format(out, " port %" PRIu64 " in ",
			   story_number(r, "port"));
		element(out, "b", NULL, story_text(r, "phase"));
		buf_text(out, "</p>\n");
	}
}

static void attempt_write(const struct story *story,
			  const struct story_attempt *a, const struct state *s,
			  struct buf *out)
{
	const struct json_value *records = story->book->records, *trace = NULL;
	bool passed = story_bool(a->ended, "passed");
	const char *word = a->ended == NULL               ? "has not ended"
			   : story_bool(a->ended, "lost") ? "lost"
			   : passed                       ? "passed"
							  : "failed";

	buf_format(out,
		   "<li><h2>Attempt %" PRIu64 ": <span class=\"%s\">%s"
		   "</span></h2>\n",
		   a->number, passed ? "good" : "bad", word);
	element(out, "p", "soft", story_text(&records[a->first], "at"));
	element(out, "p", "soft",
		story_text(json_find(&records[a->first], "tree"), "blake3"));
	element(out, "p", NULL, story_text(a->ended, "why"));
	for (size_t i = a->first; i < a->last; i++) {
		const struct json_value *signal =
			json_find(&records[i], "signal");

		if (!story_is(&records[i], "signal"))
			continue;
		signal_write(a, signal, out);
		if (story_is(signal, "trace"))
			trace = json_find(signal, "details");
	}
	change_show(a, s, out);
	runs_write(story, a, out);
	for (size_t i = a->first; i < a->last; i++)
		if (story_is(&records[i], "run.ended"))
			tree_show(a, &records[i], trace, s, out);
	if (a->replan != NULL)
		buf_format(out, "<p>The planner ended with %" PRIu64 ".</p>\n",
			   story_number(a->replan, "status"));
	buf_text(out, "</li>\n");
}

static void head_write(const struct story *story, struct buf *out)
{
	const char *outcome = story_text(story->ended, "outcome");
	bool passed = strcmp(outcome, "passed") == 0;

	buf_text(out, "<!doctype html>\n<html lang=\"en\"><head>"
		      "<meta charset=\"utf-8\">\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\""
		      "default-src 'none'; style-src 'sha256-" HTML_STYLE_HASH
		      "'; base-uri 'none'; form-action 'none'\">\n"
		      "<meta name=\"referrer\" content=\"no-referrer\">\n"
		      "<meta name=\"viewport\" content=\"width=device-width, "
		      "initial-scale=1\">\n");
	element(out, "title", NULL, story_text(story->begun, "gate"));
	buf_text(out, "<style>" HTML_STYLE "</style></head>\n<body><header>"
		      "<h1>");
	story_line_escape(story_text(story->begun, "gate"),
			  strlen(story_text(story->begun, "gate")), out);
	buf_text(out, ": ");
	element(out, "span", passed ? "good" : "bad",
		outcome[0] != '\0' ? outcome : "not ended");
	buf_text(out, "</h1><dl>\n");
}

void html_write(const struct story *story, const struct state *s,
		struct buf *out)
{
	const char *isolation = story_isolation(story);

	out->cap_bytes = HTML_BYTES;
	head_write(story, out);
	pair(out, "reason", story_text(story->ended, "reason"));
	pair(out, "catalogue", story_text(story->begun, "catalogue"));
	pair(out, "isolation", isolation != NULL ? isolation : "");
	pair(out, "begun", story_text(story->begun, "at"));
	pair(out, "ended", story_text(story->ended, "at"));
	pair(out, "work tree", story_text(story->begun, "worktree"));
	pair(out, "baseline", story_text(story->begun, "baseline"));
	pair(out, "state", s->path);
	buf_text(out, "</dl></header>\n<main><ol class=\"time\">\n");
	for (size_t i = 0; i < story->attempts_len; i++)
		attempt_write(story, &story->attempts[i], s, out);
	buf_text(out, "</ol></main>\n");
	element(out, "footer", "soft",
		story_text(story->ended != NULL ? story->ended : story->begun,
			   "hash"));
	buf_text(out, "</body></html>\n");
}
