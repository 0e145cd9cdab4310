/* profile_write.c -- profiles as JSON and as a table; see profile.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "spec/field.h"
#include "spec/number.h"
#include "spec/profile.h"

static void write_number(struct jsonw *w, const char *key,
			 const struct field *f, uint64_t value)
{
	char text[NUMBER_TEXT];

	if (value == SPEC_UNLIMITED) {
		jsonw_text(w, key, "unlimited");
	} else if (f->type == FIELD_TIME) {
		number_write_ms(value, text);
		jsonw_raw(w, key, text, strlen(text));
	} else {
		jsonw_uint(w, key, value);
	}
}

static void write_rlimits(struct jsonw *w, const char *key,
			  const struct spec *s)
{
	jsonw_object(w, key);
	for (size_t i = 0; i < SPEC_RLIMIT_MAX_; i++) {
		const char *name = field_rlimits[i].name;

		if (!s->rlimit_is_set[i])
			continue;
		if (s->rlimits[i] == SPEC_UNLIMITED)
			jsonw_text(w, name, "unlimited");
		else
			jsonw_uint(w, name, s->rlimits[i]);
	}
	jsonw_end_object(w);
}

static void write_list(struct jsonw *w, const char *key,
		       const struct spec_list *list)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < list->len; i++)
		jsonw_text(w, NULL, list->items[i]);
	jsonw_end_array(w);
}

static void write_value(struct jsonw *w, const char *key, const struct spec *s,
			const struct field *f)
{
	switch (f->type) {
	case FIELD_COUNT:
	case FIELD_SIZE:
	case FIELD_TIME:
		write_number(w, key, f, field_number(s, f));
		break;
	case FIELD_BOOL:
		jsonw_bool(w, key, field_bool(s, f));
		break;
	case FIELD_ENUM:
		jsonw_text(w, key, field_word_of(s, f));
		break;
	case FIELD_LIST:
		write_list(w, key, field_list(s, f));
		break;
	case FIELD_RLIMIT:
		write_rlimits(w, key, s);
		break;
	default:
		/* a profile that says nothing leaves the default */
		if (field_text(s, f) != NULL)
			jsonw_text(w, key, field_text(s, f));
		break;
	}
}

void profile_write_json(const struct spec *s, struct buf *out)
{
	struct jsonw w = { .out = out, .indent = 2 };
	char key[FIELD_KEY_MAX];

	jsonw_object(&w, NULL);
	jsonw_text(&w, "name", s->profile);
	for (size_t i = 0; i < fields_len; i++) {
		if ((fields[i].flags & FIELD_IN_PROFILE) == 0)
			continue;
		field_write_key(&fields[i], key);
		write_value(&w, key, s, &fields[i]);
	}
	jsonw_end_object(&w);
	buf_char(out, '\n');
}

#define CELL 24
enum column {
	COL_PROFILE,
	COL_WALL,
	COL_CPU,
	COL_MEM,
	COL_AS,
	COL_DATA,
	COL_NOFILE,
	COL_FSIZE,
	COL_PIDS,
	COL_SCRATCH,
	COL_OUTPUT,
	COL_NETWORK,
	COL_CWD,
	COL_MAX_
};

static const struct {
	const char *title;
	int width;
} columns[] = {
	[COL_PROFILE] = { "profile", 16 },
	[COL_WALL] = { "wall s", 8 },
	[COL_CPU] = { "cpu s", 5 },
	[COL_MEM] = { "memory", 6 },
	[COL_AS] = { "AS", 4 },
	[COL_DATA] = { "DATA", 4 },
	[COL_NOFILE] = { "nofile", 6 },
	[COL_FSIZE] = { "fsize", 5 },
	[COL_PIDS] = { "pids", 4 },
	[COL_SCRATCH] = { "scratch", 11 },
	[COL_OUTPUT] = { "output", 11 },
	[COL_NETWORK] = { "network", 8 },
	[COL_CWD] = { "cwd", 0 },
};
_Static_assert(sizeof columns / sizeof *columns == COL_MAX_,
	       "a title for every column");

static void size_cell(uint64_t value, char cell[CELL])
{
	char text[NUMBER_TEXT];

	number_write_size(value, text);
	(void)snprintf(cell, CELL, "%.20s",
		       value == SPEC_UNLIMITED ? "-" : text);
}

static void time_cell(uint64_t ms, const char *before, char cell[CELL])
{
	char text[NUMBER_TEXT];

	number_write_ms(ms, text);
	(void)snprintf(cell, CELL, "%s%.14s", before,
		       ms == SPEC_UNLIMITED ? "-" : text);
}

static void scratch_cell(const struct spec *s, char cell[CELL])
{
	char text[CELL];

	size_cell(s->scratch_bytes, text);
	if (s->scratch_bytes == 0)
		(void)snprintf(cell, CELL, "none");
	else
		(void)snprintf(cell, CELL, "%.10s/%" PRIu64, text,
			       s->scratch_inodes % 10000000000);
}

static const char *cwd_cell(const struct spec *s)
{
	const char *cwd = spec_cwd(s);

	return cwd[1] == '\0' ? "none" : cwd;
}

static const char *word(const struct spec *s, const char *name)
{
	return field_word_of(s, field_find(name));
}

static void write_row(const struct spec *s, struct buf *out)
{
	char cells[COL_MAX_][CELL] = { "" };
	char size[CELL];

	(void)snprintf(cells[COL_PROFILE], CELL, "%.20s", s->profile);
	time_cell(s->wall_ms, s->wall_alarm ? "alarm " : "", cells[COL_WALL]);
	time_cell(s->cpu_ms, "", cells[COL_CPU]);
	size_cell(s->mem_bytes, cells[COL_MEM]);
	size_cell(s->as_bytes, cells[COL_AS]);
	size_cell(s->data_bytes, cells[COL_DATA]);
	size_cell(s->nofile, cells[COL_NOFILE]);
	size_cell(s->fsize_bytes, cells[COL_FSIZE]);
	size_cell(s->pids_max, cells[COL_PIDS]);
	scratch_cell(s, cells[COL_SCRATCH]);
	size_cell(s->output_bytes, size);
	(void)snprintf(cells[COL_OUTPUT], CELL, "%.10s %s", size,
		       word(s, "output-mode"));
	(void)snprintf(cells[COL_NETWORK], CELL, "%s", word(s, "network"));
	(void)snprintf(cells[COL_CWD], CELL, "%.20s", cwd_cell(s));
	for (int i = 0; i < COL_MAX_; i++)
		buf_format(out, "%-*s%s", columns[i].width, cells[i],
			   i + 1 < COL_MAX_ ? " " : "\n");
}

int profile_write_table(struct buf *out, struct cupel_error *err)
{
	int r = 0;

	for (int i = 0; i < COL_MAX_; i++)
		buf_format(out, "%-*s%s", columns[i].width, columns[i].title,
			   i + 1 < COL_MAX_ ? " " : "\n");
	for (size_t i = 0; r == 0 && profile_at(i) != NULL; i++) {
		struct spec s = { 0 };

		r = spec_init(&s, err);
		if (r == 0)
			r = spec_apply_profile(&s, profile_at(i)->name, err);
		if (r == 0)
			write_row(&s, out);
		spec_done(&s);
	}
	return r;
}
