/* ledger_check.c -- checks whether a ledger is whole.  See ledger.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/ledger_private.h"

#define HASH_KEY    ",\"hash\":\""
#define HASH_BYTES  (BLAKE3_TEXT_BYTES - 1U)
#define TRAIL_BYTES (sizeof HASH_KEY - 1 + HASH_BYTES + 2) /* and "} */

/* A value tree for each record, and a list of them. */
#define MEMORY_BYTES (LEDGER_BYTES * 24)

static int broken(struct cupel_error *err, uint64_t line, const char *why)
{
	(void)cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			 "line %llu: %s", (unsigned long long)line, why);
	return LEDGER_BROKEN;
}

bool ledger_is_hash(const char *s, size_t n)
{
	if (n != HASH_BYTES || memcmp(s, "blake3:", 7) != 0)
		return false;
	return strspn(s + 7, "0123456789abcdef") >= HASH_BYTES - 7;
}

void ledger_head_write(uint64_t seq, const char *hash,
		       char ret[LEDGER_HEAD_BYTES + 1])
{
	(void)snprintf(ret, LEDGER_HEAD_BYTES + 1, "%020llu %s\n",
		       (unsigned long long)seq,
		       hash[0] != '\0' ? hash : LEDGER_HASH_NULL);
}

/* Whether ledger_head_write() can have made the text, and from what. */
static bool head_read(const char *text, uint64_t *ret_seq,
		      char ret_hash[BLAKE3_TEXT_BYTES])
{
	char hash[BLAKE3_TEXT_BYTES], again[LEDGER_HEAD_BYTES + 1];
	uint64_t seq;

	if (strlen(text) != LEDGER_HEAD_BYTES ||
	    !ledger_is_hash(text + 21, HASH_BYTES))
		return false;
	seq = strtoull(text, NULL, 10);
	(void)snprintf(hash, sizeof hash, "%s", text + 21);
	if (strcmp(hash, LEDGER_HASH_NULL) == 0)
		hash[0] = '\0';
	ledger_head_write(seq, hash, again);
	if (memcmp(text, again, LEDGER_HEAD_BYTES) != 0)
		return false;
	*ret_seq = seq;
	memcpy(ret_hash, hash, sizeof hash);
	return true;
}

/* Check the hash that the line has against its bytes.  Returns NULL, or what is
 * wrong: static words. */
static const char *hash_check(const char *line, size_t n,
			      char ret[BLAKE3_TEXT_BYTES])
{
	const char *trail = line + n - TRAIL_BYTES;
	const char *said = trail + sizeof HASH_KEY - 1;
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 b;

	if (n <= TRAIL_BYTES ||
	    memcmp(trail, HASH_KEY, sizeof HASH_KEY - 1) != 0 ||
	    !ledger_is_hash(said, HASH_BYTES) || line[n - 2] != '"' ||
	    line[n - 1] != '}')
		return "does not end with its hash";
	blake3_init(&b);
	blake3_update(&b, line, n - TRAIL_BYTES);
	blake3_update(&b, "}", 1);
	blake3_final(&b, digest, sizeof digest);
	blake3_hex(digest, ret);
	return memcmp(ret, said, HASH_BYTES) == 0
		       ? NULL
		       : "was changed: its hash does not match";
}

/* Whether prev equals hash; "" stands for null. */
static bool is_prev(const struct json_value *prev, const char *hash)
{
	if (prev == NULL)
		return false;
	return hash[0] == '\0' ? prev->type == JSON_NULL
			       : json_is_text(prev, hash);
}

/* The first record must follow what the caller gave, or else any hash or
 * null. */
static const char *first_check(const struct json_value *prev,
			       const char *chain_head)
{
	if (chain_head != NULL)
		return is_prev(prev, chain_head)
			       ? NULL
			       : "does not follow the hash of --chain-head";
	if (prev != NULL &&
	    (prev->type == JSON_NULL ||
	     (prev->type == JSON_STRING &&
	      ledger_is_hash(prev->u.string.bytes, prev->u.string.len))))
		return NULL;
	return "has no prev";
}

