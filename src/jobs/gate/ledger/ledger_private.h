/* ledger_private.h -- what reading and writing a ledger share. */
#ifndef CUPEL_JOBS_GATE_LEDGER_PRIVATE_H
#define CUPEL_JOBS_GATE_LEDGER_PRIVATE_H

#include "jobs/gate/ledger/ledger.h"

/* HEAD: twenty digits, a space, a hash, a newline.  It always has the same
 * length, so that one call can write it in place. */
#define LEDGER_HEAD_BYTES 93U
#define LEDGER_HASH_NULL                                                       \
	"blake3:"                                                              \
	"0000000000000000000000000000000000000000000000000000000000000000"

/* ledger_head_write -- write HEAD as text; hash "" stands for none. */
void ledger_head_write(uint64_t seq, const char *hash,
		       char ret[LEDGER_HEAD_BYTES + 1]);

#endif
