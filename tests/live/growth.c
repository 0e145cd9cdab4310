/* growth.c -- what a run costs grows with its binds, in a line, and not with
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

#define RUNS 15

/* The least of them: what the machine does besides only ever adds. */
static int64_t least(const int64_t v[], size_t n)
{
	int64_t min = v[0];

	for (size_t i = 1; i < n; i++)
		min = v[i] < min ? v[i] : min;
	return min;
}

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

static int64_t binds_us(unsigned binds)
{
	struct cupel_spec *spec = spec_make(binds);
	int64_t us[RUNS];

	for (size_t i = 0; i < RUNS; i++)
		us[i] = run_us(spec);
	cupel_spec_free(spec);
	return least(us, RUNS);
}

/* Were it quadratic, 20 more after 40 would cost three times what the first
 * 20 cost, and 40 more seven times: the line is drawn at four. */
static void cost_is_linear_in_binds(void)
{
	int64_t none, some, many;
	char name[64];

	ok(mkdir("../many", 0755) == 0);
	for (unsigned i = 0; i < 60; i++) {
		snprintf(name, sizeof name, "../many/%u", i);
		ok(mkdir(name, 0755) == 0);
	}
	none = binds_us(0);
	some = binds_us(20);
	many = binds_us(60);
	fprintf(stderr,
		"# 0 binds %lld us, 20 binds %lld us, 60 binds %lld us\n",
		(long long)none, (long long)some, (long long)many);
	ok(many > none); /* a control: the binds were made */
	ok(many - some < 4 * (some - none > 500 ? some - none : 500));
}

/* Fork-style cloning costs 28 us a MiB: 256 MiB would be 7 ms on top. */
static void cost_is_independent_of_the_callers_memory(void)
{
	const size_t size = (size_t)256 << 20;
	struct cupel_spec *spec = spec_make(0);
	int64_t small_us[RUNS], large_us[RUNS], a, b;
	char *memory;

	for (size_t i = 0; i < RUNS; i++)
		small_us[i] = run_us(spec);
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ok(memory != MAP_FAILED);
	(void)madvise(memory, size, MADV_NOHUGEPAGE);
	memset(memory, 1, size);
	for (size_t i = 0; i < RUNS; i++)
		large_us[i] = run_us(spec);
	munmap(memory, size);
	cupel_spec_free(spec);
	a = least(small_us, RUNS);
	b = least(large_us, RUNS);
	fprintf(stderr, "# small caller %lld us, 256 MiB more %lld us\n",
		(long long)a, (long long)b);
	ok(b < a * 3 / 2 + 1000);
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
