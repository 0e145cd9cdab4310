/* suite_check.c -- reads what automake's make check and Perl's prove print for
 * people.
 *
 * Sources: the manuals of Automake ("Parallel Test Harness") and of
 * TAP::Harness. */
#include <errno.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/suite/suite.h"

static const struct json_text none = { NULL, 0 };

/* --- automake ----------------------------------------------------------------- */

/* The names that a test's line and the summary have for each end. */
static const struct {
	const char *line, *summary;
	enum suite_end end;
} ends[] = {
	{ "PASS: ", "# PASS:", SUITE_PASSED },
	{ "FAIL: ", "# FAIL:", SUITE_FAILED },
	{ "ERROR: ", "# ERROR:", SUITE_FAILED },
	{ "XPASS: ", "# XPASS:", SUITE_FAILED },
	{ "SKIP: ", "# SKIP:", SUITE_SKIPPED },
	{ "XFAIL: ", "# XFAIL:", SUITE_SKIPPED },
};
#define ENDS (sizeof ends / sizeof *ends)

struct automake {
	uint64_t said[ENDS], has[ENDS];
	uint64_t total;
	size_t summaries;
	bool is_broken;
};

static int automake_take(struct suite *s, struct automake *a,
			 struct json_text line)
{
	bool is_total = text_begins(line, "# TOTAL:");
	int64_t n;

	for (size_t i = 0; i < ENDS && !is_total; i++) {
		struct json_text name =
			text_trim(text_from(line, strlen(ends[i].line)));

		if (text_begins(line, ends[i].line) && name.len > 0) {
			a->has[i]++;
			return suite_add(s, none, "", name, ends[i].end);
		}
		if (!text_begins(line, ends[i].summary))
			continue;
		n = suite_number_of(
			text_trim(text_from(line, strlen(ends[i].summary))));
		a->is_broken |= n < 0;
		a->said[i] += n > 0 ? (uint64_t)n : 0;
		return 0;
	}
	if (!is_total)
		return 0;
	n = suite_number_of(text_trim(text_from(line, 8)));
	a->is_broken |= n < 0;
	a->total += n > 0 ? (uint64_t)n : 0;
	a->summaries++;
	return 0;
}

/* Each directory has its own summary.  With make -j, lines of several
 * directories are mixed, so the total of the summaries is checked against all
 * tests. */
int suite_automake(struct suite *s)
{
	struct automake a = { 0 };
	struct lines lines = lines_of(s->in);
	struct json_text line;
	size_t offset = 0;
	int r = 0;

	while (r == 0 && line_next(&lines, &line, &offset))
		r = automake_take(s, &a, line);
	if (r == 0 && a.summaries == 0)
		return suite_fail(s, "no_result", s->in->len,
				  "there is no summary of automake's tests (# "
				  "TOTAL:): the run was cut short, or this is "
				  "another kind of output");
	if (r == 0 && a.is_broken)
		return suite_fail(s, "counts_disagree", 0,
				  "a count is not a number up to 1000000");
	for (size_t i = 0; r == 0 && i < ENDS; i++)
		if (a.said[i] != a.has[i])
			r = suite_disagree(s, s->in->len, ends[i].summary + 2,
					   a.said[i], a.has[i]);
	if (r == 0 && a.total != s->len)
		r = suite_disagree(s, s->in->len, "TOTAL:", a.total, s->len);
	return r;
}

/* --- prove -------------------------------------------------------------------- */

struct prove {
	struct suite *suite;
	struct json_text file; /* the file that the summary is about */
	struct json_text why;  /* the first thing the summary says of it */
	bool is_named; /* one of its failures was named, or it has none */
	uint64_t skipped, numbered;
	bool is_summary;
};

/* The number after a word: "Tests: 3". */
static int64_t number_behind(struct json_text line, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n < line.len; i++) {
		size_t end = i + n;

		if (memcmp(line.bytes + i, word, n) != 0)
			continue;
		while (end < line.len && line.bytes[end] >= '0' &&
		       line.bytes[end] <= '9')
			end++;
		return suite_number_of(
			(struct json_text){ line.bytes + i + n, end - i - n });
	}
	return -1;
}

static int failure_add(struct prove *p, struct json_text what)
{
	struct suite *s = p->suite;
	int r = suite_add(s, p->file, ": ", what, SUITE_FAILED);

	p->is_named = true;
	p->numbered++;
	if (r == 0)
		suite_say_place(s, &s->tests[s->len - 1], p->file, -1);
	return r;
}

/* "3-6, 9": add each test of the list; a number or range that is impossible
 * ends the reading. */
