/* language_detection.c -- the probe: counts files by language and origin.
 *
 * Names decide; only a few files at the root are opened.  Files in vendored
 * directories and files with names of generated files are counted apart.  Which
 * language is the primary one is decided in language_primary.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/common/role.h"
#include "parsers/common/slice_list.h"
#include "parsers/common/text_piece.h"
#include "parsers/languages/language.h"

#define OURS        ".cupel/" /* what an earlier gather left */
#define DEPS        "deps/"
#define LISTS_BYTES (PARSE_SLICE_BYTES - ((size_t)16 << 10))
#define UNKNOWN     LANGUAGES_MAX /* the row of what is of no language */

struct tally {
	size_t files;
	const struct parse_input *first;
};

enum { LIST_LANGUAGES, LIST_EXCLUDED, LIST_DOCKERFILES, LISTS };

struct detection {
	const struct parse_inputs *in;
	struct parse_report *report;
	struct language_table table;
	struct tally tallies[LANGUAGES_MAX + 1][LANGUAGE_ORIGIN_MAX_];
	/* of a shared extension, at the index of its first key */
	struct tally shared[LANGUAGE_KEYS_MAX][LANGUAGE_ORIGIN_MAX_];
	size_t origins[LANGUAGE_ORIGIN_MAX_]; /* files of any language */
	/* Files that are no fixtures and no examples either, in the same way. */
	struct language_count counts[LANGUAGES_MAX];
	size_t shared_counts[LANGUAGE_KEYS_MAX];
	struct json_text dir; /* the last one that was judged */
	bool is_dir_own, is_dir_test;
	bool is_addon;             /* the root has a binding.gyp */
	size_t packages, projects; /* below the root */
	struct slice_list lists[LISTS];
};

static const char *const origin_names[] = {
	[LANGUAGE_OWN] = "own",
	[LANGUAGE_VENDORED] = "vendored",
	[LANGUAGE_GENERATED] = "generated",
};

/* Inputs come in order, so the first one seen is the first by name. */
static void tally_add(struct tally *t, size_t files,
		      const struct parse_input *first)
{
	t->files += files;
	if (t->first == NULL || (first != NULL && first < t->first))
		t->first = first;
}

static void dockerfile_add(struct detection *d, const struct parse_input *in)
{
	struct slice_list *l = &d->lists[LIST_DOCKERFILES];

	if (slice_is_full(l))
		return;
	source_write(slice_item(l), "source", in);
	slice_item_end(l);
}

/* Whether the directory is neither a fixture's nor an example's, and whether it is
 * one for tests: a manifest there is a fixture.  Inputs come in order, so most are
 * in the directory of the one before. */
static void dir_judge(struct detection *d, const struct parse_input *in)
{
	const struct json_text dir = { in->name, input_dir_len(in) };
	const struct json_text path = { in->name, in->name_len };

	if (d->dir.bytes != NULL && text_order(dir, d->dir) == 0)
		return;
	d->dir = dir;
	d->is_dir_own = role_of(path, ROLE_OF_SOURCE, NULL).kind == ROLE_OWN;
	d->is_dir_test =
		role_of(path, ROLE_OF_MANIFEST, NULL).kind == ROLE_FIXTURE;
}

/* Files with such names are no part of the program, wherever they lie. */
static bool is_no_program(const struct parse_input *in)
{
	struct json_text base;

	base.bytes = input_base(in, &base.len);
	return text_has(base, ".test.") || text_has(base, ".spec.") ||
	       text_has(base, ".d.ts") || text_has(base, ".d.mts") ||
	       text_has(base, ".d.cts");
}

/* A file of that language, or of whichever will have the key. */
static void own_count(struct detection *d, const struct parse_input *in,
		      const struct language_key *key)
{
	struct language_count *c = &d->counts[key->language];

	dir_judge(d, in);
	if (!d->is_dir_own)
		return;
	if (key->rule == LANGUAGE_SHARED) {
		d->shared_counts[key - d->table.keys]++;
		return;
	}
	c->files++;
	c->program += !d->is_dir_test && !is_no_program(in);
}

/* Where addons of Node keep the libraries that they are built with.  Elsewhere a
 * directory of that name has the project's own. */
