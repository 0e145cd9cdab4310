/* runner.c -- see runner.h. */
#include "jobs/confirm/runner.h"

#include <assert.h>
#include <string.h>

#include "runners/runners.h"

#define MIB UINT64_C(1048576)

/* The caps of the Python runner, CONTRACT 2, literal. */
static const struct confirm_cap python_caps[] = {
	{ "cpu-time-s", "5", "cpu_s", 5 },
	{ "as-bytes", "512M", "as_bytes", 512 * MIB },
	{ "nofile", "16", "nofile", 16 },
	{ "fsize-bytes", "10M", "fsize_bytes", 10 * MIB },
	{ "nproc", "0", "nproc", 0 },
	{ "mem-bytes", "512M", "mem_bytes", 512 * MIB },
	{ "output-bytes", "1M", "output_bytes", MIB },
	{ "wall-time-s", "15", "backstop_s", CONFIRM_ALARM_S + 5 },
	{ NULL, NULL, NULL, 0 },
};
static_assert(sizeof python_caps / sizeof *python_caps <= CONFIRM_CAPS_MAX,
	      "room for every cap");

/* The harness gets a copy of the builtins: what the code under test does to
 * the real ones does not reach it. */
#define PYTHON_BOOT                                                            \
	"import builtins as b\n"                                               \
	"exec(compile(open(4,'rb').read(),'cupel-runner','exec'),"             \
	"{'__builtins__':dict(vars(b)),'__name__':'cupel_runner'})\n"

/* -I and -S: the source is data there, nothing else is imported. */
static const char *const python_synthesis_argv[] = {
	"python3", "-B", "-I", "-S", "-c", PYTHON_BOOT, NULL
};
/* Not -I: it would drop PYTHONHASHSEED.  What the environment holds and the
 * working directory, an empty scratch, are the vessel's own. */
static const char *const python_call_argv[] = { "python3", "-B",        "-s",
						"-c",      PYTHON_BOOT, NULL };
static const char *const python_suffixes[] = { ".py", NULL };

static const struct runner runners[] = {
	{ .language = LANGUAGE_PYTHON,
	  .suffixes = python_suffixes,
	  .profile = "python-function",
	  .caps = python_caps,
	  .synthesis = { python_synthesise_text, python_synthesise_text_end,
			 python_synthesis_argv },
	  .call = { python_call_text, python_call_text_end,
		    python_call_argv } },
};

static bool has_suffix(const struct runner *r, const char *file)
{
	size_t len = strlen(file);

	for (const char *const *s = r->suffixes; *s != NULL; s++)
		if (len > strlen(*s) &&
		    strcmp(file + len - strlen(*s), *s) == 0)
			return true;
	return false;
}

const struct runner *runner_find(const char *file)
{
	for (size_t i = 0; i < sizeof runners / sizeof *runners; i++)
		if (has_suffix(&runners[i], file))
			return &runners[i];
	return NULL;
}
