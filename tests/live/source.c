/* source.c -- between the plan and the vessel: a source that is swapped, and a
 * caller whose umask, descriptors or threads are unusual.  As the caller; if that is
 * root, also as an ordinary user. */
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "plan/host.h"
#include "plan/plan.h"
#include "spec/spec.h"
#include "supervise/outcome.h"
#include "supervise/supervise.h"

#define ORDINARY 65534
#define CLOCK_S  60

static char top[PATH_MAX]; /* of the case: made new, and owned by the user */

/* -- a directory to play in */

static const char *at(const char *name)
{
	static char paths[8][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 8];

	(void)snprintf(path, PATH_MAX, "%.3000s/%.900s", top, name);
	return path;
}

static void dir_put(const char *name)
{
	ok(mkdir(at(name), 0755) == 0);
}

static void file_put(const char *name, const char *text)
{
	FILE *f = fopen(at(name), "we");

	ok(f != NULL && fputs(text, f) >= 0);
	ok(f != NULL && fclose(f) == 0);
}

static void top_make(void)
{
	(void)snprintf(top, sizeof top, "/tmp/cupel-source.XXXXXX");
	ok(mkdtemp(top) != NULL && chmod(top, 0755) == 0);
	dir_put("mine");
	dir_put("mine/repo");
	file_put("mine/repo/word", "mine");
	file_put("mine/one", "mine");
	dir_put("other");
	dir_put("other/repo");
	file_put("other/repo/word", "other");
	file_put("other/one", "other");
}

static void top_remove(void)
{
	char command[2 * PATH_MAX + 64];

	(void)snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s",
		       top, top);
	ok_int(system(command), 0);
}

/* Run fn in a process of its own, and for root once more as another user. */
static void in_process(void (*fn)(void), uid_t uid)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		tap_bad = 0;
		if (uid != geteuid() && (setresgid(uid, uid, uid) < 0 ||
					 setresuid(uid, uid, uid) < 0))
			_exit(99);
		(void)alarm(CLOCK_S);
		top_make();
		fn();
		(void)umask(022);
		top_remove();
		_exit(tap_bad > 98 ? 98 : tap_bad);
	}
	ok(waitpid(pid, &status, 0) == pid);
	ok_int(status, 0);
}

static void as_both(void (*fn)(void))
{
	in_process(fn, geteuid());
	if (geteuid() == 0)
		in_process(fn, ORDINARY);
}

/* -- a run in two halves */

struct held {
	struct spec spec;
	struct host host;
	struct plan plan;
	struct cupel_error error; /* how it ended */
	char said[256];
	size_t said_len;
	bool started;
};

static int look(struct held *h, const char *const options[][2],
		const char *const argv[], size_t argc)
{
	struct cupel_error *err = &h->error;
	int r;

	memset(h, 0, sizeof *h);
	r = spec_init(&h->spec, err);
	for (size_t i = 0; r == 0 && options[i][0] != NULL; i++)
		r = spec_set(&h->spec, options[i][0], options[i][1], err);
	if (r == 0)
		r = spec_set_command(&h->spec, argv, argc, err);
	if (r == 0)
		r = spec_check(&h->spec, err);
	if (r == 0)
		r = host_read(&h->spec, &h->host, err);
	return r < 0 ? r
		     : plan_build(&h->spec, &h->host,
				  filter_find(h->spec.seccomp), &h->plan, err);
}

static void hear(void *data, enum run_stream s, const char *bytes, size_t n)
{
	struct held *h = data;

	(void)s;
	if (n > sizeof h->said - 1 - h->said_len)
		n = sizeof h->said - 1 - h->said_len;
	memcpy(h->said + h->said_len, bytes, n);
	h->said_len += n;
}

static void go(struct held *h)
{
	const struct run_hooks hooks = {
		.data = h, .output = hear, .stdin_fd = -1, .exec_fd = -1
	};
	struct run *run = NULL;

	if (run_start(&h->plan, &hooks, &run, &h->error) < 0)
		return;
	(void)run_wait(run);
	h->error = run_outcome(run)->error;
	h->started = run_outcome(run)->started;
	run_free(run);
}

static void held_done(struct held *h)
{
	plan_done(&h->plan);
	host_done(&h->host);
	spec_done(&h->spec);
}

/* -- a source that is another file when it is opened */

struct swap {
	const char *name;   /* what the error must say */
	void (*play)(void); /* between the look and the launch */
	bool has_ro;        /* also --ro mine/one */
};

static void nothing(void)
{
}

static void swap_directory(void)
{
	ok(rename(at("mine/repo"), at("mine/old")) == 0);
	ok(rename(at("other/repo"), at("mine/repo")) == 0);
}

static void swap_for_a_link(void)
{
	ok(rename(at("mine/repo"), at("mine/old")) == 0);
	ok(symlink(at("other/repo"), at("mine/repo")) == 0);
}

static void swap_the_parent(void)
{
	ok(rename(at("mine"), at("old")) == 0);
	ok(symlink(at("other"), at("mine")) == 0);
}

static void swap_the_file(void)
{
	ok(rename(at("other/one"), at("mine/one")) == 0);
}

static void link_the_file(void)
{
	/* Not removed: the link could get the inode number that becomes free. */
	ok(rename(at("mine/one"), at("mine/gone")) == 0);
	ok(symlink(at("other/one"), at("mine/one")) == 0);
}

