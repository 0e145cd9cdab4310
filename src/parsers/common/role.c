/* role.c -- see role.h. */
#include "parsers/common/role.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "parsers/common/text_piece.h"

extern const char roles_text[], roles_text_end[]; /* parse_data.S */

/* The first directory of path, from byte from on, that has a role. */
static struct role path_judge(struct json_text path, size_t from,
			      enum role_subject subject)
{
	const struct path_text table = { roles_text, (size_t)(roles_text_end -
							      roles_text) };
	struct json_text rest = text_from(path, from);
	struct path_text dir = { NULL, 0 };
	struct role role = { .kind = ROLE_OWN };

	role.kind = path_role_find(table,
				   (struct path_text){ rest.bytes, rest.len },
				   subject, &dir);
	role.reason = (struct json_text){ dir.bytes, dir.len };
	return role;
}

static int home_dir_order(const void *a, const void *b)
{
	const struct role_home *x = a, *y = b;

	return text_order(x->dir, y->dir);
}

void role_homes_sort(struct role_homes *h)
{
	size_t kept = 0;

	if (h->len > 0)
		qsort(h->items, h->len, sizeof *h->items, home_dir_order);
	for (size_t i = 0; i < h->len; i++)
		if (kept == 0 ||
		    home_dir_order(&h->items[kept - 1], &h->items[i]) != 0)
			h->items[kept++] = h->items[i];
	h->len = kept;
}

/* The deepest home that is dir or above it, or NULL. */
static const struct role_home *home_find(const struct role_homes *h,
					 struct json_text dir)
{
	while (dir.len > 0) {
		const struct role_home key = { .dir = dir };
		const struct role_home *found =
			bsearch(&key, h->items, h->len, sizeof *h->items,
				home_dir_order);
		const char *slash;

		if (found != NULL)
			return found;
		slash = memrchr(dir.bytes, '/', dir.len);
		dir.len = slash != NULL ? (size_t)(slash - dir.bytes) : 0;
	}
	return NULL;
}

struct role role_of(struct json_text path, enum role_subject subject,
		    const struct role_homes *h)
{
	const char *slash =
		path.len > 0 ? memrchr(path.bytes, '/', path.len) : NULL;
	struct json_text dir = { path.bytes, 0 };
	const struct role_home *home = NULL;
	struct role role;

	if (slash != NULL)
		dir.len = (size_t)(slash - path.bytes);
	if (h != NULL && h->len > 0)
		home = home_find(h, dir);
	role = path_judge(path, home != NULL ? home->dir.len + 1 : 0, subject);
	if (role.kind == ROLE_OWN && home != NULL)
		role.includer = home->includer;
	return role;
}

/* Manifests and lockfiles, wherever sources and tests are judged. */
static bool is_manifest(const struct parse_input *in)
{
	static const char names[] =
		"package.json package-lock.json npm-shrinkwrap.json yarn.lock "
		"pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb "
		"lerna.json rush.json Cargo.toml";
	struct json_text base;

	base.bytes = input_base(in, &base.len);
	return text_in(base, names);
}

void role_inputs_judge(struct role_inputs *r, enum role_subject subject,
		       const struct role_homes *h)
{
	for (size_t i = 0; i < r->inputs.len; i++) {
		struct parse_input *in = &r->items[i];

		r->roles[i] =
			role_of((struct json_text){ in->name, in->name_len },
				is_manifest(in) && subject == ROLE_OF_SOURCE
					? ROLE_OF_MANIFEST
					: subject,
				h);
		in->role = &r->roles[i];
	}
}

int role_inputs_open(const struct parse_inputs *in, enum role_subject subject,
		     struct role_inputs *ret)
{
	ret->items = calloc(in->len + 1, sizeof *ret->items);
	ret->roles = calloc(in->len + 1, sizeof *ret->roles);
	if (ret->items == NULL || ret->roles == NULL)
		return -ENOMEM;
	if (in->len > 0)
		memcpy(ret->items, in->items, in->len * sizeof *ret->items);
	ret->inputs = (struct parse_inputs){ ret->items, in->len };
	role_inputs_judge(ret, subject, NULL);
	return 0;
}

void role_inputs_done(struct role_inputs *r)
{
	free(r->items);
	free(r->roles);
}

static void reason_write(struct jsonw *w, const struct role *role)
{
	owned_buf struct buf reason = { .cap_bytes = PARSE_STRING_BYTES };

	if (role->includer != NULL) {
		input_name_write(w, "role_reason", role->includer);
		return;
	}
	if (role->reason.bytes == NULL) {
		jsonw_null(w, "role_reason");
		return;
	}
	buf_text(&reason, "directory ");
	name_write(&reason, role->reason.bytes, role->reason.len);
	jsonw_bytes(w, "role_reason", reason.bytes ? reason.bytes : "",
		    reason.len);
}

void role_write(struct jsonw *w, const struct role *role)
{
	jsonw_text(w, "role", path_role_name(role->kind));
	reason_write(w, role);
}
