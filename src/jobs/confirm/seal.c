/* seal.c -- see seal.h. */
#include "jobs/confirm/seal.h"

#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/hooks.h"
#include "service/cache_dir.h"
#include "service/secret.h"

#define BEFORE ",\"seal\":\""
#define BEHIND "\"}"
/* BEFORE, "blake3:" and 64 digits, BEHIND */
#define SEAL_BYTES                                                             \
	(sizeof BEFORE - 1 + BLAKE3_TEXT_BYTES - 1 + sizeof BEHIND - 1)

/* Add a part with its length, so that two texts never run into each other. */
static void part_add(struct blake3 *b, const void *bytes, size_t n)
{
	uint64_t len = n;

	blake3_update(b, &len, sizeof len);
	blake3_update(b, bytes, n);
}

void seal_init(struct seal *ret, const uint8_t key[BLAKE3_KEY_BYTES],
	       const struct seal_subject *subject)
{
	static const char purpose[] = "cupel confirm: a record of a flag";

	*ret = (struct seal){ .has_key = true };
	blake3_init_keyed(&ret->start, key);
	part_add(&ret->start, purpose, sizeof purpose);
	part_add(&ret->start, subject->version, strlen(subject->version));
	part_add(&ret->start, subject->repo, strlen(subject->repo));
	part_add(&ret->start, &subject->inode, sizeof subject->inode);
}

void seal_open(struct seal *ret, const char *repo, int repo_fd)
{
	owned_fd int dir = cache_dir_open("confirm");
	uint8_t key[BLAKE3_KEY_BYTES] = { 0 };
	struct stat st;

	*ret = (struct seal){ 0 };
	if (dir >= 0 && fstat(repo_fd, &st) == 0 && secret_read(dir, key))
		seal_init(ret, key,
			  &(struct seal_subject){ .version = PACKAGE_VERSION,
						  .repo = repo,
						  .inode = st.st_ino });
	explicit_bzero(key, sizeof key);
}

static void mac(const struct seal *s, const char *bytes, size_t n,
		char ret[BLAKE3_TEXT_BYTES])
{
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 b = s->start;

	part_add(&b, bytes, n);
	blake3_final(&b, digest, sizeof digest);
	blake3_hex(digest, ret);
}

void seal_write(const struct seal *s, struct buf *line)
{
	char text[BLAKE3_TEXT_BYTES];

	if (!s->has_key || buf_has_failed(line) || line->len < 2)
		return;
	line->len -= 2; /* "}\n" */
	mac(s, line->bytes, line->len, text);
	buf_text(line, BEFORE);
	buf_text(line, text);
	buf_text(line, BEHIND "\n");
}

bool seal_is_good(const struct seal *s, const char *line, size_t n)
{
	char want[BLAKE3_TEXT_BYTES];
	const char *end;
	uint8_t differs = 0;

	if (test_wall_is_down(TEST_WALL_LOG_SEAL))
		return true;
	if (!s->has_key || n < SEAL_BYTES)
		return false;
	n -= SEAL_BYTES;
	end = line + n;
	if (memcmp(end, BEFORE, sizeof BEFORE - 1) != 0 ||
	    memcmp(end + SEAL_BYTES - (sizeof BEHIND - 1), BEHIND,
		   sizeof BEHIND - 1) != 0)
		return false;
	mac(s, line, n, want);
	end += sizeof BEFORE - 1;
	for (size_t i = 0; i < sizeof want - 1; i++)
		differs |= (uint8_t)(end[i] ^ want[i]);
	return differs == 0;
}
