/* canonical.c -- see canonical.h. */
#include "spec/canonical.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "base/utf8.h"
#include "spec/egress.h"
#include "spec/field.h"
#include "spec/inside.h"
#include "spec/number.h"

/* The parts of an item that are written, and compared with other items. */
struct part {
	const char *bytes;
	size_t len;      /* of the text that is written */
	size_t name_len; /* of the text that is compared */
	size_t at; /* its place in the list; the later of two equals counts */
};

struct writer {
	struct jsonw w;
	const struct spec *s;
	bool has_failed; /* out of memory */
};

static void write_bytes(struct writer *w, const char *key, const char *bytes,
			size_t n)
{
	static const char digits[] = "0123456789abcdef";

	if (utf8_is_valid(bytes, n)) {
		jsonw_bytes(&w->w, key, bytes, n);
		return;
	}
	jsonw_object(&w->w, key);
	jsonw_raw(&w->w, "hex", "\"", 1);
	for (size_t i = 0; i < n; i++) {
		buf_char(w->w.out, digits[(unsigned char)bytes[i] >> 4]);
		buf_char(w->w.out, digits[(unsigned char)bytes[i] & 15]);
	}
	buf_char(w->w.out, '"');
	jsonw_end_object(&w->w);
}

static struct part part_whole(const char *item)
{
	size_t n = strlen(item);

	return (struct part){ .bytes = item, .len = n, .name_len = n };
}

/* "K=V".  The last one with a name K counts. */
static struct part part_variable(const char *item)
{
	struct part p = part_whole(item);

	p.name_len = strcspn(item, "=");
	return p;
}

/* "URI=FILE": the URI. */
static struct part part_uri(const char *item)
{
	struct part p = part_whole(item);

	p.len = p.name_len = strcspn(item, "=");
	return p;
}

static struct part part_ro(const char *item)
{
	size_t n = 0;
	const char *dst = spec_ro_target(item, &n);

	return part_whole(dst != NULL ? dst : item);
}

static struct part part_artifact(const char *item)
{
	struct part p = part_whole(item);

	(void)spec_artifact_target(item, &p.len);
	p.name_len = p.len;
	return p;
}

static int compare_names(const struct part *x, const struct part *y)
{
	size_t n = x->name_len < y->name_len ? x->name_len : y->name_len;
	int r = memcmp(x->bytes, y->bytes, n);

	if (r != 0)
		return r;
	return (x->name_len > y->name_len) - (x->name_len < y->name_len);
}

static int compare_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int r = compare_names(x, y);

	return r != 0 ? r : (x->at > y->at) - (x->at < y->at);
}

/* Write the parts of a list sorted by name, the last one of each name. */
static void write_sorted(struct writer *w, const char *key,
			 const struct spec_list *list,
			 struct part (*part_of)(const char *item))
{
	struct part *parts = calloc(list->len + 1, sizeof *parts);

	if (parts == NULL) {
		w->has_failed = true;
		return;
	}
	for (size_t i = 0; i < list->len; i++) {
		parts[i] = part_of(list->items[i]);
		parts[i].at = i;
	}
	qsort(parts, list->len, sizeof *parts, compare_parts);
	jsonw_array(&w->w, key);
	for (size_t i = 0; i < list->len; i++)
		if (i + 1 == list->len ||
		    compare_names(&parts[i], &parts[i + 1]) != 0)
			write_bytes(w, NULL, parts[i].bytes, parts[i].len);
	jsonw_end_array(&w->w);
	free(parts);
}

static void write_artifacts(struct writer *w, const char *key)
{
	write_sorted(w, key, &w->s->artifacts, part_artifact);
}

static void write_cwd(struct writer *w, const char *key)
{
	const char *cwd = spec_cwd(w->s);

	write_bytes(w, key, cwd, strlen(cwd));
}

static void write_command(struct writer *w, const char *key)
{
	jsonw_array(&w->w, key);
	for (size_t i = 0; i < w->s->argc; i++)
		write_bytes(w, NULL, w->s->argv[i], strlen(w->s->argv[i]));
	jsonw_end_array(&w->w);
}

