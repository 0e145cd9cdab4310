/* pretty.h -- lays out JSON for a person, and makes JSON safe for a
 * terminal. */
#ifndef CUPEL_CLI_PRETTY_H
#define CUPEL_CLI_PRETTY_H

#include <stddef.h>

struct buf;
struct json_value;

/* pretty_write -- write v to out, with an indent of two spaces for each
 * level. */
void pretty_write(const struct json_value *v, struct buf *out);

/* pretty_print -- write n bytes of our own JSON and a newline to stdout.  On a
 * terminal DEL and the C1 controls, which JSON need not escape, are escaped.
 * Returns CLI_OK or CLI_FAILED. */
int pretty_print(const char *json, size_t n);

#endif
