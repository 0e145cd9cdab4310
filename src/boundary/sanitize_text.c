/* sanitize_text.c -- the sanitizer's questions about one text.  See
 * sanitize.h. */
#include <string.h>

#include "base/buf.h"
#include "boundary/sanitize.h"

#define WORD_BYTES 24 /* longer than any word of the tables */

static const char *const alone[] = {
	"password",    "passwords",    "passwd",      "passphrase",
	"passcode",    "pwd",          "secret",      "secrets",
	"credential",  "credentials",  "creds",       "token",
	"apikey",      "apikeys",      "privatekey",  "accesskey",
	"secretkey",   "authtoken",    "accesstoken", "refreshtoken",
	"bearertoken", "clientsecret",
};

static const char *const before_key[] = {
	"api",     "private",    "access",  "auth",    "account",
	"deploy",  "encryption", "master",  "session", "shared",
	"signing", "ssh",        "storage",
};

static const char *const before_tokens[] = {
	"api", "access", "auth", "bearer", "id", "oauth", "refresh", "session",
};

#define ONE_OF(word, list) one_of(word, list, sizeof list / sizeof *list)

#define PATH_PASSES 4U

static bool one_of(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (word[0] == list[i][0] && strcmp(word, list[i]) == 0)
			return true;
	return false;
}

enum kind { KIND_NONE, KIND_LOWER, KIND_UPPER, KIND_DIGIT };

static enum kind kind_of(const char *name, size_t len, size_t i)
{
	unsigned char c = i < len ? (unsigned char)name[i] : 0;

	if (c >= '0' && c <= '9')
		return KIND_DIGIT;
	if (c >= 'A' && c <= 'Z')
		return KIND_UPPER;
	return (c >= 'a' && c <= 'z') || c >= 0x80 ? KIND_LOWER : KIND_NONE;
}

/* Whether a word ends before byte i, which is not the first of the word. */
static bool is_edge(const char *name, size_t len, size_t i)
{
	enum kind before = kind_of(name, len, i - 1);
	enum kind here = kind_of(name, len, i);

	if (here == KIND_NONE)
		return true;
	if ((before == KIND_DIGIT) != (here == KIND_DIGIT))
		return true;
	if (before == KIND_LOWER && here == KIND_UPPER)
		return true;
	return before == KIND_UPPER && here == KIND_UPPER &&
	       kind_of(name, len, i + 1) == KIND_LOWER;
}

/* The next word from *at, in small letters; cut when it is longer than any word
 * that matters.  False at the end. */
static bool next_word(const char *name, size_t len, size_t *at,
		      char word[WORD_BYTES])
{
	size_t n = 0;

	while (*at < len && kind_of(name, len, *at) == KIND_NONE)
		(*at)++;
	if (*at >= len)
		return false;
	do {
		char c = name[*at];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (n < WORD_BYTES - 1)
			word[n++] = c;
		(*at)++;
	} while (*at < len && !is_edge(name, len, *at));
	word[n] = '\0';
	return true;
}

bool sanitize_is_credential(const char *name, size_t len)
{
	char word[WORD_BYTES];
	char before[WORD_BYTES] = "";
	size_t at = 0;

	while (next_word(name, len, &at, word)) {
		bool key =
			strcmp(word, "key") == 0 || strcmp(word, "keys") == 0;

		if (ONE_OF(word, alone) ||
		    (key && ONE_OF(before, before_key)) ||
		    (strcmp(word, "tokens") == 0 &&
		     ONE_OF(before, before_tokens)))
			return true;
		if (kind_of(word, 1, 0) != KIND_DIGIT)
			memcpy(before, word, sizeof before);
	}
	return false;
}

/* The markers, listed by their first byte, in small letters. A blank stands
 * for any run of white space. Markers that begin with the same letter share
 * their second byte as well. */
static const char *const markers_angle[] = {
	"<|", "<<sys>>", "<</sys>>", "<system>", "</system>", NULL,
};
static const char *const markers_bracket[] = {
	"[inst]",
	"[/inst]",
	NULL,
};
static const char *const markers_i[] = {
	"ignore previous",
	"ignore prior",
	"ignore all previous",
	"ignore all prior",
	"ignore all of the previous",
	"ignore any previous",
	"ignore the previous",
	"ignore the above",
	"ignore your instructions",
	"ignore your previous",
	"ignore these instructions",
	NULL,
};
static const char *const markers_d[] = {
	"disregard previous",
	"disregard prior",
	"disregard all",
	"disregard the previous",
	"disregard the above",
	"disregard your",
	NULL,
};
static const char *const markers_f[] = {
	"forget previous",         "forget all previous",
	"forget the above",        "forget your instructions",
	"forget everything above", NULL,
};
static const char *const markers_o[] = {
	"override your instructions",
	NULL,
};
static const char *const markers_r[] = {
	"reveal your system prompt",
	NULL,
};
static const char *const markers_p[] = {
	"print your system prompt",
	NULL,
};
static const char *const markers_y[] = {
	"you are now a",
	"you are no longer",
	NULL,
};
static const char *const markers_n[] = {
	"new instructions:",
	NULL,
};
static const char *const markers_hash[] = {
	"### instruction",
	"### system",
	NULL,
};
static const char *const markers_b[] = {
	"begin system prompt",
	NULL,
};

