/* report.c -- see report.h. */
#include "jobs/probe/report.h"

#include <string.h>

#include "base/hooks.h"
#include "base/jsonw.h"
#include "base/name.h"
#include "base/path_role.h"
#include "base/utf8.h"
#include "boundary/sanitize.h"
#include "jobs/common/value.h"

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
		{ "failed", "could not be opened" },
		{ "more_notes", "there were more, which are not listed here" },
		{ "vanished",
		  "disappeared or changed before it could be opened" },
		{ "too_large", "is larger than the limit for its kind" },
		{ "inputs_too_large",
		  "the inputs together are larger than 200 MiB" },
		{ "walk_files", "the repository has more than 50000 names" },
		{ "walk_names", "the names in the repository are too long" },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].code, code) == 0)
			return words[i].message;
	return "was left out";
}

/* What happened, with the role of what is not the project's own. */
static const char *skip_told(struct arena *arena, const struct probe_skip *s)
{
	owned_buf struct buf shown = { 0 };

	if (s->role == ROLE_OWN)
		return skip_message(s->code);
	name_write(&shown, s->role_dir.bytes, s->role_dir.len);
	return arena_format(arena, "%s; its role is %s (directory %s)",
			    skip_message(s->code), path_role_name(s->role),
			    shown.bytes != NULL ? shown.bytes : "");
}

/* --- notes ----------------------------------------------------------------- */

/* A line of our own or of a probe, as valid UTF-8. */
static const char *line_of(struct arena *arena, const char *text)
{
	char *line = arena_text(arena, text != NULL ? text : "");

	if (line != NULL)
		utf8_make_line(line);
	return line;
}

static const char *shown_of(struct arena *arena, const char *name)
{
	owned_buf struct buf shown = { 0 };

	if (name == NULL)
		return NULL;
	name_write(&shown, name, strlen(name));
	return arena_copy(arena, shown.bytes ? shown.bytes : "", shown.len);
}

/* Where notes go, and which paths must not be in them. */
struct notes {
	struct arena *arena;
	const char *const *roots;
	struct json_value *list;
};

/* A note of ours may quote text from inside or from the repository, so host
 * paths are removed from it. */
static struct json_value note_text(const struct notes *n, const char *text)
{
	struct json_text scrubbed;

	if (text == NULL)
		return value_text(NULL);
	scrubbed = sanitize_path(
		n->arena, (struct json_text){ text, strlen(text) }, n->roots);
	if (scrubbed.bytes == NULL)
		return value_text("");
	return (struct json_value){ .type = JSON_STRING, .u.string = scrubbed };
}

static bool note_add(const struct notes *n, const char *code, const char *name,
		     const char *message)
{
	const char *line = line_of(n->arena, message);
	struct json_value note;

	if (line == NULL || !value_object(n->arena, 3, &note))
		return false;
	value_member(&note, "code", value_text(code));
	value_member(&note, "source", note_text(n, shown_of(n->arena, name)));
	value_member(&note, "message", note_text(n, line));
	value_item(n->list, note);
	return true;
}

static const struct json_value *own_notes(const struct probe_outcome *o,
					  const char *key)
{
	if (o->answer == NULL || o->inputs->probe->command != NULL)
		return NULL; /* other probes hand over nothing but a slice */
	return json_find(&o->answer->checked.value, key);
}

static bool is_noted(const struct probe_skip *s, bool errors)
{
	return (s->weight == SKIP_ERROR) == errors;
}

static bool skips_add(const struct notes *n, const struct probe_inputs *in,
		      bool errors)
{
	size_t shown = 0;

	for (size_t i = 0; i < in->skips_len; i++) {
		const struct probe_skip *s = &in->skips[i];

		if (is_noted(s, errors) && shown++ < SKIPS_SHOWN &&
		    !note_add(n, s->code, s->name, skip_told(n->arena, s)))
			return false;
	}
	return shown <= SKIPS_SHOWN ||
	       note_add(n, "more_notes", NULL,
			"there were more, which are not listed here");
}

static bool weak_add(const struct notes *n, const char *weak)
{
	const char *text = arena_format(
		n->arena, "%s, which this probe requires, failed", weak);

	return text != NULL && note_add(n, "required_failed", NULL, text);
}

/* The probe's own notes, then those of the trusted side. */
static bool notes_build(const struct probe_outcome *o, const char *key,
			bool errors, struct arena *arena,
			struct json_value *ret)
{
	const struct json_value *own = own_notes(o, key);
	size_t len = own != NULL ? own->u.array.len : 0;
	const struct notes n = {
		.arena = arena,
		.roots = test_wall_is_down(TEST_WALL_SCRUB) ? NULL : o->roots,
		.list = ret,
	};

	/* those, one for "there were more", and one of ours */
	if (!value_array(arena, len + SKIPS_SHOWN + 2, ret))
		return false;
	for (size_t i = 0; i < len; i++)
		value_item(ret, own->u.array.items[i]);
	if (!skips_add(&n, o->inputs, errors))
		return false;
	if (errors && o->failure != NULL)
		return note_add(&n, o->failure, NULL, o->why);
	return errors || o->weak == NULL || weak_add(&n, o->weak);
}

/* --- the output ------------------------------------------------------------ */

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

/* Count strings with a mark of a prompt injection, in our notes, too: the name
 * of a skipped file may carry one. */
static size_t markers_of(const struct probe_outcome *o)
{
	size_t n = o->answer ? o->answer->checked.injection_markers : 0;
	size_t shown[2] = { 0, 0 };

	for (size_t i = 0; i < o->inputs->skips_len; i++) {
		const struct probe_skip *s = &o->inputs->skips[i];

		if (shown[is_noted(s, true)]++ < SKIPS_SHOWN && s->name)
			n += sanitize_has_marker(s->name, strlen(s->name));
	}
	if (o->failure != NULL && o->why != NULL)
		n += sanitize_has_marker(o->why, strlen(o->why));
	return n;
}

bool output_build(const struct probe_outcome *o, struct arena *arena,
		  struct json_value *ret)
{
	const struct probe *probe = o->inputs->probe;
	struct json_value errors, warnings, slice = { .type = JSON_NULL };

	if (!notes_build(o, "errors", true, arena, &errors) ||
	    !notes_build(o, "warnings", false, arena, &warnings) ||
	    !value_object(arena, 8, ret))
		return false;
	if (o->answer != NULL && o->answer->slice != NULL)
		slice = *o->answer->slice;
	value_member(ret, "probe", value_text(probe->name));
	value_member(ret, "version", value_text(probe->version));
	value_member(ret, "schema_version", value_text(probe->schema_version));
	value_member(ret, "confidence", value_text(confidence_of(o)));
	value_member(ret, "errors", errors);
	value_member(ret, "warnings", warnings);
	value_member(ret, "prompt_injection_marker_count",
		     value_number(arena, markers_of(o)));
	value_member(ret, "slice", slice);
	return true;
}

/* --- the record ------------------------------------------------------------ */

static void name_put(struct jsonw *w, const char *key, const char *name)
{
	owned_buf struct buf shown = { 0 };

	name_write(&shown, name, strlen(name));
	jsonw_bytes(w, key, shown.bytes ? shown.bytes : "", shown.len);
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

static void tree_put(struct jsonw *w, const struct json_value *tree,
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
	tree_put(w, p->tree, "errors");
	tree_put(w, p->tree, "warnings");
	jsonw_end_object(w);
}
