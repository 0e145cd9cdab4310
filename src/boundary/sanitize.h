/* sanitize.h -- the last gate of the boundary.
 *
 * In this order, over the whole value each:
 *
 * 1. A field name that looks like a credential's is refused.  A name is split
 *    into words: at anything but letters and digits, between a small and a
 *    capital letter, before the last of several capitals ("APIKey" is API,
 *    Key), between letters and digits.  Case does not matter.  It is refused
 *    when
 *    - a word is one of password(s), passwd, passphrase, passcode, pwd,
 *      secret(s), credential(s), creds, token, or one of those run together
 *      with their usual company: apikey(s), privatekey, accesskey, secretkey,
 *      authtoken, accesstoken, refreshtoken, bearertoken, clientsecret;
 *    - "key" or "keys" follows api, private, access, auth, account,
 *      deploy, encryption, master, session, shared, signing, ssh, storage;
 *    - "tokens" follows api, access, auth, bearer, id, oauth, refresh,
 *      session.  Alone it is what lexers and models count.
 *    So "jsonwebtoken", "keyofStringsOnly", "tokenizer", "max_tokens",
 *    "primary_key", "public_key" and "keyboard" pass.
 *    Only names are judged, never values.
 * 2. Absolute paths of the host become relative: where one of the roots is
 *    in a string or name as a whole path or the head of one, it goes, with the
 *    slashes after it and a "file://" before it; a root alone becomes ".".
 * 3. Caps: the value written out, any one string, depth.  Over one is refused.
 *
 * Doing it twice changes nothing.  Strings that carry marks of a prompt
 * injection are counted and left as they are. */
#ifndef CUPEL_BOUNDARY_SANITIZE_H
#define CUPEL_BOUNDARY_SANITIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"

enum sanitize_code {
	SANITIZE_OK,
	SANITIZE_FIELD_NAME,     /* looks like a credential */
	SANITIZE_DUPLICATE_NAME, /* two names became one */
	SANITIZE_SIZE,
	SANITIZE_STRING,
	SANITIZE_DEPTH,
	SANITIZE_NO_MEMORY,
	SANITIZE_CODE_MAX_
};

/* Zero: that cap is not applied here. */
struct sanitize_limits {
	size_t bytes;      /* of the value as compact JSON */
	size_t text_bytes; /* of the JSON that it was read from */
	size_t string_bytes;
	unsigned depth;           /* containers within containers */
	const char *const *roots; /* absolute; NULL-terminated; may be NULL */
};

struct sanitize_report {
	enum sanitize_code code;
	const char *instance; /* RFC 6901, in the arena, printable; or NULL */
	size_t paths;         /* strings and names made relative */
	size_t markers;       /* strings and names with an injection mark */
};

/* sanitize_value -- in place; new strings come from the arena.
 *
 * @v	of at most JSON_DEPTH_MAX levels; half changed after a failure
 * Returns 0, or -EINVAL with ret->code saying why. */
int sanitize_value(struct json_value *v, const struct sanitize_limits *limits,
		   struct arena *arena, struct sanitize_report *ret);

const char *sanitize_code_name(enum sanitize_code code);

/* sanitize_is_credential -- rule 1 for one name. */
bool sanitize_is_credential(const char *name, size_t len);

/* sanitize_has_marker -- whether the text carries a mark of an injection. */
bool sanitize_has_marker(const char *text, size_t len);

/* sanitize_redact -- append text with "<redacted>" for each mark of an injection. */
void sanitize_redact(const char *text, size_t len, struct buf *out);

/* sanitize_path -- rule 2 for one text: the new text in the arena, or the same
 * when nothing had to go.  bytes is NULL without memory. */
struct json_text sanitize_path(struct arena *arena, struct json_text text,
			       const char *const *roots);

#endif
