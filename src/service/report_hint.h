/* report_hint.h -- what to do when a command left no report. */
#ifndef CUPEL_SERVICE_REPORT_HINT_H
#define CUPEL_SERVICE_REPORT_HINT_H

#include <stdbool.h>

/* Why there is no report, and the words that make a runner write one.  FORMAT is
 * --report's.  Into a directory the runners that we know write by themselves; what
 * keeps them from it is mostly that they cannot begin (pytest whose conftest.py does
 * not load).  Returns a constant text. */
const char *report_hint(const char *format, bool is_dir);

#endif
