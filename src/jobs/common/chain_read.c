/* chain_read.c -- reads records and HEAD as the hostile bytes that they may
 * be. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "boundary/json.h"
#include "jobs/common/beneath.h"
#include "jobs/common/chain_private.h"

#define HEAD_BYTES   ((size_t)1024)
#define READ_BYTES   ((size_t)256 << 10)
#define TREE_BYTES   ((size_t)256 << 20) /* 50,000 inputs take 20 MiB */
#define SHORT_DIGITS 12
#define NAME_FORM    "ddddddddTdddddd.ddddddZ-xxxxxxxxxxxx.json"
#define SHORT_AT     24 /* of the first x */

bool chain_is_name(const char *name)
{
	static const char form[] = NAME_FORM;
	size_t i = 0;

	for (; form[i] != '\0'; i++) {
		char c = name[i];
		bool is_digit = c >= '0' && c <= '9';

		if (form[i] == 'd'   ? !is_digit
		    : form[i] == 'x' ? !is_digit && (c < 'a' || c > 'f')
				     : c != form[i])
			return false;
	}
	return name[i] == '\0' && chain_stamp(name) >= 0;
}

static int digits(const char *s, int n)
{
	int value = 0;

	for (int i = 0; i < n; i++)
		value = value * 10 + (s[i] - '0');
	return value;
}

int64_t chain_stamp(const char *name)
{
	struct tm t = { .tm_year = digits(name, 4) - 1900,
			.tm_mon = digits(name + 4, 2) - 1,
			.tm_mday = digits(name + 6, 2),
			.tm_hour = digits(name + 9, 2),
			.tm_min = digits(name + 11, 2),
			.tm_sec = digits(name + 13, 2) };
	time_t s = timegm(&t);

	return s < 0 ? -1 : (int64_t)s * 1000000 + digits(name + 16, 6);
}

/* At most cap bytes into out (which may be NULL) and into the hash. */
static const char *file_read(int dir_fd, const char *name, size_t cap,
			     struct buf *out, struct blake3 *hash)
{
	owned_fd int fd = -1;
	owned_mem char *block = malloc(READ_BYTES);
	enum beneath b;
	off_t size = 0;
	size_t total = 0;

	b = beneath_open_file(dir_fd, name, &fd, &size);
	if (b == BENEATH_VANISHED)
		return "is not there";
	if (b == BENEATH_SYMLINK)
		return "is a symbolic link";
	if (b == BENEATH_UNREADABLE)
		return "cannot be read";
	if (b != BENEATH_OK)
		return "is not a regular file";
	if (block == NULL)
		return "cannot be read: no memory";
	while (total <= cap) {
		ssize_t n = read(fd, block, READ_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return "cannot be read";
		if (n == 0)
			return NULL;
		total += (size_t)n;
		blake3_update(hash, block, (size_t)n);
		if (out != NULL)
			buf_add(out, block, (size_t)n);
	}
	return "is longer than a record can be";
}

static void hash_end(const struct blake3 *b, char ret[BLAKE3_TEXT_BYTES])
{
	uint8_t digest[BLAKE3_BYTES];

	blake3_final(b, digest, sizeof digest);
	blake3_hex(digest, ret);
}

const char *chain_hash(int dir_fd, const char *name,
		       char ret[BLAKE3_TEXT_BYTES])
{
	struct blake3 b;
	const char *why;

	blake3_init(&b);
	why = file_read(dir_fd, name, CHAIN_RECORD_BYTES, NULL, &b);
	if (why == NULL)
		hash_end(&b, ret);
	return why;
}

static bool is_hash(const char *text)
{
	return strncmp(text, "blake3:", 7) == 0 &&
	       strspn(text + 7, "0123456789abcdef") == 64 && text[71] == '\0';
}

/* A string of fewer than room bytes, or null as "". */
static bool text_take(const struct json_value *v, const char *name, char *ret,
		      size_t room)
{
	const struct json_value *t = json_find(v, name);

	ret[0] = '\0';
	if (t != NULL && t->type == JSON_NULL)
		return true;
	if (t == NULL || t->type != JSON_STRING || t->u.string.len == 0 ||
	    t->u.string.len >= room ||
	    strlen(t->u.string.bytes) != t->u.string.len)
		return false;
	memcpy(ret, t->u.string.bytes, t->u.string.len + 1);
	return true;
}

static bool link_take(const struct json_value *v, struct chain_link *ret)
{
	const struct json_value *position = json_find(v, "position");

	if (position == NULL || json_read_u64(position, &ret->position) < 0 ||
	    ret->position == 0 ||
	    !text_take(v, "previous", ret->previous, sizeof ret->previous) ||
	    !text_take(v, "previous_file", ret->previous_file,
		       sizeof ret->previous_file) ||
	    !text_take(v, "chain_broken", ret->broken, sizeof ret->broken))
		return false;
	if (ret->previous[0] == '\0')
		return ret->position == 1 && ret->previous_file[0] == '\0';
	return ret->position > 1 && is_hash(ret->previous) &&
	       chain_is_name(ret->previous_file) && ret->broken[0] == '\0';
}

const char *chain_load(int dir_fd, const char *name, struct arena *arena,
		       struct json_value *ret, char ret_hash[BLAKE3_TEXT_BYTES])
{
	owned_buf struct buf text = { 0 };
	const struct json_caps caps = { .text_bytes = CHAIN_RECORD_BYTES,
					.string_bytes = CHAIN_RECORD_BYTES,
					.memory_bytes = TREE_BYTES };
	struct json_error e;
	struct blake3 b;
	const char *why;

