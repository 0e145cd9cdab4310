/* language_table.c -- the table of languages, and a file name held against it.
 *
 * The format is told at the head of profiles/data/languages.txt. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/languages/language.h"

#define LOWER_BYTES 64U /* no rule of the table is longer */

extern const char languages_text[], languages_text_end[]; /* parse_data.S */

/* LANGUAGE_SHARED is in the same index as LANGUAGE_EXTENSION. */
static int rule_order(enum language_rule rule)
{
	return rule == LANGUAGE_SHARED ? LANGUAGE_EXTENSION : (int)rule;
}

static int key_compare(const void *x, const void *y)
{
	const struct language_key *a = x, *b = y;
	int c = rule_order(a->rule) - rule_order(b->rule);

	if (c == 0)
		c = text_order(a->text, b->text);
	return c != 0 ? c
		      : (a->language > b->language) -
				(a->language < b->language);
}

/* The piece up to the next stop byte; *at is left behind that. */
static struct json_text piece_next(const char **at, const char *end, char stop)
{
	const char *from = *at;
	size_t left = (size_t)(end - from);
	const char *hit = left > 0 ? memchr(from, stop, left) : NULL;

	*at = hit != NULL ? hit + 1 : end;
	return (struct json_text){ from, hit ? (size_t)(hit - from) : left };
}

static void key_shape(struct language_key *key, struct json_text rule)
{
	char last = rule.bytes[rule.len - 1];

	key->text = rule;
	if (key->origin != LANGUAGE_OWN && last == '/') {
		key->rule = LANGUAGE_DIRECTORY;
		key->text.len--;
	} else if (key->origin != LANGUAGE_OWN) {
		key->rule = LANGUAGE_SUFFIX;
	} else if (rule.bytes[0] == '.' || rule.bytes[0] == '?') {
		key->rule = rule.bytes[0] == '?' ? LANGUAGE_SHARED
						 : LANGUAGE_EXTENSION;
		key->text.bytes++;
		key->text.len--;
	} else if (last == '*') {
		key->rule = LANGUAGE_PREFIX;
		key->text.len--;
	} else {
		key->rule = LANGUAGE_NAME;
	}
}

static int row_read(struct language_table *t, const char *at, const char *end)
{
	struct json_text name = piece_next(&at, end, '\t');
	struct json_text kind = piece_next(&at, end, '\t');
	struct language_key key = { .language = (unsigned)t->languages_len };

	if (name.len == 0 || kind.len == 0)
		return -EINVAL;
	if (text_is(name, "-"))
		key.origin = text_is(kind, "vendored") ? LANGUAGE_VENDORED
						       : LANGUAGE_GENERATED;
	else if (t->languages_len == LANGUAGES_MAX)
		return -E2BIG;
	else
		t->languages[t->languages_len++] =
			(struct language){ name, kind };
	while (at < end) {
		struct json_text rule = piece_next(&at, end, ' ');

		if (rule.len == 0 || rule.len > LOWER_BYTES)
			return -EINVAL;
		if (t->keys_len == LANGUAGE_KEYS_MAX)
			return -E2BIG;
		key_shape(&key, rule);
		t->keys[t->keys_len++] = key;
	}
	return 0;
}

int language_table_read(struct language_table *ret)
{
	const char *at = languages_text;
	int e = 0;

	while (e == 0 && at < languages_text_end) {
		struct json_text line =
			piece_next(&at, languages_text_end, '\n');

		if (line.len > 0 && line.bytes[0] != '#')
			e = row_read(ret, line.bytes, line.bytes + line.len);
	}
	qsort(ret->keys, ret->keys_len, sizeof *ret->keys, key_compare);
	return e;
}

/* The first key of that rule and text, or NULL. */
static const struct language_key *key_find(const struct language_table *t,
					   enum language_rule rule,
					   struct json_text text)
{
	struct language_key want = { .text = text, .rule = rule };
	size_t from = 0, to = t->keys_len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (key_compare(&t->keys[mid], &want) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	if (from == t->keys_len ||
	    rule_order(t->keys[from].rule) != rule_order(rule) ||
	    text_order(t->keys[from].text, text) != 0)
		return NULL;
	return &t->keys[from];
}

/* text in small letters, or empty when no rule is so long. */
static struct json_text text_lower(struct json_text text, char *room)
{
	if (text.len > LOWER_BYTES)
		return (struct json_text){ room, 0 };
	for (size_t i = 0; i < text.len; i++)
		room[i] = (char)tolower((unsigned char)text.bytes[i]);
	return (struct json_text){ room, text.len };
}

/* The longest extension of at most two parts that the table knows.  What
 * follows a dot at the very beginning counts too: ".babelrc". */
static const struct language_key *extension_find(const struct language_table *t,
						 struct json_text base)
{
	const struct language_key *found = NULL;
	char room[LOWER_BYTES];
	size_t i = base.len;

