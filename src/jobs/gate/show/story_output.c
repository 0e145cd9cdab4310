/* story_output.c -- see story_output.h. */
#include "jobs/gate/show/story_output.h"

#include <string.h>

#include "base/buf.h"
#include "jobs/gate/ledger/state.h"
#include "jobs/gate/show/story_change.h"
#include "jobs/gate/show/story_line.h"

#define FIRST_LINES 3U
#define LAST_LINES  6U
#define LINE_BYTES  68U /* of one line, with the lead and dots 80 */

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

/* One line of the change's own is one line here, behind a bar, so that it cannot
 * be taken for what the gate says. */
static void line_write(const char *line, size_t n, struct buf *out)
{
	owned_buf struct buf shown = { 0 };
	size_t len;

	story_line_write(line, n < LINE_BYTES * 4 ? n : (size_t)LINE_BYTES * 4,
			 &shown);
	if (shown.bytes == NULL)
		return;
	len = shown.len < LINE_BYTES ? shown.len : LINE_BYTES;
	while (len < shown.len && len > 0 &&
	       ((unsigned char)shown.bytes[len] & 0xc0) == 0x80)
		len--;
	buf_format(out, "      | %.*s%s\n", (int)len, shown.bytes,
		   len < shown.len ? " ..." : "");
}

static void lines_write(const char *s, size_t n, struct buf *out)
{
	size_t lines = 0, seen = 0, at = 0, len;
	const char *line;

	while (line_next(s, n, &at, &line, &len))
		lines++;
	for (at = 0; line_next(s, n, &at, &line, &len); seen++)
		if (seen < FIRST_LINES || lines - seen <= LAST_LINES)
			line_write(line, len, out);
		else if (seen == FIRST_LINES)
			buf_text(out, "      ...\n");
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
	if (!stream_write(result, "stderr", out))
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
