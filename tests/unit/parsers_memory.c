/* parsers_memory.c -- memory is refused to cupel-parse at each place where it asks
 * for some: it ends as parse_exit.h says, and nothing was written. */
#include <sys/resource.h>

#include "refused.h"
#include "refused_tree.h"

extern const char __executable_start[]; /* of the linker */

static struct refused_seen *see;

/* --- the judgement ------------------------------------------------------------ */

enum end {
	END_WELL, /* a whole answer, or none and the status and line for that */
	END_SILENT,
	END_TOLD,
	END_HALF,
	END_STATUS,
	END_LINE,
	END_CRASH,
	END_HANG,
};

static const char *const end_names[] = {
	[END_WELL] = "well",
	[END_SILENT] = "a loss that is not told",
	[END_TOLD] = "a loss that is told",
	[END_HALF] = "half an answer",
	[END_STATUS] = "another exit status",
	[END_LINE] = "not the one line",
	[END_CRASH] = "a crash",
	[END_HANG] = "it hangs",
};

/* How many errors and warnings are in an answer. */
static size_t notes_count(const char *answer)
{
	static const char head[] = "{\"code\":";
	size_t n = 0;

	while ((answer = strstr(answer, head)) != NULL) {
		answer += sizeof head - 1;
		n++;
	}
	return n;
}

/* How a run ended.
 *
 * @whole	the answer with all memory
 * @got		what was written */
static enum end end_of(int status, const char *whole, const char *got,
		       const char *errs)
{
	if (!WIFEXITED(status))
		return WTERMSIG(status) == SIGALRM ? END_HANG : END_CRASH;
	if (WEXITSTATUS(status) == PARSE_EXIT_DONE) {
		if (strcmp(whole, got) == 0)
			return END_WELL;
		return notes_count(got) > notes_count(whole) ? END_TOLD
							     : END_SILENT;
	}
	if (WEXITSTATUS(status) != PARSE_EXIT_MEMORY)
		return END_STATUS;
	if (got[0] != '\0')
		return END_HALF;
	return strcmp(errs, "cupel-parse: memory was refused\n") == 0
		       ? END_WELL
		       : END_LINE;
}

/* Where the refusal was, for addr2line -ipfse PROGRAM. */
static void place_print(const char *tree, size_t n, bool also_later,
			enum end end)
{
	fprintf(stderr, "# %s: allocation %zu%s: %s:", tree, n,
		also_later ? " and later" : "", end_names[end]);
	for (size_t i = 1; i < see->frames_len; i++)
		fprintf(stderr, " 0x%jx",
			(uintmax_t)(see->frames[i] - 1 -
				    (uintptr_t)__executable_start));
	fprintf(stderr, "\n");
}

/* --- one tree ----------------------------------------------------------------- */

/* The places that were tried, of any tree: open addressing. */
#define PLACES_ROOM ((size_t)1 << 17)
static uint64_t places[PLACES_ROOM];
static size_t tries, silent;

static bool place_is_new(uint64_t place)
{
	size_t at = (size_t)(place % PLACES_ROOM);

	place |= 1;
	while (places[at] != 0 && places[at] != place)
		at = (at + 1) % PLACES_ROOM;
	if (places[at] == place)
		return false;
	places[at] = place;
	return true;
}

/* Refuse the n-th, or that one and all later ones. */
static void refuse_one(const char *tree, const struct refused_run *run,
		       const char *whole, size_t n, bool also_later)
{
	static struct buf got, errs;
	int status = refused_run(run, n, also_later, see);
	enum end end;

	whole_read(run->out_fd, &got);
	whole_read(run->errs_fd, &errs);
	end = end_of(status, whole, got.bytes, errs.bytes);
	tries++;
	silent += end == END_SILENT;
	if (end == END_WELL || run->is_not_held)
		return;
	tap_bad++;
	place_print(tree, n, also_later, end);
}

/* Each place for the first time, alone and with all that come later, and for the
 * last time in this tree.  If refusals do not end the program, go on to the first
 * loss that is not told. */
static void refuse_each(const char *tree, const struct refused_run *run)
{
	static uint64_t of_run[REFUSED_ALLOCS_MAX];
	struct buf whole = { 0 };
	size_t len;

	ok_int(refused_run(run, 0, false, see), 0);
	whole_read(run->out_fd, &whole);
	ok(whole.len > 0);
	len = see->allocs;
	ok(len > 0 && len <= REFUSED_ALLOCS_MAX);
	memcpy(of_run, see->places, len * sizeof *of_run);
	for (size_t i = 0; i < len && !(run->is_not_held && silent > 0); i++)
		if (place_is_new(of_run[i])) {
			refuse_one(tree, run, whole.bytes, i + 1, false);
			refuse_one(tree, run, whole.bytes, i + 1, true);
		}
	for (size_t i = len; i-- > 0 && !run->is_not_held;)
		if (place_is_new(~of_run[i]))
			refuse_one(tree, run, whole.bytes, i + 1, false);
	buf_done(&whole);
}

