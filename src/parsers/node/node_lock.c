/* node_lock.c -- what the readers of lockfiles have in common. */
#include <stdio.h>
#include <string.h>

#include "base/name.h"
#include "parsers/node/node.h"

static void lock_begin(struct node_lock *l, struct node *n,
		       const struct parse_input *in, const char *kind)
{
	*l = (struct node_lock){ .node = n, .in = in, .kind = kind };
	node_choices_start(n);
	l->importers_text.cap_bytes = PARSE_SLICE_BYTES;
	l->importers.out = &l->importers_text;
	jsonw_array(&l->importers, NULL);
}

/* The text for a message: an address may have a password in it, and is not shown. */
static struct json_text shown(struct json_text t, size_t most)
{
	if (t.len == 0)
		return (struct json_text){ "", 0 };
	if (memchr(t.bytes, ':', t.len) != NULL ||
	    memchr(t.bytes + 1, '@', t.len - 1) != NULL)
		return (struct json_text){ "an address", strlen("an address") };
	t.len = t.len < most ? t.len : most;
	return t;
}

/* An installer takes the archive, whatever version stands beside it: both are what
 * may be installed. */
static void other_add(struct node_lock *l, const struct node_entry *e,
		      struct node_pin pin)
{
	const struct json_text name = shown(e->name, 80);
	const struct json_text said = shown(e->version, 40);
	struct json_text fetched;
	char text[256];

	pin.version = node_archive_version(e);
	if (pin.version.bytes == NULL && e->version.bytes != NULL)
		return;
	fetched = shown(pin.version, 40);
	(void)snprintf(text, sizeof text,
		       "%.*s is said to be %.*s, but what is fetched is %.*s",
		       (int)name.len, name.bytes, (int)said.len, said.bytes,
		       (int)fetched.len, fetched.bytes);
	report_note(&l->node->report->warnings,
		    e->version.bytes != NULL ? "version_differs"
					     : "version_missing",
		    l->in, -1, text);
	if (pin.version.bytes != NULL)
		node_pin_add(l->node, &pin);
}

void node_lock_entry(struct node_lock *l, const struct node_entry *e)
{
	struct node_native native = { .name = e->name,
				      .version = e->version,
				      .in = l->in };
	struct node_pin pin = { .name = e->name,
				.version = e->version,
				.integrity = e->integrity,
				.scheme = e->scheme,
				.is_top = e->is_top,
				.in = l->in };

	l->entries++;
	node_origin_note(l, e, &pin.content);
	if (e->name.bytes == NULL)
		return;
	if (e->name.len > PARSE_STRING_BYTES) {
		report_note(&l->node->report->errors, "string_too_long", l->in,
			    -1, "the name of a package is longer than 64 KiB");
		return;
	}
	if (e->version.bytes != NULL)
		node_pin_add(l->node, &pin);
	other_add(l, e, pin);
	if (node_native_is_known(l->node, e->name))
		native.reason = "catalogue";
	else if (e->is_built)
		native.reason = "install-script";
	if (native.reason != NULL)
		node_native_add(l->node, &native);
}

const struct node_package *node_lock_importer(struct node_lock *l,
					      struct json_text path)
{
	struct node_package *p;
	struct json_text here = { l->in->name, input_dir_len(l->in) };
	struct node_mark mark = node_mark_of(&l->importers);
	owned_buf struct buf dir = { .cap_bytes = PARSE_STRING_BYTES };
	owned_buf struct buf shown = { .cap_bytes = PARSE_STRING_BYTES };

	name_write(&shown, path.bytes, path.len);
	if (buf_has_failed(&shown)) {
		report_note(&l->node->report->errors, "string_too_long", l->in,
			    -1, "a path is longer than 64 KiB");
		return NULL;
	}
	jsonw_bytes(&l->importers, NULL, shown.len > 0 ? shown.bytes : ".",
		    shown.len > 0 ? shown.len : 1);
	if (node_mark_cut(&l->importers, mark,
			  l->importers_cut > 0 ? 0 : NODE_IMPORTERS_BYTES))
		l->importers_cut++;
	if (!node_path_join(&dir, here, path))
		return NULL;
	p = node_package_find(l->node,
			      (struct json_text){ dir.bytes, dir.len });
	if (p == NULL || p->compared == l->in)
		return NULL;
	p->compared = l->in;
	return p;
}

static void version_write(const struct node_lock *l, struct jsonw *w)
{
	if (l->version.bytes == NULL)
		jsonw_null(w, "lockfile_version");
	else if (l->is_number)
		jsonw_raw(w, "lockfile_version", l->version.bytes,
			  l->version.len);
	else
		jsonw_bytes(w, "lockfile_version", l->version.bytes,
			    l->version.len);
}

