/* report.h -- reports the doctor's findings to a person or to a program. */
#ifndef CUPEL_CLI_DOCTOR_REPORT_H
#define CUPEL_CLI_DOCTOR_REPORT_H

#include <stdbool.h>

#include "cli/doctor/doctor.h"

#define REPORT_ROWS_MAX 64

struct report {
	const struct spec *spec; /* borrowed: the profile that is checked */
	struct evidence evidence;
	struct finding findings[REPORT_ROWS_MAX]; /* one for each row */
};

/* report_fill -- run every row. */
void report_fill(struct report *r);

/* report_is_ok -- whether every row that the profile needs says yes. */
bool report_is_ok(const struct report *r);

/* report_write_text -- for a person: one line for each row and, for each 'no',
 * the cause in words and the commands that mend it. */
void report_write_text(const struct report *r, struct buf *out);

/* report_write_json -- one object, as described by doctor.schema.json. */
void report_write_json(const struct report *r, struct buf *out);

#endif
