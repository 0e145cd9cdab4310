/* line.h -- one event as a line of a terminal. */
#ifndef CUPEL_JOBS_TRACE_LINE_H
#define CUPEL_JOBS_TRACE_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct json_value;

#define LINE_COLUMNS 80

/* line_write -- an event of a trace or an entry of egress, indent columns from
 * the left, no wider than LINE_COLUMNS, with its newline.  Nothing in it can
 * change what a terminal shows besides.
 *
 * @is_exec	it is an execution, whatever it says itself */
void line_write(const struct json_value *event, bool is_exec, size_t indent,
		struct buf *out);

#endif
