/* report_answer.h -- turns cupel-parse's answer about a report into a
 * payload. */
#ifndef CUPEL_SERVICE_REPORT_ANSWER_H
#define CUPEL_SERVICE_REPORT_ANSWER_H

#include "boundary/payload.h"

struct stream;

/* report_answer_read -- judge the parser's answer.  The parser has read hostile
 * bytes, so it may say anything.
 *
 * @said	{"errors": [...], "slice": {"tests": {...}}, ...}
 * @roots	as in struct payload_limits
 * @ret		zeroed by the caller; payload_done() frees it.  If the parser
 *		reports an error, the code is a word and the message one line of
 *		at most REPORT_MESSAGE_BYTES. */
#define REPORT_MESSAGE_BYTES 400U
void report_answer_read(const struct stream *said, const char *const *roots,
			struct payload *ret);

#endif
