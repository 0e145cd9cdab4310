/* unpack.c -- makes files of git's objects. */
#include "worker/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/outfile.h"

/* The bytes of a SHA-1, with which git names objects. */
#define HASH_BYTES 20
#define HEAD_BYTES 80
#define LINK_BYTES 4095
#define NAME_BYTES 256

enum entry { ENTRY_COMMIT, ENTRY_TREE, ENTRY_FILE, ENTRY_PROGRAM, ENTRY_LINK };
enum state { STATE_HEAD, STATE_BODY, STATE_NEWLINE, STATE_DONE };

/* A tree whose entries are being made. */
struct level {
	struct buf tree;
	size_t at;
	int dir_fd; /* owned, except for the first */
};

struct worker_unpack {
	enum state state;
	const char *why;
	/* what has to come next */
	enum entry entry;
	uint8_t hash[HASH_BYTES];
	char name[NAME_BYTES];
	/* what is coming */
	char head[HEAD_BYTES];
	size_t head_len;
	uint64_t left;
	EVP_MD_CTX *sha1; /* owned; of the bytes of the object so far */
	struct buf body;  /* all but files */
	int file_fd;
	uint64_t total;
	unsigned files;
	struct level levels[WORKER_CHECKOUT_DEPTH];
	int depth; /* -1: no tree yet */
	int dir_fd;
};

static int wrong(struct worker_unpack *u, const char *why)
{
	u->why = why;
	return -EBADMSG;
}

static int hex_read(const char *text, uint8_t ret[HASH_BYTES])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < 2 * (size_t)HASH_BYTES; i++) {
		const char *d =
			text[i] != '\0' ? strchr(digits, text[i]) : NULL;

		if (d == NULL)
			return -EINVAL;
		ret[i / 2] = (uint8_t)(ret[i / 2] << 4 | (d - digits));
	}
	return 0;
}

struct worker_unpack *worker_unpack_new(int dir_fd, const char *commit)
{
	struct worker_unpack *u = calloc(1, sizeof *u);

	if (u == NULL)
		return NULL;
	u->sha1 = EVP_MD_CTX_new();
	u->why = "the objects ended too early";
	u->dir_fd = dir_fd;
	u->file_fd = -1;
	u->depth = -1;
	u->body.cap_bytes = WORKER_TREE_BYTES;
	if (u->sha1 == NULL ||
	    EVP_DigestInit_ex(u->sha1, EVP_sha1(), NULL) != 1 ||
	    hex_read(commit, u->hash) < 0) {
		worker_unpack_free(u);
		return NULL;
	}
	return u;
}

static void level_done(struct worker_unpack *u)
{
	struct level *l = &u->levels[u->depth];

	buf_done(&l->tree);
	if (u->depth > 0)
		(void)close(l->dir_fd);
	u->depth--;
}

void worker_unpack_free(struct worker_unpack *u)
{
	if (u == NULL)
		return;
	while (u->depth >= 0)
		level_done(u);
	cleanup_fd(&u->file_fd);
	buf_done(&u->body);
	EVP_MD_CTX_free(u->sha1);
	free(u);
}

/* --- what a tree promises -------------------------------------------------- */

static bool is_name(const char *name, size_t n)
{
	return n > 0 && n < NAME_BYTES && memchr(name, '/', n) == NULL &&
	       strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	       strcasecmp(name, ".git") != 0;
}

/* An entry is "MODE NAME\0" and the hash.  Returns 0; 1 for a submodule, whose
 * directory stays empty; or -errno. */
