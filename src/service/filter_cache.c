/* filter_cache.c -- see filter_cache.h. */
#include "service/filter_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/outfile.h"
#include "service/cache_dir.h"

#define ENTRY_FORM  1U /* its version */
#define MAGIC       "cupelflt"
#define ENTRY_BYTES ((size_t)1 << 16) /* 4096 instructions and 64 warnings */
#define BOOT_ID     "/proc/sys/kernel/random/boot_id"
#define BOOT_BYTES  37 /* with its newline */
#define NAME_BYTES  (2 * BLAKE3_BYTES + 1)

struct header {
	char magic[8];
	uint32_t version, len;
	char hash[BLAKE3_TEXT_BYTES];
	uint32_t warnings, text; /* lines, and their bytes with NULs */
};

void filter_cache_key(const struct filter_source *source,
		      uint8_t ret[BLAKE3_BYTES])
{
	uint32_t numbers[4] = { ENTRY_FORM, source->arch, source->kernel,
				source->is_stacked };
	struct blake3 b;

	blake3_init_derive(&b, "cupel filter cache: name of an entry");
	blake3_update(&b, numbers, sizeof numbers);
	blake3_update(&b, filter_version(), strlen(filter_version()));
	blake3_update(&b, source->json, source->n);
	blake3_final(&b, ret, BLAKE3_BYTES);
}

static void entry_name(const uint8_t key[BLAKE3_BYTES], char ret[NAME_BYTES])
{
	for (size_t i = 0; i < BLAKE3_BYTES; i++)
		(void)snprintf(ret + 2 * i, 3, "%02x", key[i]);
}

/* The MAC of an entry's bytes; false where there is no boot id. */
static bool entry_mac(const uint8_t key[BLAKE3_BYTES], const void *bytes,
		      size_t n, uint8_t ret[BLAKE3_BYTES])
{
	owned_fd int fd = open(BOOT_ID, O_RDONLY | O_CLOEXEC);
	char boot[BOOT_BYTES];
	uint8_t secret[BLAKE3_KEY_BYTES];
	uid_t uid = geteuid();
	struct blake3 b;

	if (fd < 0 || read(fd, boot, sizeof boot) != (ssize_t)sizeof boot)
		return false;
	blake3_init_derive(&b, "cupel filter cache: key of the MAC");
	blake3_update(&b, boot, sizeof boot);
	blake3_update(&b, &uid, sizeof uid);
	blake3_update(&b, key, BLAKE3_BYTES);
	blake3_final(&b, secret, sizeof secret);
	blake3_init_keyed(&b, secret);
	blake3_update(&b, bytes, n);
	blake3_final(&b, ret, BLAKE3_BYTES);
	return true;
}

/* Read a whole file if it belongs to the caller and is small enough; else 0. */
static size_t read_entry(int dir, const char *name, char *bytes)
{
	owned_fd int fd = openat(
		dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_uid != geteuid() || (st.st_mode & 077) != 0 ||
	    st.st_nlink != 1 || st.st_size > (off_t)ENTRY_BYTES)
		return 0;
	n = read(fd, bytes, ENTRY_BYTES);
	return n < 0 ? 0 : (size_t)n;
}

static bool read_warnings(const struct header *h, const char *text,
			  struct arena *arena, struct filter *ret)
{
	const char **lines = arena_array(arena, h->warnings, sizeof *lines);
	const char *copy = arena_copy(arena, text, h->text);
	size_t at = 0;

	if (lines == NULL || copy == NULL)
		return false;
	for (size_t i = 0; i < h->warnings; i++) {
		if (at >= h->text)
			return false;
		lines[i] = copy + at;
		at += strlen(copy + at) + 1;
	}
	ret->warnings = lines;
	ret->warnings_len = h->warnings;
	return true;
}

/* Turn bytes[0..n-1], whose MAC is good, into a filter. */
static bool read_filter(const char *bytes, size_t n, struct arena *arena,
			struct filter *ret)
{
	struct header h;
	size_t insns_bytes;

