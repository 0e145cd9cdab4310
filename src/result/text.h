/* text.h -- writes the command's output as JSON text. */
#ifndef CUPEL_RESULT_TEXT_H
#define CUPEL_RESULT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/* text_find_end -- how much of s[0..n-1] to keep when what followed was lost: a
 * sequence that was cut in two is dropped. */
size_t text_find_end(const char *s, size_t n);

/* text_count_bad -- the number of bytes that are not part of well-formed UTF-8;
 * each is shown as U+FFFD. */
uint64_t text_count_bad(const char *s, size_t n);

/* text_quote -- write s as a JSON string; when truncated, cut it and end it
 * with the line "[TRUNCATED]".  Returns the number of bytes replaced. */
uint64_t text_quote(struct buf *out, const char *s, size_t n, bool truncated);

#endif