static int entry_read(struct worker_unpack *u, struct level *l)
{
	static const struct {
		const char *mode;
		enum entry entry;
	} modes[] = {
		{ "40000", ENTRY_TREE },  { "100644", ENTRY_FILE },
		{ "100664", ENTRY_FILE }, { "100755", ENTRY_PROGRAM },
		{ "120000", ENTRY_LINK }, { "160000", ENTRY_COMMIT },
	};
	const char *at = l->tree.bytes + l->at;
	size_t left = l->tree.len - l->at;
	const char *end = memchr(at, '\0', left);
	const char *space =
		end != NULL ? memchr(at, ' ', (size_t)(end - at)) : NULL;

	if (space == NULL || left - (size_t)(end + 1 - at) < HASH_BYTES ||
	    !is_name(space + 1, (size_t)(end - space - 1)))
		return wrong(u, "a tree has a wrong entry");
	memcpy(u->name, space + 1, (size_t)(end - space));
	memcpy(u->hash, end + 1, HASH_BYTES);
	l->at += (size_t)(end + 1 - at) + HASH_BYTES;
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		size_t n = strlen(modes[i].mode);

		if (n != (size_t)(space - at) ||
		    memcmp(modes[i].mode, at, n) != 0)
			continue;
		u->entry = modes[i].entry;
		return u->entry == ENTRY_COMMIT;
	}
	return wrong(u, "a tree has an entry of an unknown kind");
}

/* Find the object that has to come next. */
static int advance(struct worker_unpack *u)
{
	while (u->depth >= 0) {
		struct level *l = &u->levels[u->depth];
		int r;

		if (l->at == l->tree.len) {
			level_done(u);
			continue;
		}
		if (++u->files > WORKER_CHECKOUT_FILES)
			return wrong(u, "too many files");
		r = entry_read(u, l);
		if (r <= 0)
			return r;
		if (mkdirat(l->dir_fd, u->name, 0755) < 0)
			return wrong(u, "a name comes twice");
	}
	u->state = STATE_DONE;
	u->why = NULL;
	return 0;
}

/* --- objects --------------------------------------------------------------- */

static int file_begin(struct worker_unpack *u)
{
	u->file_fd = outfile_make(u->levels[u->depth].dir_fd, u->name,
				  u->entry == ENTRY_PROGRAM ? 0755 : 0644);
	return u->file_fd < 0 ? wrong(u, "a file cannot be made") : 0;
}

/* "HASH TYPE SIZE" */
static int head_read(struct worker_unpack *u)
{
	static const char *const types[] = {
		[ENTRY_COMMIT] = "commit", [ENTRY_TREE] = "tree",
		[ENTRY_FILE] = "blob",     [ENTRY_PROGRAM] = "blob",
		[ENTRY_LINK] = "blob",
	};
	bool is_file = u->entry == ENTRY_FILE || u->entry == ENTRY_PROGRAM;
	const char *type = types[u->entry];
	size_t n = strlen(type);
	char own[HEAD_BYTES];
	const char *size;
	int len;

	if (u->head_len < 42 + n || u->head[40] != ' ' ||
	    memcmp(u->head + 41, type, n) != 0 || u->head[41 + n] != ' ')
		return wrong(u, "the object that was expected did not come");
	size = u->head + 42 + n;
	if (size[0] == '\0' || strlen(size) > 12 ||
	    strspn(size, "0123456789") != strlen(size))
		return wrong(u, "an object has no size");
	u->left = strtoull(size, NULL, 10);
	u->total += u->left;
	if (u->total > WORKER_CHECKOUT_BYTES ||
	    (!is_file &&
	     u->left >
		     (u->entry == ENTRY_LINK ? LINK_BYTES : WORKER_TREE_BYTES)))
		return wrong(u, "the commit is too large");
	len = snprintf(own, sizeof own, "%s %llu", type,
		       (unsigned long long)u->left);
	if (EVP_DigestInit_ex(u->sha1, NULL, NULL) != 1 ||
	    EVP_DigestUpdate(u->sha1, own, (size_t)len + 1) != 1)
		return wrong(u, "libcrypto cannot hash");
	u->head_len = 0;
	u->body.len = 0;
	u->state = u->left > 0 ? STATE_BODY : STATE_NEWLINE;
	return is_file ? file_begin(u) : 0;
}

