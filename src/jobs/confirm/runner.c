/* runner.c -- see runner.h. */
#include "jobs/confirm/runner.h"

#include <assert.h>
#include <string.h>

#include "runners/runners.h"

#define MIB UINT64_C(1048576)

/* The caps of the Python runner: cupel-confirm(1), "The log". */
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

/* Runs boot.py, the first part of the text, with a copy of the builtins and the
 * whole text.  No name is left in __main__, where the code under test could
 * find it. */
#define PYTHON_BOOT                                                            \
	"exec(*(lambda t,b:(compile(t[:t.index(b'\\n#%module ')],"             \
	"'cupel-runner','exec'),{'__builtins__':dict(vars(b)),'text':t}))"     \
	"(open(4,'rb').read(),__import__('builtins')))\n"

/* -I and -S, because the source is only data there and nothing else is
 * imported. */
static const char *const python_synthesis_argv[] = {
	"python3", "-B", "-I", "-S", "-c", PYTHON_BOOT, NULL
};
/* Not -I, which would drop PYTHONHASHSEED.  The environment and the working
 * directory, an empty scratch, are the vessel's own. */
static const char *const python_call_argv[] = { "python3", "-B",        "-s",
						"-c",      PYTHON_BOOT, NULL };
static const char *const python_suffixes[] = { ".py", NULL };

/* Those of the same caps that Node can live under; measured with 18 to 24.
 * Node reserves more address space than it uses, so what it writes is capped
 * instead; of that, Node 24 reserves 512 MiB at once. */
static const struct confirm_cap node_caps[] = {
	{ "cpu-time-s", "5", "cpu_s", 5 },
	{ "data-bytes", "1G", "data_bytes", 1024 * MIB },
	{ "nofile", "32", "nofile", 32 },
	{ "fsize-bytes", "10M", "fsize_bytes", 10 * MIB },
	{ "nproc", "12", "nproc", 12 },
	{ "mem-bytes", "512M", "mem_bytes", 512 * MIB },
	{ "output-bytes", "1M", "output_bytes", MIB },
	{ "wall-time-s", "15", "backstop_s", CONFIRM_ALARM_S + 5 },
	{ NULL, NULL, NULL, 0 },
};
static_assert(sizeof node_caps / sizeof *node_caps <= CONFIRM_CAPS_MAX,
	      "room for every cap");

/* Runs boot.js, the first part of the text, with the whole text. */
#define NODE_BOOT                                                              \
	"{const t=require('fs').readFileSync(4,'utf8');"                       \
	"try{require('vm').compileFunction("                                   \
	"t.slice(0,t.indexOf('\\n//#module ')),"                               \
	"['require','importAny','text'],{filename:'cupel-runner'})"            \
	"(require,s=>import(s),t)}"                                            \
	"catch(e){console.error(e);process.reallyExit(70)}}"
#define NODE_FLAGS                                                             \
	"--no-warnings", "--max-old-space-size=512", "--v8-pool-size=0"

static const char *const node_synthesis_argv[] = { "node", NODE_FLAGS, "-e",
						   NODE_BOOT, NULL };
/* The internals are for stacks that no program can touch (keep.js), the modules
 * of vm for sources that are not read from a file (load.js). */
static const char *const node_call_argv[] = { "node",
					      NODE_FLAGS,
					      "--stack-trace-limit=120",
					      "--expose-internals",
					      "--experimental-vm-modules",
					      "-e",
					      NODE_BOOT,
					      NULL };
static const char *const node_suffixes[] = { ".js",  ".mjs", ".cjs",
					     ".jsx", ".ts",  ".mts",
					     ".cts", ".tsx", NULL };

#define PYTHON_CALL                                                            \
	.text = { python_call_text, python_call_text_end },                    \
	.argv = python_call_argv,                                              \
	.template = { python_warm_call_text, python_warm_call_text_end }

/* A process that is copied, one at a time, needs a limit of 4: the other three
 * are init's and ours.  The rest is reserve. */
#define EXPLORE_NPROC "6"

static const struct runner runners[] = {
	{ .language = LANGUAGE_PYTHON,
	  .suffixes = python_suffixes,
	  .profile = "python-function",
	  .caps = python_caps,
	  .alarm_s = CONFIRM_ALARM_S,
	  .has_cpu_alarm = true,
	  .synthesis = { .text = { python_synthesise_text,
				   python_synthesise_text_end },
			 .argv = python_synthesis_argv,
			 .template = { python_warm_synthesis_text,
				       python_warm_synthesis_text_end } },
	  .call = { PYTHON_CALL },
	  .explore = { PYTHON_CALL, .nproc = EXPLORE_NPROC } },
	{ .language = LANGUAGE_JAVASCRIPT,
	  .suffixes = node_suffixes,
	  .profile = "node-function",
	  .caps = node_caps,
	  .alarm_s = CONFIRM_ALARM_S,
	  .synthesis = { .text = { node_synthesise_text,
				   node_synthesise_text_end },
			 .argv = node_synthesis_argv },
	  .call = { .text = { node_call_text, node_call_text_end },
		    .argv = node_call_argv } },
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

/* The time left before the cap, for the start of the interpreter and the
 * answer. */
#define CPU_ALARM_EARLY_MS 500

uint64_t runner_cpu_alarm_ms(const struct runner *r)
{
	for (const struct confirm_cap *c = r->caps;
	     r->has_cpu_alarm && c->option != NULL; c++)
		if (strcmp(c->key, "cpu_s") == 0)
			return c->number * 1000 - CPU_ALARM_EARLY_MS;
	return 0;
}

const struct runner *runner_find(const char *file)
{
	for (size_t i = 0; i < sizeof runners / sizeof *runners; i++)
		if (has_suffix(&runners[i], file))
			return &runners[i];
	return NULL;
}

const struct runner *runner_of(enum language l)
{
	for (size_t i = 0; i < sizeof runners / sizeof *runners; i++)
		if (runners[i].language == l)
			return &runners[i];
	return NULL;
}