static bool is_below_deps(const struct parse_input *in)
{
	return in->name_len > sizeof DEPS - 1 &&
	       memcmp(in->name, DEPS, sizeof DEPS - 1) == 0;
}

static void file_count(struct detection *d, const struct parse_input *in)
{
	enum language_origin origin = language_origin_of(&d->table, in);
	const struct language_key *key = language_find(&d->table, in);

	if (origin == LANGUAGE_OWN && d->is_addon && is_below_deps(in))
		origin = LANGUAGE_VENDORED;
	d->origins[origin]++;
	if (key == NULL)
		tally_add(&d->tallies[UNKNOWN][origin], 1, in);
	else if (key->rule == LANGUAGE_SHARED)
		tally_add(&d->shared[key - d->table.keys][origin], 1, in);
	else
		tally_add(&d->tallies[key->language][origin], 1, in);
	if (origin != LANGUAGE_OWN)
		return;
	if (key != NULL)
		own_count(d, in, key);
	if (language_is_dockerfile(in))
		dockerfile_add(d, in);
	if (input_dir_len(in) > 0) {
		d->packages += input_base_is(in, "package.json") != 0;
		d->projects += input_base_is(in, "project.json") != 0;
	}
}

static void files_count(struct detection *d)
{
	d->is_addon = input_find(d->in, "", 0, "binding.gyp") != NULL;
	for (size_t i = 0; i < d->in->len; i++) {
		const struct parse_input *in = &d->in->items[i];

		if (in->name_len <= strlen(OURS) ||
		    memcmp(in->name, OURS, strlen(OURS)) != 0)
			file_count(d, in);
	}
}

/* The language that gets the files of a shared extension: among those that
 * claim it, the one with most files of extensions that no other language
 * claims. */
static unsigned claim_decide(const struct detection *d, size_t at,
			     const size_t *files)
{
	const struct language_key *keys = d->table.keys;
	unsigned best = keys[at].language;

	for (size_t i = at + 1;
	     i < d->table.keys_len && keys[i].rule == LANGUAGE_SHARED &&
	     keys[i].text.len == keys[at].text.len &&
	     memcmp(keys[i].text.bytes, keys[at].text.bytes,
		    keys[at].text.len) == 0;
	     i++)
		if (files[keys[i].language] > files[best])
			best = keys[i].language;
	return best;
}

static void shared_decide(struct detection *d)
{
	size_t files[LANGUAGES_MAX];

	/* As it stood before any shared extension was given away. */
	for (size_t i = 0; i < LANGUAGES_MAX; i++)
		files[i] = d->tallies[i][LANGUAGE_OWN].files;
	for (size_t i = 0; i < d->table.keys_len; i++) {
		if (d->shared_counts[i] > 0)
			d->counts[claim_decide(d, i, files)].files +=
				d->shared_counts[i];
		for (size_t o = 0; o < LANGUAGE_ORIGIN_MAX_; o++) {
			const struct tally *t = &d->shared[i][o];

			if (t->files > 0)
				tally_add(&d->tallies[claim_decide(d, i, files)]
						     [o],
					  t->files, t->first);
		}
	}
}

/* One row of a list, to be sorted. */
struct row {
	const struct language *language; /* NULL: of no language */
	enum language_origin origin;
	const struct tally *tally;
};

/* By origin, number of files (most first), then name.  The table itself need
 * not be sorted by name. */
static int row_compare(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	size_t len;
	int c;

	if (a->origin != b->origin)
		return (int)a->origin - (int)b->origin;
	if (a->tally->files != b->tally->files)
		return a->tally->files > b->tally->files ? -1 : 1;
	if (a->language == NULL || b->language == NULL)
		return (a->language == NULL) - (b->language == NULL);
	len = a->language->name.len < b->language->name.len
		      ? a->language->name.len
		      : b->language->name.len;
	c = memcmp(a->language->name.bytes, b->language->name.bytes, len);
	return c != 0 ? c
		      : (a->language->name.len > b->language->name.len) -
				(a->language->name.len < b->language->name.len);
}

static void name_put(struct jsonw *w, const char *key,
		     const struct language *language)
{
	if (language != NULL)
		jsonw_bytes(w, key, language->name.bytes, language->name.len);
	else
		jsonw_null(w, key);
}