static int tree_begin(struct worker_unpack *u)
{
	struct level *l;
	int fd = u->dir_fd;

	if (u->depth + 1 == WORKER_CHECKOUT_DEPTH)
		return wrong(u, "directories are nested too deep");
	if (u->depth >= 0) {
		int above = u->levels[u->depth].dir_fd;

		if (mkdirat(above, u->name, 0755) < 0)
			return wrong(u, "a name comes twice");
		fd = openat(above, u->name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			return wrong(u, "a directory cannot be opened");
	}
	l = &u->levels[++u->depth];
	*l = (struct level){ .tree = { .cap_bytes = WORKER_TREE_BYTES },
			     .dir_fd = fd };
	buf_add(&l->tree, u->body.bytes != NULL ? u->body.bytes : "",
		u->body.len);
	return buf_has_failed(&l->tree) ? wrong(u, "no memory") : advance(u);
}

static int commit_end(struct worker_unpack *u)
{
	if (u->body.len < 46 || memcmp(u->body.bytes, "tree ", 5) != 0 ||
	    u->body.bytes[45] != '\n' ||
	    hex_read(u->body.bytes + 5, u->hash) < 0)
		return wrong(u, "the commit names no tree");
	u->entry = ENTRY_TREE;
	return 0;
}

static int link_end(struct worker_unpack *u)
{
	buf_char(&u->body, '\0');
	if (buf_has_failed(&u->body) ||
	    strlen(u->body.bytes) + 1 != u->body.len ||
	    symlinkat(u->body.bytes, u->levels[u->depth].dir_fd, u->name) < 0)
		return wrong(u, "a link cannot be made");
	return advance(u);
}

static int object_end(struct worker_unpack *u)
{
	uint8_t hash[HASH_BYTES];

	if (EVP_DigestFinal_ex(u->sha1, hash, NULL) != 1 ||
	    memcmp(hash, u->hash, sizeof hash) != 0)
		return wrong(u, "an object is not what its hash says");
	cleanup_fd(&u->file_fd);
	u->state = STATE_HEAD;
	switch (u->entry) {
	case ENTRY_COMMIT:
		return commit_end(u);
	case ENTRY_TREE:
		return tree_begin(u);
	case ENTRY_LINK:
		return link_end(u);
	case ENTRY_FILE:
	case ENTRY_PROGRAM:
		break;
	}
	return advance(u);
}

/* --- bytes ----------------------------------------------------------------- */

static int head_take(struct worker_unpack *u, char c)
{
	if (c == '\n') {
		u->head[u->head_len] = '\0';
		return head_read(u);
	}
	if (c == '\0' || u->head_len + 1 == sizeof u->head)
		return wrong(u, "an object has no head");
	u->head[u->head_len++] = c;
	return 0;
}

static int body_take(struct worker_unpack *u, const char *bytes, size_t n)
{
	if (EVP_DigestUpdate(u->sha1, bytes, n) != 1)
		return wrong(u, "libcrypto cannot hash");
	u->left -= n;
	if (u->left == 0)
		u->state = STATE_NEWLINE;
	if (u->file_fd < 0)
		buf_add(&u->body, bytes, n);
	else if (outfile_write(u->file_fd, bytes, n) < 0)
		return wrong(u, "a file cannot be written");
	return buf_has_failed(&u->body) ? wrong(u, "no memory") : 0;
}

int worker_unpack_take(void *unpack, const char *bytes, size_t n)
{
	struct worker_unpack *u = unpack;
	int r = 0;

	while (n > 0 && r == 0) {
		size_t one = 1;

		switch (u->state) {
		case STATE_HEAD:
			r = head_take(u, *bytes);
			break;
		case STATE_BODY:
			one = n < u->left ? n : (size_t)u->left;
			r = body_take(u, bytes, one);
			break;
		case STATE_NEWLINE:
			r = *bytes == '\n' ? object_end(u)
					   : wrong(u, "an object has no end");
			break;
		case STATE_DONE:
			r = wrong(u, "something comes after the last file");
			break;
		}
		bytes += one;
		n -= one;
	}
	return r;
}

const char *worker_unpack_why(const struct worker_unpack *u)
{
	return u->why;
}