	if (n < sizeof h)
		return false;
	memcpy(&h, bytes, sizeof h);
	insns_bytes = (size_t)h.len * sizeof(struct sock_filter);
	if (memcmp(h.magic, MAGIC, sizeof h.magic) != 0 ||
	    h.version != ENTRY_FORM || h.len == 0 || h.len > FILTER_INSNS_MAX ||
	    h.warnings > h.text || h.text > ENTRY_BYTES ||
	    n != sizeof h + insns_bytes + h.text ||
	    h.hash[sizeof h.hash - 1] != '\0')
		return false;
	ret->hash = arena_text(arena, h.hash);
	ret->insns =
		(const void *)arena_copy(arena, bytes + sizeof h, insns_bytes);
	ret->len = h.len;
	return ret->hash && ret->insns &&
	       read_warnings(&h, bytes + sizeof h + insns_bytes, arena, ret);
}

bool filter_cache_find(const uint8_t key[BLAKE3_BYTES], struct arena *arena,
		       struct filter *ret)
{
	owned_fd int dir = cache_dir_open("filters");
	owned_mem char *bytes = malloc(ENTRY_BYTES);
	uint8_t mac[BLAKE3_BYTES];
	char name[NAME_BYTES];
	struct filter f = { 0 };
	size_t n;

	if (dir < 0 || bytes == NULL)
		return false;
	entry_name(key, name);
	n = read_entry(dir, name, bytes);
	if (n > sizeof mac && entry_mac(key, bytes, n - sizeof mac, mac) &&
	    memcmp(mac, bytes + n - sizeof mac, sizeof mac) == 0 &&
	    read_filter(bytes, n - sizeof mac, arena, &f)) {
		*ret = f;
		return true;
	}
	(void)unlinkat(dir, name, 0);
	return false;
}

static bool write_entry(const uint8_t key[BLAKE3_BYTES], const struct filter *f,
			struct buf *out)
{
	struct header h = { .version = ENTRY_FORM, .len = (uint32_t)f->len };
	uint8_t mac[BLAKE3_BYTES];

	memcpy(h.magic, MAGIC, sizeof h.magic);
	(void)snprintf(h.hash, sizeof h.hash, "%s", f->hash);
	h.warnings = (uint32_t)f->warnings_len;
	for (size_t i = 0; i < f->warnings_len; i++)
		h.text += (uint32_t)strlen(f->warnings[i]) + 1;
	buf_add(out, &h, sizeof h);
	buf_add(out, f->insns, f->len * sizeof *f->insns);
	for (size_t i = 0; i < f->warnings_len; i++)
		buf_add(out, f->warnings[i], strlen(f->warnings[i]) + 1);
	if (buf_has_failed(out) || !entry_mac(key, out->bytes, out->len, mac))
		return false;
	buf_add(out, mac, sizeof mac);
	return !buf_has_failed(out);
}

/* Empty the directory when it holds too many entries.  Each can be made again
 * quickly, and nobody knows which of them are still wanted. */
static void trim(int dir)
{
	owned_fd int again = openat(dir, ".", O_RDONLY | O_CLOEXEC);
	DIR *d = again < 0 ? NULL : fdopendir(again);
	struct dirent *e;
	unsigned entries = 0;

	if (d == NULL)
		return;
	again = -1;
	while (readdir(d) != NULL)
		entries++;
	if (entries > FILTER_CACHE_ENTRIES) {
		rewinddir(d);
		while ((e = readdir(d)) != NULL)
			(void)unlinkat(dir, e->d_name, 0);
	}
	(void)closedir(d);
}

void filter_cache_add(const uint8_t key[BLAKE3_BYTES], const struct filter *f)
{
	owned_buf struct buf out = { .cap_bytes = ENTRY_BYTES };
	owned_fd int dir = cache_dir_open("filters");
	struct outfile to = OUTFILE_NONE;
	char name[NAME_BYTES];

	if (dir < 0 || !write_entry(key, f, &out))
		return;
	trim(dir);
	entry_name(key, name);
	if (outfile_open_at(dir, name, 0600, &to) == 0 &&
	    outfile_write(to.fd, out.bytes, out.len) == 0)
		(void)outfile_put(&to);
	outfile_done(&to);
}