/* Nothing is lost; and if a refusal does not end the program, something is lost
 * without a word, so that this test would see it. */
static void probe_try(const char *probe)
{
	tries = silent = 0;
	trees_each(probe, false, refuse_each);
	ok(tries > 100);
	memset(places, 0, sizeof places);
	trees_each(probe, true, refuse_each);
	ok(silent > 0);
	memset(places, 0, sizeof places);
}

#define PROBE(name)                                                            \
	static void name##_loses_nothing(void)                                 \
	{                                                                      \
		probe_try(#name);                                              \
	}
PROBE(ci)
PROBE(context_read)
PROBE(dependencies)
PROBE(deployment)
PROBE(language_detection)
PROBE(node_build_system)
PROBE(node_manifest)
PROBE(test_inventory)
PROBE(test_report)

/* --- refused by the kernel ---------------------------------------------------- */

static void inputs_that_cannot_be_mapped_are_refused_memory(void)
{
	struct buf got = { 0 }, errs = { 0 };
	struct refused_run run;

	run_open("ci", "== .travis.yml\nscript: make check\n", &run);
	ok_int(ftruncate(run.bytes_fd, (off_t)1 << 60), 0);
	ok_int(refused_run(&run, 0, false, see), PARSE_EXIT_MEMORY << 8);
	whole_read(run.out_fd, &got);
	whole_read(run.errs_fd, &errs);
	ok_int(got.len, 0);
	ok_has(errs.bytes, "cupel-parse: memory was refused\n");
	run_close(&run);
	buf_done(&got);
	buf_done(&errs);
}

/* The wait status of the program as it is shipped, within a limit of its address
 * space; 0: none. */
static int limited_run(const struct refused_run *run, const char *probe,
		       rlim_t bytes)
{
	const struct rlimit limit = { bytes, bytes };
	const char *build = getenv("BUILD");
	char path[4096];
	int status = -1;
	pid_t pid;

	(void)snprintf(path, sizeof path, "%s/src/parsers/cupel-parse",
		       build != NULL ? build : ".");
	pid = fork();
	if (pid == 0) {
		run_begin(run);
		if (bytes > 0 && setrlimit(RLIMIT_AS, &limit) < 0)
			_exit(99);
		(void)execl(path, "cupel-parse", probe, (char *)NULL);
		_exit(98);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

#define LIMIT_LEAST ((rlim_t)1 << 19)
#define LIMIT_MOST  ((rlim_t)64 << 20)

/* From a limit at which the program only just starts to one at which it has all
 * that it wants. */
static void limits_try(const char *tree, const struct refused_run *run)
{
	struct buf whole = { 0 }, got = { 0 }, errs = { 0 };
	size_t refusals = 0;
	rlim_t at = LIMIT_LEAST;
	enum end end = END_WELL;
	bool is_whole = false;

	(void)tree;
	ok_int(limited_run(run, run->argv[1], 0), 0);
	whole_read(run->out_fd, &whole);
	while (at < LIMIT_MOST &&
	       limited_run(run, "none", at) != PARSE_EXIT_PROBE << 8)
		at += (rlim_t)64 << 10;
	for (; !is_whole && at < LIMIT_MOST; at += (rlim_t)16 << 10) {
		int status = limited_run(run, run->argv[1], at);

		whole_read(run->out_fd, &got);
		whole_read(run->errs_fd, &errs);
		end = end_of(status, whole.bytes, got.bytes, errs.bytes);
		is_whole = status == 0;
		refusals += end == END_WELL && !is_whole;
		if (end != END_WELL)
			fprintf(stderr, "# %ju bytes: %s, %x\n", (uintmax_t)at,
				end_names[end], (unsigned)status);
		ok_int(end, END_WELL);
	}
	ok(is_whole);
	ok(refusals > 10);
	buf_done(&whole);
	buf_done(&got);
	buf_done(&errs);
}

static void the_program_itself_ends(void)
{
	trees_each("ci", false, limits_try);
}

int __wrap_main(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	see = refused_seen_new();
	if (see == NULL)
		return 99;
	return tap_run((struct tap_case[]){
		CASE(ci_loses_nothing), CASE(context_read_loses_nothing),
		CASE(dependencies_loses_nothing),
		CASE(deployment_loses_nothing),
		CASE(language_detection_loses_nothing),
		CASE(node_build_system_loses_nothing),
		CASE(node_manifest_loses_nothing),
		CASE(test_inventory_loses_nothing),
		CASE(test_report_loses_nothing),
		CASE(inputs_that_cannot_be_mapped_are_refused_memory),
		CASE(the_program_itself_ends), TAP_END });
}
