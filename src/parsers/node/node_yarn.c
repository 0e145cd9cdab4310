/* node_yarn.c -- yarn.lock of yarn 1, which is a format of its own.
 *
 * A line without indent is a list of "name@range" and a colon; below it, two
 * blanks in, are "key value" lines; "key:" alone opens a block, four in.  A
 * word stands in quotes, with JSON's escapes, when it is not plain.
 * Source: yarn 1, lockfile/parse and lockfile/stringify. */
#include <errno.h>
#include <string.h>

#include "base/utf8.h"
#include "parsers/node/node.h"

struct yarn {
	struct node_lock *lock;
	struct json_text line; /* what is left of it */
	bool has_entry, has_block;
	struct node_entry entry;
	struct node_record all; /* every "name@range" */
	size_t head;            /* where those of the open entry begin */
};

static size_t at_of(const struct yarn *y)
{
	return (size_t)(y->line.bytes - y->lock->in->bytes);
}

static int fail(const struct yarn *y, const char *expected)
{
	report_note(&y->lock->node->report->errors, "yarn_syntax", y->lock->in,
		    (int64_t)at_of(y), expected);
	return -EINVAL;
}

static void skip(struct yarn *y, size_t n)
{
	y->line.bytes += n;
	y->line.len -= n;
}

static bool next_is(const struct yarn *y, char c)
{
	return y->line.len > 0 && y->line.bytes[0] == c;
}

static void blanks_skip(struct yarn *y)
{
	while (next_is(y, ' '))
		skip(y, 1);
}

/* A word in quotes; *ret points into the input unless it has escapes. */
static int quoted_take(struct yarn *y, struct json_text *ret)
{
	const char *s = y->line.bytes;
	struct json_value v;
	struct json_error e;
	bool has_escape = false;
	size_t i = 1;

	while (i < y->line.len && s[i] != '"') {
		has_escape = has_escape || s[i] == '\\';
		i += s[i] == '\\' ? 2 : 1;
	}
	if (i >= y->line.len)
		return fail(y, "expected a closing quote on the line");
	*ret = (struct json_text){ s + 1, i - 1 };
	if (has_escape) {
		struct json_caps caps = { .text_bytes = i + 1 };

		if (json_parse(s, i + 1, &caps, &y->lock->node->facts, &v, &e) <
		    0)
			return fail(y, "expected a string with JSON's escapes");
		*ret = v.u.string;
	}
	skip(y, i + 1);
	return 0;
}

/* A word; one without quotes ends at any of stop, a blank or the line's end. */
static int word_take(struct yarn *y, const char *stop, struct json_text *ret)
{
	size_t i = 0;

	if (next_is(y, '"'))
		return quoted_take(y, ret);
	while (i < y->line.len && y->line.bytes[i] != ' ' &&
	       memchr(stop, y->line.bytes[i], strlen(stop)) == NULL)
		i++;
	if (i == 0)
		return fail(y, "expected a word");
	*ret = (struct json_text){ y->line.bytes, i };
	skip(y, i);
	return 0;
}

/* "lodash4@npm:lodash@^4" is lodash. */
static struct json_text name_of(struct json_text descriptor)
{
	struct json_text name, range;

	node_text_split(descriptor, &name, &range);
	if (range.len > 4 && memcmp(range.bytes, "npm:", 4) == 0) {
		struct json_text real = { range.bytes + 4, range.len - 4 };

		node_text_split(real, &name, &range);
	}
	return name;
}

static void entry_end(struct yarn *y)
{
	/* the SHA-1 of an archive stands where others have a commit */
	y->entry.digest = digest_sri_read(y->entry.integrity);
	if (y->entry.digest == DIGEST_NONE)
		y->entry.digest = digest_commit_read(y->entry.resolved);
	if (y->entry.digest == DIGEST_COMMIT &&
	    !text_begins(y->entry.resolved, "git"))
		y->entry.digest = DIGEST_SHA1;
	if (y->has_entry)
		node_lock_entry(y->lock, &y->entry);
	if (y->has_entry && y->entry.version.bytes != NULL)
		node_choice_add_heads(y->lock, &y->all, y->head,
				      y->entry.version);
	y->has_entry = false;
}

