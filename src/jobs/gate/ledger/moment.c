/* moment.c -- see moment.h. */
#include "jobs/gate/ledger/moment.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void moment_now(char ret[MOMENT_BYTES])
{
	struct timespec now = { 0 };
	char day[MOMENT_BYTES - 6] = "";
	struct tm t = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)gmtime_r(&now.tv_sec, &t);
	(void)strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &t);
	(void)snprintf(ret, MOMENT_BYTES, "%s.%03dZ", day,
		       (int)(now.tv_nsec / 1000000 % 1000));
}

int64_t moment_read(const char *text)
{
	struct tm t = { 0 };
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &t);

	if (rest == NULL || rest[0] != '.' ||
	    strspn(rest + 1, "0123456789") != 3 || strcmp(rest + 4, "Z") != 0)
		return -1;
	return (int64_t)timegm(&t);
}