static void row_write(struct detection *d, const struct row *row)
{
	bool is_own = row->origin == LANGUAGE_OWN;
	struct slice_list *l =
		&d->lists[is_own ? LIST_LANGUAGES : LIST_EXCLUDED];
	struct jsonw *w;

	if (is_own && row->language == NULL)
		return; /* counted in file_counts */
	w = slice_item(l);
	name_put(w, "name", row->language);
	jsonw_uint(w, "files", row->tally->files);
	if (is_own)
		jsonw_bytes(w, "kind", row->language->kind.bytes,
			    row->language->kind.len);
	else
		jsonw_text(w, "reason", origin_names[row->origin]);
	source_write(w, "source", row->tally->first);
	slice_item_end(l);
}

/* Fills both lists. */
static void languages_write(struct detection *d)
{
	struct row rows[(LANGUAGES_MAX + 1) * LANGUAGE_ORIGIN_MAX_];
	size_t n = 0;

	for (size_t i = 0; i <= UNKNOWN; i++)
		for (size_t o = 0; o < LANGUAGE_ORIGIN_MAX_; o++)
			if (d->tallies[i][o].files > 0)
				rows[n++] = (struct row){
					i == UNKNOWN ? NULL
						     : &d->table.languages[i],
					(enum language_origin)o,
					&d->tallies[i][o]
				};
	if (n > 0)
		qsort(rows, n, sizeof *rows, row_compare);
	for (size_t i = 0; i < n; i++)
		row_write(d, &rows[i]);
}

/* If there are only fixtures and examples, they are counted. */
static struct language_primary primary_find(struct detection *d)
{
	struct language_primary p =
		language_primary_find(&d->table, d->in, d->counts);

	if (p.language != NULL)
		return p;
	for (size_t i = 0; i < LANGUAGES_MAX; i++)
		d->counts[i].files = d->tallies[i][LANGUAGE_OWN].files;
	return language_primary_find(&d->table, d->in, d->counts);
}

static void counts_write(const struct detection *d, struct jsonw *w)
{
	size_t total = 0;

	for (size_t o = 0; o < LANGUAGE_ORIGIN_MAX_; o++)
		total += d->origins[o];
	jsonw_object(w, "file_counts");
	jsonw_uint(w, "total", total);
	for (size_t o = 0; o < LANGUAGE_ORIGIN_MAX_; o++)
		jsonw_uint(w, origin_names[o], d->origins[o]);
	jsonw_uint(w, "unknown", d->tallies[UNKNOWN][LANGUAGE_OWN].files);
	jsonw_end_object(w);
}

static void slice_write(struct detection *d)
{
	const struct language_primary primary = primary_find(d);
	struct jsonw w = { .out = &d->report->slice };
	bool is_monorepo;

	jsonw_object(&w, NULL);
	name_put(&w, "primary", primary.language);
	if (primary.manifest != NULL)
		input_name_write(&w, "primary_manifest", primary.manifest);
	else
		jsonw_null(&w, "primary_manifest");
	jsonw_array(&w, "monorepo_evidence");
	is_monorepo = language_monorepo_write(
		d->in, d->packages > d->projects ? d->packages : d->projects,
		&w, d->report);
	jsonw_end_array(&w);
	jsonw_bool(&w, "monorepo", is_monorepo);
	counts_write(d, &w);
	slice_lists_write(d->lists, LISTS, LISTS_BYTES, &w, d->report);
	jsonw_end_object(&w);
}

int language_detection_run(const struct parse_inputs *in,
			   struct parse_report *r)
{
	struct detection *d = calloc(1, sizeof *d);
	int e;

	if (d == NULL)
		return -ENOMEM;
	d->in = in;
	d->report = r;
	r->version = "1.5";
	d->lists[LIST_LANGUAGES].key = "languages";
	d->lists[LIST_EXCLUDED].key = "excluded";
	d->lists[LIST_DOCKERFILES].key = "dockerfiles";
	e = language_table_read(&d->table);
	if (e == 0) {
		files_count(d);
		shared_decide(d);
		languages_write(d);
		slice_write(d);
	}
	slice_lists_done(d->lists, LISTS);
	free(d);
	return e;
}
