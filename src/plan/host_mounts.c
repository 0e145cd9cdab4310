/* host_mounts.c -- see host_mounts.h. */
#include "plan/host_mounts.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "plan/host_runtime.h"

#define POINT_FIELD 4 /* of a line, counted from 0 */

static bool is_octal(const char *at)
{
	for (int i = 1; i <= 3; i++)
		if (at[i] < '0' || at[i] > '7')
			return false;
	return true;
}

/* Put blanks and backslashes back, which the kernel writes as "\040". */
static void point_decode(char *point)
{
	char *to = point;

	for (const char *at = point; *at != '\0'; to++) {
		bool is_code = *at == '\\' && is_octal(at);

		*to = is_code ? (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 +
				       (at[3] - '0'))
			      : *at;
		at += is_code ? 4 : 1;
	}
	*to = '\0';
}

/* The mount point in a line, which is cut there; NULL when it has none. */
static char *line_point(char *line)
{
	char *field = NULL;

	for (int i = 0; i <= POINT_FIELD; i++)
		field = strsep(&line, " ");
	if (field != NULL)
		point_decode(field);
	return field;
}

bool host_mounts_find(const char *list, const char *dir, char ret[PATH_MAX])
{
	int fd = open(list, O_RDONLY | O_CLOEXEC);
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	size_t room = 0;
	owned_mem char *line = NULL;
	bool is_found = false;

	if (f == NULL) {
		if (fd >= 0)
			(void)close(fd);
		return false;
	}
	while (!is_found && getline(&line, &room, f) >= 0) {
		const char *point = line_point(line);

		is_found =
			point != NULL && host_is_below(dir, point) &&
			strcmp(dir, point) != 0 &&
			(size_t)snprintf(ret, PATH_MAX, "%s", point) < PATH_MAX;
	}
	(void)fclose(f);
	return is_found;
}
