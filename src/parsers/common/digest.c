/* digest.c -- see digest.h. */
#include "parsers/common/digest.h"

#include <stdbool.h>
#include <string.h>

#include "parsers/common/text_piece.h"

static const struct {
	const char *name;
	size_t bytes;
} kinds[DIGEST_KINDS_] = {
	[DIGEST_NONE] = { "none", 0 },      [DIGEST_MD5] = { "md5", 16 },
	[DIGEST_SHA1] = { "sha1", 20 },     [DIGEST_SHA224] = { "sha224", 28 },
	[DIGEST_COMMIT] = { "commit", 0 },  [DIGEST_SHA256] = { "sha256", 32 },
	[DIGEST_SHA384] = { "sha384", 48 }, [DIGEST_SHA512] = { "sha512", 64 },
};

static const char base64[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	"0123456789+/";

const char *digest_name(enum digest_kind kind)
{
	return kinds[kind].name;
}

static enum digest_kind kind_find(struct json_text name)
{
	enum digest_kind kind = DIGEST_KINDS_;

	while (--kind > DIGEST_NONE && !text_is(name, kinds[kind].name))
		;
	return kind;
}

/* Whether t is base64 of that many bytes, with its padding. */
static bool is_base64(struct json_text t, size_t bytes)
{
	const size_t chars = (bytes * 8 + 5) / 6;

	if (t.len != (bytes + 2) / 3 * 4)
		return false;
	for (size_t i = 0; i < t.len; i++)
		if (i < chars ? t.bytes[i] == '\0' ||
					strchr(base64, t.bytes[i]) == NULL
			      : t.bytes[i] != '=')
			return false;
	return true;
}

enum digest_kind digest_sri_read(struct json_text t)
{
	enum digest_kind best = DIGEST_NONE;

	while (t.len > 0) {
		struct json_text word, rest;
		enum digest_kind kind;

		word = text_first(t, text_length_before(t, " \t\r\n\v\f"));
		t = text_from(t, word.len + 1);
		word = text_first(word, text_length_before(word, "?"));
		kind = kind_find(text_cut(word, '-', &rest));
		if (kind > best && rest.bytes != NULL &&
		    is_base64(rest, kinds[kind].bytes))
			best = kind;
	}
	return best;
}

enum digest_kind digest_hex_read(struct json_text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.bytes[i] == '\0' ||
		    strchr("0123456789abcdefABCDEF", t.bytes[i]) == NULL)
			return DIGEST_NONE;
	for (enum digest_kind k = DIGEST_MD5; k < DIGEST_KINDS_; k++)
		if (t.len > 0 && t.len == 2 * kinds[k].bytes)
			return k;
	return DIGEST_NONE;
}

enum digest_kind digest_named_read(struct json_text t)
{
	const size_t n = text_length_before(t, ":=");
	const enum digest_kind kind = kind_find(text_first(t, n));

	if (n >= t.len || kind != digest_hex_read(text_from(t, n + 1)))
		return DIGEST_NONE;
	return kind;
}

enum digest_kind digest_commit_read(struct json_text url)
{
	enum digest_kind kind;
	size_t n = url.len;

	while (n > 0 && strchr("#=", url.bytes[n - 1]) == NULL)
		n--;
	kind = digest_hex_read(text_from(url, n));
	return kind == DIGEST_SHA1 || kind == DIGEST_SHA256 ? DIGEST_COMMIT
							    : DIGEST_NONE;
}

void digest_content_add(struct digest_content *c, enum digest_kind kind,
			struct json_text digest, struct json_text address)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn"
				      "opqrstuvwxyz0123456789-_";
	uint8_t out[DIGEST_PRINT_CHARS];
	struct blake3 b;

	c->kind = c->is_known && c->kind < kind ? c->kind : kind;
	c->is_known = true;
	blake3_init(&b);
	blake3_update(&b, c->print, sizeof c->print);
	blake3_update(&b, digest.len > 0 ? digest.bytes : "", digest.len);
	blake3_update(&b, "\n", 1);
	blake3_update(&b, address.len > 0 ? address.bytes : "", address.len);
	blake3_final(&b, out, sizeof out);
	for (size_t i = 0; i < sizeof out; i++)
		c->print[i] = letters[out[i] % 64];
}
