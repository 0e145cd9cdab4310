/* inputs.c -- see inputs.h. */
#include "jobs/probe/inputs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/beneath.h"
#include "jobs/probe/walk.h"
#include "jobs/sealed.h"

#define CHUNK_BYTES ((size_t)128 << 10)

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for a probe's inputs");
}

static void skip_add(struct probe_inputs *in, const char *code,
		     const char *name, bool is_error)
{
	in->skips[in->skips_len++] = (struct probe_skip){
		code, name ? arena_text(&in->arena, name) : NULL, is_error
	};
}

/* Copy and hash one file, at most cap bytes.
 * Returns 0 with *ret_size, 1 when there is more than cap, or -errno; the
 * memory file then holds rubbish behind its old end. */
static int file_copy(int fd, uint64_t cap, struct blake3 *hash, int to_fd,
		     uint64_t *ret_size, struct cupel_error *err)
{
	char chunk[CHUNK_BYTES];
	uint64_t size = 0;

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);
		int e;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		if ((uint64_t)n > cap - size)
			return 1;
		blake3_update(hash, chunk, (size_t)n);
		e = sealed_add(to_fd, chunk, (size_t)n, err);
		if (e < 0)
			return e;
		size += (uint64_t)n;
	}
	*ret_size = size;
	return 0;
}

/* Back to where the file before it ended. */
static int rewind_to(int fd, uint64_t size, struct cupel_error *err)
{
	if (ftruncate(fd, (off_t)size) < 0 ||
	    lseek(fd, (off_t)size, SEEK_SET) < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, errno,
				  "a memory file cannot be cut");
	return 0;
}

static int file_add(struct probe_inputs *in, const char *name, int fd,
		    uint64_t cap, struct cupel_error *err)
{
	struct probe_file *f = &in->files[in->files_len];
	uint64_t left = PROBE_INPUTS_BYTES - in->bytes;
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 hash;
	int e;

	blake3_init(&hash);
	e = file_copy(fd, cap < left ? cap : left, &hash, in->bytes_fd,
		      &f->size, err);
	if (e != 0) {
		skip_add(in,
			 e < 0        ? "unreadable"
			 : left < cap ? "inputs_too_large"
				      : "too_large",
			 name, true);
		return rewind_to(in->bytes_fd, in->bytes, err);
	}
	blake3_final(&hash, digest, sizeof digest);
	blake3_hex(digest, f->hash);
	f->name = arena_text(&in->arena, name);
	if (f->name == NULL)
		return no_memory(err);
	in->bytes += f->size;
	in->files_len++;
	return 0;
}

static int hit_read(int root_fd, const struct walk_hit *hit,
		    struct probe_inputs *in, struct cupel_error *err)
{
	owned_fd int fd = -1;
	off_t size = 0;
	enum beneath why;

	if (hit->skip != NULL) {
		skip_add(in, hit->skip, hit->name, false);
		return 0;
	}
	why = beneath_open_file(root_fd, hit->name, &fd, &size);
	if (why != BENEATH_OK) {
		skip_add(in, beneath_name(why), hit->name, false);
		return 0;
	}
	if ((uint64_t)size > hit->cap_bytes) {
		skip_add(in, "too_large", hit->name, true);
		return 0;
	}
	return file_add(in, hit->name, fd, hit->cap_bytes, err);
}

static int list_write(struct probe_inputs *in, struct cupel_error *err)
{
	int e = 0;

	in->list_fd = sealed_new(false, err);
	if (in->list_fd < 0)
		return in->list_fd;
	for (size_t i = 0; i < in->files_len && e == 0; i++) {
		const struct probe_file *f = &in->files[i];
		char size[32];
		int n = snprintf(size, sizeof size, "%llu",
				 (unsigned long long)f->size);

		e = sealed_add(in->list_fd, f->name, strlen(f->name) + 1, err);
		if (e == 0)
			e = sealed_add(in->list_fd, size, (size_t)n + 1, err);
	}
	if (e == 0)
		e = sealed_close_writes(in->list_fd, err);
	if (e == 0)
		e = sealed_close_writes(in->bytes_fd, err);
	return e;
}

static int hits_read(int root_fd, const struct walk *w, struct probe_inputs *in,
		     struct cupel_error *err)
{
	int e = 0;

	in->files = arena_array(&in->arena, w->len + 1, sizeof *in->files);
	in->skips = arena_array(&in->arena, w->len + 2, sizeof *in->skips);
	if (in->files == NULL || in->skips == NULL)
		return no_memory(err);
	in->bytes_fd = sealed_new(false, err);
	if (in->bytes_fd < 0)
		return in->bytes_fd;
	if (w->stopped != NULL)
		skip_add(in, w->stopped, NULL, true);
	if (w->unreadable > 0)
		skip_add(in, "unreadable", NULL, false);
	for (size_t i = 0; i < w->len && e == 0; i++)
		e = hit_read(root_fd, &w->hits[i], in, err);
	return e == 0 ? list_write(in, err) : e;
}

int inputs_read(int root_fd, const struct probe_input_rule *rules,
		struct probe_inputs *ret, struct cupel_error *err)
{
	struct walk w = { 0 };
	int e = walk_run(root_fd, rules, &w, err);

	if (e == 0)
		e = hits_read(root_fd, &w, ret, err);
	walk_done(&w);
	return e;
}

void inputs_done(struct probe_inputs *in)
{
	cleanup_fd(&in->list_fd);
	cleanup_fd(&in->bytes_fd);
	arena_done(&in->arena);
}
