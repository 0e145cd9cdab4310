/* address_query.c -- queries and fragments of addresses.  See address_query.h. */
#include <string.h>

#include "parsers/common/address_clean.h"
#include "parsers/common/address_query.h"
#include "parsers/common/text_piece.h"

#define KEY_MAX 32U /* of a longer key only so much is read */

/* The keys of a query and of a fragment that are kept: they say which files,
 * not who. */
static const char kept_keys[] =
	"egg subdirectory rev tag branch ref commit commit-ish cwd workspace "
	"head "
	"semver path md5 sha1 sha224 sha256 sha384 sha512";

bool address_is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

/* A branch, a tag, a commit, a hash; more: other bytes that may be in it. */
static bool is_plain(struct json_text t, const char *more)
{
	for (size_t i = 0; i < t.len; i++)
		if (!address_is_word_byte(t.bytes[i]) &&
		    (t.bytes[i] == '\0' ||
		     (strchr("_~^*@/", t.bytes[i]) == NULL &&
		      strchr(more, t.bytes[i]) == NULL)))
			return false;
	return t.len > 0;
}

/* "egg=name", "v1.2", "semver:^1".  Of a query, only what has a key is kept. */
static bool is_kept(struct json_text piece, bool is_query)
{
	struct json_text value, key = text_cut(piece, '=', &value);

	if (text_begins(piece, "semver:"))
		return is_plain(text_from(piece, 7), "<>|") ||
		       (is_plain(text_from(piece, 9), "<>|") &&
			(text_begins(piece, "semver:>=") ||
			 text_begins(piece, "semver:<=")));
	if (text_begins(piece, "path:"))
		return is_plain(text_from(piece, 5), "");
	if (value.bytes == NULL)
		return !is_query && is_plain(piece, "");
	return text_in(key, kept_keys) && is_plain(value, ":%[],");
}

void address_pieces_put(struct buf *out, struct json_text t)
{
	const bool is_query = text_begins(t, "?");
	size_t n = is_query ? text_length_before(t, "#") : t.len;
	struct json_text pieces = text_from(text_first(t, n), 1);
	char before = t.bytes[0];

	while (pieces.bytes != NULL) {
		struct json_text piece = text_cut(pieces, '&', &pieces);

		if (!is_kept(piece, is_query))
			continue;
		buf_char(out, before);
		buf_add(out, piece.bytes, piece.len);
		before = '&';
	}
	if (n < t.len)
		address_pieces_put(out, text_from(t, n));
}

/* Whether the value of a key in a query is a secret by the key's name. */
static bool is_secret_key(struct json_text key)
{
	static const char *const parts[] = {
		"token", "secret", "passw", "apikey", "credential", "signature"
	};
	char name[KEY_MAX];
	struct json_text low = { name, key.len };

	if (key.len >= sizeof name)
		low.len = sizeof name;
	for (size_t i = 0; i < low.len; i++)
		name[i] = (char)(key.bytes[i] >= 'A' && key.bytes[i] <= 'Z'
					 ? key.bytes[i] - 'A' + 'a'
					 : key.bytes[i]);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (text_has(low, parts[i]))
			return true;
	return text_ends(low, "key") ||
	       text_in(low, "auth authorization oauth sig pass pwd jwt sas");
}

void address_secrets_drop(struct buf *out, struct json_text word)
{
	size_t n = text_length_before(word, "?#");

	buf_add(out, word.bytes, n);
	word = text_from(word, n);
	while (word.len > 0) {
		struct json_text key = text_from(word, 1);

		n = 1 + text_length_before(key, "=&?#;");
		key.len = n - 1;
		buf_add(out, word.bytes, n);
		word = text_from(word, n);
		if (!text_begins(word, "="))
			continue;
		if (is_secret_key(key) && !text_begins(word, "=$")) {
			buf_char(out, '=');
			word = text_from(
				word,
				text_length_before(word, "&?#;\"'`()[]{}<>|"));
		}
		n = text_length_before(word, "&?#;");
		buf_add(out, word.bytes, n);
		word = text_from(word, n);
	}
}

bool address_fragment_clean(struct json_text t, struct buf *out)
{
	owned_buf struct buf whole = { .cap_bytes = ADDRESS_WORD_MAX + 1 };
	owned_buf struct buf pieces = { .cap_bytes = ADDRESS_WORD_MAX + 1 };

	if (!text_has(t, "="))
		return false;
	buf_char(&whole, '#');
	buf_add(&whole, t.bytes, t.len);
	if (buf_has_failed(&whole)) {
		out->failed = true;
		return true;
	}
	address_pieces_put(&pieces,
			   (struct json_text){ whole.bytes, whole.len });
	if (buf_has_failed(&pieces))
		out->failed = true;
	else if (pieces.len > 1)
		buf_add(out, pieces.bytes + 1, pieces.len - 1);
	return true;
}
