/* inputs_seal.c -- reads files that were hashed before once more, into memory,
 * for a probe without a cached answer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/common/beneath.h"
#include "jobs/probe/reading.h"
#include "service/sealed.h"

struct sealing {
	const struct inputs_request *req;
	struct probe_inputs *in;
	uint64_t bytes; /* in in->bytes_fd so far */
	char chunk[READING_CHUNK_BYTES];
};

/* Append the bytes of fd.  Returns 1 when they have the hash of item, 0 when
 * not, or -errno. */
static int bytes_add(struct sealing *s, int fd, const struct gather_input *item,
		     struct cupel_error *err)
{
	char text[BLAKE3_TEXT_BYTES];
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 hash;
	uint64_t size = 0;

	blake3_init(&hash);
	for (;;) {
		ssize_t got = read(fd, s->chunk, sizeof s->chunk);
		int e;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || (uint64_t)got > item->size - size)
			return 0;
		if (got == 0)
			break;
		blake3_update(&hash, s->chunk, (size_t)got);
		size += (uint64_t)got;
		e = sealed_add(s->in->bytes_fd, s->chunk, (size_t)got, err);
		if (e < 0)
			return e;
	}
	blake3_final(&hash, digest, sizeof digest);
	blake3_hex(digest, text);
	return strcmp(text, item->hash) == 0;
}

/* Like bytes_add(), but takes back bytes that do not match. */
static int file_add(struct sealing *s, const struct gather_input *item,
		    struct cupel_error *err)
{
	owned_fd int fd = -1;
	off_t size = 0;
	int r = 0;

	if (reading_is_stopped(s->req->stop_fd))
		return -EINTR;
	if (beneath_open_file(s->req->root_fd, item->name, &fd, &size) ==
		    BENEATH_OK &&
	    (uint64_t)size == item->size)
		r = bytes_add(s, fd, item, err);
	if (r > 0)
		s->bytes += item->size;
	if (r == 0) {
		int e = reading_rewind(s->in->bytes_fd, s->bytes, err);

		if (e < 0)
			return e;
		if (reading_skip(s->in, "vanished", item->name, SKIP_FILE) < 0)
			return reading_no_memory(err);
	}
	return r;
}

/* Go through the list: an entry with only a name stays, a file stays if it has
 * not changed.  The items of files are in the order of the list, and items that
 * the probe is not given lie between them. */
static int list_again(struct sealing *s, struct buf *list,
		      struct cupel_error *err)
{
	struct probe_inputs *in = s->in;
	size_t at = 0, from = 0, to = 0;

	while (at < in->list.len) {
		const char *name = in->list.bytes + at;
		const char *size = name + strlen(name) + 1;
		size_t len = (size_t)(size - name) + strlen(size) + 1;
		int r = 1;

		at += len;
		if (strcmp(size, "-") != 0) {
			while (in->items[from].is_names ||
			       in->items[from].is_hashed)
				in->items[to++] = in->items[from++];
			r = file_add(s, &in->items[from], err);
			if (r > 0)
				in->items[to++] = in->items[from];
			from++;
		}
		if (r < 0)
			return r;
		if (r > 0)
			buf_add(list, name, len);
	}
	while (from < in->len)
		in->items[to++] = in->items[from++];
	in->has_changed = to < in->len;
	in->len = to;
	in->bytes = s->bytes;
	return buf_has_failed(list) ? reading_no_memory(err) : 0;
}

int inputs_seal(const struct inputs_request *req, struct probe_inputs *in,
		struct cupel_error *err)
{
	owned_mem struct sealing *s = NULL;
	struct buf list = { .cap_bytes = in->list.cap_bytes };
	int e;

	if (in->bytes_fd >= 0)
		return 0;
	s = calloc(1, sizeof *s);
	if (s == NULL)
		return reading_no_memory(err);
	e = in->bytes_fd = sealed_new(false, err);
	s->req = req;
	s->in = in;
	if (e >= 0)
		e = list_again(s, &list, err);
	if (e >= 0)
		e = sealed_close_writes(in->bytes_fd, err);
	if (e < 0) {
		buf_done(&list);
		return e;
	}
	buf_done(&in->list);
	in->list = list;
	return 0;
}
