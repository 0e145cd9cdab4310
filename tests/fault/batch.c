/* batch.c -- a batch of the library, while memory or descriptors run out: each
 * allocation and each call of ours for a descriptor fails in turn, one alone or
 * fifty in a row.  (What launch calls is not among them: copies.c and matrix.c have
 * that.)
 *
 * Promise: each spec that was put in has exactly one end, a whole result or an error
 * with its words, and OK is said of nothing but a run that did all.  No result says
 * that nothing was run because there was no memory for the result: the command may
 * have run then, so there is an error and no result.  In the end no descriptor,
 * process, mount or file is left. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "cupel.h"
#include "fault/trace.h"
#include "live/procs.h"
#include "tap.h"

#define SPECS      3U
#define POINTS_MAX 20000U
#define ROW        50U
#define WAIT_S     20

/* Calls are counted from 1 while armed; those from first to last fail. */
static struct fault {
	bool is_armed, is_of_memory;
	unsigned count, first, last, struck;
} fault;

static bool strikes(bool is_of_memory)
{
	if (!fault.is_armed || fault.is_of_memory != is_of_memory)
		return false;
	fault.count++;
	if (fault.count < fault.first || fault.count > fault.last)
		return false;
	fault.struck++;
	errno = is_of_memory ? ENOMEM : EMFILE;
	return true;
}

/* --- in the place of libc's ------------------------------------------------- */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

void *malloc(size_t n)
{
	return strikes(true) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return strikes(true) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return strikes(true) ? NULL : __libc_realloc(p, n);
}

int epoll_create1(int flags)
{
	return strikes(false) ? -1 : (int)syscall(SYS_epoll_create1, flags);
}

int epoll_ctl(int fd, int op, int of, struct epoll_event *e)
{
	/* to take out needs nothing */
	return op != EPOLL_CTL_DEL && strikes(false)
		       ? -1
		       : (int)syscall(SYS_epoll_ctl, fd, op, of, e);
}

int eventfd(unsigned count, int flags)
{
	return strikes(false) ? -1 : (int)syscall(SYS_eventfd2, count, flags);
}

int timerfd_create(clockid_t clock, int flags)
{
	return strikes(false) ? -1
			      : (int)syscall(SYS_timerfd_create, clock, flags);
}