	blake3_init(&b);
	why = file_read(dir_fd, name, CHAIN_RECORD_BYTES, &text, &b);
	if (why != NULL)
		return why;
	hash_end(&b, ret_hash);
	if (strncmp(ret_hash + 7, name + SHORT_AT, SHORT_DIGITS) != 0)
		return "was changed: its bytes do not match its name";
	if (json_parse(text.bytes ? text.bytes : "", text.len, &caps, arena,
		       ret, &e) < 0)
		return "is not a run record: it is not JSON";
	return NULL;
}

const char *chain_read(int dir_fd, const char *name, struct chain_link *ret,
		       char ret_hash[BLAKE3_TEXT_BYTES])
{
	struct arena arena = { 0 };
	struct json_value v;
	const char *why = chain_load(dir_fd, name, &arena, &v, ret_hash);

	if (why == NULL && !link_take(&v, ret))
		why = "is not a run record: it does not give its place in the "
		      "chain";
	arena_done(&arena);
	return why;
}

static bool head_take(const struct json_value *v, struct chain_head *ret)
{
	const struct json_value *position = json_find(v, "position");

	return position != NULL &&
	       json_read_u64(position, &ret->position) == 0 &&
	       ret->position > 0 &&
	       text_take(v, "file", ret->file, sizeof ret->file) &&
	       text_take(v, "blake3", ret->hash, sizeof ret->hash) &&
	       chain_is_name(ret->file) && is_hash(ret->hash);
}

const char *chain_head_read(int dir_fd, struct chain_head *ret)
{
	owned_buf struct buf text = { 0 };
	struct arena arena = { .cap_bytes = HEAD_BYTES * 64 };
	struct json_value v;
	struct json_error e;
	struct blake3 b;
	const char *why;

	*ret = (struct chain_head){ 0 };
	if (faccessat(dir_fd, CHAIN_HEAD, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
	    errno == ENOENT)
		return NULL;
	blake3_init(&b);
	why = file_read(dir_fd, CHAIN_HEAD, HEAD_BYTES, &text, &b);
	if (why == NULL && (json_parse(text.bytes ? text.bytes : "", text.len,
				       NULL, &arena, &v, &e) < 0 ||
			    !head_take(&v, ret)))
		why = "does not name a record and its hash";
	arena_done(&arena);
	return why;
}

void chain_last_name(int dir_fd, char ret[CHAIN_NAME_BYTES])
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *d;
	size_t seen = 0;

	ret[0] = '\0';
	if (dir == NULL && fd >= 0)
		close(fd);
	while (dir != NULL && seen++ < CHAIN_NAMES_MAX &&
	       (d = readdir(dir)) != NULL)
		if (chain_is_name(d->d_name) && strcmp(d->d_name, ret) > 0)
			memcpy(ret, d->d_name, strlen(d->d_name) + 1);
	if (dir != NULL)
		closedir(dir);
}

int chain_newest(int runs_fd, char ret_name[CHAIN_NAME_BYTES])
{
	struct chain_head head;
	const char *why = chain_head_read(runs_fd, &head);
	char name[CHAIN_NAME_BYTES];

	if (why == NULL && head.file[0] != '\0')
		memcpy(name, head.file, sizeof name);
	else
		chain_last_name(runs_fd, name);
	if (name[0] == '\0')
		return why == NULL ? -ENOENT : -EINVAL;
	memcpy(ret_name, name, sizeof name);
	return 0;
}
