/* inputs.c -- see inputs.h. */
#include "jobs/probe/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/hooks.h"
#include "jobs/probe/reading.h"
#include "service/sealed.h"

/* 50,000 names of 1.3 KiB (walk.c), and their sizes. */
#define LIST_BYTES ((size_t)80 << 20)

/* --- one name -------------------------------------------------------------- */

static const char *type_skip(unsigned char type)
{
	if (test_wall_is_down(TEST_WALL_FILE_KIND))
		return NULL;
	switch (type) {
	case DT_LNK:
		return "symlink";
	case DT_FIFO:
		return "fifo";
	case DT_SOCK:
		return "socket";
	case DT_CHR:
	case DT_BLK:
		return "device";
	default:
		return NULL;
	}
}

void reading_name(struct probe_inputs *in, uint16_t rule, const char *name)
{
	struct probe_names *names = &in->names[rule];
	size_t len = strlen(name) + 1;

	if (names->count++ == 0)
		blake3_init(&names->hash);
	blake3_update(&names->hash, name, len);
	names->bytes += len;
	buf_add(&in->list, name, len);
	buf_add(&in->list, "-", 2);
}

static uint64_t room_of(const struct reading *r, const struct probe_inputs *in)
{
	uint64_t cap = PROBE_INPUTS_BYTES;

	if (r->req->with_node_modules && in->probe->command == NULL)
		cap = PROBE_MODULES_BYTES;
	if (in->probe->caps.inputs_bytes > 0 &&
	    in->probe->caps.inputs_bytes < cap)
		cap = in->probe->caps.inputs_bytes;
	return cap > in->bytes ? cap - in->bytes : 0;
}

static struct want want_of(const struct reading *r, struct probe_inputs *in,
			   uint16_t rule)
{
	const uint64_t asked = in->probe->rules[rule].cap_bytes;
	const bool is_hashed = (asked & PROBE_HASHED) != 0;
	const uint64_t cap = asked & ~PROBE_HASHED;
	const uint64_t room = is_hashed ? cap : room_of(r, in);

	return (struct want){ in, cap < room ? cap : room,
			      cap <= room ? "too_large" : "inputs_too_large",
			      is_hashed, rule };
}

bool reading_is_stopped(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return fd >= 0 && poll(&p, 1, 0) > 0;
}

static int name_take(struct reading *r, const struct walk_name *name,
		     const uint16_t rules[], struct cupel_error *err)
{
	const char *skip = type_skip(name->type);
	struct wants wants;

	wants.name = name->path;
	wants.len = 0;
	for (size_t i = 0; i < r->req->probes_len; i++) {
		struct probe_inputs *in = &r->in[i];
		uint64_t cap;

		if (rules[i] == MATCH_NONE)
			continue;
		cap = in->probe->rules[rules[i]].cap_bytes;
		if (skip != NULL ? (cap & PROBE_HASHED) != 0 : cap == 0) {
			reading_name(in, rules[i], name->path);
		} else if (skip != NULL) {
			if (reading_skip(in, skip, name->path,
					 cap > 0 ? SKIP_FILE : SKIP_NAME) < 0)
				return reading_no_memory(err);
		} else {
			wants.items[wants.len++] = want_of(r, in, rules[i]);
		}
	}
	if (wants.len == 0)
		return 0;
	return reading_is_stopped(r->req->stop_fd)
		       ? -EINTR
		       : reading_file(r, &wants, err);
}

/* --- all of them ----------------------------------------------------------- */

static int input_compare(const void *a, const void *b)
{
	const struct gather_input *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c != 0 ? c : x->is_names - y->is_names;
}

/* The rules of names only, each an entry of its own. */
static int names_close(struct probe_inputs *in)
{
	const struct probe_input_rule *rule = in->probe->rules;
	size_t files = in->len;

	for (size_t i = 0; rule[i].pattern != NULL; i++) {
		struct probe_names *names = &in->names[i];
		uint8_t digest[BLAKE3_BYTES];
		struct gather_input *item;

		if (names->count == 0)
			continue;
		item = reading_item(in);
		if (item == NULL)
			return -ENOMEM;
		blake3_final(&names->hash, digest, sizeof digest);
		blake3_hex(digest, item->hash);
		item->name = rule[i].pattern;
		item->size = names->bytes;
		item->is_names = true;
		item->names = names->count;
	}
	if (in->len > files)
		qsort(in->items, in->len, sizeof *in->items, input_compare);
	return 0;
}

