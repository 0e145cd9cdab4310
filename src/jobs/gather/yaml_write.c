/* yaml_write.c -- see yaml_write.h. */
#include "jobs/gather/yaml_write.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "boundary/json.h"

/* In YAML it would be taken for a blank that separates. */
#define NO_BREAK_SPACE 0xa0

#define PLAIN_BYTES 200U /* a longer string is quoted */
/* Readers give up looking for the ':' of an implicit key after 1024 characters
 * (YAML 1.2.2, 7.4.2), and a byte can become ten; a longer key has a '?'. */
#define KEY_BYTES 100U

/* Words that some reader takes for null, a truth value, a number or a merge. */
static const char *const words[] = {
	"y", "n",   "yes",  "no",   "on",       "off",   "true", "t",
	"f", "nil", "null", "none", "infinity", "false", "inf",  "nan",
};

static bool is_word(const char *s, size_t n)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && strncasecmp(words[i], s, n) == 0)
			return true;
	return false;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether it begins like a word or a path.  Nothing that begins like that is a
 * number, a date or an indicator. */
static bool is_plain(const char *s, size_t n)
{
	if (n == 0 || n > PLAIN_BYTES || is_word(s, n) || s[n - 1] == ' ' ||
	    s[n - 1] == ':')
		return false;
	if (!is_letter(s[0]) && s[0] != '/')
		return false;
	for (size_t i = 1; i < n; i++) {
		bool is_safe = is_letter(s[i]) || (s[i] >= '0' && s[i] <= '9');

		if (is_safe || strchr("._/-+@^~=", s[i]) != NULL)
			is_safe = s[i] != '\0';
		else if (s[i] == ' ')
			is_safe = true;
		else if (s[i] == ':')
			is_safe = s[i + 1] != ' ';
		if (!is_safe)
			return false;
	}
	return true;
}

static void escape_put(struct buf *out, uint32_t c)
{
	static const char shorts[] = "\bb\tt\nn\ff\rr\"\"\\\\";

	for (const char *s = shorts; *s != '\0'; s += 2)
		if ((uint32_t)*s == c) {
			buf_char(out, '\\');
			buf_char(out, s[1]);
			return;
		}
	buf_format(out, c > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)c);
}

static void quoted_put(struct buf *out, struct json_text t)
{
	size_t i = 0;

	buf_char(out, '"');
	while (i < t.len) {
		uint32_t c = 0xfffd;
		size_t len = utf8_read(t.bytes + i, t.len - i, &c);

		if (c == '"' || c == '\\' || c == NO_BREAK_SPACE ||
		    utf8_is_control(c))
			escape_put(out, c);
		else if (len > 0)
			buf_add(out, t.bytes + i, len);
		else /* no value that was parsed holds this */
			buf_text(out, "\xef\xbf\xbd");
		i += len > 0 ? len : 1;
	}
	buf_char(out, '"');
}

static void text_put(struct buf *out, struct json_text t)
{
	if (is_plain(t.bytes, t.len))
		buf_add(out, t.bytes, t.len);
	else
		quoted_put(out, t);
}

/* YAML 1.1 requires a decimal point before an exponent, and a sign in the
 * exponent. */
static void number_put(struct buf *out, struct json_text t)
{
	size_t e = 0;

	while (e < t.len && t.bytes[e] != 'e' && t.bytes[e] != 'E')
		e++;
	buf_add(out, t.bytes, e);
	if (e == t.len)
		return;
	if (memchr(t.bytes, '.', e) == NULL)
		buf_text(out, ".0");
	buf_char(out, 'e');
	e++;
	if (t.bytes[e] != '+' && t.bytes[e] != '-')
		buf_char(out, '+');
	buf_add(out, t.bytes + e, t.len - e);
}

static bool is_block(const struct json_value *v)
{
	return (v->type == JSON_ARRAY && v->u.array.len > 0) ||
	       (v->type == JSON_OBJECT && v->u.object.len > 0);
}

/* What stands on one line. */
static void scalar_put(struct buf *out, const struct json_value *v)
{
	switch (v->type) {
	case JSON_BOOL:
		buf_text(out, v->u.boolean ? "true" : "false");
		break;
	case JSON_NUMBER:
		number_put(out, v->u.number);
		break;
	case JSON_STRING:
		text_put(out, v->u.string);
		break;
	case JSON_ARRAY:
		buf_text(out, "[]");
		break;
	case JSON_OBJECT:
		buf_text(out, "{}");
		break;
	default:
		buf_text(out, "null");
		break;
	}
}

static void indent_put(struct buf *out, unsigned columns)
{
	while (columns-- > 0)
		buf_char(out, ' ');
}

/* The lines of v; the cursor stands at column `at` of the first one. */
static void block_put(struct buf *out, const struct json_value *v, unsigned at);

static void item_put(struct buf *out, const struct json_value *v, unsigned at)
{
	buf_text(out, "- ");
	block_put(out, v, at + 2);
}

static void member_put(struct buf *out, const struct json_member *m,
		       unsigned at)
{
	bool is_long = m->name.len > KEY_BYTES;

	buf_text(out, is_long ? "? " : "");
	text_put(out, m->name);
	if (is_long) {
		buf_char(out, '\n');
		indent_put(out, at);
	}
	buf_char(out, ':');
	if (!is_block(&m->value)) {
		buf_char(out, ' ');
		scalar_put(out, &m->value);
		buf_char(out, '\n');
		return;
	}
	buf_char(out, '\n');
	indent_put(out, at + 2);
	block_put(out, &m->value, at + 2);
}

static void block_put(struct buf *out, const struct json_value *v, unsigned at)
{
	bool is_object = v->type == JSON_OBJECT;
	size_t len = is_object ? v->u.object.len : v->u.array.len;

	if (!is_block(v)) {
		scalar_put(out, v);
		buf_char(out, '\n');
		return;
	}
	for (size_t i = 0; i < len && !buf_has_failed(out); i++) {
		if (i > 0)
			indent_put(out, at);
		if (is_object)
			member_put(out, &v->u.object.members[i], at);
		else
			item_put(out, &v->u.array.items[i], at);
	}
}

void yaml_write(const struct json_value *v, struct buf *out)
{
	block_put(out, v, 0);
}
