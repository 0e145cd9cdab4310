/* seal.h -- which records of a log this user's cupel has written.
 *
 * A log may come with the repository, and --resume leaves out what it has.  So
 * a record carries a MAC, its last key, under a key of this user's (service/secret.h):
 * over the program's version, the repository (its real path and the inode of its
 * top directory) and every byte of the record before the MAC, among them the
 * flag and the hash of the flagged file.  A record of another repository,
 * another flag, another file or another version therefore does not count. */
#ifndef CUPEL_JOBS_CONFIRM_SEAL_H
#define CUPEL_JOBS_CONFIRM_SEAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/blake3.h"

struct buf;

struct seal {
	bool has_key;        /* false: nothing is sealed, nothing believed */
	struct blake3 start; /* keyed, with what all records share in it */
};

/* What all records of a log are about. */
struct seal_subject {
	const char *version; /* of the program */
	const char *repo;    /* its real path */
	uint64_t inode;      /* of its top directory */
};

/* seal_init -- with a key.  Pure. */
void seal_init(struct seal *ret, const uint8_t key[BLAKE3_KEY_BYTES],
	       const struct seal_subject *subject);

/* seal_open -- with this user's key, made when it is missing; without a cache
 * directory that is the user's alone there is none.
 *
 * @repo	its real path
 * @repo_fd	its top directory */
void seal_open(struct seal *ret, const char *repo, int repo_fd);

/* seal_write -- put the MAC into line: an object that ends with "}\n". */
void seal_write(const struct seal *s, struct buf *line);

/* seal_is_good -- whether line[0..n-1], without its newline, is as seal_write()
 * left it. */
bool seal_is_good(const struct seal *s, const char *line, size_t n);

#endif
