/* report.c -- which report of a test runner is read.  ctest writes one only if its
 * command line says so, so that option is added here (docs/packaging.md).
 *
 * Other runners load a reporter of ours (env.c), print their report, or get the
 * option from the caller.  So does a ctest that a script starts: scripts are not
 * changed. */
#include <string.h>

#include "plan/backend.h"
#include "plan/build.h"
#include "spec/report.h"

#define OPTION "--output-junit"

static bool is_ctest(const char *program)
{
	const char *slash = strrchr(program, '/');

	return strcmp(slash != NULL ? slash + 1 : program, "ctest") == 0;
}

static bool names_a_report(const struct plan *p)
{
	for (size_t i = 1; i < p->argc; i++)
		if (strcmp(p->argv[i], OPTION) == 0)
			return true;
	return false;
}

/* Without namespaces no report file is read. */
static bool wants_words(const struct plan *p)
{
	const struct report_source *r = &p->report;

	return backend_has(p->backend, WALL_MOUNTNS) &&
	       r->format == REPORT_JUNIT && r->path != NULL && !r->is_dir &&
	       p->argc > 0 && is_ctest(p->argv[0]) && !names_a_report(p);
}

static void words_add(struct build *b)
{
	struct plan *p = b->plan;
	const char **argv =
		arena_array(&p->arena, p->argc + 3, sizeof *p->argv);

	if (argv == NULL) {
		b->no_memory = true;
		return;
	}
	/* first, because what follows --test-command is another program's */
	argv[0] = p->argv[0];
	argv[1] = OPTION;
	argv[2] = p->report.path;
	memcpy(argv + 3, p->argv + 1, (p->argc - 1) * sizeof *argv);
	p->argv = argv;
	p->argc += 2;
}

void build_report(struct build *b)
{
	struct report_source *r = &b->plan->report;

	/* The spec was checked before, so this only reads it. */
	(void)report_source_read(b->spec->report, r);
	r->has_names = b->spec->report_names;
	if (r->path == NULL)
		return;
	r->path = arena_text(&b->plan->arena, r->path);
	b->no_memory |= r->path == NULL;
	if (!b->no_memory && wants_words(b->plan))
		words_add(b);
}
