/* inputs_file.c -- gives one file of a repository to all probes that declare
 * it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/hooks.h"
#include "jobs/common/beneath.h"
#include "jobs/probe/reading.h"
#include "service/sealed.h"
#include "spec/data.h"

int reading_no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the probes' inputs");
}

int reading_skip(struct probe_inputs *in, const char *code, const char *name,
		 enum skip_weight weight)
{
	if (!array_grow((void **)&in->skips, in->skips_len, &in->skips_room,
			sizeof *in->skips))
		return -ENOMEM;
	in->skips[in->skips_len++] = (struct probe_skip){ .code = code,
							  .name = name,
							  .weight = weight };
	return 0;
}

struct gather_input *reading_item(struct probe_inputs *in)
{
	if (!array_grow((void **)&in->items, in->len, &in->room,
			sizeof *in->items))
		return NULL;
	in->items[in->len] = (struct gather_input){ 0 };
	return &in->items[in->len++];
}

int reading_rewind(int fd, uint64_t size, struct cupel_error *err)
{
	if (ftruncate(fd, (off_t)size) < 0 ||
	    lseek(fd, (off_t)size, SEEK_SET) < 0)
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, errno,
			"a memory file for an input cannot be shortened");
	return 0;
}

/* A file that is too large, with its role.  Files come in order. */
static int large_skip(struct probe_inputs *in, const char *name)
{
	const struct path_text table = { role_texts[0].bytes,
					 role_texts[0].len };
	const struct path_text path = { name, strlen(name) };
	struct path_text dir = { NULL, 0 };
	enum role_kind role = path_role_next(table, path, in->probe->subject,
					     &in->large, &dir);
	int e = reading_skip(in, "too_large", name,
			     role == ROLE_OWN ? SKIP_ERROR : SKIP_NAME);

	if (e < 0)
		return e;
	in->skips[in->skips_len - 1].role = role;
	in->skips[in->skips_len - 1].role_dir = dir;
	return 0;
}

/* This probe does not get the file after all. */
static int want_drop(struct want *w, const char *code, const char *name,
		     enum skip_weight weight, struct cupel_error *err)
{
	struct probe_inputs *in = w->in;
	int e = 0;

	w->in = NULL;
	if (w->is_hashed)
		reading_name(in, w->rule, name);
	else if (strcmp(code, "too_large") == 0 && in->probe->command == NULL)
		e = large_skip(in, name);
	else
		e = reading_skip(in, code, name, weight);
	if (e < 0)
		return reading_no_memory(err);
	return in->bytes_fd < 0 ? 0
				: reading_rewind(in->bytes_fd, in->bytes, err);
}

static int wants_drop(struct wants *w, const char *code,
		      enum skip_weight weight, struct cupel_error *err)
{
	int e = 0;

	for (size_t i = 0; i < w->len && e == 0; i++)
		if (w->items[i].in != NULL)
			e = want_drop(&w->items[i], code, w->name, weight, err);
	return e;
}

/* Drop the probes whose cap is below size bytes.  Returns how many are left or
 * -errno. */
static int wants_bound(struct wants *w, uint64_t size, struct cupel_error *err)
{
	int left = 0, e = 0;

	for (size_t i = 0; i < w->len && e == 0; i++) {
		struct want *want = &w->items[i];

		if (want->in == NULL)
			continue;
		if (size > want->cap_bytes &&
		    !test_wall_is_down(TEST_WALL_INPUT_CAP))
			e = want_drop(want, want->over, w->name, SKIP_ERROR,
				      err);
		else
			left++;
	}
	return e < 0 ? e : left;
}

static int wants_write(const struct reading *r, const struct wants *w, size_t n,
		       struct cupel_error *err)
{
	int e = 0;

	if (r->req->hash_only)
		return 0;
	for (size_t i = 0; i < w->len && e == 0; i++) {
		struct probe_inputs *in = w->items[i].in;

		if (w->items[i].is_hashed)
			continue;
		if (in != NULL && in->bytes_fd < 0) {
			e = sealed_new(false, err);
			if (e < 0)
				return e;
			in->bytes_fd = e;
		}
		e = in ? sealed_add(in->bytes_fd, r->chunk, n, err) : 0;
	}
	return e;
}

/* Copy the whole file to the hash and to all who want it.  Returns how many got
 * it, or -errno. */
static int file_copy(struct reading *r, int fd, struct wants *w,
		     struct gather_input *ret, struct cupel_error *err)
{
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 hash;
	uint64_t size = 0;
	int left = 1;

	blake3_init(&hash);
	while (left > 0) {
		ssize_t got = read(fd, r->chunk, sizeof r->chunk);
		int e;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return wants_drop(w, "unreadable", SKIP_ERROR, err);
		left = wants_bound(w, size + (uint64_t)got, err);
		if (got == 0 || left <= 0)
			break;
		blake3_update(&hash, r->chunk, (size_t)got);
		size += (uint64_t)got;
		e = wants_write(r, w, (size_t)got, err);
		if (e < 0)
			return e;
	}
	blake3_final(&hash, digest, sizeof digest);
	blake3_hex(digest, ret->hash);
	ret->name = w->name;
	ret->size = size;
	return left;
}

static int wants_record(const struct wants *w, const struct gather_input *file)
{
	for (size_t i = 0; i < w->len; i++) {
		struct probe_inputs *in = w->items[i].in;
		struct gather_input *item = in ? reading_item(in) : NULL;

		if (in == NULL)
			continue;
		if (item == NULL)
			return -ENOMEM;
		*item = *file;
		item->is_hashed = w->items[i].is_hashed;
		if (item->is_hashed)
			continue;
		in->bytes += file->size;
		buf_add(&in->list, file->name, strlen(file->name) + 1);
		buf_format(&in->list, "%llu", (unsigned long long)file->size);
		buf_char(&in->list, '\0');
	}
	return 0;
}

void reading_sum(struct reading *r, const struct gather_input *item)
{
	blake3_update(&r->sum, item->is_names ? "*" : "-", 1);
	blake3_update(&r->sum, item->name, strlen(item->name) + 1);
	blake3_update(&r->sum, item->hash, strlen(item->hash) + 1);
}

int reading_file(struct reading *r, struct wants *wants,
		 struct cupel_error *err)
{
	struct gather_input file = { 0 };
	owned_fd int fd = -1;
	off_t size = 0;
	enum beneath why =
		beneath_open_file(r->req->root_fd, wants->name, &fd, &size);
	int e;

	if (why != BENEATH_OK)
		return wants_drop(wants, beneath_name(why), SKIP_FILE, err);
	e = wants_bound(wants, (uint64_t)size, err);
	if (e > 0)
		e = file_copy(r, fd, wants, &file, err);
	if (e <= 0)
		return e;
	if (wants_record(wants, &file) < 0)
		return reading_no_memory(err);
	reading_sum(r, &file);
	r->out->files++;
	r->out->bytes += file.size;
	return 0;
}
