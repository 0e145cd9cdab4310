/* cupel.h -- libcupel: run what nobody has reason to trust, get facts back.
 *
 * A spec says what is wanted (the same words as the options of cupel(1) and
 * the keys of cupel-spec(5)), a run is one vessel, its result is the JSON of
 * cupel-result(5).
 *
 *	struct cupel_spec *spec = NULL;
 *	struct cupel_run *run = NULL;
 *	struct cupel_error err = { 0 };
 *	const char *argv[] = { "python3", "-c", "print(1)", NULL };
 *
 *	if (cupel_spec_new(&spec, &err) < 0 ||
 *	    cupel_spec_set(spec, "wall-time-s", "5", &err) < 0 ||
 *	    cupel_spec_set_command(spec, argv, &err) < 0 ||
 *	    cupel_run_start(spec, NULL, &run, &err) < 0 ||
 *	    cupel_run_wait(run, &err) < 0)
 *		fprintf(stderr, "%s\n", err.what);
 *	else
 *		puts(cupel_run_result(run, NULL));
 *	cupel_run_free(run);
 *	cupel_spec_free(spec);
 *
 * In C++ the error starts as { }, for { 0 } is no stage there.
 *
 * Rules.  Functions return 0, or a negative errno with *err filled; outputs
 * are set on success only.  A handle is used by one thread at a time,
 * different handles by any threads.  There is no global state and no signal
 * handler; nothing depends on SIGCHLD; the caller's umask, directory, mask,
 * environment and dumpability are left alone.
 */
#ifndef CUPEL_H
#define CUPEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CUPEL_API __attribute__((visibility("default")))
#else
#define CUPEL_API
#endif

/* Which part failed.  "stage" in the result; values are only ever added. */
enum cupel_stage {
	CUPEL_STAGE_NONE = 0,
	CUPEL_STAGE_SPEC,
	CUPEL_STAGE_PLAN,
	CUPEL_STAGE_SOURCE, /* opening what the plan names on the host */
	CUPEL_STAGE_NAMESPACE,
	CUPEL_STAGE_IDMAP,
	CUPEL_STAGE_MOUNT,
	CUPEL_STAGE_PRIVILEGE, /* ids, capabilities, securebits */
	CUPEL_STAGE_LIMIT,
	CUPEL_STAGE_LANDLOCK,
	CUPEL_STAGE_SECCOMP,
	CUPEL_STAGE_EXEC,
	CUPEL_STAGE_SUPERVISE,
	CUPEL_STAGE_RESULT,
	CUPEL_STAGE_BOUNDARY,
	CUPEL_STAGE_JOB,
	CUPEL_STAGE_MAX_
};

/* Whose fault, hence what a retry can do.  "cause" in the result. */
enum cupel_cause {
	CUPEL_CAUSE_NONE = 0,
	CUPEL_CAUSE_CALLER, /* the request is wrong; never retry */
	CUPEL_CAUSE_HOST,   /* kernel or host lacks it; retry elsewhere */
	CUPEL_CAUSE_BUSY,   /* out of a resource; retry later */
	CUPEL_CAUSE_BUG,    /* our invariant broke; report it */
	CUPEL_CAUSE_MAX_
};

#define CUPEL_ERROR_WHAT 480

struct cupel_error {
	enum cupel_stage stage;
	enum cupel_cause cause;
	int sys;                     /* errno where it failed, 0 if none */
	char what[CUPEL_ERROR_WHAT]; /* NUL-terminated UTF-8, one line */
};

/* The statuses of a run, in the order of cupel-run(1), "EXIT STATUS"; values are
 * only ever added. */
enum cupel_status {
	CUPEL_OK = 0,
	CUPEL_FAILED,
	CUPEL_TIMEOUT,
	CUPEL_CPU_LIMIT,
	CUPEL_MEM_LIMIT,
	CUPEL_OUTPUT_LIMIT,
	CUPEL_FILE_SIZE_LIMIT,
	CUPEL_FORBIDDEN_SYSCALL,
	CUPEL_KILLED_TERM,
	CUPEL_KILLED_KILL,
	CUPEL_SIGNALED,
	CUPEL_INTERNAL_ERROR,
	CUPEL_STATUS_MAX_
};

struct cupel_spec;
struct cupel_run;

/* Streams for the output callback. */
#define CUPEL_STDOUT 1
#define CUPEL_STDERR 2

/* What a caller may hang on a run.  Set size to sizeof(struct cupel_hooks);
 * zero is valid for the rest except stdin_fd, where -1 is "empty". */
struct cupel_hooks {
	size_t size;
	void *data;
	/* Bytes as the command writes them, at most the output cap in all.
	 * Hostile: do not print them raw.  Called from step and wait. */
	void (*output)(void *data, int stream, const char *bytes, size_t n);
	int stdin_fd; /* fed to the command; borrowed until cupel_run_free */
	/* Sealed memory files (F_SEAL_WRITE, GROW, SHRINK) that the command
	 * finds as descriptors 4, 5, ...; borrowed until start returns. */
	const int *inputs;
	size_t inputs_len;
	/* A sealed memory file that is executed with the command's arguments
	 * instead of looking its name up inside; 0 or -1 when there is none. */
	int exec_fd;
	/* Not 0: nothing else runs or is started meanwhile, so the vessel is
	 * built on two processors at once where there are two. */
	int is_alone;
};

