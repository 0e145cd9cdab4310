/* digest.h -- what a lockfile says of a package's content. */
#ifndef CUPEL_PARSERS_COMMON_DIGEST_H
#define CUPEL_PARSERS_COMMON_DIGEST_H

#include "base/blake3.h"
#include "boundary/json.h"

/* Sorted by strength. */
enum digest_kind {
	DIGEST_NONE, /* nothing, or a text that is not a digest */
	DIGEST_MD5,
	DIGEST_SHA1,
	DIGEST_SHA224,
	DIGEST_COMMIT, /* of git, by its whole name */
	DIGEST_SHA256,
	DIGEST_SHA384,
	DIGEST_SHA512,
	DIGEST_KINDS_
};

/* digest_sri_read -- the strongest digest of "ALGORITHM-BASE64 ...", which is the one
 * that installers compare.  One that is not of its algorithm's length does not count,
 * as it does not for them.
 * Source: W3C Subresource Integrity, 3.3; npm's ssri. */
enum digest_kind digest_sri_read(struct json_text t);

/* digest_hex_read -- the kind of a digest in hexadecimal digits, by its length. */
enum digest_kind digest_hex_read(struct json_text t);

/* digest_named_read -- the same of "ALGORITHM:HEX" or "ALGORITHM=HEX", in which the
 * name has to fit the length.  Source: pip, "Secure installs". */
enum digest_kind digest_named_read(struct json_text t);

/* digest_commit_read -- whether t is the whole name of a commit, or an address that ends
 * with one, behind the last '#' or '=': DIGEST_COMMIT or DIGEST_NONE. */
enum digest_kind digest_commit_read(struct json_text url);

/* The content of one package: its addresses and its digests.  Zero is valid: nothing
 * is known. */
#define DIGEST_PRINT_CHARS 20U
struct digest_content {
	enum digest_kind kind; /* the weakest */
	bool is_known;         /* there is something */
	bool is_local; /* it comes from a directory, or with another one */
	char print[DIGEST_PRINT_CHARS]; /* of all that was added */
};

/* digest_content_add -- add a digest as it is written, with the address of what it is
 * of; either may have bytes NULL. */
void digest_content_add(struct digest_content *c, enum digest_kind kind,
			struct json_text digest, struct json_text address);

/* digest_name -- "sha256"; "none" of DIGEST_NONE. */
const char *digest_name(enum digest_kind kind);

#endif