static void swap_one(const struct swap *s, const char *backend,
		     const char *partial)
{
	const char *argv[] = { "/bin/sh", "-c", "cat word; true" };
	char ro[PATH_MAX + 8];
	const char *const options[][2] = {
		{ "backend", backend },
		{ "repo", at("mine/repo") },
		{ partial, NULL },
		{ NULL, NULL },
	};
	const char *const more[][2] = {
		{ "backend", backend }, { "repo", at("mine/repo") },
		{ "ro", ro },           { partial, NULL },
		{ NULL, NULL },
	};
	struct held h;

	(void)snprintf(ro, sizeof ro, "%s:/one", at("mine/one"));
	ok_int(look(&h, s->has_ro ? more : options, argv, 3), 0);
	s->play();
	go(&h);
	if (s->play == nothing) {
		ok_int(h.error.stage, CUPEL_STAGE_NONE);
		ok(strcmp(h.said, "mine") == 0);
	} else {
		ok_int(h.error.stage, CUPEL_STAGE_SOURCE);
		ok_int(h.error.sys, ESTALE);
		ok_has(h.error.what, s->name);
		ok_has(h.error.what, "another file");
		ok(!h.started && h.said_len == 0);
	}
	if (tap_bad > 0)
		fprintf(stderr, "# %s, %s, %s: '%s' said '%s'\n", s->name,
			backend, partial != NULL ? partial : "strict",
			h.error.what, h.said);
	held_done(&h);
}

static void swaps_try(void)
{
	static const struct swap swaps[] = {
		{ "control", nothing, false },
		{ "control", nothing, true },
		{ "mine/repo", swap_directory, false },
		{ "mine/repo", swap_for_a_link, false },
		{ "mine/repo", swap_the_parent, false },
		{ "one", swap_the_file, true },
		{ "one", link_the_file, true },
	};
	static const char *const backends[] = { "namespaces", "landlock" };

	for (size_t i = 0; i < sizeof swaps / sizeof *swaps; i++)
		for (size_t b = 0; b < 4; b++) {
			top_remove();
			top_make();
			swap_one(&swaps[i], backends[b / 2],
				 b % 2 ? "allow-partial" : NULL);
		}
}

static void a_source_that_was_swapped_is_refused_by_name(void)
{
	as_both(swaps_try);
}

/* -- a caller unlike others */

static void run_plainly(const char *backend)
{
	static const char line[] = "umask; cat word; echo x >$HOME/x && cat "
				   "$HOME/x";
	const char *argv[] = { "/bin/sh", "-c", line };
	const char *const options[][2] = {
		{ "backend", backend },
		{ "repo", at("mine/repo") },
		{ NULL, NULL },
	};
	struct held h;

	ok_int(look(&h, options, argv, 3), 0);
	go(&h);
	ok_int(h.error.stage, CUPEL_STAGE_NONE);
	ok(strcmp(h.said, "0022\nminex\n") == 0);
	if (tap_bad > 0)
		fprintf(stderr, "# %s: %s said '%s'\n", backend, h.error.what,
			h.said);
	held_done(&h);
}

static void under_any_umask(void)
{
	static const mode_t masks[] = { 0777, 0177, 0077, 0 };

	for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
		(void)umask(masks[i]);
		run_plainly("namespaces");
		run_plainly("landlock");
		run_plainly("rlimits");
		ok_int(umask(022), masks[i]);
	}
}

static void the_callers_umask_is_not_the_vessels(void)
{
	as_both(under_any_umask);
}

static void without_streams(void)
{
	int kept = fcntl(2, F_DUPFD_CLOEXEC, 10);

	for (int fd = 0; fd < 3; fd++)
		(void)close(fd);
	run_plainly("namespaces");
	run_plainly("landlock");
	ok(dup2(kept, 2) == 2);
}

static void closed_standard_streams_are_no_sources(void)
{
	as_both(without_streams);
}

#define THREADS 8
#define RUNS    12

static void *run_often(void *data)
{
	const char *argv[] = { "/bin/true" };
	const char *const options[][2] = {
		{ "repo", data },
		{ NULL, NULL },
	};

	for (int i = 0; i < RUNS; i++) {
		struct held h;
		int r = look(&h, options, argv, 1);

		if (r == 0)
			go(&h);
		r = r < 0 ? r : h.error.stage != CUPEL_STAGE_NONE;
		held_done(&h);
		if (r != 0)
			return data;
	}
	return NULL;
}

/* Root's repository is shown to the ordinary user inside by an idmapped clone; a
 * process is started for each clone. */
static void in_threads(void)
{
	pthread_t threads[THREADS];
	char repo[PATH_MAX];

	(void)snprintf(repo, sizeof repo, "%s", at("mine/repo"));
	for (int i = 0; i < THREADS; i++)
		ok_int(pthread_create(&threads[i], NULL, run_often, repo), 0);
	for (int i = 0; i < THREADS; i++) {
		void *failed = NULL;

		ok_int(pthread_join(threads[i], &failed), 0);
		ok(failed == NULL);
	}
}

static void threads_do_not_wait_for_each_others_pipes(void)
{
	as_both(in_threads);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_source_that_was_swapped_is_refused_by_name),
		CASE(the_callers_umask_is_not_the_vessels),
		CASE(closed_standard_streams_are_no_sources),
		CASE(threads_do_not_wait_for_each_others_pipes),
		TAP_END,
	});
}
