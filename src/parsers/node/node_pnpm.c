/* node_pnpm.c -- pnpm-lock.yaml, versions 5 to 9.
 *
 * "importers" has the directories, each with "specifiers" (5) or with a
 * "specifier" in each dependency (6 and later); a repository of one package has
 * the same at the top (5 and 6).  "packages" has what was resolved; "snapshots"
 * (9) says the same once more, by its peers.
 * Source: pnpm's specification of lockfiles 5.x, 6.0 and 9.0. */
#include <string.h>

#include "parsers/node/node.h"
#include "parsers/node/node_stream.h"

struct pnpm {
	struct node_lock *lock;
	struct node_entry entry; /* while its mapping is open */
	enum digest_kind commit; /* of its repository */
	struct node_record record, overridden;
	struct node_record keys; /* of the packages */
	struct json_text place;  /* the open importer's directory */
	bool has_importers;
	bool is_before_6;
	bool has_sorted; /* overridden */
};

static struct json_text keep(struct pnpm *p, size_t at, struct json_text t)
{
	return node_text_keep(p->lock->node, p->lock->in, at, t);
}

/* How many names precede those of an importer's own mapping: 2 within
 * "importers", 0 at the top.  False when it is neither. */
static bool importer_base(const struct stream_place *w, unsigned *ret_base)
{
	*ret_base = w->depth > 2 && text_is(w->keys[0], "importers") ? 2 : 0;
	return *ret_base == 2 || w->depth > 1;
}

static bool is_section(struct json_text t)
{
	return text_is(t, "dependencies") || text_is(t, "devDependencies") ||
	       text_is(t, "optionalDependencies");
}

static bool begins_with_digit(struct json_text t)
{
	return t.len > 0 && t.bytes[0] >= '0' && t.bytes[0] <= '9';
}

/* "1.0.0(peer@2)", "1.0.0_peer@2", "name@1.0.0" or "/name/1.0.0" has a version, which
 * is NULL for a directory.  False when it is an address. */
static bool version_cut(const struct pnpm *p, struct json_text t,
			struct json_text *ret)
{
	static const char *const links[] = { "link:", "file:", "workspace:" };
	const size_t end = text_length_before(t, "(_/@");
	struct json_text name;

	*ret = (struct json_text){ NULL, 0 };
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (text_begins(t, links[i]))
			return true;
	if (!begins_with_digit(t) || (end < t.len && t.bytes[end] == '@'))
		node_pnpm_key_split(t, p->is_before_6, &name, &t);
	if (!begins_with_digit(t))
		return false;
	*ret = text_first(t, text_length_before(t, "(_/"));
	return memchr(ret->bytes, ':', ret->len) == NULL;
}

/* What the importer gets for a name. */
static void version_take(struct pnpm *p, const struct stream_place *w,
			 struct json_text value, size_t at)
{
	struct json_text version;
	unsigned base;

	if (!p->lock->node->has_choices || !importer_base(w, &base) ||
	    !is_section(w->keys[base]))
		return;
	if (w->depth != base + 2 && /* version 5 */
	    (w->depth != base + 3 || !text_is(w->keys[base + 2], "version")))
		return;
	value = keep(p, at, value);
	if (value.bytes != NULL && version_cut(p, value, &version))
		node_choice_add(p->lock,
				&(struct node_choice){
					.key = keep(p, w->key_at[base + 1],
						    w->keys[base + 1]),
					.place = base > 0 ? p->place : TEXT(""),
					.version = version,
					.way = NODE_BY_IMPORTER });
}

static void specifier_take(struct pnpm *p, const struct stream_place *w,
			   struct json_text value, size_t at)
{
	unsigned base;
	const struct json_text *section;

	if (!importer_base(w, &base))
		return;
	section = &w->keys[base];
	if (w->depth == base + 2 && text_is(*section, "specifiers"))
		; /* version 5 */
	else if (w->depth != base + 3 ||
		 !text_is(w->keys[base + 2], "specifier") ||
		 !is_section(*section))
		return;
	node_record_add(&p->record,
			keep(p, w->key_at[base + 1], w->keys[base + 1]),
			keep(p, at, value));
}

static void field_take(struct pnpm *p, const struct stream_place *w,
		       struct json_text value, size_t at)
{
	struct node_entry *e = &p->entry;

