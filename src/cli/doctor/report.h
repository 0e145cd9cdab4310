/* report.h -- the doctor's findings, for a person and for a program. */
#ifndef CUPEL_CLI_DOCTOR_REPORT_H
#define CUPEL_CLI_DOCTOR_REPORT_H

#include <stdbool.h>

#include "cli/doctor/doctor.h"

#define REPORT_ROWS_MAX 64

struct report {
	const struct spec *spec; /* borrowed: the profile that is asked for */
	struct evidence evidence;
	struct finding findings[REPORT_ROWS_MAX]; /* one for each row */
};

/* report_fill -- run every row. */
void report_fill(struct report *r);

/* report_is_ok -- whether every row that the profile needs says yes. */
bool report_is_ok(const struct report *r);

/* report_write_text -- for a person: a line a row, and for each 'no' the cause
 * in words and the commands. */
void report_write_text(const struct report *r, struct buf *out);

/* report_write_json -- one object, as doctor.schema.json has it. */
void report_write_json(const struct report *r, struct buf *out);

#endif
