/* secret.h -- a key that only this user has, made at random once.
 *
 * Data with a MAC under it was written by this user's cupel, on this machine:
 * nobody else can read the key, and no vessel contains it. */
#ifndef CUPEL_SERVICE_SECRET_H
#define CUPEL_SERVICE_SECRET_H

#include <stdbool.h>

#include "base/blake3.h"

/* secret_read -- read the key in dir_fd, which cache_dir_open() opened, and
 * make it if it is missing.  A key that others could have read or written is
 * not believed, and is replaced.
 *
 * Returns false if there cannot be one; *ret is then not to be used. */
bool secret_read(int dir_fd, uint8_t ret[BLAKE3_KEY_BYTES]);

#endif
