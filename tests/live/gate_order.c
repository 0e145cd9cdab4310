/* gate_order.c -- compares versions, for tests that ask other programs as well.
 *
 * usage: gate_order semver|pep440
 *
 * Each line of stdin has two versions with a tab between them.  For each line it
 * prints "<", "=", ">", or "?" if one of them is not a version. */
#include <stdio.h>
#include <string.h>

#include "jobs/gate/vuln/version.h"

int main(int argc, char *argv[])
{
	int (*find)(const char *a, const char *b, int *ret) =
		argc == 2 && strcmp(argv[1], "pep440") == 0
			? version_pep440_find
			: version_semver_find;
	char line[4096];

	while (fgets(line, sizeof line, stdin) != NULL) {
		char *tab = strchr(line, '\t');
		int r = 0;

		line[strcspn(line, "\n")] = '\0';
		if (tab == NULL)
			return 2;
		*tab = '\0';
		puts(find(line, tab + 1, &r) < 0 ? "?"
		     : r < 0                     ? "<"
		     : r > 0                     ? ">"
						 : "=");
	}
	return 0;
}
