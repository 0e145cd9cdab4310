/* base_near.c -- which known name was meant. */
#include "base/near.h"

#include "tap.h"

static const char *const known[] = { "run",    "plan",     "probe",
				     "gather", "doctor",   "validate",
				     "shell",  "network",  "ro",
				     "repo",   "repo-mode" };

static void meant(const char *name, const char *want)
{
	struct near n = { .name = name };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		near_note(&n, known[i]);
	if (want == NULL)
		ok(n.best == NULL);
	else
		ok(n.best != NULL && strcmp(n.best, want) == 0);
	if (n.best != NULL && (want == NULL || strcmp(n.best, want) != 0))
		fprintf(stderr, "# %s is %s\n", name, n.best);
}

static void mistakes_are_told(void)
{
	meant("rnu", "run");
	meant("rum", "run");
	meant("runn", "run");
	meant("gahter", "gather");
	meant("vaildate", "validate");
	meant("docter", "doctor");
	meant("netwokr", "network");
	meant("rep", "repo");
	meant("repo_mode", "repo-mode");
	meant("val", "validate"); /* its beginning */
	meant("gath", "gather");
}

static void what_is_far_is_not_guessed(void)
{
	char long_name[200];

	meant("", NULL);
	meant("x", NULL);
	meant("va", NULL); /* two letters are the beginning of too many names */
	meant("build", NULL);
	meant("rxy", NULL);
	meant("doct0rss", NULL);
	memset(long_name, 'r', sizeof long_name - 1);
	long_name[sizeof long_name - 1] = '\0';
	meant(long_name, NULL);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(mistakes_are_told),
		CASE(what_is_far_is_not_guessed),
		TAP_END,
	});
}
