/* moment.c -- see moment.h. */
#include "jobs/confirm/moment.h"

#include <stdio.h>
#include <time.h>

void moment_write(struct jsonw *w, const char *key, int64_t ms)
{
	time_t s = (time_t)(ms / 1000);
	char day[32], text[48];
	struct tm tm;

	if (gmtime_r(&s, &tm) == NULL)
		tm = (struct tm){ 0 };
	(void)strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &tm);
	(void)snprintf(text, sizeof text, "%s.%03dZ", day, (int)(ms % 1000));
	jsonw_text(w, key, text);
}
