/* report.c -- see report.h. */
#include "jobs/probe/report.h"

#include <string.h>

#include "base/jsonw.h"
#include "base/name.h"

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

/* What the probe noted itself, then what the trusted side has to add. */
static void notes_put(struct jsonw *w, const struct probe_outcome *o,
		      const char *key, bool errors)
{
	const struct json_value *own =
		o->answer ? json_find(o->answer, key) : NULL;
	size_t shown = 0;

	jsonw_array(w, key);
	for (size_t i = 0; own && i < own->u.array.len; i++) {
		owned_buf struct buf item = { 0 };

		json_write(&own->u.array.items[i], &item);
		jsonw_raw(w, NULL, item.bytes, item.len);
	}
	for (size_t i = 0; i < o->inputs->skips_len; i++) {
		const struct probe_skip *s = &o->inputs->skips[i];

		if (s->is_error == errors && shown++ < SKIPS_SHOWN)
			note_put(w, s->code, s->name, skip_message(s->code));
	}
	if (shown > SKIPS_SHOWN)
		note_put(w, "more_notes", NULL,
			 "there were more than are listed here");
	if (errors && o->failure != NULL)
		note_put(w, o->failure, NULL, o->why ? o->why : "");
	jsonw_end_array(w);
}

static const char *confidence_of(const struct probe_outcome *o)
{
	const struct json_value *own =
		o->answer ? json_find(o->answer, "confidence") : NULL;
	bool is_partial = o->inputs->skips_len > 0;

	if (o->answer == NULL || json_is_text(own, "low"))
		return "low";
	for (size_t i = 0; i < o->inputs->skips_len; i++)
		if (o->inputs->skips[i].is_error)
			return "low";
	return is_partial || json_is_text(own, "medium") ? "medium" : "high";
}

void output_write(const struct probe_outcome *o, struct buf *out)
{
	struct jsonw w = { .out = out };
	const struct json_value *slice =
		o->answer ? json_find(o->answer, "slice") : NULL;
	owned_buf struct buf text = { 0 };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "probe", o->probe->name);
	jsonw_text(&w, "version", o->probe->version);
	jsonw_text(&w, "schema_version", o->probe->schema_version);
	jsonw_text(&w, "confidence", confidence_of(o));
	notes_put(&w, o, "errors", true);
	notes_put(&w, o, "warnings", false);
	jsonw_uint(&w, "prompt_injection_marker_count", o->markers);
	if (slice != NULL) {
		json_write(slice, &text);
		jsonw_raw(&w, "slice", text.bytes, text.len);
	} else {
		jsonw_null(&w, "slice");
	}
	jsonw_end_object(&w);
}

void record_write(const struct probe_outcome *o, struct buf *out)
{
	struct jsonw w = { .out = out };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "name", o->probe->name);
	jsonw_text(&w, "version", o->probe->version);
	jsonw_int(&w, "sandbox_pid", 2); /* inside; init is 1 */
	jsonw_int(&w, "exit_status", o->run->rc);
	jsonw_text(&w, "status", cupel_status_name(o->run->status));
	jsonw_bool(&w, "cache_hit", false);
	jsonw_uint(&w, "wall_ms", o->run->duration_ms);
	jsonw_uint(&w, "rss_peak_kb", o->run->max_rss_kib);
	jsonw_array(&w, "declared_inputs");
	for (size_t i = 0; i < o->inputs->files_len; i++) {
		const struct probe_file *f = &o->inputs->files[i];

		jsonw_object(&w, NULL);
		name_put(&w, "relative_path", f->name);
		jsonw_text(&w, "blake3", f->hash);
		jsonw_uint(&w, "size_bytes", f->size);
		jsonw_end_object(&w);
	}
	jsonw_end_array(&w);
	jsonw_uint(&w, "stdout_bytes", o->run->stdout_bytes);
	notes_put(&w, o, "errors", true);
	notes_put(&w, o, "warnings", false);
	jsonw_end_object(&w);
}
