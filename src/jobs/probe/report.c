/* report.c -- see report.h. */
#include "jobs/probe/report.h"

#include <string.h>

#include "base/jsonw.h"
#include "base/name.h"
#include "boundary/sanitize.h"

#define SKIPS_SHOWN 200U

static const char *skip_message(const char *code)
{
	static const struct {
		const char *code, *message;
	} words[] = {
		{ "symlink", "a symbolic link is not followed" },
		{ "fifo", "a fifo is not read" },
		{ "socket", "a socket is not read" },
		{ "device", "a device is not read" },
		{ "directory", "a directory where a file was expected" },
		{ "other_file_system", "lies on another file system" },
		{ "unreadable", "could not be read" },
		{ "vanished", "was gone or changed when it was opened" },
		{ "too_large", "is over the cap for its kind" },
		{ "inputs_too_large", "the inputs together are over 200 MiB" },
		{ "walk_files", "the repository has more than 50000 names" },
		{ "walk_names", "the repository's names are too long" },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].code, code) == 0)
			return words[i].message;
	return "was passed over";
}

static void name_put(struct jsonw *w, const char *key, const char *name)
{
	owned_buf struct buf shown = { 0 };

	name_write(&shown, name, strlen(name));
	jsonw_bytes(w, key, shown.bytes ? shown.bytes : "", shown.len);
}

static void note_put(struct jsonw *w, const char *code, const char *name,
		     const char *message)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "code", code);
	if (name != NULL)
		name_put(w, "source", name);
	else
		jsonw_null(w, "source");
	jsonw_text(w, "message", message);
	jsonw_end_object(w);
}

static const struct json_value *own_notes(const struct probe_outcome *o,
					  const char *key)
{
	if (o->answer == NULL || o->inputs->probe->command != NULL)
		return NULL; /* others hand over a slice and nothing else */
	return json_find(&o->answer->checked.value, key);
}

static bool is_noted(const struct probe_skip *s, bool errors)
{
	return (s->weight == SKIP_ERROR) == errors;
}

static void skips_put(struct jsonw *w, const struct probe_inputs *in,
		      bool errors)
{
	size_t shown = 0;

	for (size_t i = 0; i < in->skips_len; i++) {
		const struct probe_skip *s = &in->skips[i];

		if (is_noted(s, errors) && shown++ < SKIPS_SHOWN)
			note_put(w, s->code, s->name, skip_message(s->code));
	}
	if (shown > SKIPS_SHOWN)
		note_put(w, "more_notes", NULL,
			 "there were more than are listed here");
}

/* What the probe noted itself, then what the trusted side has to add. */
static void notes_put(struct jsonw *w, const struct probe_outcome *o,
		      const char *key, bool errors)
{
	const struct json_value *own = own_notes(o, key);

	jsonw_array(w, key);
	for (size_t i = 0; own && i < own->u.array.len; i++) {
		owned_buf struct buf item = { 0 };

		json_write(&own->u.array.items[i], &item);
		jsonw_raw(w, NULL, item.bytes, item.len);
	}
	skips_put(w, o->inputs, errors);
	if (errors && o->failure != NULL)
		note_put(w, o->failure, NULL, o->why ? o->why : "");
	if (!errors && o->weak != NULL) {
		owned_buf struct buf text = { 0 };

		buf_format(&text, "%s failed, which this probe requires",
			   o->weak);
		note_put(w, "required_failed", NULL,
			 text.bytes ? text.bytes : "");
	}
	jsonw_end_array(w);
}

static const char *confidence_of(const struct probe_outcome *o)
{
	const struct json_value *own = own_notes(o, "confidence");
	enum skip_weight worst = SKIP_NAME;

	for (size_t i = 0; i < o->inputs->skips_len; i++)
		if (o->inputs->skips[i].weight > worst)
			worst = o->inputs->skips[i].weight;
	if (o->answer == NULL || o->weak != NULL || worst == SKIP_ERROR ||
	    json_is_text(own, "low"))
		return "low";
	return worst == SKIP_FILE || json_is_text(own, "medium") ? "medium"
								 : "high";
}

/* Strings with a mark of a prompt injection, those of ours too: a name that
 * was skipped may carry one. */
static size_t markers_of(const struct probe_outcome *o)
{
	size_t n = o->answer ? o->answer->checked.injection_markers : 0;
	size_t shown[2] = { 0, 0 };

	for (size_t i = 0; i < o->inputs->skips_len; i++) {
		const struct probe_skip *s = &o->inputs->skips[i];

		if (shown[s->weight == SKIP_ERROR]++ < SKIPS_SHOWN && s->name)
			n += sanitize_has_marker(s->name, strlen(s->name));
	}
	if (o->failure != NULL && o->why != NULL)
		n += sanitize_has_marker(o->why, strlen(o->why));
	return n;
}

void output_write(const struct probe_outcome *o, struct buf *out)
{
	const struct probe *probe = o->inputs->probe;
	struct jsonw w = { .out = out };
	owned_buf struct buf text = { 0 };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "probe", probe->name);
	jsonw_text(&w, "version", probe->version);
	jsonw_text(&w, "schema_version", probe->schema_version);
	jsonw_text(&w, "confidence", confidence_of(o));
	notes_put(&w, o, "errors", true);
	notes_put(&w, o, "warnings", false);
	jsonw_uint(&w, "prompt_injection_marker_count", markers_of(o));
	if (o->answer != NULL && o->answer->slice != NULL) {
		json_write(o->answer->slice, &text);
		jsonw_raw(&w, "slice", text.bytes, text.len);
	} else {
		jsonw_null(&w, "slice");
	}
	jsonw_end_object(&w);
}

static void input_put(struct jsonw *w, const struct gather_input *in)
{
	jsonw_object(w, NULL);
	name_put(w, "relative_path", in->name);
	jsonw_text(w, "blake3", in->hash);
	jsonw_uint(w, "size_bytes", in->size);
	if (in->is_names)
		jsonw_uint(w, "names", in->names);
	jsonw_end_object(w);
}

static void value_put(struct jsonw *w, const struct json_value *tree,
		      const char *key)
{
	const struct json_value *v = tree ? json_find(tree, key) : NULL;
	owned_buf struct buf text = { 0 };

	if (v != NULL)
		json_write(v, &text);
	else
		buf_text(&text, "[]");
	jsonw_raw(w, key, text.bytes, text.len);
}

void record_write(const struct gather_probe *p, struct jsonw *w)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "name", p->probe->name);
	jsonw_text(w, "version", p->probe->version);
	if (p->cache_hit)
		jsonw_null(w, "sandbox_pid");
	else
		jsonw_int(w, "sandbox_pid", 2); /* inside; init is 1 */
	jsonw_int(w, "exit_status", p->exit_status);
	jsonw_text(w, "status", p->status);
	jsonw_bool(w, "cache_hit", p->cache_hit);
	jsonw_uint(w, "wall_ms", p->wall_ms);
	jsonw_uint(w, "rss_peak_kb", p->rss_peak_kb);
	jsonw_array(w, "declared_inputs");
	for (size_t i = 0; i < p->inputs_len; i++)
		input_put(w, &p->inputs[i]);
	jsonw_end_array(w);
	jsonw_uint(w, "stdout_bytes", p->stdout_bytes);
	value_put(w, p->tree, "errors");
	value_put(w, p->tree, "warnings");
	jsonw_end_object(w);
}
