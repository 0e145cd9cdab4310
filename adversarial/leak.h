/* leak.h -- what the two halves of the leakage oracle's program share. */
#ifndef CUPEL_ADVERSARIAL_LEAK_H
#define CUPEL_ADVERSARIAL_LEAK_H

#include <stdbool.h>

#define LEAK_KEY 0x6c65616b /* the number that names IPC objects and keys */

/* Where one half tries to leave files and the other looks for them. */
extern const char *const leak_roots[];
#define LEAK_ROOTS 10

/* leak_leave -- leave something in every place; has_keys: also in keyrings. */
void leak_leave(bool has_keys);

#endif
