/* chain_private.h -- what reading and writing a chain share. */
#ifndef CUPEL_JOBS_COMMON_CHAIN_PRIVATE_H
#define CUPEL_JOBS_COMMON_CHAIN_PRIVATE_H

#include "jobs/common/chain.h"

#define CHAIN_HEAD     "HEAD"
#define CHAIN_PENDING  ".pending"
#define CHAIN_HEAD_NEW ".head"

/* What HEAD says. */
struct chain_head {
	uint64_t position;
	char file[CHAIN_NAME_BYTES];
	char hash[BLAKE3_TEXT_BYTES];
};

/* chain_lock -- a descriptor of the directory that holds the lock.
 * Returns it, owned by the caller, or -errno. */
int chain_lock(int runs_fd, bool is_shared, struct cupel_error *err);

/* chain_is_name -- whether a record may have this name. */
bool chain_is_name(const char *name);

/* chain_stamp -- microseconds since 1970 of a record's name, or -1. */
int64_t chain_stamp(const char *name);

/* chain_hash -- the BLAKE3 of a regular file of the directory.
 * Returns NULL, or why there is none: static words. */
const char *chain_hash(int dir_fd, const char *name,
		       char ret[BLAKE3_TEXT_BYTES]);

/* chain_read -- read one record: its hash, and the place that it claims to
 * have.
 *
 * Returns NULL, or a static text that says why it is none. */
const char *chain_read(int dir_fd, const char *name, struct chain_link *ret,
		       char ret_hash[BLAKE3_TEXT_BYTES]);

/* chain_head_read -- Returns NULL (ret set; ret->file "" when there is no
 * HEAD), or why HEAD is none: static words. */
const char *chain_head_read(int dir_fd, struct chain_head *ret);

/* chain_last_name -- the name of a record that sorts last, "" for none. */
void chain_last_name(int dir_fd, char ret[CHAIN_NAME_BYTES]);

#endif
