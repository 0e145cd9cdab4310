/* node_manifest.c -- the probe: packages, lockfiles, natives, mismatches. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/node.h"

const struct node_section node_sections[NODE_SECTIONS] = {
	{ "dependencies", "runtime" },
	{ "devDependencies", "dev" },
	{ "peerDependencies", "peer" },
	{ "optionalDependencies", "optional" },
};

void text_write(struct jsonw *w, const char *key, struct json_text t)
{
	if (t.bytes != NULL)
		jsonw_bytes(w, key, t.bytes, t.len);
	else
		jsonw_null(w, key);
}

int text_compare(struct json_text a, struct json_text b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int c = len > 0 ? memcmp(a.bytes, b.bytes, len) : 0;

	return c != 0 ? c : (a.len > b.len) - (a.len < b.len);
}

void mismatch_write(struct node *n, const struct node_mismatch *m)
{
	struct jsonw *w = &n->mismatch_out;

	jsonw_object(w, NULL);
	text_write(w, "name", m->name);
	text_write(w, "version", m->version);
	jsonw_text(w, "reason", m->reason);
	text_write(w, "expected", m->expected);
	text_write(w, "found", m->found);
	source_write(w, "source", m->in);
	jsonw_end_object(w);
}

static void list_begin(struct buf *text, struct jsonw *w)
{
	text->cap_bytes = PARSE_SLICE_BYTES;
	w->out = text;
	jsonw_array(w, NULL);
}

static void list_end(struct jsonw *slice, const char *key, struct buf *text,
		     struct jsonw *w)
{
	jsonw_end_array(w);
	if (buf_has_failed(text))
		slice->out->failed = true;
	else
		jsonw_raw(slice, key, text->bytes, text->len);
}

static void slice_write(struct node *n)
{
	struct jsonw w = { .out = &n->report->slice };

	jsonw_object(&w, NULL);
	list_end(&w, "packages", &n->packages_text, &n->packages_out);
	list_end(&w, "lockfiles", &n->lockfiles_text, &n->lockfiles_out);
	list_end(&w, "native_modules", &n->natives_text, &n->natives_out);
	list_end(&w, "integrity_mismatch", &n->mismatch_text, &n->mismatch_out);
	jsonw_end_object(&w);
}

static void node_done(struct node *n)
{
	for (size_t i = 0; i < n->packages_len; i++)
		arena_done(&n->packages[i].arena);
	free(n->packages);
	free(n->pins);
	free(n->natives);
	arena_done(&n->facts);
	buf_done(&n->packages_text);
	buf_done(&n->lockfiles_text);
	buf_done(&n->natives_text);
	buf_done(&n->mismatch_text);
}

static bool is_lockfile(const struct parse_input *in)
{
	return input_base_is(in, "package-lock.json") ||
	       input_base_is(in, "npm-shrinkwrap.json");
}

int node_manifest_run(const struct parse_inputs *in, struct parse_report *r)
{
	struct node n = { .inputs = in, .report = r };

	n.packages = calloc(in->len + 1, sizeof *n.packages);
	if (n.packages == NULL)
		return -ENOMEM;
	list_begin(&n.packages_text, &n.packages_out);
	list_begin(&n.lockfiles_text, &n.lockfiles_out);
	list_begin(&n.natives_text, &n.natives_out);
	list_begin(&n.mismatch_text, &n.mismatch_out);
	packages_read(&n);
	workspaces_decide(&n);
	packages_write(&n);
	for (size_t i = 0; i < in->len; i++)
		if (is_lockfile(&in->items[i]))
			lock_read(&n, &in->items[i]);
	natives_read_packages(&n);
	natives_write(&n);
	pins_write(&n);
	slice_write(&n);
	node_done(&n);
	return 0;
}
