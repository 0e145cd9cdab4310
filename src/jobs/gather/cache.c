/* cache.c -- see cache.h. */
#include "jobs/gather/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/hooks.h"
#include "base/outfile.h"
#include "jobs/gather/model.h"
#include "jobs/probe/inputs.h"
#include "service/cache_dir.h"
#include "service/secret.h"

#define MAGIC      "cupelans"
#define ENTRY_FORM 1U    /* its version */
#define KEY_NAME   "key" /* of service/secret.c */
#define NAME_BYTES (2 * BLAKE3_BYTES + 1)
#define NEW_PREFIX "new."
#define NEW_BYTES  32

/* The answer follows it, then the MAC over key, header and answer. */
struct header {
	char magic[8];
	uint32_t version;
	uint32_t zero;
	uint64_t len; /* of the answer */
};

/* --- opening --------------------------------------------------------------- */

void cache_open(struct cache *ret)
{
	*ret = (struct cache){ .dir_fd = cache_dir_open("gather") };
	if (ret->dir_fd >= 0 && !secret_read(ret->dir_fd, ret->secret))
		cleanup_fd(&ret->dir_fd);
}

/* --- the key --------------------------------------------------------------- */

/* Hash the length, too, so that two texts never run into each other. */
static void part_add(struct blake3 *b, const void *bytes, size_t n)
{
	uint64_t len = n;

	blake3_update(b, &len, sizeof len);
	blake3_update(b, bytes, n);
}

static void text_add(struct blake3 *b, const char *text)
{
	part_add(b, text, strlen(text));
}

void cache_key(const struct cache_source *source, uint8_t ret[BLAKE3_BYTES])
{
	const struct probe_inputs *in = source->in;
	struct blake3 b;

	blake3_init_derive(&b, "cupel gather cache: key of an answer");
	text_add(&b, in->probe->name);
	text_add(&b, in->probe->version);
	text_add(&b, in->probe->schema_version);
	text_add(&b, source->identity);
	text_add(&b, source->with_node_modules ? "node_modules" : "");
	for (size_t i = 0; i < source->required_len; i++) {
		owned_buf struct buf text = { 0 };

		json_write(source->required[i]->tree, &text);
		part_add(&b, text.bytes, text.len);
	}
	for (size_t i = 0; i < in->len; i++) {
		text_add(&b, in->items[i].is_names ? "names" : "file");
		text_add(&b, in->items[i].name);
		text_add(&b, in->items[i].hash);
	}
	blake3_final(&b, ret, BLAKE3_BYTES);
}

static void entry_name(const uint8_t key[BLAKE3_BYTES], char ret[NAME_BYTES])
{
	for (size_t i = 0; i < BLAKE3_BYTES; i++)
		(void)snprintf(ret + 2 * i, 3, "%02x", key[i]);
}

static void entry_mac(const struct cache *c, const uint8_t key[BLAKE3_BYTES],
		      const void *bytes, size_t n, uint8_t ret[BLAKE3_BYTES])
{
	struct blake3 b;

	blake3_init_keyed(&b, c->secret);
	blake3_update(&b, key, BLAKE3_BYTES);
	blake3_update(&b, bytes, n);
	blake3_final(&b, ret, BLAKE3_BYTES);
}

/* --- finding --------------------------------------------------------------- */

static enum cache_result entry_open(const struct cache *c, const char *name,
				    int *ret_fd, size_t *ret_size)
{
	int nofollow =
		test_wall_is_down(TEST_WALL_CACHE_LINKS) ? 0 : O_NOFOLLOW;
	owned_fd int fd = openat(c->dir_fd, name,
				 O_RDONLY | O_CLOEXEC | O_NONBLOCK | nofollow);
	struct stat st;

	if (fd < 0)
		return errno == ELOOP    ? CACHE_SYMLINK
		       : errno == ENOENT ? CACHE_MISS
					 : CACHE_INVALID;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return CACHE_INVALID;
	if (!test_wall_is_down(TEST_WALL_CACHE_OWNER) &&
	    (st.st_uid != geteuid() || (st.st_mode & 077) != 0 ||
	     st.st_nlink != 1))
		return CACHE_POISONED;
	if ((uint64_t)st.st_size > CACHE_ENTRY_BYTES)
		return CACHE_TOO_LARGE;
	*ret_size = (size_t)st.st_size;
	*ret_fd = take_fd(&fd);
	return CACHE_HIT;
}

/* Check that bytes[0..n-1] are a whole entry and that it is ours. */
static enum cache_result entry_judge(const struct cache *c,
				     const uint8_t key[BLAKE3_BYTES],
				     const char *bytes, size_t n)
{
	uint8_t mac[BLAKE3_BYTES];
	struct header h;

	if (n < sizeof h + sizeof mac)
		return CACHE_INVALID;
	memcpy(&h, bytes, sizeof h);
	if (!test_wall_is_down(TEST_WALL_CACHE_FORM) &&
	    (memcmp(h.magic, MAGIC, sizeof h.magic) != 0 ||
	     h.version != ENTRY_FORM || h.zero != 0 ||
	     h.len != n - sizeof h - sizeof mac))
		return CACHE_INVALID;
	entry_mac(c, key, bytes, n - sizeof mac, mac);
	return memcmp(mac, bytes + n - sizeof mac, sizeof mac) == 0 ||
			       test_wall_is_down(TEST_WALL_CACHE_MAC)
		       ? CACHE_HIT
		       : CACHE_POISONED;
}

