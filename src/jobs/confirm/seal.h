/* seal.h -- which records of a log this user's cupel has written.
 *
 * A log may come with the repository, and --resume leaves out the flags that
 * are in it.  So the last member of a record is a MAC, made with a secret key
 * of this user (service/secret.h).  It covers the program's version, the
 * repository (its real path and the inode of its top directory) and every byte
 * of the record before the MAC, including the flag and the hash of the flagged
 * file.  A record of another repository, another flag, another file or another
 * version therefore does not count. */
#ifndef CUPEL_JOBS_CONFIRM_SEAL_H
#define CUPEL_JOBS_CONFIRM_SEAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/blake3.h"

struct buf;

struct seal {
	bool has_key; /* keyed, and fed what all records share */
	struct blake3
		start; /* keyed, with what all records share already in it */
};

/* What the records of a log have in common. */
struct seal_subject {
	const char *version; /* of the program */
	const char *repo;    /* its real path */
	uint64_t inode;      /* of its top directory */
};

/* seal_init -- begin with this key.  Pure. */
void seal_init(struct seal *ret, const uint8_t key[BLAKE3_KEY_BYTES],
	       const struct seal_subject *subject);

/* seal_open -- begin with this user's key, which is made if it is missing.
 * There is no key without a cache directory that belongs to the user alone.
 *
 * @repo	its real path
 * @repo_fd	its top directory */
void seal_open(struct seal *ret, const char *repo, int repo_fd);

/* seal_write -- put the MAC into line: an object that ends with "}\n". */
void seal_write(const struct seal *s, struct buf *line);

/* seal_is_good -- whether line[0..n-1], without its newline, is what
 * seal_write() made. */
bool seal_is_good(const struct seal *s, const char *line, size_t n);

#endif