/* "a@1", a@2: */
static int head_read(struct yarn *y)
{
	struct json_text word;

	entry_end(y);
	y->entry = (struct node_entry){ 0 };
	y->has_entry = true;
	y->head = y->all.len;
	y->has_block = false;
	for (;;) {
		if (word_take(y, ":,", &word) < 0)
			return -EINVAL;
		node_record_add(&y->all, word, (struct json_text){ NULL, 0 });
		if (y->entry.name.bytes == NULL)
			y->entry.name = name_of(word);
		blanks_skip(y);
		if (!next_is(y, ','))
			break;
		skip(y, 1);
		blanks_skip(y);
	}
	if (!next_is(y, ':'))
		return fail(y, "expected ',' or ':' after \"name@range\"");
	skip(y, 1);
	blanks_skip(y);
	return y->line.len == 0 ? 0 : fail(y, "expected the end of the line");
}

/* Below a head: key value, or key: */
static int field_read(struct yarn *y, bool is_nested)
{
	struct json_text key, value;

	if (word_take(y, ":", &key) < 0)
		return -EINVAL;
	if (next_is(y, ':') && !is_nested) {
		skip(y, 1);
		blanks_skip(y);
		y->has_block = true;
		return y->line.len == 0
			       ? 0
			       : fail(y, "expected the end of the line");
	}
	if (!next_is(y, ' '))
		return fail(y, "expected a space and a value");
	blanks_skip(y);
	if (word_take(y, "", &value) < 0)
		return -EINVAL;
	blanks_skip(y);
	if (y->line.len > 0)
		return fail(y, "expected the end of the line");
	if (is_nested)
		return 0;
	y->has_block = false;
	if (text_is(key, "version"))
		y->entry.version = value;
	else if (text_is(key, "integrity"))
		y->entry.integrity = value;
	else if (text_is(key, "resolved"))
		y->entry.resolved = value;
	return 0;
}

static int line_read(struct yarn *y)
{
	size_t indent = 0;

	while (indent < y->line.len && y->line.bytes[indent] == ' ')
		indent++;
	skip(y, indent);
	if (y->line.len == 0 || next_is(y, '#'))
		return 0;
	if (indent == 0)
		return head_read(y);
	if (indent % 2 != 0)
		return fail(y, "expected an indent of two or four spaces");
	if (!y->has_entry || (indent > 2 && !y->has_block))
		return fail(y, "expected less indent");
	return field_read(y, indent > 2);
}

/* "# yarn lockfile v1" is the only place that has the version. */
static void comment_read(struct yarn *y)
{
	static const char mark[] = "# yarn lockfile v";
	const size_t len = sizeof mark - 1;
	struct json_text *v = &y->lock->version;

	if (v->bytes != NULL || y->line.len <= len ||
	    memcmp(y->line.bytes, mark, len) != 0)
		return;
	*v = (struct json_text){ y->line.bytes + len, y->line.len - len };
	if (v->len > PARSE_STRING_BYTES)
		*v = (struct json_text){ NULL, 0 };
}

static int lines_read(struct yarn *y)
{
	const struct parse_input *in = y->lock->in;
	const char *at = in->bytes, *end = in->bytes + in->len;

	at += text_bom((struct json_text){ in->bytes, in->len });
	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));

		y->line.bytes = at;
		y->line.len = (size_t)((eol != NULL ? eol : end) - at);
		if (y->line.len > 0 && at[y->line.len - 1] == '\r')
			y->line.len--;
		comment_read(y);
		if (line_read(y) < 0)
			return -EINVAL;
		at = eol != NULL ? eol + 1 : end;
	}
	entry_end(y);
	return 0;
}

int node_yarn_read(struct node_lock *l)
{
	static const unsigned majors[] = { 1, 0 };
	struct yarn y = { .lock = l };
	struct node_record overridden = { 0 };
	struct node_against against = { .lock = l, .overridden = &overridden };
	int e;

	if (!utf8_is_valid(l->in->bytes, l->in->len)) {
		report_note(&l->node->report->errors, "bad_utf8", l->in, -1,
			    "expected UTF-8");
		return -EINVAL;
	}
	e = lines_read(&y);
	if (e == 0) {
		node_lock_check_version(l, majors,
					"expected \"# yarn lockfile v1\"");
		node_resolutions_read(l, &overridden);
		node_record_sort(&y.all);
		node_record_note_twice(&y.all, l->node, l->in);
		node_compare_descriptors(&against, &y.all);
	}
	node_record_done(&y.all);
	node_record_done(&overridden);
	return e;
}
