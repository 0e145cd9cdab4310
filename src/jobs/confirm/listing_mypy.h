/* listing_mypy.h -- mypy's two forms of a report (listing_lines.h). */
#ifndef CUPEL_JOBS_CONFIRM_LISTING_MYPY_H
#define CUPEL_JOBS_CONFIRM_LISTING_MYPY_H

#include "jobs/confirm/listing_line.h"

/* mypy_is_object -- whether the line is a message of "--output json". */
bool mypy_is_object(const char *line, size_t n);

/* mypy_object_read -- read such a line.  Returns 0 or -ENOMEM. */
int mypy_object_read(struct line_reading *r);

/* mypy_is_frame -- whether the line is the last one of mypy's text, and not a message
 * whose path begins so. */
bool mypy_is_frame(const char *line, size_t n);

/* mypy_path_len -- how long the path is if the line is a message of mypy's text, else
 * 0. */
size_t mypy_path_len(const char *line, size_t n);

/* mypy_text_read -- read a line of mypy's text, and with --pretty those that go on with
 * its message.  Returns 0 or -ENOMEM. */
int mypy_text_read(struct line_reading *r);

#endif