/* Specs.  name is an option of cupel-run(1) without dashes: "wall-time-s",
 * "repo", "env"; a repeatable one adds.  value NULL sets a flag. */
CUPEL_API int cupel_spec_new(struct cupel_spec **ret, struct cupel_error *err);
CUPEL_API int cupel_spec_set(struct cupel_spec *spec, const char *name,
			     const char *value, struct cupel_error *err);
CUPEL_API int cupel_spec_read_json(struct cupel_spec *spec, const char *json,
				   size_t n, struct cupel_error *err);
/* argv is copied; NULL-terminated; argv[0] is looked up inside. */
CUPEL_API int cupel_spec_set_command(struct cupel_spec *spec,
				     const char *const argv[],
				     struct cupel_error *err);
CUPEL_API void cupel_spec_free(struct cupel_spec *spec); /* NULL is fine */

/* cupel_run_start -- launch and return at once.
 *
 * @hooks	may be NULL; copied
 * Returns 0, or -EINVAL when the spec is wrong (cause caller: nothing was
 * started).  A host that cannot do what was asked is no failure here: the run
 * ends at once and its status is INTERNAL_ERROR. */
CUPEL_API int cupel_run_start(const struct cupel_spec *spec,
			      const struct cupel_hooks *hooks,
			      struct cupel_run **ret, struct cupel_error *err);

/* cupel_run_fd -- one descriptor for poll(2), borrowed: readable when
 * cupel_run_step has something to do.  -1 once the run has ended. */
CUPEL_API int cupel_run_fd(const struct cupel_run *run);

/* cupel_run_step -- do what can be done without blocking.  Between two phases
 * it starts the next one, which takes as long as cupel_run_start, and with a
 * cache it keeps at the end what was added, for up to 122 seconds or until
 * cupel_run_cancel.
 * Returns 1 while the run goes on, 0 when it has ended, -errno on a failure
 * of our own (the run has ended then, too). */
CUPEL_API int cupel_run_step(struct cupel_run *run, struct cupel_error *err);

/* cupel_run_wait -- step until the run has ended.  Returns 0 or -errno. */
CUPEL_API int cupel_run_wait(struct cupel_run *run, struct cupel_error *err);

/* cupel_run_cancel -- forward signal (SIGTERM, SIGINT, SIGHUP, SIGQUIT) to the
 * command once; a second call, or kill-after-s later, kills the vessel; 0
 * kills at once.  From any thread and from signal handlers. */
CUPEL_API void cupel_run_cancel(struct cupel_run *run, int signal);

/* After the end: the result (cupel-result(5)), NUL-terminated, borrowed until
 * cupel_run_free; NULL before the end.  ret_len may be NULL. */
CUPEL_API const char *cupel_run_result(struct cupel_run *run, size_t *ret_len);
CUPEL_API enum cupel_status cupel_run_status(const struct cupel_run *run);
CUPEL_API int cupel_run_rc(const struct cupel_run *run); /* 0..255 */

CUPEL_API void cupel_run_free(struct cupel_run *run); /* NULL is fine */

/* Batches: many specs, a bounded number of vessels at once.
 *
 * A vessel whose spec shows the same files as an earlier one is copied from a
 * template, which takes less than to make it (cupel-batch(1), "Templates"); its
 * walls are checked as those of any, and its result says that it was copied.
 *
 *	while (more) {
 *		r = cupel_batch_put(batch, spec, NULL, id, &err);
 *		...             -- at -EAGAIN: first take some ends
 *		poll(...)       -- cupel_batch_fd(batch) and your own
 *		cupel_batch_step(batch, &err);
 *		while (cupel_batch_take(batch, &end, &err) == 1)
 *			...     -- end.id, end.result
 *	}
 *
 * The rules of a handle are those of a run: one thread at a time, and any thread
 * for the cancels. */
struct cupel_batch;

#define CUPEL_BATCH_PLACES_MAX 256
#define CUPEL_BATCH_ITEMS_MAX  4096

/* Set size to sizeof(struct cupel_batch_options); zero is valid for the rest. */
struct cupel_batch_options {
	size_t size;
	/* How many run at once, 1 to CUPEL_BATCH_PLACES_MAX; 0: as many as there
	 * are processors. */
	unsigned places;
	/* How many specs are in the batch at most: those that wait, those that
	 * run, and those that have ended and were not taken.  From places to
	 * CUPEL_BATCH_ITEMS_MAX; 0: five for each place.  This bounds the memory
	 * for results. */
	unsigned items;
};

/* How one of them ended.  Set size to sizeof(struct cupel_batch_end) before each
 * cupel_batch_take(). */
struct cupel_batch_end {
	size_t size;
	uint64_t id; /* that it was put with */
	enum cupel_status status;
	int rc; /* 0..255 */
	/* The result (cupel-result(5)), NUL-terminated, yours to free(3).  NULL:
	 * there is none, and error says why: cause caller when the spec is
	 * wrong or, with sys ECANCELED, when it was cancelled before its start;
	 * otherwise the command may have run. */
	char *result;
	size_t result_len; /* bytes, without the NUL */
	struct cupel_error error;
};

