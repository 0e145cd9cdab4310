/* gc.c -- see gc.h. */
#include "jobs/gate/ledger/gc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/gate/ledger/evidence.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/moment.h"
#include "jobs/gate/ledger/state.h"

#define PATHS_MAX 1000U /* in one record */

/* Records [first, last) belong to one gate. */
struct span {
	size_t first, last;
};

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "gate gc: no memory");
}

static bool is_kind(const struct json_value *record, const char *kind)
{
	return json_is_text(json_find(record, "kind"), kind);
}

/* Find the next gate that has ended, after `from`. */
static bool span_find(const struct ledger_book *b, size_t from,
		      struct span *ret)
{
	bool has_begun = false;

	for (size_t i = from; i < b->len; i++) {
		if (is_kind(&b->records[i], "gate.begun")) {
			ret->first = i;
			has_begun = true;
		} else if (is_kind(&b->records[i], "gate.ended") && has_begun) {
			ret->last = i + 1;
			return true;
		}
	}
	return false;
}

static bool is_due(const struct ledger_book *b, const struct span *span,
		   const struct gc_request *req)
{
	const struct json_value *end = &b->records[span->last - 1];
	const struct json_value *at = json_find(end, "at");
	int64_t s = at != NULL && at->type == JSON_STRING
			    ? moment_read(at->u.string.bytes)
			    : -1;

	if (s < 0 || s > req->before_s)
		return false;
	return !req->keep_failed ||
	       json_is_text(json_find(end, "outcome"), "passed");
}

/* Mark, by line, the records of gates that are due; line 0 is unused. */
static bool *lines_due(const struct ledger_book *b,
		       const struct gc_request *req, struct arena *arena)
{
	bool *due = arena_array(arena, b->len + 1, sizeof *due);
	struct span span = { 0 };

	while (due != NULL && span_find(b, span.last, &span))
		for (size_t i = span.first; i < span.last; i++)
			due[i + 1] = is_due(b, &span, req);
	return due;
}

/* Whether a record that is not due names the same piece, which then stays. */
static bool is_shared(const struct evidence_names *n, size_t i, const bool *due)
{
	size_t k = i;

	while (k > 0 && strcmp(n->items[k - 1].path, n->items[i].path) == 0)
		k--;
	for (; k < n->len && strcmp(n->items[k].path, n->items[i].path) == 0;
	     k++)
		if (!n->items[k].is_removed && !due[n->items[k].line])
			return true;
	return false;
}

/* The evidence that is searched. */
struct due {
	const struct evidence_names *names;
	const bool *lines; /* by line */
};

/* Write one record about at most PATHS_MAX pieces of that gate, from item *i
 * on.
 * Returns how many, or -errno. */
static int removed_put(struct ledger *l, const struct due *due,
		       const struct span *span, size_t *i,
		       struct cupel_error *err)
{
	const struct evidence_names *n = due->names;
	struct ledger_record r;
	const char *last = "";
	int count = 0, e;

	ledger_begin(l, "evidence.removed", &r);
	jsonw_uint(&r.w, "of", span->first + 1);
	jsonw_array(&r.w, "removed");
	for (; *i < n->len && count < (int)PATHS_MAX; ++*i) {
		const struct evidence_name *name = &n->items[*i];

		if (name->is_removed || name->line <= span->first ||
		    name->line > span->last || strcmp(last, name->path) == 0 ||
		    is_shared(n, *i, due->lines))
			continue;
		last = name->path;
		jsonw_text(&r.w, NULL, name->path);
		count++;
	}
	jsonw_end_array(&r.w);
	if (count == 0) {
		buf_done(&r.text);
		return 0;
	}
	e = ledger_put(l, &r, err);
	return e < 0 ? e : count;
}

static int records_put(struct ledger *l, const struct ledger_book *b,
		       const struct gc_request *req, struct gc_counts *ret,
		       struct cupel_error *err)
{
	struct evidence_names names;
	struct arena arena = { 0 };
	struct span span = { 0 };
	int e = evidence_find(b, &arena, &names);
	const struct due due = { &names, lines_due(b, req, &arena) };

	if (e < 0 || due.lines == NULL)
		e = no_memory(err);
	while (e == 0 && span_find(b, span.last, &span)) {
		size_t i = 0;
		bool any = false;

		if (!is_due(b, &span, req))
			continue;
		while ((e = removed_put(l, &due, &span, &i, err)) > 0)
			any = true;
		ret->gates += any;
	}
	arena_done(&arena);
	return e;
}

static bool is_named(const struct evidence_names *n, const char *file)
{
	size_t low = 0, high = n->len;
	char path[STATE_PATH_BYTES + 256];

	(void)snprintf(path, sizeof path, STATE_EVIDENCE "/%s", file);
	while (low < high) { /* the first that is not before path */
		size_t mid = low + (high - low) / 2;

		if (strcmp(n->items[mid].path, path) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < n->len && strcmp(n->items[low].path, path) == 0; low++)
		if (!n->items[low].is_removed)
			return true;
	return false;
}

/* Remove files that no record names, or that only removed mentions name. */
static int files_remove(const struct state *s, const struct evidence_names *n,
			size_t *ret_files)
{
	int fd = s->evidence_fd < 0
			 ? -1
			 : openat(s->evidence_fd, ".",
				  O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *d;
	int e = 0;

	if (dir == NULL) {
		cleanup_fd(&fd);
		return s->evidence_fd < 0 ? 0 : -EIO;
	}
	while (e == 0 && (d = readdir(dir)) != NULL) {
		if (strcmp(d->d_name, ".") == 0 ||
		    strcmp(d->d_name, "..") == 0 || is_named(n, d->d_name))
			continue;
		if (unlinkat(s->evidence_fd, d->d_name, 0) < 0)
			e = errno == ENOENT ? 0 : -errno;
		else
			++*ret_files;
	}
	closedir(dir);
	return e;
}

static int sweep(const struct state *s, struct gc_counts *ret,
		 struct cupel_error *err)
{
	struct ledger_book b = { 0 };
	struct arena arena = { 0 };
	struct evidence_names names;
	int e = ledger_read(s->dir_fd, NULL, &b, err);

	if (e == 0 && evidence_find(&b, &arena, &names) < 0)
		e = no_memory(err);
	if (e == 0 && (e = files_remove(s, &names, &ret->files)) < 0)
		e = cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(-e), -e,
			       "gate gc: %s", strerror(-e));
	arena_done(&arena);
	ledger_book_done(&b);
	return e;
}

int gc_run(const struct state *s, const struct gc_request *req,
	   struct gc_counts *ret, struct cupel_error *err)
{
	struct ledger l = LEDGER_NONE;
	struct ledger_book b = { 0 };
	int e;

	*ret = (struct gc_counts){ 0 };
	e = ledger_open(s->dir_fd, NULL, &l, &b, err);
	if (e == 0)
		e = evidence_verify(s, &b, err);
	if (e == 0)
		e = records_put(&l, &b, req, ret, err);
	ledger_close(&l);
	ledger_book_done(&b);
	return e != 0 ? e : sweep(s, ret, err);
}