static enum cache_result entry_read(const struct cache *c,
				    const uint8_t key[BLAKE3_BYTES],
				    const char *name, struct buf *out)
{
	owned_mem char *bytes = NULL;
	owned_fd int fd = -1;
	size_t size = 0;
	enum cache_result r = entry_open(c, name, &fd, &size);

	if (r != CACHE_HIT)
		return r;
	bytes = malloc(size + 1);
	if (bytes == NULL)
		return CACHE_MISS;
	if (read(fd, bytes, size) != (ssize_t)size)
		return CACHE_INVALID;
	r = entry_judge(c, key, bytes, size);
	if (r == CACHE_HIT)
		buf_add(out, bytes + sizeof(struct header),
			size - sizeof(struct header) - BLAKE3_BYTES);
	return buf_has_failed(out) ? CACHE_MISS : r;
}

enum cache_result cache_find(const struct cache *c,
			     const uint8_t key[BLAKE3_BYTES], struct buf *out)
{
	char name[NAME_BYTES];
	enum cache_result r;

	if (c->dir_fd < 0)
		return CACHE_OFF;
	entry_name(key, name);
	r = entry_read(c, key, name, out);
	if (r != CACHE_HIT && r != CACHE_MISS)
		(void)unlinkat(c->dir_fd, name, 0);
	return r;
}

void cache_drop(const struct cache *c, const uint8_t key[BLAKE3_BYTES])
{
	char name[NAME_BYTES];

	entry_name(key, name);
	(void)unlinkat(c->dir_fd, name, 0);
}

/* --- adding ---------------------------------------------------------------- */

static bool fresh_name(char ret[NEW_BYTES])
{
	uint64_t random;

	if (getrandom(&random, sizeof random, GRND_NONBLOCK) !=
	    (ssize_t)sizeof random)
		return false;
	(void)snprintf(ret, NEW_BYTES, NEW_PREFIX "%016llx",
		       (unsigned long long)random);
	return true;
}

/* Write it under a fresh name; the caller renames it. */
static bool fresh_write(int dir_fd, const char *name, const struct buf *entry)
{
	owned_fd int fd = outfile_make(dir_fd, name, 0600);

	if (fd < 0)
		return false;
	if (outfile_write(fd, entry->bytes, entry->len) == 0)
		return true;
	(void)unlinkat(dir_fd, name, 0);
	return false;
}

enum cache_result cache_add(struct cache *c, const uint8_t key[BLAKE3_BYTES],
			    const char *bytes, size_t n)
{
	struct header h = { .version = ENTRY_FORM, .len = n };
	owned_buf struct buf out = { .cap_bytes = CACHE_ENTRY_BYTES };
	char name[NAME_BYTES], fresh[NEW_BYTES];
	uint8_t mac[BLAKE3_BYTES];

	if (c->dir_fd < 0)
		return CACHE_OFF;
	memcpy(h.magic, MAGIC, sizeof h.magic);
	buf_add(&out, &h, sizeof h);
	buf_add(&out, bytes, n);
	if (!buf_has_failed(&out)) {
		entry_mac(c, key, out.bytes, out.len, mac);
		buf_add(&out, mac, sizeof mac);
	}
	if (buf_has_failed(&out))
		return CACHE_TOO_LARGE;
	entry_name(key, name);
	if (!fresh_name(fresh) || !fresh_write(c->dir_fd, fresh, &out))
		return CACHE_OFF;
	if (renameat(c->dir_fd, fresh, c->dir_fd, name) != 0) {
		(void)unlinkat(c->dir_fd, fresh, 0);
		return CACHE_OFF;
	}
	c->has_added = true;
	return CACHE_PUT;
}

/* --- caps ------------------------------------------------------------------ */

struct kept {
	char name[NAME_BYTES];
	int64_t made_ns;
	uint64_t bytes;
};

static int kept_compare(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->made_ns != y->made_ns)
		return x->made_ns < y->made_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* List the entries of the directory without the secret; at most room of
 * them. */
static size_t kept_list(int dir_fd, struct kept *list, size_t room,
			uint64_t *ret_bytes)
{
	int again = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = again < 0 ? NULL : fdopendir(again);
	struct dirent *e;
	size_t n = 0;

	if (d == NULL) {
		cleanup_fd(&again);
		return 0;
	}
	while (n < room && (e = readdir(d)) != NULL) {
		struct stat st;

		if (strlen(e->d_name) >= NAME_BYTES || e->d_name[0] == '.' ||
		    strcmp(e->d_name, KEY_NAME) == 0 ||
		    fstatat(dir_fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		memcpy(list[n].name, e->d_name, strlen(e->d_name) + 1);
		list[n].made_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 +
				  st.st_mtim.tv_nsec;
		list[n].bytes = (uint64_t)st.st_size;
		*ret_bytes += list[n++].bytes;
	}
	(void)closedir(d);
	return n;
}

bool cache_close(struct cache *c)
{
	size_t room = (size_t)CACHE_ENTRIES * 2, n, gone = 0;
	owned_mem struct kept *list = NULL;
	uint64_t bytes = 0;

	if (c->dir_fd >= 0 && c->has_added)
		list = calloc(room, sizeof *list);
	if (list != NULL) {
		n = kept_list(c->dir_fd, list, room, &bytes);
		qsort(list, n, sizeof *list, kept_compare);
		while (gone < n &&
		       (bytes > CACHE_BYTES || n - gone > CACHE_ENTRIES)) {
			(void)unlinkat(c->dir_fd, list[gone].name, 0);
			bytes -= list[gone++].bytes;
		}
	}
	cleanup_fd(&c->dir_fd);
	return gone > 0;
}