/* A request without scoped egress, or without a trace, has no such member. */
static void write_egress(struct writer *w, const char *key)
{
	struct arena arena = { 0 };
	const char **texts;
	size_t n = 0;

	if (w->s->network != NETWORK_SCOPED)
		return;
	texts = egress_texts(&arena, &w->s->egress, &n);
	w->has_failed |= texts == NULL;
	jsonw_array(&w->w, key);
	for (size_t i = 0; i < n; i++)
		jsonw_text(&w->w, NULL, texts[i]);
	jsonw_end_array(&w->w);
	arena_done(&arena);
}

static void write_egress_audit(struct writer *w, const char *key)
{
	if (w->s->network == NETWORK_SCOPED)
		jsonw_bool(&w->w, key, w->s->egress_audit);
}

static void write_trace(struct writer *w, const char *key)
{
	if (w->s->trace != TRACE_NONE)
		jsonw_text(&w->w, key,
			   field_word_of(w->s, field_find("trace")));
}

static void write_repo_at(struct writer *w, const char *key)
{
	const char *at = w->s->repo_at;

	if (at != NULL && strcmp(at, INSIDE_REPO) != 0)
		write_bytes(w, key, at, strlen(at));
}

static void write_report(struct writer *w, const char *key)
{
	const char *report = w->s->report != NULL ? w->s->report : "none";

	write_bytes(w, key, report, strlen(report));
}

/* Written only when it is asked for, so that other requests keep their hash. */
static void write_report_names(struct writer *w, const char *key)
{
	if (w->s->report_names)
		jsonw_bool(&w->w, key, true);
}

static void write_rlimits(struct writer *w, const char *key)
{
	const struct spec *s = w->s;
	const char *last = "";

	jsonw_object(&w->w, key);
	for (;;) {
		int next = -1;

		for (int i = 0; i < SPEC_RLIMIT_MAX_; i++)
			if (s->rlimit_is_set[i] &&
			    strcmp(field_rlimits[i].name, last) > 0 &&
			    (next < 0 || strcmp(field_rlimits[i].name,
						field_rlimits[next].name) < 0))
				next = i;
		if (next < 0)
			break;
		last = field_rlimits[next].name;
		if (s->rlimits[next] == SPEC_UNLIMITED)
			jsonw_text(&w->w, last, "unlimited");
		else
			jsonw_uint(&w->w, last, s->rlimits[next]);
	}
	jsonw_end_object(&w->w);
}

static void write_ro(struct writer *w, const char *key)
{
	write_sorted(w, key, &w->s->ro, part_ro);
}

static void write_seccomp(struct writer *w, const char *key)
{
	const char *name = w->s->seccomp;

	jsonw_text_or_null(&w->w, key,
			   name != NULL && spec_is_file(name) ? "file" : name);
}

/* Whether there is a path.  A request without a cache keeps its hash. */
static void write_has(struct writer *w, const char *key)
{
	bool has = field_text(w->s, field_find_json(key, strlen(key))) != NULL;

	if (has || strcmp(key, "cache") != 0)
		jsonw_bool(&w->w, key, has);
}

struct special {
	const char *key;
	void (*write)(struct writer *w, const char *key);
	/* without it: a list of the spec, sorted by these parts */
	size_t list_at;
	struct part (*part_of)(const char *item);
	bool only_if_any; /* requests without any keep their hash */
};

