/* tests_lcov.c -- see tests_lcov.h. */
#include "parsers/tests/tests_lcov.h"
#include "base/grow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/common/text_piece.h"

#define NUMBER_MAX ((uint64_t)1 << 48) /* of a line, or of things in a file */

/* Two counts: what the record says, and the sum of its lines. */
struct tally {
	uint64_t said_found, said_hit;
	bool has_found, has_hit;
	uint64_t found, hit;
};

struct lcov {
	const struct parse_input *in;
	struct parse_report *report;
	struct lcov_totals totals;
	bool is_open;    /* within a record */
	uint64_t *lines; /* number << 1 | hit, of the open record */
	size_t lines_len, lines_room;
	bool is_ascending;
	struct tally line, branch, function;
	bool has_aliases; /* FNA: several names for one function */
	uint64_t differ;  /* records whose totals are not believed */
	uint64_t bad;     /* lines that could not be read */
	size_t bad_at;    /* the first of those */
	uint64_t cut;     /* lines longer than PARSE_STRING_BYTES */
	size_t cut_at;    /* the first of those */
	bool is_out_of_memory;
};

/* A decimal number that is all of t. */
static bool number_read(struct json_text t, uint64_t *ret)
{
	uint64_t n = 0;

	t = text_trim(t);
	for (size_t i = 0; i < t.len; i++) {
		if (t.bytes[i] < '0' || t.bytes[i] > '9' || n > NUMBER_MAX)
			return false;
		n = n * 10 + (uint64_t)(t.bytes[i] - '0');
	}
	*ret = n;
	return t.len > 0 && n <= NUMBER_MAX;
}

/* Whether something ran; how often does not matter.  "-" is never.  Some tools
 * write a negative number, a number with a point, or one that is too large. */
static bool is_hit(struct json_text t)
{
	t = text_trim(t);
	if (text_begins(t, "-"))
		return false;
	for (size_t i = 0; i < t.len; i++)
		if (t.bytes[i] >= '1' && t.bytes[i] <= '9')
			return true;
	return false;
}

static bool line_add(struct lcov *l, uint64_t number, bool hit)
{
	uint64_t value = number << 1 | hit;

	if (!array_grow((void **)&l->lines, l->lines_len, &l->lines_room,
			sizeof *l->lines)) {
		l->is_out_of_memory = true;
		return true;
	}
	if (l->lines_len > 0 && l->lines[l->lines_len - 1] >> 1 >= number)
		l->is_ascending = false;
	l->lines[l->lines_len++] = value;
	return true;
}

/* Read DA:line,count[,checksum] */
static bool data_read(struct lcov *l, struct json_text t)
{
	struct json_text rest;
	uint64_t number;

	if (!number_read(text_cut(t, ',', &rest), &number) ||
	    rest.bytes == NULL)
		return false;
	return line_add(l, number, is_hit(text_cut(rest, ',', NULL)));
}

/* Read BRDA:line,[e]block,branch,taken; branch may be an expression. */
static bool branch_read(struct lcov *l, struct json_text t)
{
	const char *comma = t.len > 0 ? memrchr(t.bytes, ',', t.len) : NULL;
	uint64_t number;

	if (comma == NULL || !number_read(text_cut(t, ',', NULL), &number))
		return false;
	l->branch.found++;
	l->branch.hit += is_hit(text_from(t, (size_t)(comma - t.bytes) + 1));
	return true;
}

/* Read FNDA:count,name */
static bool function_data_read(struct lcov *l, struct json_text t)
{
	struct json_text rest;
	struct json_text count = text_cut(t, ',', &rest);

	if (rest.bytes == NULL)
		return false;
	l->function.hit += is_hit(count);
	return true;
}

static bool said_read(struct json_text t, uint64_t *ret, bool *ret_has)
{
	*ret_has = number_read(t, ret);
	return *ret_has;
}

static int value_order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void lines_count(struct lcov *l)
{
	struct tally *t = &l->line;

	if (!l->is_ascending)
		qsort(l->lines, l->lines_len, sizeof *l->lines, value_order);
	for (size_t i = 0; i < l->lines_len; i++) {
		/* After sorting, the one that was hit is the last of two. */
		if (i + 1 < l->lines_len &&
		    l->lines[i] >> 1 == l->lines[i + 1] >> 1)
			continue;
		t->found++;
		t->hit += l->lines[i] & 1;
	}
}

/* Add the counts that are to be believed; true if they differ from what the
 * record says. */
static bool tally_add(const struct tally *t, uint64_t *found, uint64_t *hit)
{
	if (t->found > 0 || t->hit > 0) {
		uint64_t h = t->hit < t->found ? t->hit : t->found;

		*found += t->found;
		*hit += h;
		return !t->has_found || !t->has_hit ||
		       t->said_found != t->found || t->said_hit != h;
	}
	if (!t->has_found)
		return t->has_hit && t->said_hit > 0;
	*found += t->said_found;
	*hit += t->said_hit < t->said_found ? t->said_hit : t->said_found;
	return t->said_hit > t->said_found;
}

