/* story_output.c -- see story_output.h. */
#include "jobs/gate/show/story_output.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "jobs/gate/ledger/state.h"
#include "jobs/gate/show/story_change.h"
#include "jobs/gate/show/story_line.h"

#define FIRST_LINES 3U
#define LAST_LINES  6U
#define ERROR_LINES 8U  /* from the first that says so */
#define TEST_LINES  10U /* tests that failed, by their report */
#define LINE_BYTES  68U /* of one line, with the lead and dots 80 */
#define PIECES_MAX  4U  /* lines that a longer one becomes */

static bool is_blank(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strchr(" \t\r\n", s[i]) == NULL || s[i] == '\0')
			return false;
	return true;
}

/* The next line that is not blank, from *at on, which becomes the place behind it.
 * Returns whether there is one. */
static bool line_next(const char *s, size_t n, size_t *at, const char **ret,
		      size_t *ret_len)
{
	while (*at < n) {
		const char *end = memchr(s + *at, '\n', n - *at);

		*ret = s + *at;
		*ret_len = end != NULL ? (size_t)(end - *ret) : n - *at;
		*at += *ret_len + 1;
		if (!is_blank(*ret, *ret_len))
			return true;
	}
	return false;
}

/* A line of the change's own, cut into those of a terminal.  Each is behind a bar,
 * so that it cannot be taken for what the gate says. */
static void line_write(const char *line, size_t n, struct buf *out)
{
	const size_t most = (size_t)LINE_BYTES * PIECES_MAX;
	owned_buf struct buf shown = { 0 };

	story_line_write(line, n < most ? n : most, &shown);
	for (size_t i = 0, at = 0; i < PIECES_MAX && at < shown.len; i++) {
		size_t left = shown.len - at;
		size_t len = utf8_cut(shown.bytes + at, left, LINE_BYTES);
		bool is_cut = i + 1 == PIECES_MAX && (len < left || n > most);

		buf_format(out, "      | %.*s%s\n", (int)len, shown.bytes + at,
			   is_cut ? " ..." : "");
		at += len;
	}
}

/* Whether the line says that something went wrong. */
static bool is_error(const char *line, size_t n)
{
	static const char *const words[] = { "error", "fatal", "failed" };

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (n - i >= strlen(words[k]) &&
			    strncasecmp(line + i, words[k], strlen(words[k])) ==
				    0)
				return true;
	return false;
}

static void lines_write(const char *s, size_t n, struct buf *out)
{
	size_t lines = 0, seen = 0, error = SIZE_MAX, at = 0, len;
	bool is_gap = false;
	const char *line;

	for (; line_next(s, n, &at, &line, &len); lines++)
		if (error == SIZE_MAX && is_error(line, len))
			error = lines;
	for (at = 0; line_next(s, n, &at, &line, &len); seen++) {
		bool is_shown = seen < FIRST_LINES ||
				lines - seen <= LAST_LINES ||
				(seen >= error && seen - error < ERROR_LINES);

		if (is_shown)
			line_write(line, len, out);
		else if (!is_gap)
			buf_text(out, "      ...\n");
		is_gap = !is_shown;
	}
}

/* --- a report --------------------------------------------------------------- */

static void member_add(struct buf *out, const char *before,
		       const struct json_value *v)
{
	if (v == NULL || v->type == JSON_NULL)
		return;
	buf_text(out, before);
	if (v->type == JSON_STRING)
		buf_add(out, v->u.string.bytes, v->u.string.len);
	else
		json_write(v, out);
}

bool story_failure_add(const struct json_value *tests, size_t i,
		       struct buf *out)
{
	const struct json_value *test = story_item(tests, "details", i);

	if (test == NULL)
		return false;
	member_add(out, "", json_find(test, "name"));
	member_add(out, ": ", json_find(test, "message"));
	member_add(out, ", ", json_find(test, "file"));
	member_add(out, ":", json_find(test, "line"));
	return true;
}

/* What the report of tests says of those that failed, if it says anything. */
static bool report_write(const struct json_value *result, struct buf *out)
{
	const struct json_value *payload = json_find(result, "payload");
	const struct json_value *tests =
		payload != NULL ? json_find(payload, "tests") : NULL;
	uint64_t failed = tests != NULL ? story_number(tests, "failed") : 0;
	size_t i = 0;

	if (failed == 0)
		return false;
	buf_format(out, "      %" PRIu64 " passed, %" PRIu64 " failed\n",
		   story_number(tests, "passed"), failed);
	for (; i < TEST_LINES; i++) {
		owned_buf struct buf line = { 0 };

		if (!story_failure_add(tests, i, &line))
			break;
		if (!buf_has_failed(&line) && line.len > 0)
			line_write(line.bytes, line.len, out);
	}
	if (i < failed)
		buf_text(out, "      ...\n");
	return i > 0;
}

/* The text of the stream, if it says anything. */
static bool stream_write(const struct json_value *result, const char *name,
			 struct buf *out)
{
	const struct json_value *v = json_find(result, name);

	if (v == NULL || v->type != JSON_STRING ||
	    is_blank(v->u.string.bytes, v->u.string.len))
		return false;
	lines_write(v->u.string.bytes, v->u.string.len, out);
	return true;
}

void story_output_add(const struct json_value *result, struct buf *out)
{
	if (!report_write(result, out) && !stream_write(result, "stderr", out))
		(void)stream_write(result, "stdout", out);
}

void story_output_write(const struct story_attempt *a,
			const struct json_value *run, const struct state *state,
			struct buf *out)
{
	const struct json_caps caps = { .text_bytes = STATE_EVIDENCE_BYTES,
					.string_bytes = STATE_EVIDENCE_BYTES,
					.depth = JSON_DEPTH_RESULT };
	const struct json_value *kept =
		story_kept(a, story_text(run, "result"));
	const char *path = story_text(kept, "path");
	owned_buf struct buf bytes = { 0 };
	struct arena arena = { 0 };
	struct json_value result;
	struct json_error bad = { 0 };

	if (strcmp(story_text(run, "status"), "OK") != 0 && path[0] != '\0' &&
	    !story_bool(kept, "truncated") &&
	    state_read(state, path, &bytes) == NULL &&
	    json_parse(bytes.bytes, bytes.len, &caps, &arena, &result, &bad) ==
		    0)
		story_output_add(&result, out);
	arena_done(&arena);
}
