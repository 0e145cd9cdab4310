/* growth.c -- the cost of a run grows linearly with its binds, and does not grow with
 * the memory of its caller. */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cupel.h"
#include "live/procs.h"
#include "tap.h"

#define ROUNDS_LEAST 15
#define ROUNDS_MOST  150

static int64_t run_us(const struct cupel_spec *spec)
{
	struct cupel_error err = { 0 };
	struct cupel_run *run = NULL;
	int64_t start = procs_now_us();

	if (cupel_run_start(spec, NULL, &run, &err) < 0 ||
	    cupel_run_wait(run, &err) < 0 ||
	    cupel_run_status(run) != CUPEL_OK) {
		fprintf(stderr, "# %s\n# %s\n", err.what,
			run ? cupel_run_result(run, NULL) : "");
		ok(false); /* the run is not OK */
	}
	cupel_run_free(run);
	return procs_now_us() - start;
}

static struct cupel_spec *spec_make(unsigned binds)
{
	const char *argv[] = { "/bin/true", NULL };
	struct cupel_error err = { 0 };
	struct cupel_spec *spec = NULL;
	char value[128];

	ok(cupel_spec_new(&spec, &err) == 0);
	ok(cupel_spec_set_command(spec, argv, &err) == 0);
	for (unsigned i = 0; i < binds; i++) {
		snprintf(value, sizeof value, "../many/%u:/data/%u", i, i);
		if (cupel_spec_set(spec, "ro", value, &err) < 0) {
			fprintf(stderr, "# %s\n", err.what);
			ok(false); /* --ro is refused */
		}
	}
	return spec;
}

/* The least of many, because other work on the machine only adds time. */
static void keep_least(int64_t *least, const struct cupel_spec *spec)
{
	int64_t us = run_us(spec);

	if (us < *least)
		*least = us;
}

/* If the cost were quadratic, 20 more binds after 40 would cost three times what the
 * first 20 cost, and 40 more seven times: the limit is four.  A busy machine gets
 * more rounds, which bring each time closer to its least. */
static bool is_linear(int64_t none, int64_t some, int64_t many)
{
	return many - some < 4 * (some - none > 500 ? some - none : 500);
}

static void cost_is_linear_in_binds(void)
{
	static const unsigned binds[3] = { 0, 20, 60 };
	int64_t us[3] = { INT64_MAX, INT64_MAX, INT64_MAX };
	struct cupel_spec *specs[3];
	unsigned rounds;
	char name[64];

	ok(mkdir("../many", 0755) == 0);
	for (unsigned i = 0; i < 60; i++) {
		snprintf(name, sizeof name, "../many/%u", i);
		ok(mkdir(name, 0755) == 0);
	}
	for (size_t i = 0; i < 3; i++)
		specs[i] = spec_make(binds[i]);
	for (rounds = 0; rounds < ROUNDS_MOST; rounds++) {
		if (rounds >= ROUNDS_LEAST && is_linear(us[0], us[1], us[2]))
			break;
		for (size_t i = 0; i < 3; i++)
			keep_least(&us[i], specs[i]);
	}
	fprintf(stderr,
		"# 0 binds %lld us, 20 binds %lld us, 60 binds %lld us, of "
		"%u\n",
		(long long)us[0], (long long)us[1], (long long)us[2], rounds);
	ok(us[2] > us[0]); /* control: the binds were made */
	ok(is_linear(us[0], us[1], us[2]));
	for (size_t i = 0; i < 3; i++)
		cupel_spec_free(specs[i]);
}

/* Fork-style cloning costs 28 us a MiB: 256 MiB would be 7 ms on top. */
static bool is_independent(int64_t small, int64_t large)
{
	return large < small * 3 / 2 + 1000;
}

static void cost_is_independent_of_the_callers_memory(void)
{
	const size_t size = (size_t)256 << 20;
	struct cupel_spec *spec = spec_make(0);
	int64_t small = INT64_MAX, large = INT64_MAX;
	unsigned rounds;
	char *memory;

	for (rounds = 0; rounds < ROUNDS_LEAST; rounds++)
		keep_least(&small, spec);
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ok(memory != MAP_FAILED);
	(void)madvise(memory, size, MADV_NOHUGEPAGE);
	memset(memory, 1, size);
	for (rounds = 0; rounds < ROUNDS_MOST; rounds++) {
		if (rounds >= ROUNDS_LEAST && is_independent(small, large))
			break;
		keep_least(&large, spec);
	}
	munmap(memory, size);
	cupel_spec_free(spec);
	fprintf(stderr, "# small caller %lld us, 256 MiB more %lld us, of %u\n",
		(long long)small, (long long)large, rounds);
	ok(is_independent(small, large));
}

int main(void)
{
	int rc;

	procs_here();
	rc = tap_run((struct tap_case[]){
		CASE(cost_is_linear_in_binds),
		CASE(cost_is_independent_of_the_callers_memory), TAP_END });
	procs_leave();
	return rc;
}