static int numbers_take(struct prove *p, struct json_text list, size_t offset)
{
	int r = 0;

	while (r == 0 && list.bytes != NULL) {
		struct json_text last,
			first = text_trim(text_cut(list, ',', &list));
		int64_t from, to;

		first = text_cut(first, '-', &last);
		from = suite_number_of(first);
		to = last.bytes != NULL ? suite_number_of(last) : from;
		if (from < 0 || to < from)
			return suite_fail(p->suite, "not_prove", offset,
					  "the failed tests are not listed by "
					  "their numbers");
		for (; r == 0 && from <= to; from++) {
			char digits[24];
			size_t n = sizeof digits;
			int64_t rest = from;

			do
				digits[--n] = (char)('0' + rest % 10);
			while ((rest /= 10) > 0);
			r = failure_add(
				p, (struct json_text){ digits + n,
						       sizeof digits - n });
		}
	}
	return r;
}

/* If a file failed without a failed test, the file is the failure: it exited,
 * or had no plan. */
static int file_end(struct prove *p)
{
	struct suite *s = p->suite;
	int r = 0;

	if (p->file.len > 0 && !p->is_named) {
		r = suite_add(s, none, "", p->file, SUITE_FAILED);
		if (r == 0) {
			suite_say_message(s, &s->tests[s->len - 1], p->why);
			suite_say_place(s, &s->tests[s->len - 1], p->file, -1);
		}
	}
	p->file = none;
	p->why = none;
	return r;
}

/* Cut "t/a b.t (Wstat: 0 Tests: 1 Failed: 0)" into the file, whose name may
 * have anything in it, and the words about it; false: it is no such line. */
static bool file_cut(struct json_text line, struct json_text *ret_file,
		     struct json_text *ret_said)
{
	static const char said[] = " (Wstat: ";

	for (size_t i = line.len; i > 0; i--) {
		struct json_text rest = text_from(line, i - 1);

		if (!text_begins(rest, said))
			continue;
		*ret_file = text_trim((struct json_text){ line.bytes, i - 1 });
		*ret_said = rest;
		return ret_file->len > 0;
	}
	return false;
}

static int summary_take(struct prove *p, struct json_text line, size_t offset)
{
	struct json_text text = text_trim(line), file, said;
	int r;

	if (text_begins(line, "  Failed test")) {
		(void)text_cut(text, ':', &text);
		return p->file.len > 0 ? numbers_take(p, text, offset) : 0;
	}
	if (text_begins(line, "  ")) {
		p->is_named &= !text_begins(text, "Parse errors:");
		if (p->why.len == 0)
			p->why = text;
		return 0;
	}
	if (!file_cut(line, &file, &said))
		return 0;
	r = file_end(p);
	p->is_named = number_behind(said, "(Wstat: ") == 0 &&
		      number_behind(said, "Failed: ") == 0;
	p->file = file;
	return r;
}

/* Take "Files=2, Tests=9, ..." and what it says about the tests that are not
 * named.  Another run may follow. */
static int total_take(struct prove *p, struct json_text line, size_t offset)
{
	struct suite *s = p->suite;
	int64_t total = number_behind(line, "Tests=");

	if (total < 0 || (uint64_t)total < p->numbered)
		return suite_disagree(s, offset, "tests",
				      total < 0 ? 0 : (uint64_t)total,
				      p->numbered);
	s->unnamed_passed += (uint64_t)total - p->numbered;
	s->unnamed_skipped += p->skipped;
	*p = (struct prove){ .suite = s };
	return 0;
}

/* Check the line after the totals: if it says FAIL, a failure must have been
 * named. */
static int result_hold(const struct prove *p, struct json_text line,
		       size_t offset)
{
	return text_begins(line, "Result: FAIL") && p->suite->len == 0
		       ? suite_fail(p->suite, "counts_disagree", offset,
				    "the report says Result: FAIL, but names "
				    "no failure")
		       : 0;
}

int suite_prove(struct suite *s)
{
	struct prove p = { .suite = s };
	struct lines lines = lines_of(s->in);
	struct json_text line;
	size_t offset = 0, totals = 0;
	int r = 0;

	while (r == 0 && line_next(&lines, &line, &offset)) {
		if (text_begins(line, "Test Summary Report")) {
			p.is_summary = true;
		} else if (totals > 0 && text_begins(line, "Result: ")) {
			r = result_hold(&p, line, offset);
		} else if (text_begins(line, "Files=")) {
			r = file_end(&p);
			if (r == 0)
				r = total_take(&p, line, offset);
			totals++;
		} else if (p.is_summary) {
			r = summary_take(&p, line, offset);
		} else if (text_has(line, ".. skipped")) {
			p.skipped++;
		}
	}
	if (r == 0 && (totals == 0 || p.is_summary))
		r = suite_fail(
			s, "no_result", s->in->len,
			"there is no summary of prove's (Files=, Tests=): the "
			"run was cut short, or this is another kind of output");
	return r;
}
