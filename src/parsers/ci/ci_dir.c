/* ci_dir.c -- the directory that a script is in.  See ci_make.h. */
#include <string.h>

#include "parsers/ci/ci_make.h"
#include "parsers/common/text_piece.h"

/* What stands for the top of the repository. */
static bool is_top(struct json_text to)
{
	return text_in(to, "$GITHUB_WORKSPACE ${GITHUB_WORKSPACE} "
			   "$CI_PROJECT_DIR ${CI_PROJECT_DIR} "
			   "$CIRRUS_WORKING_DIR ${CIRRUS_WORKING_DIR} "
			   "$TRAVIS_BUILD_DIR ${TRAVIS_BUILD_DIR} "
			   "$APPVEYOR_BUILD_FOLDER $(Build.SourcesDirectory) "
			   "$(System.DefaultWorkingDirectory) "
			   "$BUILD_SOURCESDIRECTORY $CIRCLE_WORKING_DIRECTORY");
}

static void segment_enter(struct ci_dir *d, struct json_text one)
{
	const char *slash;

	if (one.len == 0 || text_is(one, "."))
		return;
	if (text_is(one, "..")) {
		d->is_unknown |= d->len == 0;
		slash = d->len > 0 ? memrchr(d->bytes, '/', d->len) : NULL;
		d->len = slash != NULL ? (size_t)(slash - d->bytes) : 0;
		return;
	}
	if (d->len + 1 + one.len >= sizeof d->bytes) {
		d->is_unknown = true;
		return;
	}
	if (d->len > 0)
		d->bytes[d->len++] = '/';
	memcpy(d->bytes + d->len, one.bytes, one.len);
	d->len += one.len;
}

/* Whether the way leads into the repository; what is behind its name stays in
 * *to. */
static bool is_checkout(const struct ci_dir *d, struct json_text *to)
{
	struct json_text rest = *to, first;

	if (d->checkout.bytes == NULL)
		return false;
	if (text_begins(rest, "./") || text_begins(rest, "~/"))
		rest = text_from(rest, 2);
	first = text_cut(rest, '/', &rest);
	if (text_order(first, d->checkout) != 0)
		return false;
	*to = rest.len > 0 ? rest : (struct json_text){ NULL, 0 };
	return true;
}

void ci_dir_enter(struct ci_dir *d, struct json_text to)
{
	if (is_top(to)) {
		*d = (struct ci_dir){ .len = 0 };
		return;
	}
	if (is_checkout(d, &to))
		*d = (struct ci_dir){ .len = 0 };
	if (to.bytes == NULL)
		return;
	if (to.len == 0 || strchr("/~-", to.bytes[0]) != NULL ||
	    text_length_before(to, "$`*?<\\") < to.len) {
		d->is_unknown = true;
		return;
	}
	while (to.bytes != NULL && !d->is_unknown) {
		struct json_text one = text_cut(to, '/', &to);

		segment_enter(d, one);
	}
}

void ci_act_enter(struct ci_dir *d, const struct ci_act *act)
{
	struct json_text to;

	(void)text_cut(act->words, '\0', &to); /* the program */
	ci_dir_enter(d, to.bytes != NULL ? text_cut(to, '\0', NULL) : to);
}
