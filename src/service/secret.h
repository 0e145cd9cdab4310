/* secret.h -- a key of this user's alone, made at random once.
 *
 * What carries a MAC under it was written by this user's cupel, on this
 * machine: nobody else can read the key, and no vessel has it inside. */
#ifndef CUPEL_SERVICE_SECRET_H
#define CUPEL_SERVICE_SECRET_H

#include <stdbool.h>

#include "base/blake3.h"

/* secret_read -- the key in dir_fd, which cache_dir_open() opened; made when it
 * is missing.  One that others could have read or written is not believed and
 * makes room for another.
 *
 * Returns false where there cannot be one; *ret is then not to be used. */
bool secret_read(int dir_fd, uint8_t ret[BLAKE3_KEY_BYTES]);

#endif