/* Add one whole line, without its newline, as the next record. */
static const char *line_check(const char *line, size_t n,
			      const char *chain_head, struct ledger_book *b)
{
	const struct json_caps caps = { .text_bytes = LEDGER_LINE_BYTES,
					.string_bytes = LEDGER_LINE_BYTES };
	struct json_value *v = &b->records[b->len];
	const struct json_value *prev;
	char hash[BLAKE3_TEXT_BYTES];
	const char *why;
	struct json_error e;
	uint64_t seq;

	if (n > LEDGER_LINE_BYTES)
		return "is longer than a record may be";
	why = hash_check(line, n, hash);
	if (why != NULL)
		return why;
	if (json_parse(line, n, &caps, &b->arena, v, &e) < 0)
		return e.code == JSON_NO_MEMORY ? "could not be read: no memory"
						: "is not JSON";
	if (json_find(v, "seq") == NULL ||
	    json_read_u64(json_find(v, "seq"), &seq) < 0 || seq != b->len + 1)
		return "has the wrong seq for its place";
	prev = json_find(v, "prev");
	why = b->len == 0 ? first_check(prev, chain_head) : NULL;
	if (b->len > 0 && !is_prev(prev, b->hash))
		why = "does not follow the line before it";
	if (why != NULL)
		return why;
	memcpy(b->hash, hash, sizeof hash);
	b->len++;
	b->bytes += (off_t)n + 1;
	return NULL;
}

/* Whether hash is that of record seq; for 0, the one that the first record
 * follows. */
static bool is_hash_of(const struct ledger_book *b, uint64_t seq,
		       const char *hash)
{
	if (seq == 0)
		return b->len == 0 ||
		       is_prev(json_find(&b->records[0], "prev"), hash);
	return json_is_text(json_find(&b->records[seq - 1], "hash"), hash);
}

/* Check what HEAD says against the records that were read. */
static int head_check(struct ledger_book *b, const char *head,
		      struct cupel_error *err)
{
	char hash[BLAKE3_TEXT_BYTES];
	uint64_t seq;

	if (head == NULL || head[0] == '\0')
		return b->len == 0 && !b->is_torn
			       ? 0
			       : broken(err, b->len + b->is_torn,
					LEDGER_HEAD " is missing");
	if (!head_read(head, &seq, hash))
		return broken(err, b->len, LEDGER_HEAD " names no record");
	if (seq > b->len)
		return broken(err, b->len + 1,
			      b->is_torn ? "is cut short"
					 : "is missing, and " LEDGER_HEAD
					   " names it or a later one");
	if (!is_hash_of(b, seq, hash))
		return broken(err, seq > 0 ? seq : 1,
			      LEDGER_HEAD " names another hash");
	if (b->len == 0)
		memcpy(b->hash, hash, sizeof b->hash);
	return 0;
}

static size_t lines_count(const char *bytes, size_t n)
{
	size_t lines = 1;

	for (const char *p = bytes; n > 0; lines++) {
		const char *eol = memchr(p, '\n', n);

		if (eol == NULL)
			break;
		n -= (size_t)(eol + 1 - p);
		p = eol + 1;
	}
	return lines;
}

int ledger_check(const char *bytes, size_t n, const char *head,
		 const char *chain_head, struct ledger_book *ret,
		 struct cupel_error *err)
{
	const char *at = bytes, *end = bytes + n;

	ret->arena.cap_bytes = MEMORY_BYTES;
	ret->records = arena_array(&ret->arena, lines_count(bytes, n),
				   sizeof *ret->records);
	if (ret->records == NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "the ledger: no memory");
	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		const char *why;

		ret->is_torn = eol == NULL;
		if (ret->is_torn)
			break;
		why = line_check(at, (size_t)(eol - at), chain_head, ret);
		if (why != NULL)
			return broken(err, ret->len + 1, why);
		at = eol + 1;
	}
	return head_check(ret, head, err);
}

void ledger_book_done(struct ledger_book *b)
{
	arena_done(&b->arena);
	*b = (struct ledger_book){ 0 };
}
