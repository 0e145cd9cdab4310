/* ci_template.c -- see ci_template.h.
 * Source: Azure Pipelines, "Template types and usage"; GitLab, "CI/CD inputs". */
#include "parsers/ci/ci_template.h"

#include <stdlib.h>
#include <string.h>

#include "parsers/ci/ci_make.h"

#define FILES_MAX 64U
#define CALLS_MAX 512U
#define MEMORY    ((size_t)4 << 20) /* of one file's tree */

/* A file that declares parameters or gives some. */
struct file {
	const struct parse_input *in;
	struct arena arena;
	const struct yaml_node *declared;
};

/* One place that includes a file. */
struct call {
	const struct parse_input *callee, *caller;
	const struct yaml_node *given; /* NULL: nothing */
};

struct ci_templates {
	struct file files[FILES_MAX];
	size_t files_len;
	struct call calls[CALLS_MAX];
	size_t calls_len;
};

/* --- who includes whom -------------------------------------------------------- */

/* The input of a path that is relative to dir. */
static const struct parse_input *input_at(const struct ci *ci,
					  struct ci_dir dir,
					  struct json_text path)
{
	const char *slash = memrchr(path.bytes, '/', path.len);
	const size_t n = slash != NULL ? (size_t)(slash - path.bytes) : 0;
	struct json_text base = text_from(path, n + (slash != NULL));
	char name[CI_BASE_BYTES];

	if (n > 0)
		ci_dir_enter(&dir, (struct json_text){ path.bytes, n });
	if (dir.is_unknown || base.len >= sizeof name)
		return NULL;
	memcpy(name, base.bytes, base.len);
	name[base.len] = '\0';
	return input_find(ci->inputs, dir.bytes, dir.len, name);
}

/* "/a.yml" is at the top; "a.yml" of Azure's is beside the file, and another
 * repository's ends in "@name". */
static const struct parse_input *callee_find(const struct ci *ci,
					     enum ci_provider provider,
					     const struct parse_input *in,
					     struct json_text path)
{
	struct ci_dir dir = { .len = 0 };
	struct json_text repository = { NULL, 0 };

	if (provider == CI_AZURE)
		path = text_cut(path, '@', &repository);
	if (path.len == 0 ||
	    (repository.bytes != NULL && !text_is(repository, "self")))
		return NULL;
	if (path.bytes[0] == '/') {
		path = text_from(path, 1);
	} else if (provider == CI_AZURE &&
		   input_dir_len(in) < sizeof dir.bytes) {
		dir.len = input_dir_len(in);
		memcpy(dir.bytes, in->name, dir.len);
	}
	return path.len > 0 ? input_at(ci, dir, path) : NULL;
}

static void call_add(struct ci *ci, const struct file *from,
		     enum ci_provider provider, const struct yaml_node *path,
		     const struct yaml_node *given)
{
	struct ci_templates *t = ci->templates;
	const struct parse_input *callee;

	if (path == NULL || path->type != YAML_SCALAR)
		return;
	callee = callee_find(ci, provider, from->in, path->u.text);
	if (callee == NULL || callee == from->in)
		return;
	if (t->calls_len == CALLS_MAX)
		ci_tell(ci, from->in, CI_TOLD_CALLS, (int64_t)path->offset);
	else
		t->calls[t->calls_len++] =
			(struct call){ callee, from->in, given };
}

/* Steps, jobs, stages and "extends" may stand anywhere.  Depth is bounded by the
 * reader: PARSE_DEPTH. */
static void azure_walk(struct ci *ci, const struct file *from,
		       const struct yaml_node *n)
{
	if (n->type == YAML_SEQUENCE)
		for (size_t i = 0; i < n->u.sequence.len; i++)
			azure_walk(ci, from, n->u.sequence.items[i]);
	if (n->type != YAML_MAPPING)
		return;
	call_add(ci, from, CI_AZURE, yaml_find(n, "template"),
		 yaml_find(n, "parameters"));
	for (size_t i = 0; i < n->u.mapping.len; i++)
		azure_walk(ci, from, n->u.mapping.pairs[i].value);
}

static void include_take(struct ci *ci, const struct file *from,
			 const struct yaml_node *n)
{
	if (n == NULL)
		return;
	if (n->type == YAML_SEQUENCE)
		for (size_t i = 0; i < n->u.sequence.len; i++)
			include_take(ci, from, n->u.sequence.items[i]);
	else if (n->type == YAML_SCALAR)
		call_add(ci, from, CI_GITLAB, n, NULL);
	else
		call_add(ci, from, CI_GITLAB, yaml_find(n, "local"),
			 yaml_find(n, "inputs"));
}

static void document_take(struct ci *ci, struct file *file,
			  enum ci_provider provider,
			  const struct yaml_node *doc)
{
	const struct yaml_node *spec = yaml_find(doc, "spec");

	if (doc->type != YAML_MAPPING)
		return;
	if (provider == CI_AZURE) {
		file->declared = yaml_find(doc, "parameters");
		azure_walk(ci, file, doc);
		return;
	}
	if (spec != NULL)
		file->declared = yaml_find(spec, "inputs");
	include_take(ci, file, yaml_find(doc, "include"));
	for (size_t i = 0; i < doc->u.mapping.len; i++)
		include_take(ci, file,
			     yaml_find(yaml_find(doc->u.mapping.pairs[i].value,
						 "trigger"),
				       "include"));
}

