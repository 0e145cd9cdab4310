/* resume.c -- see resume.h.  The memory is that of the flags, whatever the
 * log's size: the flags are sorted, and each line of the log is looked up in
 * them.  Flags with the same key and the same hints are alike, and are recorded
 * together. */
#include "jobs/confirm/resume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/common/log.h"
#include "jobs/confirm/source.h"
#include "jobs/confirm/verdict.h"

#define CHUNK ((size_t)256 << 10)

/* A flag, sorted by its key (file first), then by its hints. */
struct slot {
	struct flag *flag;
	const char *hints; /* their hash, "" = none */
	/* The hash of the file, "" = do not read it.  In the first slot of a
	 * file, NULL = not read yet. */
	const char *now;
	size_t file_at; /* that first slot */
	bool is_whole;  /* set in the first slot of a key: all are recorded */
};

struct lookup {
	const struct resume_from *from;
	struct flags *flags;
	struct slot *slots;
	size_t len;
	struct resume_counts counts;
};

/* The parts of a record that matter here. */
struct record {
	const char *file, *function, *flag_class, *argument, *hash;
	uint64_t line;
	const struct json_value *hints; /* NULL = it does not say */
	struct flag_record in_log;
};

static int text_compare(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

static int key_compare(const struct flag *a, const struct flag *b)
{
	int c = text_compare(a->file, b->file);

	if (c == 0)
		c = text_compare(a->function, b->function);
	if (c == 0)
		c = text_compare(a->flag_class, b->flag_class);
	if (c == 0) /* one with an empty name is not one without */
		c = (a->argument != NULL) - (b->argument != NULL);
	if (c == 0)
		c = text_compare(a->argument, b->argument);
	return c != 0 ? c : (a->line > b->line) - (a->line < b->line);
}

static int slot_compare(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;
	int c = key_compare(x->flag, y->flag);

	return c != 0 ? c : strcmp(x->hints, y->hints);
}

static int slots_build(struct lookup *l)
{
	l->len = l->flags->len;
	l->slots = calloc(l->len, sizeof *l->slots);
	if (l->slots == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < l->len; i++) {
		char hash[BLAKE3_TEXT_BYTES];
		struct flag *flag = &l->flags->items[i];

		resume_hints(flag, hash);
		l->slots[i].flag = flag;
		l->slots[i].hints =
			hash[0] == '\0' ? ""
					: arena_text(&l->flags->arena, hash);
		if (l->slots[i].hints == NULL)
			return -ENOMEM;
	}
	qsort(l->slots, l->len, sizeof *l->slots, slot_compare);
	for (size_t i = 1; i < l->len; i++)
		l->slots[i].file_at = strcmp(l->slots[i - 1].flag->file,
					     l->slots[i].flag->file) == 0
					      ? l->slots[i - 1].file_at
					      : i;
	return 0;
}

/* The present hash of slot i's file, read once for all flags of that file. */
static const char *now_of(struct lookup *l, size_t i)
{
	struct slot *first = &l->slots[l->slots[i].file_at];
	owned_buf struct buf source = { 0 };
	owned_mem char *name = NULL;
	char hash[BLAKE3_TEXT_BYTES] = "";

	if (first->now != NULL)
		return first->now;
	name = source_name(l->from->repo, first->flag->file);
	if (name == NULL ||
	    source_read(l->from->repo_fd, name, &source, hash) != NULL)
		hash[0] = '\0';
	first->now = arena_text(&l->flags->arena, hash);
	return first->now != NULL ? first->now : "";
}

void resume_hints(const struct flag *flag, char ret[BLAKE3_TEXT_BYTES])
{
	owned_buf struct buf text = { 0 };

	ret[0] = '\0';
	if (flag->hints == NULL)
		return;
	json_write(flag->hints, &text);
	if (!buf_has_failed(&text))
		blake3_hex_text(text.bytes, text.len, ret);
}

/* The first slot that does not come before key.  Hints NULL: they do not
 * matter. */
static size_t slot_find(const struct lookup *l, const struct slot *key)
{
	size_t lo = 0, hi = l->len;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = key->hints != NULL
				? slot_compare(&l->slots[mid], key)
				: key_compare(l->slots[mid].flag, key->flag);

		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The hints that a record has: NULL = any, "" = none.  False: no flag has
 * them. */
static bool hints_read(const struct record *r, const char **ret)
{
	const struct json_value *v = r->hints;

	*ret = NULL;
	if (v == NULL)
		return true;
	if (v->type == JSON_NULL)
		*ret = "";
	else if (v->type == JSON_STRING && v->u.string.len > 0 &&
		 strlen(v->u.string.bytes) == v->u.string.len)
		*ret = v->u.string.bytes;
	return *ret != NULL;
}

/* Of several records of one flag, keep the one of the highest status. */
static void record_note(struct flag *flag, const struct record *r)
{
	if (flag->record.len == 0 || r->in_log.status > flag->record.status)
		flag->record = r->in_log;
}

/* Copy the record of the first of several equal flags to all of them. */
static void records_spread(struct lookup *l)
{
	for (size_t i = 1; i < l->len; i++)
		if (l->slots[i].flag->is_recorded &&
		    slot_compare(&l->slots[i - 1], &l->slots[i]) == 0)
			l->slots[i].flag->record = l->slots[i - 1].flag->record;
}

static void record_take(struct lookup *l, const struct record *r)
{
	struct flag flag = { .file = r->file,
			     .function = r->function,
			     .flag_class = r->flag_class,
			     .argument = r->argument,
			     .line = r->line };
	struct slot key = { .flag = &flag };
	size_t first, at;

	if (!hints_read(r, &key.hints))
		return;
	first = at = slot_find(l, &key);
	if (at == l->len || key_compare(l->slots[at].flag, &flag) != 0 ||
	    strcmp(now_of(l, at), r->hash) != 0)
		return;
	/* Equal flags are recorded together, so the first one is enough. */
	if (l->slots[at].is_whole ||
	    (key.hints != NULL && l->slots[at].flag->is_recorded)) {
		record_note(l->slots[at].flag, r);
		return;
	}
	for (; at < l->len &&
	       (key.hints != NULL ? slot_compare(&l->slots[at], &key)
				  : key_compare(l->slots[at].flag, &flag)) == 0;
	     at++) {
		l->counts.recorded += !l->slots[at].flag->is_recorded;
		l->slots[at].flag->is_recorded = true;
		record_note(l->slots[at].flag, r);
	}
	l->slots[first].is_whole |= key.hints == NULL;
}

/* NULL if it is not a string, or one with NUL in it. */
static const char *text_of(const struct json_value *v, const char *name)
{
	const struct json_value *t = v ? json_find(v, name) : NULL;

	if (t == NULL || t->type != JSON_STRING ||
	    memchr(t->u.string.bytes, '\0', t->u.string.len) != NULL)
		return NULL;
	return t->u.string.bytes;
}

static bool status_find(const char *name, int *ret)
{
	for (int s = 0; s < CONFIRM_STATUS_MAX_; s++)
		if (strcmp(confirm_status_name((enum confirm_status)s), name) ==
		    0) {
			*ret = s;
			return true;
		}
	return false;
}

/* False: it is no record.  A record that does not count has no hash. */
static bool record_read(const struct json_value *v, struct record *ret)
{
	const struct json_value *ref = json_find(v, "flag_ref");
	const struct json_value *line = ref ? json_find(ref, "line") : NULL;
	const char *status = text_of(v, "status");

	if (ref == NULL || status == NULL)
		return false;
	if (ref->type == JSON_STRING) /* another tool's form */
		return true;
	ret->file = text_of(ref, "file");
	ret->function = text_of(ref, "function");
	ret->flag_class = text_of(ref, "flag_class");
	ret->argument = text_of(ref, "argument");
	if (ret->file == NULL || ret->flag_class == NULL ||
	    (ret->argument == NULL && json_find(ref, "argument") != NULL))
		return false;
	if (line != NULL && line->type != JSON_NULL &&
	    json_read_u64(line, &ret->line) < 0)
		return false;
	ret->hints = json_find(ref, "hints_blake3");
	if (status_find(status, &ret->in_log.status) &&
	    ret->in_log.status != CONFIRM_UNSUPPORTED)
		ret->hash = text_of(v, "file_blake3");
	return true;
}

static void line_take(struct lookup *l, const char *line, size_t n, off_t at)
{
	const struct json_caps caps = { .text_bytes = LOG_LINE_BYTES,
					.string_bytes = LOG_LINE_BYTES };
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error e;
	struct record r = { .in_log = { .at = at, .len = n } };

	if (n == 0)
		return;
	if (json_parse(line, n, &caps, &arena, &v, &e) < 0 ||
	    v.type != JSON_OBJECT || !record_read(&v, &r))
		l->counts.bad++;
	else if (r.hash == NULL || r.hash[0] == '\0')
		; /* the record itself says that it does not count */
	else if (seal_is_good(l->from->seal, line, n))
		record_take(l, &r);
	else
		l->counts.unsealed++;
	arena_done(&arena);
}

/* Take the whole lines out of `out`, which begins at `from` in the log.  A line
 * longer than the cap is given up, and *is_skipping is set until it ends. */
static void lines_take(struct lookup *l, struct buf *out, off_t from,
		       bool *is_skipping)
{
	const char *at = out->bytes;
	size_t left = out->len;

	while (left > 0) {
		const char *eol = memchr(at, '\n', left);
		size_t len = eol != NULL ? (size_t)(eol - at) : left;

		if (eol == NULL && len <= LOG_LINE_BYTES && !*is_skipping)
			break;
		if (*is_skipping)
			*is_skipping = eol == NULL;
		else if (eol == NULL || len > LOG_LINE_BYTES) {
			l->counts.bad++;
			*is_skipping = eol == NULL;
		} else {
			line_take(l, at, len, from + (at - out->bytes));
		}
		len += eol != NULL;
		at += len;
		left -= len;
	}
	if (left > 0)
		memmove(out->bytes, at, left);
	out->len = left;
}

static int log_read(struct lookup *l)
{
	owned_buf struct buf out = { 0 };
	bool is_skipping = false;
	struct stat st;
	off_t at = 0;

	if (fstat(l->from->log_fd, &st) < 0)
		return -errno;
	while (at < st.st_size) {
		char *to = buf_reserve(&out, CHUNK);
		ssize_t n;

		if (to == NULL)
			return -ENOMEM;
		n = pread(l->from->log_fd, to, CHUNK, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		at += n;
		out.len += (size_t)n;
		lines_take(l, &out, at - (off_t)out.len, &is_skipping);
	}
	l->counts.bad += out.len > 0; /* the end has no newline */
	return 0;
}

int resume_mark(const struct resume_from *from, struct flags *f,
		struct resume_counts *ret, struct cupel_error *err)
{
	struct lookup l = { .from = from, .flags = f };
	int e = f->len > 0 ? slots_build(&l) : 0;

	if (e == 0 && f->len > 0)
		e = log_read(&l);
	if (e == 0)
		records_spread(&l);
	free(l.slots);
	if (e < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(-e), -e,
				  "--resume: the log cannot be read: %s",
				  strerror(-e));
	*ret = l.counts;
	return 0;
}