static void importers_write(struct node_lock *l, struct jsonw *w)
{
	char text[80];

	jsonw_end_array(&l->importers);
	if (buf_has_failed(&l->importers_text))
		w->out->failed = true;
	else
		jsonw_raw(w, "importers", l->importers_text.bytes,
			  l->importers_text.len);
	if (l->importers_cut == 0)
		return;
	(void)snprintf(text, sizeof text,
		       "importers: %zu more do not fit in %zu KiB",
		       l->importers_cut, NODE_IMPORTERS_BYTES >> 10);
	report_note(&l->node->report->warnings, "truncated", l->in, -1, text);
}

/* Into the list of lockfiles. */
static void lock_end(struct node_lock *l)
{
	struct slice_list *list = &l->node->lists[NODE_LOCKFILES];
	struct jsonw *w = slice_item(list);

	jsonw_text(w, "kind", l->kind);
	version_write(l, w);
	jsonw_uint(w, "entries", l->entries);
	importers_write(l, w);
	node_origins_write(l, w);
	source_write(w, "source", l->in);
	slice_item_end(list);
	l->node->lockfiles++;
	buf_done(&l->importers_text);
}

/* It could not be read. */
static void lock_drop(struct node_lock *l)
{
	buf_done(&l->importers_text);
}

/* Whether conflict markers of git stand in the text; noted as an error. */
static bool has_conflict(struct node *n, const struct parse_input *in)
{
	static const char mark[] = "<<<<<<< ";
	const size_t len = sizeof mark - 1;
	const char *at = in->bytes, *end = in->bytes + in->len;

	while ((at = memmem(at, (size_t)(end - at), mark, len)) != NULL) {
		if (at == in->bytes || at[-1] == '\n')
			break;
		at += len;
	}
	if (at == NULL)
		return false;
	report_note(&n->report->errors, "merge_conflict", in, at - in->bytes,
		    "the lockfile contains conflict markers of git");
	return true;
}

void node_lock_check_version(struct node_lock *l, const unsigned *majors,
			     const char *expected)
{
	unsigned major = 0;

	for (size_t i = 0; i < l->version.len && i < 6; i++) {
		char c = l->version.bytes[i];

		if (c < '0' || c > '9')
			break;
		major = major * 10 + (unsigned)(c - '0');
	}
	for (; *majors != 0; majors++)
		if (*majors == major)
			return;
	report_note(&l->node->report->warnings, "lockfile_version", l->in, -1,
		    expected);
}

/* yarn 2 and later write YAML with one key that yarn 1 never has. */
static bool is_berry(const struct parse_input *in)
{
	static const char key[] = "__metadata:";
	const char *at = in->bytes, *end = in->bytes + in->len;

	while ((at = memmem(at, (size_t)(end - at), key, sizeof key - 1)) !=
	       NULL) {
		if (at == in->bytes || at[-1] == '\n')
			return true;
		at += sizeof key - 1;
	}
	return false;
}

/* Both of yarn's take an empty file for a lockfile that is still to be written. */
static bool is_blank(const struct parse_input *in)
{
	for (size_t i = 0; i < in->len; i++)
		if (strchr(" \t\r\n", in->bytes[i]) == NULL ||
		    in->bytes[i] == '\0')
			return false;
	return true;
}

struct reader {
	const char *base, *kind;
	int (*read)(struct node_lock *l);
};

static const struct reader readers[] = {
	{ "package-lock.json", "npm", node_npm_read },
	{ "npm-shrinkwrap.json", "npm", node_npm_read },
	{ "pnpm-lock.yaml", "pnpm", node_pnpm_read },
	{ "yarn.lock", "yarn", NULL },
	{ "yarn.lock", "yarn-classic", node_yarn_read },
	{ "yarn.lock", "yarn-berry", node_berry_read },
	{ "bun.lock", "bun", node_bun_read },
	{ "bun.lockb", "bun", NULL }, /* binary: that it is there */
};

static const struct reader *reader_find(const struct parse_input *in)
{
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
		const struct reader *r = &readers[i];

		if (!input_base_is(in, r->base))
			continue;
		if (strcmp(r->kind, "yarn") == 0 &&
		    (in->is_name_only || !is_blank(in)))
			r += !in->is_name_only && is_berry(in) ? 2 : 1;
		return r;
	}
	return NULL;
}

void node_locks_read(struct node *n)
{
	for (size_t i = 0; i < n->inputs->len; i++) {
		const struct parse_input *in = &n->inputs->items[i];
		const struct reader *r = reader_find(in);
		struct node_lock l;

		if (r == NULL || input_is_installed(in))
			continue;
		lock_begin(&l, n, in, r->kind);
		if (r->read != NULL && !in->is_name_only &&
		    (has_conflict(n, in) || r->read(&l) < 0))
			lock_drop(&l);
		else
			lock_end(&l);
	}
}