/* The markers that can start with c, or NULL. */
static const char *const *markers_of(char c)
{
	switch (c) {
	case '<':
		return markers_angle;
	case '[':
		return markers_bracket;
	case 'i':
	case 'I':
		return markers_i;
	case 'd':
	case 'D':
		return markers_d;
	case 'f':
	case 'F':
		return markers_f;
	case 'o':
	case 'O':
		return markers_o;
	case 'r':
	case 'R':
		return markers_r;
	case 'p':
	case 'P':
		return markers_p;
	case 'y':
	case 'Y':
		return markers_y;
	case 'n':
	case 'N':
		return markers_n;
	case '#':
		return markers_hash;
	case 'b':
	case 'B':
		return markers_b;
	default:
		return NULL;
	}
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* How many bytes of text the marker is, when text begins with it; or 0. */
static size_t begins_with(const char *text, size_t len, const char *marker)
{
	size_t at = 0;

	for (; *marker != '\0'; marker++) {
		if (at == len)
			return 0;
		if (*marker == ' ') {
			if (!is_blank(text[at]))
				return 0;
			while (at < len && is_blank(text[at]))
				at++;
			continue;
		}
		if ((text[at] >= 'A' && text[at] <= 'Z' ? text[at] | 0x20
							: text[at]) != *marker)
			return 0;
		at++;
	}
	return at;
}

/* Whether the next byte already rules out every marker in m. In ordinary text
 * it nearly always does. */
static bool is_ruled_out(const char *const *m, const char *text, size_t len)
{
	char first = (*m)[0];

	return first >= 'a' && first <= 'z' &&
	       (len < 2 || (text[1] | 0x20) != (*m)[1]);
}

/* The length of the marker that text begins with, or 0. */
static size_t marker_at(const char *text, size_t len)
{
	const char *const *m = markers_of(text[0]);
	size_t n = 0;

	if (m == NULL || is_ruled_out(m, text, len))
		return 0;
	for (; *m != NULL && n == 0; m++)
		n = begins_with(text, len, *m);
	return n;
}

bool sanitize_has_marker(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (marker_at(text + i, len - i) > 0)
			return true;
	return false;
}

void sanitize_redact(const char *text, size_t len, struct buf *out)
{
	size_t from = 0, i = 0;

	while (i < len) {
		size_t n = marker_at(text + i, len - i);

		if (n == 0) {
			i++;
			continue;
		}
		buf_add(out, text + from, i - from);
		buf_text(out, "<redacted>");
		i += n;
		from = i;
	}
	buf_add(out, text + from, len - from);
}

/* Whether c can be part of a name in a path, so that no path ends before it. */
static bool is_name_byte(char c)
{
	return kind_of(&c, 1, 0) != KIND_NONE || c == '.' || c == '_' ||
	       c == '-' || c == '~' || c == '+' || c == '@' || c == '%';
}

/* The length of the longest root at text[at], or 0. */
static size_t root_at(struct json_text text, size_t at,
		      const char *const *roots)
{
	size_t longest = 0;

	for (; *roots != NULL; roots++) {
		size_t n = strlen(*roots);

		while (n > 0 && (*roots)[n - 1] == '/')
			n--;
		if (n <= longest || n > text.len - at ||
		    memcmp(text.bytes + at, *roots, n) != 0)
			continue;
		if (at + n == text.len || !is_name_byte(text.bytes[at + n]))
			longest = n;
	}
	return longest;
}

/* Whether a path can begin here: at the start, after "file://", or after a
 * byte that cannot be part of a path. */
static bool can_begin(struct json_text text, size_t at, bool *file)
{
	*file = at >= 7 && memcmp(text.bytes + at - 7, "file://", 7) == 0;
	return at == 0 || *file ||
	       (text.bytes[at - 1] != '/' && !is_name_byte(text.bytes[at - 1]));
}

/* Make one pass over the text. The result is the same bytes when no root is in
 * it. */
static struct json_text roots_cut(struct arena *arena, struct json_text text,
				  const char *const *roots)
{
	struct buf out = { 0 };
	size_t at = 0;
	size_t from = 0;
	bool file;

	while (roots != NULL && at < text.len) {
		const char *slash = memchr(text.bytes + at, '/', text.len - at);
		size_t n;

		if (slash == NULL)
			break;
		at = (size_t)(slash - text.bytes);
		n = can_begin(text, at, &file) ? root_at(text, at, roots) : 0;
		if (n == 0) {
			at++;
			continue;
		}
		buf_add(&out, text.bytes + from, at - from - (file ? 7 : 0));
		for (at += n; at < text.len && text.bytes[at] == '/';)
			at++;
		if (at == text.len || !is_name_byte(text.bytes[at]))
			buf_char(&out, '.');
		from = at;
	}
	if (from == 0)
		return text;
	buf_add(&out, text.bytes + from, text.len - from);
	text.len = out.len;
	text.bytes = buf_has_failed(&out)
			     ? NULL
			     : arena_copy(arena, out.bytes, out.len);
	buf_done(&out);
	return text;
}

struct json_text sanitize_path(struct arena *arena, struct json_text text,
			       const char *const *roots)
{
	/* The texts before and after a cut may form a new root together.  A
	 * text that was built to do so again and again becomes ".". */
	for (unsigned pass = 0; pass < PATH_PASSES; pass++) {
		struct json_text cut = roots_cut(arena, text, roots);

		if (cut.bytes == text.bytes || cut.bytes == NULL)
			return cut;
		text = cut;
	}
	return (struct json_text){ ".", 1 };
}
