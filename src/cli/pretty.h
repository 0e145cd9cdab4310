/* pretty.h -- JSON laid out for a person, and JSON that a terminal can take. */
#ifndef CUPEL_CLI_PRETTY_H
#define CUPEL_CLI_PRETTY_H

#include <stddef.h>

struct buf;
struct json_value;

/* pretty_write -- v with two spaces a level, to out. */
void pretty_write(const struct json_value *v, struct buf *out);

/* pretty_print -- n bytes of JSON of our own and a newline to stdout; on a
 * terminal DEL and the C1 controls, which JSON need not escape, are escaped.
 * Returns CLI_OK or CLI_FAILED. */
int pretty_print(const char *json, size_t n);

#endif
