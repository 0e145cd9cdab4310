/* jobs_seal.c -- a seal is good for the record that it was made for, and for no
 * other. */
#include "jobs/confirm/seal.h"

#include "base/buf.h"
#include "tap.h"

#define RECORD "{\"status\":\"no-bug-found\",\"file\":\"a.py\"}\n"

static const uint8_t key[BLAKE3_KEY_BYTES] = "the key of whoever runs this";

static struct seal seal_of(const uint8_t with[BLAKE3_KEY_BYTES],
			   const char *version, const char *repo,
			   uint64_t inode)
{
	struct seal s;

	seal_init(&s, with, &(struct seal_subject){ version, repo, inode });
	return s;
}

static void sealed(const struct seal *s, struct buf *ret)
{
	buf_text(ret, RECORD);
	seal_write(s, ret);
}

static bool is_good(const struct seal *s, const struct buf *line)
{
	return seal_is_good(s, line->bytes, line->len - 1);
}

static void holds_for_its_subject_only(void)
{
	static const uint8_t theirs[BLAKE3_KEY_BYTES] = "another user's";
	const struct seal s = seal_of(key, "1", "/r", 7);
	const struct seal others[] = {
		seal_of(theirs, "1", "/r", 7), seal_of(key, "2", "/r", 7),
		seal_of(key, "1", "/s", 7),    seal_of(key, "1", "/r", 8),
		seal_of(key, "1/", "r", 7),    { 0 },
	};
	struct buf line = { 0 };

	sealed(&s, &line);
	ok(is_good(&s, &line));
	ok(strncmp(line.bytes, RECORD, sizeof RECORD - 3) == 0);
	ok(strcmp(line.bytes + line.len - 3, "\"}\n") == 0);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct buf other = { 0 };

		ok(!is_good(&others[i], &line));
		sealed(&others[i], &other);
		ok(!is_good(&s, &other));
		buf_done(&other);
	}
	buf_done(&line);
}

/* No byte of the line can be changed, removed or added. */
static void holds_for_every_byte(void)
{
	const struct seal s = seal_of(key, "1", "/r", 7);
	struct buf line = { 0 };

	sealed(&s, &line);
	for (size_t i = 0; i < line.len - 1; i++) {
		line.bytes[i] ^= 1;
		ok(!is_good(&s, &line));
		line.bytes[i] ^= 1;
		ok(!seal_is_good(&s, line.bytes, i));
		ok(!seal_is_good(&s, line.bytes + i + 1, line.len - 2 - i));
	}
	ok(is_good(&s, &line));
	ok(!seal_is_good(&s, line.bytes, line.len));
	buf_done(&line);
}

static void without_a_key_nothing_is_sealed(void)
{
	const struct seal none = { 0 };
	struct buf line = { 0 };

	sealed(&none, &line);
	ok(strcmp(line.bytes, RECORD) == 0);
	ok(!is_good(&none, &line));
	buf_done(&line);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(holds_for_its_subject_only), CASE(holds_for_every_byte),
		CASE(without_a_key_nothing_is_sealed), TAP_END });
}
