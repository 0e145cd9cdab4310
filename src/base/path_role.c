/* path_role.c -- see path_role.h. */
#include "base/path_role.h"

#include <stdbool.h>
#include <string.h>

static const char *const names[ROLE_MAX_] = {
	[ROLE_OWN] = "own",
	[ROLE_FIXTURE] = "fixture",
	[ROLE_EXAMPLE] = "example",
	[ROLE_VENDORED] = "vendored",
	[ROLE_GENERATED] = "generated",
};

/* A line of the table: the role that its directories give to certain
 * subjects. */
static const struct {
	const char *word;
	enum role_kind kind;
	unsigned subjects; /* 1 << enum role_subject */
} conventions[] = {
	{ "fixture", ROLE_FIXTURE, ~0U },
	{ "example", ROLE_EXAMPLE, ~0U },
	{ "vendored", ROLE_VENDORED, ~0U },
	{ "generated", ROLE_GENERATED, ~0U },
	{ "test", ROLE_FIXTURE,
	  1U << ROLE_OF_MANIFEST | 1U << ROLE_OF_DEPLOYMENT },
	{ "template", ROLE_EXAMPLE, 1U << ROLE_OF_MANIFEST },
	{ "installed", ROLE_VENDORED, 1U << ROLE_OF_MANIFEST },
};

/* Cut the bytes before the first c off *rest; all of them when there is no c. */
static struct path_text cut(struct path_text *rest, char c)
{
	const char *hit =
		rest->len > 0 ? memchr(rest->bytes, c, rest->len) : NULL;
	struct path_text before = *rest;

	if (hit == NULL) {
		*rest = (struct path_text){ rest->bytes + rest->len, 0 };
		return before;
	}
	before.len = (size_t)(hit - rest->bytes);
	rest->bytes += before.len + 1;
	rest->len -= before.len + 1;
	return before;
}

static bool is_word(struct path_text t, const char *word)
{
	return t.len == strlen(word) && memcmp(t.bytes, word, t.len) == 0;
}

static bool word_fits(struct path_text segment, struct path_text word)
{
	const size_t n = word.len - 1;

	if (word.bytes[0] == '*')
		return segment.len > n &&
		       memcmp(segment.bytes + segment.len - n, word.bytes + 1,
			      n) == 0;
	if (word.bytes[n] == '*')
		return segment.len > n &&
		       memcmp(segment.bytes, word.bytes, n) == 0;
	return segment.len == word.len &&
	       memcmp(segment.bytes, word.bytes, word.len) == 0;
}

/* Whether the segment, or for a word of two segments both, is in the list of
 * words.  both is the segment and the one after it. */
static bool words_fit(struct path_text words, struct path_text segment,
		      struct path_text both)
{
	while (words.len > 0) {
		struct path_text word = cut(&words, ' ');

		if (word.len > 0 &&
		    word_fits(memchr(word.bytes, '/', word.len) != NULL
				      ? both
				      : segment,
			      word))
			return true;
	}
	return false;
}

static enum role_kind segment_judge(struct path_text table,
				    struct path_text segment,
				    struct path_text both,
				    enum role_subject subject)
{
	while (table.len > 0) {
		struct path_text words = cut(&table, '\n');
		struct path_text head = cut(&words, '\t');

		for (size_t i = 0; i < sizeof conventions / sizeof *conventions;
		     i++)
			if (is_word(head, conventions[i].word) &&
			    (conventions[i].subjects >> subject & 1) != 0 &&
			    words_fit(words, segment, both))
				return conventions[i].kind;
	}
	return ROLE_OWN;
}

/* The path up to "src/main/java/" and the like: the directories below it are names of
 * packages, com/example/demo. */
static struct path_text packages_cut(struct path_text path)
{
	static const char *const languages[] = { "java", "kotlin", "groovy",
						 "scala" };
	struct path_text rest = path, two = { NULL, 0 }, one = { NULL, 0 };

	while (rest.len > 0 && memchr(rest.bytes, '/', rest.len) != NULL) {
		struct path_text segment = cut(&rest, '/');

		for (size_t i = 0; i < sizeof languages / sizeof *languages;
		     i++)
			if (two.bytes != NULL && is_word(two, "src") &&
			    is_word(segment, languages[i])) {
				path.len = (size_t)(rest.bytes - path.bytes);
				return path;
			}
		two = one;
		one = segment;
	}
	return path;
}

/* A path without what packages_cut() takes off. */
static enum role_kind find(struct path_text table, struct path_text path,
			   enum role_subject subject, struct path_text *ret_dir)
{
	while (path.len > 0 && memchr(path.bytes, '/', path.len) != NULL) {
		struct path_text segment = cut(&path, '/'), after = path;
		struct path_text both = segment;
		enum role_kind kind;

		if (memchr(path.bytes, '/', path.len) != NULL)
			both.len += 1 + cut(&after, '/').len;
		kind = segment_judge(table, segment, both, subject);
		if (kind != ROLE_OWN) {
			*ret_dir = segment;
			return kind;
		}
	}
	return ROLE_OWN;
}

enum role_kind path_role_find(struct path_text table, struct path_text path,
			      enum role_subject subject,
			      struct path_text *ret_dir)
{
	return find(table, packages_cut(path), subject, ret_dir);
}

/* Where judging begins: at the last directory that both have, because it may
 * be the first half of a word of two. */
static size_t begin_of(struct path_text own, struct path_text path)
{
	size_t begin = 0, next = 0;

	for (size_t i = 0;
	     i < path.len && i < own.len && path.bytes[i] == own.bytes[i]; i++)
		if (path.bytes[i] == '/') {
			begin = next;
			next = i + 1;
		}
	return begin;
}

enum role_kind path_role_next(struct path_text table, struct path_text path,
			      enum role_subject subject,
			      struct path_role_last *last,
			      struct path_text *ret_dir)
{
	size_t begin;
	enum role_kind kind;

	path = packages_cut(path);
	begin = begin_of(last->own, path);
	kind = find(table,
		    (struct path_text){ path.bytes + begin, path.len - begin },
		    subject, ret_dir);
	last->own = path;
	if (kind != ROLE_OWN)
		last->own.len = (size_t)(ret_dir->bytes - path.bytes);
	return kind;
}

const char *path_role_name(enum role_kind kind)
{
	return names[kind];
}