/* cupel_batch_new -- a batch with nothing in it.  Starts nothing.
 *
 * @options	may be NULL: all defaults
 * @ret		cupel_batch_free() frees it
 * Returns 0, -EINVAL for options out of their range, or -errno when there is no
 * memory or descriptor left (it takes three). */
CUPEL_API int cupel_batch_new(const struct cupel_batch_options *options,
			      struct cupel_batch **ret,
			      struct cupel_error *err);

/* cupel_batch_put -- put a spec in; cupel_batch_step() starts it when a place is
 * free.
 *
 * @spec	what it says now counts; it may be freed at once, or set anew.  A
 *		spec keeps all that it was ever set to, 64 MiB at most, so take
 *		a spec for each where there are many commands.  A
 *		file that it names as stdin must be a regular file.  "stdout",
 *		"stderr" and "cache" are of a single run and refused
 * @hooks	may be NULL; copied.  What it points to, stdin_fd and inputs are
 *		borrowed until the end has been taken.  A run whose output is
 *		heard, that has inputs or an exec_fd, or whose stdin_fd is no
 *		regular file at its beginning, is never a copy.  A stdin_fd wins
 *		over the spec's stdin
 * @id		yours: a number, or a pointer as (uintptr_t)pointer; the end has
 *		it.  No other spec in the batch may have it now
 * Returns 0; -EAGAIN: the batch is full, take ends first; -EEXIST: the id is in the
 * batch; -EINVAL: the spec is wrong (cause caller); -ENOMEM.  After a failure
 * nothing was put in.  What is wrong with the files that a spec names is found at
 * its start: that is an end with an error. */
CUPEL_API int cupel_batch_put(struct cupel_batch *batch,
			      const struct cupel_spec *spec,
			      const struct cupel_hooks *hooks, uint64_t id,
			      struct cupel_error *err);

/* cupel_batch_fd -- one descriptor for poll(2), borrowed, the same as long as the
 * batch lives: readable when cupel_batch_step() has something to do. */
CUPEL_API int cupel_batch_fd(const struct cupel_batch *batch);

/* cupel_batch_step -- do what can be done without waiting for a run.  It starts at
 * most one, which takes as long as cupel_run_start().
 *
 * Returns 1 while specs wait or run, 0 when none does, or -errno.  Ends that have
 * not been taken do not count. */
CUPEL_API int cupel_batch_step(struct cupel_batch *batch,
			       struct cupel_error *err);

/* cupel_batch_wait -- step until there is an end to take.
 *
 * Returns 1, 0 when nothing is in the batch, or -errno. */
CUPEL_API int cupel_batch_wait(struct cupel_batch *batch,
			       struct cupel_error *err);

/* cupel_batch_take -- take the next end, in the order in which they came.
 *
 * Returns 1; 0: there is none, *ret is as it was; -EINVAL: ret->size is none of
 * ours. */
CUPEL_API int cupel_batch_take(struct cupel_batch *batch,
			       struct cupel_batch_end *ret,
			       struct cupel_error *err);

/* cupel_batch_cancel -- like cupel_run_cancel() for the spec with this id: passes
 * signal on to its command; a second call, or kill-after-s later, kills it; 0 kills
 * at once.  The next cupel_batch_step() does it, and cupel_batch_fd() is readable
 * until then.  One that waits ends without a run.  An id that is not in the batch
 * is ignored.  From any thread and from signal handlers. */
CUPEL_API void cupel_batch_cancel(struct cupel_batch *batch, uint64_t id,
				  int signal);

/* cupel_batch_cancel_all -- the same for everything that is in the batch. */
CUPEL_API void cupel_batch_cancel_all(struct cupel_batch *batch, int signal);

/* cupel_batch_remade -- how many runs were made from the beginning because a copy of a
 * template failed.  Each has one end as any other; it only took longer, and what its
 * copy had done was dropped with the copy's vessel.
 *
 * @ret_why	why the last of them failed, NUL-terminated, borrowed until the next
 *		call for this batch; "" if there was none; may be NULL */
CUPEL_API uint64_t cupel_batch_remade(const struct cupel_batch *batch,
				      const char **ret_why);

/* cupel_batch_free -- kill what runs, drop what waits and what was not taken, and
 * return when nothing is left of any vessel or template.  NULL is fine. */
CUPEL_API void cupel_batch_free(struct cupel_batch *batch);

/* cupel_status_name -- "OK", "TIMEOUT", ...; "?" out of range. */
CUPEL_API const char *cupel_status_name(enum cupel_status status);

/* cupel_plan_json -- what cupel_run_start would do, decided and not done.
 * *ret is freed with free(3). */
CUPEL_API int cupel_plan_json(const struct cupel_spec *spec, char **ret,
			      struct cupel_error *err);

/* cupel_version -- "0.1.0". */
CUPEL_API const char *cupel_version(void);

#ifdef __cplusplus
}
#endif

#endif
