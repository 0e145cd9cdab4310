/* deploy_manifest.c -- documents that a cluster's API would accept.
 *
 * A document counts with apiVersion and kind, the former as a cluster spells
 * it: v1, or a group and a version.  Of a Secret only the kind and name are
 * ever read. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/deploy/deploy.h"

#define KINDS_MAX  200U /* different ones in a file */
#define LIST_DEPTH 4U   /* lists within lists */

struct kinds {
	struct json_text items[KINDS_MAX]; /* in the file's tree */
	size_t len;
	size_t documents;
	bool is_full;
};

struct manifest {
	struct deploy *d;
	const struct parse_input *in;
	struct kinds kinds;
};

/* v1, v2beta1: a v, digits, and perhaps a word with digits. */
static bool is_version(struct json_text t)
{
	return t.len >= 2 && t.len <= 63 && t.bytes[0] == 'v' &&
	       t.bytes[1] >= '0' && t.bytes[1] <= '9';
}

/* Groups without a dot are Kubernetes' own.  Some of the others are read by
 * tools only, never by a cluster. */
static bool is_group(struct json_text t)
{
	static const char *const own[] = { "apps", "autoscaling", "batch",
					   "extensions", "policy" };
	static const char *const tools[] = {
		"backstage.io",
		"cli-experimental.sigs.k8s.io",
		"eksctl.io",
		"k3d.io",
		"kind.x-k8s.io",
		"kustomize.config.k8s.io",
		"minikube.sigs.k8s.io",
	};

	if (t.len == 0)
		return false;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (text_is(t, own[i]))
			return true;
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		if (text_is(t, tools[i]))
			return false;
	return memchr(t.bytes, '.', t.len) != NULL;
}

static bool is_api(struct json_text t)
{
	const char *slash = t.len > 0 ? memchr(t.bytes, '/', t.len) : NULL;
	struct json_text group = { t.bytes, 0 };

	if (slash == NULL)
		return is_version(t);
	group.len = (size_t)(slash - t.bytes);
	return is_group(group) && is_version((struct json_text){
					  slash + 1, t.len - group.len - 1 });
}

/* Sorted, each once. */
static void kind_add(struct kinds *k, struct json_text kind)
{
	const size_t at = text_place(k->items, k->len, sizeof *k->items, kind);

	if (at < k->len && text_order(k->items[at], kind) == 0)
		return;
	if (k->len == KINDS_MAX) {
		k->is_full = true;
		return;
	}
	memmove(&k->items[at + 1], &k->items[at],
		(k->len - at) * sizeof *k->items);
	k->items[at] = kind;
	k->len++;
}

static void object_write(const struct manifest *m, const struct yaml_node *doc,
			 struct json_text kind, struct json_text name)
{
	struct slice_list *l = &m->d->lists[DEPLOY_OBJECTS];
	const struct yaml_node *meta = yaml_find(doc, "metadata");
	struct jsonw *w;

	if (slice_is_full(l))
		return;
	w = slice_item(l);
	text_put(w, "kind", kind);
	text_put(w, "name", name);
	text_put(w, "namespace", deploy_text(m->d, m->in, meta, "namespace"));
	text_put(w, "api_version", deploy_text(m->d, m->in, doc, "apiVersion"));
	source_write(w, "source", m->in);
	slice_item_end(l);
}

/* The pod in a document: a Pod, a CronJob, or whatever has a template. */
static const struct yaml_node *pod_find(const struct yaml_node *doc,
					struct json_text kind)
{
	const struct yaml_node *spec = yaml_find(doc, "spec");
	const struct yaml_node *job = yaml_find(spec, "jobTemplate");

	if (text_is(kind, "Pod"))
		return spec;
	if (text_is(kind, "PodTemplate"))
		return yaml_find(yaml_find(doc, "template"), "spec");
	if (job != NULL)
		spec = yaml_find(job, "spec");
	return yaml_find(yaml_find(spec, "template"), "spec");
}

static bool ends_with_list(struct json_text kind)
{
	return kind.len >= 4 &&
	       memcmp(kind.bytes + kind.len - 4, "List", 4) == 0;
}

/* kind is what an item of a typed list is without a kind of its own. */
static void document_read(struct manifest *m, const struct yaml_node *doc,
			  struct json_text kind, unsigned depth)
{
	const struct yaml_node *items = yaml_find(doc, "items");
	struct json_text own = deploy_text(m->d, m->in, doc, "kind");
	struct json_text name;