static int walk_notes(const struct walk *w, struct probe_inputs *in)
{
	int e = 0;

	if (w->stopped != NULL)
		e = reading_skip(in, w->stopped, NULL, SKIP_ERROR);
	for (size_t i = 0; i < w->skips_len && e == 0; i++)
		e = reading_skip(in, w->skips[i].code, w->skips[i].path,
				 SKIP_FILE);
	if (e == 0 && w->skips_total > w->skips_len)
		e = reading_skip(in, "more_notes", NULL, SKIP_FILE);
	return e;
}

static int reading_open(struct reading *r, struct cupel_error *err)
{
	int e = 0;

	for (size_t i = 0; i < r->req->probes_len; i++)
		r->in[i].bytes_fd = -1;
	for (size_t i = 0; i < r->req->probes_len && e == 0; i++) {
		struct probe_inputs *in = &r->in[i];
		size_t rules = 0;

		in->probe = r->req->probes[i];
		in->list.cap_bytes = LIST_BYTES;
		while (in->probe->rules[rules].pattern != NULL)
			rules++;
		in->names = calloc(rules + 1, sizeof *in->names);
		if (in->names == NULL || walk_notes(r->req->walk, in) < 0)
			return reading_no_memory(err);
		e = match_add(&r->match, in->probe, i, err);
	}
	return e;
}

static int reading_close(struct reading *r, struct cupel_error *err)
{
	for (size_t i = 0; i < r->req->probes_len; i++) {
		struct probe_inputs *in = &r->in[i];
		int e = 0;

		if (names_close(in) < 0 || buf_has_failed(&in->list))
			return reading_no_memory(err);
		cleanup_mem(&in->names);
		in->names = NULL;
		if (r->req->hash_only)
			continue;
		if (in->bytes_fd < 0)
			e = in->bytes_fd = sealed_new(false, err);
		if (e >= 0)
			e = sealed_close_writes(in->bytes_fd, err);
		if (e < 0)
			return e;
	}
	return 0;
}

static int names_compare(const void *a, const void *b)
{
	return input_compare(*(const void *const *)a, *(const void *const *)b);
}

/* Names that were declared are inputs like files: each list once. */
static int sum_close(struct reading *r, struct cupel_error *err)
{
	owned_mem const struct gather_input **all = NULL;
	uint8_t digest[BLAKE3_BYTES];
	size_t n = 0, room = 0;

	for (size_t i = 0; i < r->req->probes_len; i++)
		for (size_t k = 0; k < r->in[i].len; k++) {
			if (!r->in[i].items[k].is_names)
				continue;
			if (!array_grow((void **)&all, n, &room, sizeof *all))
				return reading_no_memory(err);
			all[n++] = &r->in[i].items[k];
		}
	if (n > 1)
		qsort(all, n, sizeof *all, names_compare);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || names_compare(&all[i - 1], &all[i]) != 0)
			reading_sum(r, all[i]);
	blake3_final(&r->sum, digest, sizeof digest);
	blake3_hex(digest, r->out->digest);
	return 0;
}

static int reading_run(struct reading *r, struct cupel_error *err)
{
	const struct walk *w = r->req->walk;
	uint16_t rules[PROBES_MAX];
	int e = reading_open(r, err);

	for (size_t i = 0; i < w->len && e == 0; i++) {
		for (size_t k = 0; k < r->req->probes_len; k++)
			rules[k] = MATCH_NONE;
		if (match_find(&r->match, w->names[i].path, rules) > 0)
			e = name_take(r, &w->names[i], rules, err);
	}
	if (e == 0)
		e = reading_close(r, err);
	return e == 0 ? sum_close(r, err) : e;
}

int inputs_read(const struct inputs_request *req, struct probe_inputs *ret,
		struct inputs_sum *ret_sum, struct cupel_error *err)
{
	struct reading *r = calloc(1, sizeof *r);
	int e;

	if (r == NULL)
		return reading_no_memory(err);
	*ret_sum = (struct inputs_sum){ 0 };
	r->req = req;
	r->in = ret;
	r->out = ret_sum;
	blake3_init(&r->sum);
	e = reading_run(r, err);
	match_done(&r->match);
	free(r);
	return e;
}

void inputs_done(struct probe_inputs *in)
{
	cleanup_fd(&in->bytes_fd);
	free(in->items);
	free(in->skips);
	free(in->names);
	buf_done(&in->list);
	*in = (struct probe_inputs){ .bytes_fd = -1 };
}