#define AT(member) offsetof(struct spec, member)
/* Sorted by key, because the rows of the table are merged with them. */
static const struct special specials[] = {
	{ "artifact", .write = write_artifacts },
	{ "cache", .write = write_has },
	{ "chdir", .write = write_cwd },
	{ "command", .write = write_command },
	{ "egress", .write = write_egress },
	{ "egress_audit", .write = write_egress_audit },
	{ "env", NULL, AT(env), part_variable, false },
	{ "env_dummy", NULL, AT(env_dummy), part_whole, true },
	{ "etc", NULL, AT(etc), part_whole, false },
	{ "pass_env", NULL, AT(pass_env), part_whole, false },
	{ "ref", NULL, AT(refs), part_uri, false },
	{ "repo_at", .write = write_repo_at },
	{ "report", .write = write_report },
	{ "report_names", .write = write_report_names },
	{ "result_schema", .write = write_has },
	{ "rlimit", .write = write_rlimits },
	{ "ro", .write = write_ro },
	{ "seccomp", .write = write_seccomp },
	{ "stdin", .write = write_has },
	{ "trace", .write = write_trace },
};
#define SPECIALS (sizeof specials / sizeof *specials)

static void write_special(struct writer *w, const struct special *one)
{
	const struct spec_list *list =
		(const void *)((const char *)w->s + one->list_at);

	if (one->write != NULL)
		one->write(w, one->key);
	else if (list->len > 0 || !one->only_if_any)
		write_sorted(w, one->key, list, one->part_of);
}

/* Write a row whose value needs no treatment of its own. */
static void write_plain(struct writer *w, const char *key,
			const struct field *f)
{
	char text[NUMBER_TEXT];
	uint64_t value;

	if (f->type == FIELD_BOOL) {
		jsonw_bool(&w->w, key, field_bool(w->s, f));
		return;
	}
	if (f->type == FIELD_ENUM) {
		jsonw_text(&w->w, key, field_word_of(w->s, f));
		return;
	}
	value = field_number(w->s, f);
	/* A limit that no profile can set was added later.  It is left out when
	 * it is not set, so that the hashes of older requests stay the same. */
	if (value == SPEC_UNLIMITED && (f->flags & FIELD_IN_PROFILE) == 0)
		return;
	if (value == SPEC_UNLIMITED) {
		jsonw_text(&w->w, key, "unlimited");
	} else if (f->type == FIELD_TIME) {
		number_write_ms(value, text);
		jsonw_raw(&w->w, key, text, strlen(text));
	} else {
		jsonw_uint(&w->w, key, value);
	}
}

static bool is_plain(const struct field *f)
{
	return (f->flags & FIELD_EFFECT) != 0 && f->type != FIELD_LIST &&
	       f->type != FIELD_RLIMIT;
}

/* A row and its JSON key. */
struct row {
	const struct field *f;
	char key[FIELD_KEY_MAX];
};

static int compare_rows(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->key,
		      ((const struct row *)b)->key);
}

/* The plain rows by key; returns how many. */
static size_t sort_plain(struct row rows[SPEC_FIELDS_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < fields_len; i++) {
		if (!is_plain(&fields[i]))
			continue;
		rows[n].f = &fields[i];
		field_write_key(&fields[i], rows[n].key);
		n++;
	}
	qsort(rows, n, sizeof *rows, compare_rows);
	return n;
}

int spec_write_canonical(const struct spec *s, struct buf *out,
			 struct cupel_error *err)
{
	struct writer w = { .w = { .out = out }, .s = s };
	struct row rows[SPEC_FIELDS_MAX];
	size_t n = sort_plain(rows), at = 0, i = 0;

	jsonw_object(&w.w, NULL);
	while (at < n || i < SPECIALS) {
		if (at == n || (i < SPECIALS &&
				strcmp(specials[i].key, rows[at].key) < 0)) {
			write_special(&w, &specials[i++]);
		} else {
			write_plain(&w, rows[at].key, rows[at].f);
			at++;
		}
	}
	jsonw_end_object(&w.w);
	if (w.has_failed || buf_has_failed(out))
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the spec's hash");
	return 0;
}

int spec_hash(const struct spec *s, char ret[BLAKE3_TEXT_BYTES],
	      struct cupel_error *err)
{
	owned_buf struct buf text = { 0 };
	int r = spec_write_canonical(s, &text, err);

	if (r < 0)
		return r;
	blake3_hex_text(text.bytes, text.len, ret);
	return 0;
}