	if (own.len > 0)
		kind = own;
	if (kind.len == 0 || !deploy_visit(m->d, m->in))
		return;
	if (ends_with_list(kind) && deploy_count(items) > 0) {
		kind.len -= 4;
		if (depth == LIST_DEPTH)
			deploy_warn(m->d, "truncated", m->in, doc->offset,
				    "more than 4 lists within lists");
		for (size_t i = 0;
		     depth < LIST_DEPTH && i < deploy_count(items); i++)
			document_read(m, items->u.sequence.items[i], kind,
				      depth + 1);
		return;
	}
	name = deploy_text(m->d, m->in, yaml_find(doc, "metadata"), "name");
	kind_add(&m->kinds, kind);
	m->kinds.documents++;
	object_write(m, doc, kind, name);
	if (text_is(kind, "Secret"))
		return;
	deploy_pod_read(
		m->d,
		&(struct deploy_workload){
			.in = m->in,
			.kind = kind,
			.name = name,
			.is_patch = m->d->is_patch[m->in - m->d->inputs->items],
		},
		pod_find(doc, kind));
}

static void manifest_write(const struct manifest *m)
{
	struct slice_list *l = &m->d->lists[DEPLOY_MANIFESTS];
	bool is_patch = m->d->is_patch[m->in - m->d->inputs->items];
	struct jsonw *w;

	if (m->kinds.is_full)
		report_note(&m->d->report->warnings, "truncated", m->in, -1,
			    "more than 200 kinds");
	if (slice_is_full(l))
		return;
	w = slice_item(l);
	jsonw_array(w, "kinds");
	for (size_t i = 0; i < m->kinds.len; i++)
		text_put(w, NULL, m->kinds.items[i]);
	jsonw_end_array(w);
	jsonw_uint(w, "documents", m->kinds.documents);
	if (input_is_own(m->in))
		jsonw_text(w, "role", is_patch ? "patch" : "manifest");
	source_write(w, "source", m->in);
	slice_item_end(l);
}

/* The value of the n hexadecimal digits at at; -1: they are none. */
static long hex_read(const char *at, const char *end, size_t n)
{
	char digits[9] = { 0 }, *last;
	long value;

	if ((size_t)(end - at) < n)
		return -1;
	memcpy(digits, at, n);
	value = strtol(digits, &last, 16);
	return isxdigit((unsigned char)digits[0]) && *last == '\0' ? value : -1;
}

/* Behind one letter, which may be escaped; NULL: it is another. */
static const char *letter_pass(const char *at, const char *end, char letter)
{
	static const char kinds[] = "xuU";
	const char *kind;
	size_t n;

	while (end - at >= 2 && at[0] == '\\' &&
	       (at[1] == '\n' || at[1] == '\r'))
		for (at += 2; at < end && isspace((unsigned char)*at);)
			at++;
	if (at == end || *at != '\\')
		return at < end && *at == letter ? at + 1 : NULL;
	kind = end - at >= 2 && at[1] != '\0' ? strchr(kinds, at[1]) : NULL;
	if (kind == NULL)
		return NULL;
	n = (size_t)2 << (kind - kinds);
	return hex_read(at + 2, end, n) == letter ? at + 2 + n : NULL;
}

/* Whether the word is in the file, as it is or with the escapes that double quotes
 * allow. */
static bool has_word(const struct parse_input *in, const char *word)
{
	const char *end = in->bytes + in->len;

	if (memmem(in->bytes, in->len, word, strlen(word)) != NULL)
		return true;
	if (memchr(in->bytes, '\\', in->len) == NULL)
		return false;
	for (const char *from = in->bytes; from < end; from++) {
		const char *at = from;

		if (*from != word[0] &&
		    (*from != '\\' || end - from < 2 ||
		     (from[1] != 'x' && from[1] != 'u' && from[1] != 'U')))
			continue;
		for (size_t i = 0; at != NULL && word[i] != '\0'; i++)
			at = letter_pass(at, end, word[i]);
		if (at != NULL)
			return true;
	}
	return false;
}

void deploy_manifest_read(struct deploy *d, const struct parse_input *in)
{
	struct manifest m = { .d = d, .in = in };
	struct arena arena = { 0 };
	struct yaml_documents docs;

	/* Most YAML of a repository is something else and is not read. */
	if (in->len == 0 || !has_word(in, "apiVersion") ||
	    !has_word(in, "kind"))
		return;
	deploy_read(d, in, &arena, &docs);
	for (size_t i = 0; i < docs.len; i++)
		if (is_api(deploy_text(d, in, docs.items[i], "apiVersion")))
			document_read(&m, docs.items[i],
				      (struct json_text){ NULL, 0 }, 0);
	if (m.kinds.documents > 0) {
		deploy_found(d, DEPLOY_YAML, in);
		manifest_write(&m);
	}
	arena_done(&arena);
}