	for (unsigned parts = 0; parts < 2 && i > 0; i--) {
		struct json_text ext = { base.bytes + i, base.len - i };
		const struct language_key *key;

		if (base.bytes[i - 1] != '.')
			continue;
		parts++;
		ext = text_lower(ext, room);
		key = ext.len > 0 ? key_find(t, LANGUAGE_EXTENSION, ext) : NULL;
		if (key != NULL)
			found = key;
	}
	return found;
}

static const struct language_key *prefix_find(const struct language_table *t,
					      struct json_text base)
{
	for (size_t i = 0; i < t->keys_len; i++) {
		const struct language_key *key = &t->keys[i];

		if (key->rule == LANGUAGE_PREFIX && base.len >= key->text.len &&
		    memcmp(base.bytes, key->text.bytes, key->text.len) == 0)
			return key;
	}
	return NULL;
}

const struct language_key *language_find(const struct language_table *t,
					 const struct parse_input *in)
{
	static const struct json_text docker = { "Dockerfile", 10 };
	const struct language_key *key;
	struct json_text base;

	base.bytes = input_base(in, &base.len);
	if (language_is_dockerfile(in))
		return key_find(t, LANGUAGE_NAME, docker);
	key = key_find(t, LANGUAGE_NAME, base);
	if (key == NULL)
		key = extension_find(t, base);
	return key != NULL ? key : prefix_find(t, base);
}

/* Ends of names: the table has some eighty, so each is tried. */
static enum language_origin suffix_origin(const struct language_table *t,
					  struct json_text base)
{
	char room[LOWER_BYTES];
	struct json_text end = base;

	if (end.len > LOWER_BYTES) {
		end.bytes += end.len - LOWER_BYTES;
		end.len = LOWER_BYTES;
	}
	end = text_lower(end, room);
	for (size_t i = t->keys_len; i > 0; i--) {
		const struct language_key *key = &t->keys[i - 1];

		if (key->rule != LANGUAGE_SUFFIX)
			break; /* they stand last */
		if (end.len >= key->text.len &&
		    memcmp(end.bytes + end.len - key->text.len, key->text.bytes,
			   key->text.len) == 0)
			return key->origin;
	}
	return LANGUAGE_OWN;
}

enum language_origin language_origin_of(const struct language_table *t,
					const struct parse_input *in)
{
	const char *at = in->name, *end = in->name + input_dir_len(in);
	struct json_text base;

	while (at < end) {
		struct json_text dir = piece_next(&at, end, '/');
		const struct language_key *key =
			key_find(t, LANGUAGE_DIRECTORY, dir);

		if (key != NULL)
			return key->origin;
	}
	base.bytes = input_base(in, &base.len);
	return suffix_origin(t, base);
}

/* word (small letters) at text, in any case, text being long enough. */
static bool word_at(const char *text, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (tolower((unsigned char)text[i]) != word[i])
			return false;
	return true;
}

/* Whether the name ends as sources do. */
static bool is_source(struct json_text base)
{
	static const char *const ends[] = { ".go", ".js",   ".ts",  ".py",
					    ".rb", ".rs",   ".sh",  ".java",
					    ".cs", ".json", ".yml", ".yaml" };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		size_t n = strlen(ends[i]);

		if (base.len >= n &&
		    memcmp(base.bytes + base.len - n, ends[i], n) == 0)
			return true;
	}
	return false;
}

/* What stands behind the word: "Dockerfile.go", "Dockerfile-release.amd64" and
 * "dockerfile.prod", but no "dockerfile.js" and no "dockerfile-parser.js". */
static bool is_suffix(struct json_text base, size_t len)
{
	bool is_large = base.bytes[0] == 'D' || base.bytes[0] == 'C';

	if (base.bytes[len] == '.')
		return is_large || !is_source(base);
	return (base.bytes[len] == '-' || base.bytes[len] == '_') && is_large &&
	       !is_source(base);
}

static bool is_docker(struct json_text base, const char *word)
{
	size_t len = strlen(word);

	if (base.len < len)
		return false;
	if ((base.len == len || is_suffix(base, len)) &&
	    word_at(base.bytes, word, len))
		return true;
	return base.len > len && base.bytes[base.len - len - 1] == '.' &&
	       word_at(base.bytes + base.len - len, word, len);
}

static bool ends_with(struct json_text base, const char *word)
{
	size_t len = strlen(word);

	return base.len >= len &&
	       word_at(base.bytes + base.len - len, word, len);
}

/* "dockerfiles/alpine": called after what it builds, in a directory of such. */
static bool is_among_dockerfiles(const struct parse_input *in,
				 struct json_text base)
{
	struct json_text dir = { in->name, input_dir_len(in) };
	const char *slash =
		dir.len > 0 ? memrchr(dir.bytes, '/', dir.len) : NULL;

	if (slash != NULL)
		dir = text_from(dir, (size_t)(slash + 1 - dir.bytes));
	if (text_begins(dir, "."))
		dir = text_from(dir, 1);
	return text_in(dir, "dockerfiles Dockerfiles") &&
	       memchr(base.bytes, '.', base.len) == NULL &&
	       !text_in(base, "Makefile README LICENSE");
}

bool language_is_dockerfile(const struct parse_input *in)
{
	struct json_text base;

	base.bytes = input_base(in, &base.len);
	if (is_among_dockerfiles(in, base))
		return true;
	return (is_docker(base, "dockerfile") ||
		is_docker(base, "containerfile")) &&
	       !ends_with(base, ".dockerignore") && !ends_with(base, ".md");
}