static int file_open(int dir, const char *path, int flags, va_list ap)
{
	bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
	int mode = makes ? va_arg(ap, int) : 0;

	return strikes(false)
		       ? -1
		       : (int)syscall(SYS_openat, dir, path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	va_start(ap, flags);
	fd = file_open(dir, path, flags, ap);
	va_end(ap);
	return fd;
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	va_start(ap, flags);
	fd = file_open(AT_FDCWD, path, flags, ap);
	va_end(ap);
	return fd;
}

/* --- one batch --------------------------------------------------------------- */

static struct cupel_spec *spec;
static struct trace before;
static unsigned wholes, failures, refusals; /* of all trials */

static bool told(const char *what)
{
	fault.is_armed = false;
	fprintf(stderr, "# %s %u to %u: %s\n",
		fault.is_of_memory ? "allocations" : "descriptors", fault.first,
		fault.last, what);
	return false;
}

/* Whether that is how it may end. */
static bool is_good(const struct cupel_batch_end *e)
{
	if (e->result == NULL)
		return e->error.what[0] != '\0' && e->status != CUPEL_OK;
	if (e->status == CUPEL_OK)
		return strstr(e->result, "\"stdout\":\"here\\n\"") != NULL &&
		       strstr(e->result, "\"spec_hash\":\"blake3:") != NULL &&
		       strstr(e->result, "\"policy_hash\":\"blake3:") != NULL;
	return e->status == CUPEL_INTERNAL_ERROR &&
	       strstr(e->result, "\"status\":\"INTERNAL_ERROR\"") != NULL &&
	       strstr(e->result, "no memory for the run or its result") ==
		       NULL &&
	       strstr(e->result, "no memory for the spec's hash") == NULL;
}

static bool ends_take(struct cupel_batch *b, unsigned ended[])
{
	struct cupel_batch_end e = { .size = sizeof e };
	struct cupel_error err = { 0 };

	while (cupel_batch_take(b, &e, &err) == 1) {
		bool good = is_good(&e);

		ended[e.id % SPECS]++;
		wholes += e.status == CUPEL_OK;
		failures += e.status != CUPEL_OK;
		if (!good)
			(void)told(e.result != NULL ? e.result : "no words");
		free(e.result);
		if (!good)
			return false;
	}
	return true;
}

/* Returns whether all ends came, and as they may. */
static bool drive(struct cupel_batch *b)
{
	const int64_t late_us = procs_now_us() + WAIT_S * INT64_C(1000000);
	unsigned put[SPECS] = { 0 }, ended[SPECS] = { 0 };
	struct cupel_error err = { 0 };
	int left = 1;

	for (uint64_t i = 0; i < SPECS; i++) {
		int r = cupel_batch_put(b, spec, NULL, i, &err);

		put[i] = r == 0;
		refusals += r < 0;
		if (r < 0 && (r != -ENOMEM || err.cause != CUPEL_CAUSE_BUSY))
			return told("put failed otherwise");
	}
	while (left > 0 && procs_now_us() < late_us) {
		struct pollfd p = { .fd = cupel_batch_fd(b), .events = POLLIN };

		(void)poll(&p, 1, WAIT_S * 1000);
		left = cupel_batch_step(b, &err);
		if (left < 0)
			return told("a step failed");
		if (!ends_take(b, ended))
			return false;
	}
	if (left > 0)
		return told("it hung");
	return memcmp(put, ended, sizeof put) == 0 ||
	       told("not one end for each");
}

/* The batch, with at most so many descriptors. */
static bool trial_within(bool is_of_memory, unsigned first, unsigned last,
			 rlim_t most)
{
	const struct cupel_batch_options o = { sizeof o, 2, 0 };
	struct cupel_error err = { 0 };
	struct cupel_batch *b = NULL;
	struct trace after;
	struct rlimit all, few;
	const char *left;
	bool good = true;

	ok_int(getrlimit(RLIMIT_NOFILE, &all), 0);
	few = all;
	few.rlim_cur = most < all.rlim_cur ? most : all.rlim_cur;
	ok_int(setrlimit(RLIMIT_NOFILE, &few), 0);
	fault = (struct fault){ true, is_of_memory, 0, first, last, 0 };
	if (cupel_batch_new(&o, &b, &err) == 0)
		good = drive(b);
	else if (b != NULL || err.cause != CUPEL_CAUSE_BUSY)
		good = told("no batch, and no word why");
	cupel_batch_free(b);
	fault.is_armed = false;
	ok_int(setrlimit(RLIMIT_NOFILE, &all), 0);
	trace_take(&after);
	left = trace_difference(&before, &after);
	trace_close(&after);
	return left == NULL ? good : told(left);
}

static bool trial(bool is_of_memory, unsigned first, unsigned last)
{
	return trial_within(is_of_memory, first, last, RLIM_INFINITY);
}

/* --- walks ------------------------------------------------------------------- */

static void walk(bool is_of_memory, unsigned row, unsigned step)
{
	unsigned first = 1, broken = 0;

	wholes = failures = refusals = 0;
	do {
		broken += !trial(is_of_memory, first, first + row - 1);
		first += step;
	} while (fault.struck > 0 && broken < 5 && first < POINTS_MAX);
	fprintf(stderr,
		"# %s, %u in a row: %u points, %u runs were whole, %u not, %u "
		"refused\n",
		is_of_memory ? "allocations" : "descriptors", row, first,
		wholes, failures, refusals);
	ok_int(broken, 0);
	ok(first > step * 5 && first < POINTS_MAX);
	ok(failures > 3 && wholes > 3);
	ok(!is_of_memory || row > 1 || refusals > 0);
}

static unsigned step_of(unsigned quick)
{
	return procs_is_full() ? 1 : quick;
}

static void without_a_fault_all_is_whole(void)
{
	wholes = failures = 0;
	ok(trial(true, 0, 0));
	ok_int(wholes, SPECS);
	ok_int(failures, 0);
}

static void each_allocation_fails(void)
{
	walk(true, 1, step_of(5));
}

static void memory_runs_out_for_a_while(void)
{
	walk(true, ROW, step_of(17));
}

static void each_descriptor_fails(void)
{
	walk(false, 1, step_of(3));
}

/* Those of launch, too: as many as there are left. */
static void descriptors_run_out(void)
{
	unsigned broken = 0, room = 0;

	wholes = failures = 0;
	for (; room < 60 && broken < 5; room += step_of(2)) {
		int top = dup(0);

		(void)close(top);
		broken += !trial_within(false, 0, 0, (rlim_t)top + room);
	}
	fprintf(stderr, "# descriptors left: %u runs were whole, %u not\n",
		wholes, failures);
	ok_int(broken, 0);
	ok(wholes > SPECS && failures > SPECS);
}

int main(void)
{
	const char *const argv[] = { "/bin/echo", "here", NULL };
	struct cupel_error err = { 0 };
	int rc = 1;

	procs_here();
	procs_adopt();
	if (cupel_spec_new(&spec, &err) == 0 &&
	    cupel_spec_set(spec, "repo-mode", "none", &err) == 0 &&
	    cupel_spec_set(spec, "mem-bytes", "unlimited", &err) == 0 &&
	    cupel_spec_set(spec, "pids-max", "unlimited", &err) == 0 &&
	    cupel_spec_set(spec, "cpu-time-s", "unlimited", &err) == 0 &&
	    cupel_spec_set(spec, "wall-time-s", "10", &err) == 0 &&
	    cupel_spec_set_command(spec, argv, &err) == 0) {
		trace_take(&before);
		rc = tap_run((struct tap_case[]){
			CASE(without_a_fault_all_is_whole),
			CASE(each_allocation_fails),
			CASE(memory_runs_out_for_a_while),
			CASE(each_descriptor_fails),
			CASE(descriptors_run_out),
			TAP_END,
		});
		trace_close(&before);
	}
	cupel_spec_free(spec);
	procs_leave();
	return rc;
}