/* Whether the file may have something to do with parameters. */
static bool is_wanted(const struct parse_input *in, enum ci_provider provider)
{
	const struct json_text text = { in->bytes, in->len };

	if (in->is_name_only)
		return false;
	return provider == CI_AZURE
		       ? text_has(text, "template:") ||
				 text_has(text, "parameters")
		       : text_has(text, "include") || text_has(text, "spec:");
}

static void file_read(struct ci *ci, const struct parse_input *in,
		      enum ci_provider provider)
{
	const struct yaml_caps caps = { .memory_bytes = MEMORY,
					.documents = 2 };
	struct yaml_documents docs = { 0 };
	struct file *file = &ci->templates->files[ci->templates->files_len++];

	file->in = in;
	ci_yaml_read(ci, in, &caps, &file->arena, &docs);
	for (size_t i = 0; i < docs.len; i++)
		document_take(ci, file, provider, docs.items[i]);
}

void ci_templates_read(struct ci *ci)
{
	enum ci_provider provider;

	ci->templates = calloc(1, sizeof *ci->templates);
	for (size_t i = 0; ci->templates != NULL && i < ci->inputs->len; i++) {
		const struct parse_input *in = &ci->inputs->items[i];

		if (!ci_provider_find(in, &provider) ||
		    (provider != CI_AZURE && provider != CI_GITLAB) ||
		    !is_wanted(in, provider))
			continue;
		if (ci->templates->files_len == FILES_MAX) {
			ci_tell(ci, in, CI_TOLD_TEMPLATES, -1);
			return;
		}
		file_read(ci, in, provider);
	}
}

void ci_templates_done(struct ci *ci)
{
	for (size_t i = 0;
	     ci->templates != NULL && i < ci->templates->files_len; i++)
		arena_done(&ci->templates->files[i].arena);
	free(ci->templates);
	ci->templates = NULL;
}

/* --- values ------------------------------------------------------------------- */

/* A default of "x: y", of "x: {default: y}" or of "- {name: x, default: y}", with
 * the other values that may be given. */
static void default_take(struct ci *ci, const struct yaml_node *declared,
			 enum ci_provider provider, struct json_text name,
			 struct ci_values *v)
{
	const struct json_text lists[] = { TEXT("values"), TEXT("options") };
	const struct yaml_node *one = ci_member(ci, declared, name);
	const struct yaml_node *value = one;

	for (size_t i = 0;
	     declared != NULL && declared->type == YAML_SEQUENCE &&
	     one == NULL && i < declared->u.sequence.len;
	     i++) {
		const struct yaml_node *n = declared->u.sequence.items[i];
		const struct yaml_node *key = ci_member(ci, n, TEXT("name"));

		if (key != NULL && key->type == YAML_SCALAR &&
		    text_order(key->u.text, name) == 0)
			one = n;
	}
	if (provider == CI_GITLAB || (one != NULL && value == NULL))
		value = ci_member(ci, one, TEXT("default"));
	if (value != NULL && value->type == YAML_SCALAR)
		ci_values_add(v, value->u.text);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		const struct yaml_node *list = ci_member(ci, one, lists[i]);

		if (list == NULL || list->type != YAML_SEQUENCE)
			continue;
		ci->script_work += list->u.sequence.len;
		for (size_t k = 0; k < list->u.sequence.len; k++)
			if (list->u.sequence.items[k]->type == YAML_SCALAR)
				ci_values_add(
					v, list->u.sequence.items[k]->u.text);
	}
}

/* What a caller gives, in the words of its own parameters. */
static void given_take(struct ci *ci, const struct call *call,
		       enum ci_provider provider, const struct yaml_node *n,
		       struct ci_values *v, unsigned depth)
{
	struct ci_expression e;
	struct ci_values inner = { .arena = v->arena };

	if (n->type != YAML_SCALAR)
		return;
	if (!ci_expression_cut(provider, n->u.text, &e)) {
		ci_values_add(v, n->u.text);
		return;
	}
	/* Only a value that is handed on as it is. */
	if (e.before.len > 0 || e.after.len > 0)
		return;
	ci_template_values(ci, call->caller, provider, e.path, &inner,
			   depth + 1);
	v->is_cut |= inner.is_cut;
	for (size_t i = 0; i < inner.len; i++)
		ci_values_add(v, inner.items[i]);
}

void ci_template_values(struct ci *ci, const struct parse_input *in,
			enum ci_provider provider, struct json_text path,
			struct ci_values *v, unsigned depth)
{
	const struct ci_templates *t = ci->templates;
	struct json_text name, first = text_cut(path, '.', &name);
	bool is_given = false, is_left_out = false;

	v->is_cut |= depth > CI_VALUE_DEPTH;
	if (t == NULL || depth > CI_VALUE_DEPTH || name.bytes == NULL ||
	    ci_is_spent(ci) ||
	    !text_is(first, provider == CI_AZURE ? "parameters" : "inputs"))
		return;
	ci->script_work += t->calls_len;
	for (size_t i = 0; i < t->calls_len; i++) {
		const struct yaml_node *n;

		if (t->calls[i].callee != in)
			continue;
		n = ci_member(ci, t->calls[i].given, name);
		is_given |= n != NULL;
		is_left_out |= n == NULL;
		if (n != NULL)
			given_take(ci, &t->calls[i], provider, n, v, depth);
	}
	if (is_given && !is_left_out)
		return;
	for (size_t i = 0; i < t->files_len; i++)
		if (t->files[i].in == in)
			default_take(ci, t->files[i].declared, provider, name,
				     v);
}
