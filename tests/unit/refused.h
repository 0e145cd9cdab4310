/* refused.h -- the program cupel-parse in a child, with memory refused to it.
 *
 * The test is linked with the program's own main file, as the program is: what
 * allocates is wrapped (program/parse_memory.h).  Here, what the wrappers call
 * refuses.  libyaml and expat are linked from their archives, so that what they
 * allocate is refused as well. */
#ifndef CUPEL_TESTS_REFUSED_H
#define CUPEL_TESTS_REFUSED_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include "parsers/program/parse_memory.h"
#include "parsers/program/parse_wall.h"
#include "tap.h"

#define REFUSED_ALLOCS_MAX ((size_t)1 << 20)
#define REFUSED_FRAMES     24U
#define REFUSED_SECONDS    20U /* a run takes milliseconds */
/* Of the callers' addresses, these make a place: calls that differ only farther
 * out are the same place. */
#define REFUSED_PLACE_FRAMES 8U

/* What the child leaves for its parent, in shared memory. */
struct refused_seen {
	size_t allocs;
	uint64_t places[REFUSED_ALLOCS_MAX]; /* of each allocation, a hash */
	uintptr_t frames[REFUSED_FRAMES];    /* where the first was refused */
	size_t frames_len;
};

/* The running child's orders. */
static struct {
	bool is_on;
	bool is_not_held; /* the program is given NULL, and goes on */
	bool also_later;  /* refuse all after that one, too */
	size_t at;        /* the allocation to refuse, from 1; 0: none */
	struct refused_seen *see; /* NULL in the parent */
} refused;

int __real_main(int argc, char *argv[]);
int __wrap_main(int argc, char *argv[]);

struct refused_frames {
	uintptr_t at[REFUSED_FRAMES];
	size_t len;
};

static _Unwind_Reason_Code frame_note(struct _Unwind_Context *context,
				      void *frames)
{
	struct refused_frames *f = frames;

	if (f->len == REFUSED_FRAMES)
		return _URC_END_OF_STACK;
	f->at[f->len++] = (uintptr_t)_Unwind_GetIP(context);
	return _URC_NO_REASON;
}

static uint64_t place_of(const struct refused_frames *f)
{
	uint64_t hash = 14695981039346656037U; /* FNV-1a */

	for (size_t i = 0; i < f->len && i < REFUSED_PLACE_FRAMES; i++)
		hash = (hash ^ f->at[i]) * 1099511628211U;
	return hash;
}

/* Whether the allocation that is asked for now is refused. */
static bool is_refused(void)
{
	struct refused_seen *see = refused.see;
	struct refused_frames frames = { .len = 0 };
	size_t n;

	if (!refused.is_on)
		return false;
	n = ++see->allocs;
	if (refused.at != 0 && n != refused.at)
		return refused.also_later && n > refused.at;
	refused.is_on = false; /* in case the unwinder allocates */
	(void)_Unwind_Backtrace(frame_note, &frames);
	refused.is_on = true;
	if (refused.at == 0) {
		if (n <= REFUSED_ALLOCS_MAX)
			see->places[n - 1] = place_of(&frames);
		return false;
	}
	memcpy(see->frames, frames.at, sizeof frames.at);
	see->frames_len = frames.len;
	errno = ENOMEM;
	return true;
}

static void *beneath_malloc(size_t n)
{
	return is_refused() ? NULL : __real_malloc(n);
}

static void *beneath_calloc(size_t count, size_t n)
{
	return is_refused() ? NULL : __real_calloc(count, n);
}

static void *beneath_realloc(void *p, size_t n)
{
	return is_refused() ? NULL : __real_realloc(p, n);
}

static void *beneath_reallocarray(void *p, size_t count, size_t n)
{
	return is_refused() ? NULL : __real_reallocarray(p, count, n);
}

static char *beneath_strdup(const char *text)
{
	return is_refused() ? NULL : __real_strdup(text);
}

static void *beneath_tsearch(const void *key, void **root,
			     int (*compare)(const void *, const void *))
{
	return is_refused() ? NULL : __real_tsearch(key, root, compare);
}

/* The program's own wrappers, with refusals beneath them. */
static void refused_exit(int status)
{
	if (!refused.is_not_held)
		_exit(status);
}
#define __real_malloc       beneath_malloc
#define __real_calloc       beneath_calloc
#define __real_realloc      beneath_realloc
#define __real_reallocarray beneath_reallocarray
#define __real_strdup       beneath_strdup
#define __real_tsearch      beneath_tsearch
#define _exit               refused_exit
#include "parsers/program/parse_memory.c"
#undef __real_malloc
#undef __real_calloc
#undef __real_realloc
#undef __real_reallocarray
#undef __real_strdup
#undef __real_tsearch
#undef _exit

/* The second filter has a test of its own, and would refuse what a sanitizer
 * needs.  What comes after it may be refused memory. */
int wall_raise(void)
{
	refused.is_on = refused.see != NULL;
	return 0;
}

/* --- a run ------------------------------------------------------------------ */

struct refused_run {
	char *argv[3]; /* of the program, with its NULL */
	int list_fd, bytes_fd, out_fd, errs_fd; /* all above 4 */
	bool is_not_held;
};

/* In the child: the descriptors as the program has them, or its end. */
static inline void run_begin(const struct refused_run *run)
{
	(void)alarm(REFUSED_SECONDS);
	if (dup2(run->list_fd, 0) < 0 || dup2(run->errs_fd, 2) < 0 ||
	    dup2(run->out_fd, 3) < 0 || dup2(run->bytes_fd, 4) < 0 ||
	    lseek(0, 0, SEEK_SET) < 0 || lseek(2, 0, SEEK_SET) < 0 ||
	    lseek(3, 0, SEEK_SET) < 0 || ftruncate(2, 0) < 0 ||
	    ftruncate(3, 0) < 0)
		_exit(99);
}

/* refused_run -- one run of the program.  Returns its wait status.
 *
 * @at	the allocation to refuse, from 1; 0: none, and each one's place is noted */
static inline int refused_run(const struct refused_run *run, size_t at,
			      bool also_later, struct refused_seen *see)
{
	int status = -1;
	pid_t pid;

	see->allocs = 0;
	see->frames_len = 0;
	pid = fork();
	if (pid == 0) {
		refused.at = at;
		refused.also_later = also_later;
		refused.is_not_held = run->is_not_held;
		refused.see = see;
		run_begin(run);
		_exit(__real_main(2, (char **)run->argv));
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static inline struct refused_seen *refused_seen_new(void)
{
	void *p =
		mmap(NULL, sizeof(struct refused_seen), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p != MAP_FAILED ? p : NULL;
}

#endif
