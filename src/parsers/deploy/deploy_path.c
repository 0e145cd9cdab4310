/* deploy_path.c -- resolves a path in a file by its text alone. */
#include <string.h>

#include "parsers/deploy/deploy.h"

bool deploy_is_address(struct json_text ref)
{
	static const char *const heads[] = { "git@",           "github.com/",
					     "github.com:",    "gitlab.com/",
					     "bitbucket.org/", "git::" };

	if (ref.len == 0)
		return false;
	if (memmem(ref.bytes, ref.len, "://", 3) != NULL ||
	    memmem(ref.bytes, ref.len, "?ref=", 5) != NULL ||
	    memmem(ref.bytes, ref.len, ".git//", 6) != NULL)
		return true;
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (ref.len > strlen(heads[i]) &&
		    memcmp(ref.bytes, heads[i], strlen(heads[i])) == 0)
			return true;
	return false;
}

/* Take the last segment away; false when there is none. */
static bool segment_drop(struct buf *path)
{
	const char *slash;

	if (path->len == 0)
		return false;
	slash = memrchr(path->bytes, '/', path->len);
	path->len = slash != NULL ? (size_t)(slash - path->bytes) : 0;
	path->bytes[path->len] = '\0';
	return true;
}

static void segment_add(struct buf *path, const char *segment, size_t len)
{
	if (path->len > 0)
		buf_char(path, '/');
	buf_add(path, segment, len);
}

/* Each segment of ref onto path; false when one leaves the root. */
static bool segments_walk(struct json_text ref, struct buf *path)
{
	const char *at = ref.bytes, *end = at + ref.len;

	while (at < end) {
		const char *slash = memchr(at, '/', (size_t)(end - at));
		size_t len = (size_t)((slash ? slash : end) - at);

		if (len == 2 && memcmp(at, "..", 2) == 0) {
			if (!segment_drop(path))
				return false;
		} else if (len > 0 && !(len == 1 && at[0] == '.')) {
			segment_add(path, at, len);
		}
		at += len + (slash != NULL);
	}
	return true;
}

enum deploy_place deploy_resolve(const char *dir, size_t dir_len,
				 struct json_text ref, struct buf *out)
{
	out->len = 0;
	buf_add(out, dir, dir_len);
	if (ref.len == 0 || ref.len > DEPLOY_PATH_BYTES ||
	    memchr(ref.bytes, '\0', ref.len) != NULL)
		return DEPLOY_NO_PATH;
	if (ref.bytes[0] == '/' || !segments_walk(ref, out))
		return DEPLOY_OUTSIDE;
	return buf_has_failed(out) ? DEPLOY_NO_PATH : DEPLOY_INSIDE;
}

/* Of two byte strings, as strcmp(3) would. */
static int bytes_order(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int c = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return c != 0 ? c : (a_len > b_len) - (a_len < b_len);
}

size_t deploy_first(const struct parse_inputs *in, const struct buf *prefix)
{
	size_t from = 0, to = in->len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;
		const struct parse_input *i = &in->items[mid];

		if (bytes_order(i->name, i->name_len, prefix->bytes,
				prefix->len) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

bool deploy_begins(const struct parse_input *in, const struct buf *prefix)
{
	return in->name_len >= prefix->len &&
	       memcmp(in->name, prefix->bytes, prefix->len) == 0;
}

bool deploy_has_dir(const struct parse_inputs *in, const struct buf *dir)
{
	owned_buf struct buf head = { 0 };
	size_t first;

	if (dir->len == 0)
		return in->len > 0;
	buf_add(&head, dir->bytes, dir->len);
	buf_char(&head, '/');
	if (buf_has_failed(&head))
		return false;
	first = deploy_first(in, &head);
	return first < in->len && deploy_begins(&in->items[first], &head);
}

void deploy_check_path(struct deploy *d, const struct parse_input *in,
		       struct json_text ref, size_t offset)
{
	owned_buf struct buf path = { 0 };

	if (ref.bytes == NULL || memchr(ref.bytes, '$', ref.len) != NULL)
		return; /* a variable: nobody knows */
	if (deploy_is_address(ref) ||
	    deploy_resolve(in->name, input_dir_len(in), ref, &path) ==
		    DEPLOY_OUTSIDE)
		deploy_warn(
			d, "outside_repository", in, offset,
			"points outside the repository, and is not followed");
}

const struct parse_input *deploy_kustomization_in(const struct deploy *d,
						  const char *dir, size_t len)
{
	/* In the order in which kustomize looks for them. */
	static const char *const names[] = { "kustomization.yaml",
					     "kustomization.yml",
					     "Kustomization" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct parse_input *in =
			input_find(d->inputs, dir, len, names[i]);

		if (in != NULL &&
		    deploy_class_of(d, in) == DEPLOY_KUSTOMIZATION)
			return in;
	}
	return NULL;
}

void deploy_include(struct deploy *d, const struct parse_input *in,
		    struct json_text ref, size_t offset)
{
	owned_buf struct buf path = { 0 };
	const struct parse_input *found = NULL;
	uint8_t *included;

	deploy_check_path(d, in, ref, offset);
	if (ref.len > 0 && memchr(ref.bytes, '$', ref.len) != NULL) {
		deploy_warn(d, "not_found", in, offset,
			    "names a file by a variable, and that is not read");
		return;
	}
	if (ref.len == 0 || deploy_is_address(ref) ||
	    deploy_resolve(in->name, input_dir_len(in), ref, &path) !=
		    DEPLOY_INSIDE)
		return;
	buf_text(&path, "");
	if (path.len > 0)
		found = input_find(d->inputs, "", 0, path.bytes);
	if (found == NULL || found->is_name_only) {
		deploy_warn(d, "not_found", in, offset,
			    "names a file that this probe was not given");
		return;
	}
	included = &d->included[found - d->inputs->items];
	if (deploy_class_of(d, found) != DEPLOY_COMPOSE &&
	    *included == DEPLOY_NOT_INCLUDED)
		*included = DEPLOY_TO_BE_READ;
}