	if (w->depth == 3 && text_is(w->keys[2], "name"))
		e->name = keep(p, at, value);
	else if (w->depth == 3 && text_is(w->keys[2], "version"))
		e->version = keep(p, at, value);
	else if (w->depth == 3 && text_is(w->keys[2], "requiresBuild"))
		e->has_script = e->is_built = text_is(value, "true");
	else if (w->depth == 4 && text_is(w->keys[2], "resolution") &&
		 text_is(w->keys[3], "integrity"))
		e->integrity = keep(p, at, value);
	else if (w->depth == 4 && text_is(w->keys[2], "resolution") &&
		 (text_is(w->keys[3], "tarball") ||
		  text_is(w->keys[3], "repo")))
		e->resolved = keep(p, at, value);
	else if (w->depth == 4 && text_is(w->keys[2], "resolution") &&
		 text_is(w->keys[3], "type"))
		e->is_inside |= text_is(value, "directory");
	else if (w->depth == 4 && text_is(w->keys[2], "resolution") &&
		 text_is(w->keys[3], "commit"))
		p->commit = digest_commit_read(value);
}

static void pnpm_scalar(void *ctx, const struct stream_place *w,
			struct json_text value, size_t at)
{
	struct pnpm *p = ctx;

	if (w->depth == 1 && text_is(w->keys[0], "lockfileVersion")) {
		p->lock->version = keep(p, at, value);
		p->is_before_6 = value.len > 0 && value.bytes[0] == '5';
	} else if (w->depth == 2 && text_is(w->keys[0], "overrides")) {
		if (p->has_sorted)
			return; /* they come before the importers */
		node_record_add_override(&p->overridden,
					 keep(p, w->key_at[1], w->keys[1]));
	} else if (text_is(w->keys[0], "packages")) {
		field_take(p, w, value, at);
	} else {
		specifier_take(p, w, value, at);
		version_take(p, w, value, at);
	}
}

static void pnpm_open(void *ctx, const struct stream_place *w)
{
	struct pnpm *p = ctx;
	struct json_text key;

	if (w->depth == 1 && text_is(w->keys[0], "importers"))
		p->has_importers = true;
	if (p->lock->node->has_choices && w->depth == 2 &&
	    text_is(w->keys[0], "importers"))
		p->place = text_is(w->keys[1], ".")
				   ? TEXT("")
				   : keep(p, w->key_at[1], w->keys[1]);
	if (w->depth != 2 || !text_is(w->keys[0], "packages"))
		return;
	key = keep(p, w->key_at[1], w->keys[1]);
	node_record_add(&p->keys, key, (struct json_text){ NULL, 0 });
	p->entry = (struct node_entry){ 0 };
	p->commit = DIGEST_NONE;
	node_pnpm_key_split(key, p->is_before_6, &p->entry.name,
			    &p->entry.version);
}

static void importer_end(struct pnpm *p, struct json_text path)
{
	const struct node_package *package = node_lock_importer(p->lock, path);
	struct node_against against = { .lock = p->lock,
					.overridden = &p->overridden };

	if (!p->has_sorted)
		node_record_sort(&p->overridden);
	p->has_sorted = true;
	node_record_sort(&p->record);
	if (package != NULL)
		node_compare_record(&against, &p->record, package);
	node_record_clear(&p->record);
}

/* What has an address is fetched, whatever its type. */
static void entry_end(struct pnpm *p)
{
	p->entry.digest = digest_sri_read(p->entry.integrity);
	if (p->entry.digest == DIGEST_NONE)
		p->entry.digest = p->commit;
	p->entry.is_inside &= p->entry.resolved.bytes == NULL;
	node_lock_entry(p->lock, &p->entry);
}

static void pnpm_close(void *ctx, const struct stream_place *w)
{
	struct pnpm *p = ctx;

	if (w->depth != 2)
		return;
	if (text_is(w->keys[0], "packages"))
		entry_end(p);
	else if (text_is(w->keys[0], "importers"))
		importer_end(p, w->keys[1]);
}

int node_pnpm_read(struct node_lock *l)
{
	static const unsigned majors[] = { 5, 6, 7, 9, 0 };
	struct pnpm p = { .lock = l };
	struct stream_sink sink = { &p, pnpm_open, pnpm_close, pnpm_scalar };
	int e = node_stream_read(l->in, &sink, l->node->report);

	if (e == 0 && !p.has_importers)
		importer_end(&p, (struct json_text){ ".", 1 });
	if (e == 0) {
		node_lock_check_version(l, majors,
					"expected lockfileVersion 5, 6 or 9");
		node_record_sort(&p.keys);
		node_record_note_twice(&p.keys, l->node, l->in);
	}
	node_record_done(&p.keys);
	node_record_done(&p.record);
	node_record_done(&p.overridden);
	return e;
}
