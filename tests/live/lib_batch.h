/* lib_batch.h -- for tests of cupel_batch_*: put specs in, and take ends out. */
#ifndef CUPEL_TESTS_LIB_BATCH_H
#define CUPEL_TESTS_LIB_BATCH_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "lib_run.h"

static inline double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline struct cupel_batch *batch_of(unsigned places, unsigned items)
{
	const struct cupel_batch_options o = { sizeof o, places, items };
	struct cupel_batch *b = NULL;
	struct cupel_error err = { 0 };

	ok_int(cupel_batch_new(&o, &b, &err), 0);
	return b;
}

/* With the default limits a run as root has a cgroup, and is not a copy. */
#define NO_CGROUP                                                              \
	"mem-bytes", "unlimited", "pids-max", "unlimited", "cpu-time-s",       \
		"unlimited"

static inline void put_spec(struct cupel_batch *b, uint64_t id,
			    struct cupel_spec *s,
			    const struct cupel_hooks *hooks)
{
	struct cupel_error err = { 0 };
	int r = cupel_batch_put(b, s, hooks, id, &err);

	if (r < 0)
		fprintf(stderr, "# %s\n", err.what);
	ok_int(r, 0);
	cupel_spec_free(s); /* the batch needs it no longer */
}

static inline void put(struct cupel_batch *b, uint64_t id, const char *script)
{
	put_spec(b, id, spec_of(OPTIONS(NO_CGROUP), SH(script)), NULL);
}

/* An end, with its result parsed. */
struct out {
	struct cupel_batch_end end;
	struct end json;
};

/* Poll and step as a program with its own loop does, for at most half a minute.
 * Returns whether there was an end. */
static inline bool out_next(struct cupel_batch *b, struct out *ret)
{
	const double late = now() + 120;
	struct cupel_error err = { 0 };
	int r, left = 1;

	*ret = (struct out){ .end.size = sizeof ret->end };
	while ((r = cupel_batch_take(b, &ret->end, &err)) == 0 && left > 0 &&
	       now() < late) {
		struct pollfd p = { .fd = cupel_batch_fd(b), .events = POLLIN };

		(void)poll(&p, 1, 30000);
		left = cupel_batch_step(b, &err);
		ok(left >= 0);
	}
	ok(now() < late);
	if (r == 1 && ret->end.result != NULL) {
		struct json_error bad;

		ok_int(strlen(ret->end.result), ret->end.result_len);
		ok_int(ret->end.error.stage, CUPEL_STAGE_NONE);
		ok_int(json_parse(
			       ret->end.result, ret->end.result_len,
			       &(struct json_caps){ .text_bytes = 64 << 20,
						    .string_bytes = 64 << 20 },
			       &ret->json.arena, &ret->json.json, &bad),
		       0);
	} else if (r == 1) {
		ok(ret->end.error.what[0] != '\0');
	}
	return r == 1;
}

static inline void out_done(struct out *o)
{
	end_done(&o->json);
	free(o->end.result);
}

static inline void out_is(struct cupel_batch *b, uint64_t id,
			  enum cupel_status status, const char *said)
{
	struct out o;

	ok(out_next(b, &o));
	ok_int(o.end.id, id);
	if (o.end.status != status)
		fprintf(stderr, "# %s: %s %s\n",
			cupel_status_name(o.end.status),
			text_at(&o.json, "message"), o.end.error.what);
	ok_int(o.end.status, status);
	if (said != NULL)
		ok(strcmp(text_at(&o.json, "stdout"), said) == 0);
	out_done(&o);
}

static inline bool is_copy(const struct out *o)
{
	return strcmp(text_at(&o->json, "enforced.mountns.details.root"),
		      "template") == 0;
}

/* Nothing is left to take or to do. */
static inline void is_empty(struct cupel_batch *b)
{
	struct cupel_batch_end e = { .size = sizeof e };
	struct cupel_error err = { 0 };

	ok_int(cupel_batch_step(b, &err), 0);
	ok_int(cupel_batch_take(b, &e, &err), 0);
	ok_int(cupel_batch_wait(b, &err), 0);
}

/* Send a signal (0: none) to all our templates and vessels; returns how many there
 * are. */
static inline int children_signal(int sig)
{
	char path[64], text[4096] = "", *next = text;
	ssize_t len;
	int fd, n = 0;

	(void)snprintf(path, sizeof path, "/proc/self/task/%d/children",
		       (int)getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	len = read(fd, text, sizeof text - 1);
	(void)close(fd);
	for (char *end = next; len > 0 && *next != '\0'; next = end) {
		long pid = strtol(next, &end, 10);

		if (end == next)
			break;
		n += kill((pid_t)pid, sig) == 0;
	}
	return n;
}

static inline int descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		(void)closedir(d);
	return n;
}

#endif
