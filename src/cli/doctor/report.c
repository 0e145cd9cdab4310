/* report.c -- writes the doctor's findings. */
#include "cli/doctor/report.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "spec/profile.h"
#include "spec/spec.h"

void report_fill(struct report *r)
{
	for (size_t i = 0; i < rows_len && i < REPORT_ROWS_MAX; i++)
		row_run(&rows[i], r->spec, &r->findings[i]);
}

static bool is_needed(const struct row *row, const struct spec *spec)
{
	return row->is_needed != NULL && row->is_needed(spec);
}

bool report_is_ok(const struct report *r)
{
	for (size_t i = 0; i < rows_len; i++)
		if (!r->findings[i].ok && is_needed(&rows[i], r->spec))
			return false;
	return true;
}

/* Write the remedy's command with the program's own path filled in. */
static void add_command(const struct report *r, const char *command,
			struct buf *out)
{
	static const char self[] = "@self@";
	const char *at;

	while ((at = strstr(command, self)) != NULL) {
		buf_add(out, command, (size_t)(at - command));
		buf_text(out, r->evidence.self[0] != '\0' ? r->evidence.self
							  : "cupel");
		command = at + sizeof self - 1;
	}
	buf_text(out, command);
}

static const struct trap *find_trap(const struct report *r, size_t i)
{
	return trap_find(&r->evidence, rows[i].topic, &r->findings[i]);
}

/* The first row that has this cause. */
static size_t find_first(const struct report *r, const struct trap *trap)
{
	size_t i = 0;

	while (r->findings[i].ok || find_trap(r, i) != trap)
		i++;
	return i;
}

static void add_failure(const struct finding *f, struct buf *out)
{
	if (f->step[0] != '\0')
		buf_format(out, "%s: %s", f->step, strerror(f->sys));
	if (f->step[0] != '\0' && f->value[0] != '\0')
		buf_text(out, "; ");
	buf_text(out, f->value);
}

static void write_cause(const struct report *r, size_t i, struct buf *out)
{
	const struct trap *trap = find_trap(r, i);
	size_t first = find_first(r, trap);

	if (first != i) {
		buf_format(out, "       %s, as with %s\n", trap->code,
			   rows[first].id);
		return;
	}
	buf_format(out, "       %s: %s.\n", trap->code, trap->words);
	for (int k = 0; k < REMEDIES_MAX && trap->fixes[k].kind != NULL; k++) {
		buf_format(out, "       %s (%s): ", k == 0 ? "fix" : "or ",
			   trap->fixes[k].kind);
		add_command(r, trap->fixes[k].command, out);
		buf_char(out, '\n');
	}
}

void report_write_text(const struct report *r, struct buf *out)
{
	for (size_t i = 0; i < rows_len; i++) {
		const struct finding *f = &r->findings[i];

		buf_format(out, "%-5s  %s",
			   f->ok                          ? "yes"
			   : is_needed(&rows[i], r->spec) ? "NO"
							  : "no",
			   rows[i].what);
		if (f->step[0] != '\0' || f->value[0] != '\0') {
			buf_text(out, " (");
			add_failure(f, out);
			buf_char(out, ')');
		}
		buf_char(out, '\n');
		if (!f->ok)
			write_cause(r, i, out);
	}
	buf_format(
		out,
		report_is_ok(r)
			? "\nThe profile %s can be enforced here in full.\n"
			: "\nThe profile %s cannot be enforced here in full: "
			  "see the lines with NO.\n",
		r->spec->profile);
}

/* List the shipped profiles whose runs need the row. */
static void write_needed_by(struct jsonw *w, const struct row *row)
{
	jsonw_array(w, "needed_by");
	for (size_t i = 0; profile_at(i) != NULL; i++) {
		struct cupel_error err = { 0 };
		struct spec spec = { 0 };

		if (spec_init(&spec, &err) == 0 &&
		    spec_apply_profile(&spec, profile_at(i)->name, &err) == 0 &&
		    is_needed(row, &spec))
			jsonw_text(w, NULL, profile_at(i)->name);
		spec_done(&spec);
	}
	jsonw_end_array(w);
}

static void write_fixes(struct jsonw *w, const struct report *r,
			const struct trap *trap)
{
	jsonw_array(w, "fix");
	for (int k = 0;
	     trap != NULL && k < REMEDIES_MAX && trap->fixes[k].kind != NULL;
	     k++) {
		owned_buf struct buf command = { 0 };

		add_command(r, trap->fixes[k].command, &command);
		jsonw_object(w, NULL);
		jsonw_text(w, "kind", trap->fixes[k].kind);
		jsonw_bytes(w, "command", command.bytes, command.len);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void write_row(struct jsonw *w, const struct report *r, size_t i)
{
	const struct finding *f = &r->findings[i];
	const struct trap *trap = f->ok ? NULL : find_trap(r, i);
	owned_buf struct buf value = { 0 };

	add_failure(f, &value);
	jsonw_object(w, NULL);
	jsonw_text(w, "id", rows[i].id);
	jsonw_bool(w, "ok", f->ok);
	jsonw_text_or_null(w, "value", value.len > 0 ? value.bytes : NULL);
	jsonw_text_or_null(w, "cause", trap != NULL ? trap->code : NULL);
	jsonw_text_or_null(w, "message", trap != NULL ? trap->words : NULL);
	write_fixes(w, r, trap);
	write_needed_by(w, &rows[i]);
	jsonw_end_object(w);
}

void report_write_json(const struct report *r, struct buf *out)
{
	struct jsonw w = { .out = out, .indent = 2 };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "version", "1.0");
	jsonw_text(&w, "profile", r->spec->profile);
	jsonw_bool(&w, "ok", report_is_ok(r));
	jsonw_array(&w, "rows");
	for (size_t i = 0; i < rows_len; i++)
		write_row(&w, r, i);
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	buf_char(out, '\n');
}