static void record_close(struct lcov *l)
{
	struct lcov_totals *to = &l->totals;
	bool differs;

	if (!l->is_open)
		return;
	lines_count(l);
	if (l->has_aliases)
		l->function.found = l->function.hit = 0;
	differs = tally_add(&l->line, &to->lines_found, &to->lines_hit);
	differs |=
		tally_add(&l->branch, &to->branches_found, &to->branches_hit);
	differs |= tally_add(&l->function, &to->functions_found,
			     &to->functions_hit);
	l->differ += differs;
	to->records++;
	l->is_open = false;
}

static void record_open(struct lcov *l)
{
	record_close(l);
	l->is_open = true;
	l->is_ascending = true;
	l->has_aliases = false;
	l->lines_len = 0;
	l->line = l->branch = l->function = (struct tally){ 0 };
}

/* Read what follows the colon of a line in a record; false: unreadable. */
static bool entry_read(struct lcov *l, struct json_text key, struct json_text t)
{
	struct tally *line = &l->line, *b = &l->branch, *f = &l->function;

	if (text_is(key, "DA"))
		return data_read(l, t);
	if (text_is(key, "BRDA"))
		return branch_read(l, t);
	if (text_is(key, "FNDA"))
		return function_data_read(l, t);
	if (text_is(key, "FN"))
		f->found++;
	else if (text_is(key, "FNA") || text_is(key, "FNL"))
		l->has_aliases = true;
	else if (text_is(key, "LF"))
		return said_read(t, &line->said_found, &line->has_found);
	else if (text_is(key, "LH"))
		return said_read(t, &line->said_hit, &line->has_hit);
	else if (text_is(key, "BRF"))
		return said_read(t, &b->said_found, &b->has_found);
	else if (text_is(key, "BRH"))
		return said_read(t, &b->said_hit, &b->has_hit);
	else if (text_is(key, "FNF"))
		return said_read(t, &f->said_found, &f->has_found);
	else if (text_is(key, "FNH"))
		return said_read(t, &f->said_hit, &f->has_hit);
	else
		return text_in(key, "TN VER MCDC MRF MRH BRL BRS");
	return true;
}

static void line_read(struct lcov *l, struct json_text line, size_t offset)
{
	struct json_text rest;
	struct json_text key = text_cut(line, ':', &rest);
	bool readable;

	/* What it names is longer than any string may be.  But if it begins a
	 * record, there is a record, and the lines that follow belong to it. */
	if (line.len > PARSE_STRING_BYTES) {
		if (text_is(key, "SF"))
			record_open(l);
		if (l->cut++ == 0)
			l->cut_at = offset;
		return;
	}
	if (text_is(text_trim(line), "end_of_record")) {
		readable = l->is_open;
		record_close(l);
	} else if (text_is(key, "SF") && rest.bytes != NULL) {
		record_open(l);
		readable = true;
	} else {
		readable = text_trim(line).len == 0 || text_begins(line, "#") ||
			   text_is(key, "TN") ||
			   (l->is_open && rest.bytes != NULL &&
			    entry_read(l, key, rest));
	}
	if (!readable && l->bad++ == 0)
		l->bad_at = offset;
}

static void notes_write(const struct lcov *l, bool is_unfinished)
{
	struct parse_notes *w = &l->report->warnings;
	char text[128];

	if (l->bad > 0) {
		(void)snprintf(
			text, sizeof text,
			"lines that are not lcov: %llu; this is the first",
			(unsigned long long)l->bad);
		report_note(w, "lcov_line", l->in, (int64_t)l->bad_at, text);
	}
	if (l->cut > 0) {
		(void)snprintf(text, sizeof text,
			       "lines left out because they are longer than 64 "
			       "KiB: %llu; this is the first",
			       (unsigned long long)l->cut);
		report_note(w, "line_too_long", l->in, (int64_t)l->cut_at,
			    text);
	}
	if (is_unfinished)
		report_note(w, "lcov_unfinished", l->in, (int64_t)l->in->len,
			    "expected end_of_record");
	if (l->differ > 0) {
		(void)snprintf(
			text, sizeof text,
			"records without totals or with wrong ones: %llu "
			"of %llu; their lines were counted instead",
			(unsigned long long)l->differ,
			(unsigned long long)l->totals.records);
		report_note(w, "lcov_totals", l->in, -1, text);
	}
	if (l->totals.records == 0)
		report_note(w, "lcov_empty", l->in, 0, "expected a record");
}

int tests_lcov_read(const struct parse_input *in, struct lcov_totals *ret,
		    struct parse_report *r)
{
	struct lcov l = { .in = in, .report = r };
	struct lines lines = lines_of(in);
	struct json_text line;
	bool is_unfinished;
	size_t offset;

	while (!l.is_out_of_memory && line_next(&lines, &line, &offset))
		line_read(&l, line, offset);
	is_unfinished = l.is_open;
	record_close(&l);
	free(l.lines);
	if (l.is_out_of_memory) {
		report_note(&r->errors, "memory", in, (int64_t)lines.at,
			    "no memory for a record's lines");
		return -ENOMEM;
	}
	notes_write(&l, is_unfinished);
	*ret = l.totals;
	return l.totals.records > 0 ? 0 : -EINVAL;
}
