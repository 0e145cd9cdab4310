/* swapped.c -- a source whose owner swaps it all the time for another file or for a
 * link to one: the run shows the file that was checked, or nothing.  Both where
 * overlay is available and where it is refused (on an overlay over an overlay, which
 * is made in a mount namespace of the test's own).  As the caller; if that is root,
 * also as an ordinary user.  With the check taken down the other file is shown. */
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "hooks/drop.h"
#include "plan/host.h"
#include "plan/plan.h"
#include "spec/spec.h"
#include "supervise/outcome.h"
#include "supervise/supervise.h"

#define ORDINARY  65534
#define CLOCK_S   120
#define RUNS      100
#define RUNS_MOST 1000 /* rounds of a control, which ends with the first miss */

struct scene {
	bool is_stack; /* overlay is refused */
	bool is_dir;   /* --ro of a directory, otherwise of a file */
	bool is_file; /* swapped for another file, otherwise for a link to one */
	bool is_control;
	uid_t uid;
};

static const char *const dirs[] = { "l1", "u1", "w1",    "m1",  "u2",
				    "w2", "m2", "other", "repo" };

static char top[] = "/tmp/cupel-swapped.XXXXXX";

static const char *at(const char *name)
{
	static char paths[8][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 8];

	(void)snprintf(path, PATH_MAX, "%s/%s", top, name);
	return path;
}

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	size_t n = strlen(text);
	bool is_put = fd >= 0 && write(fd, text, n) == (ssize_t)n;

	return fd >= 0 && close(fd) == 0 && is_put;
}

/* -- a place where overlay is refused */

static bool map_write(const char *path, unsigned id)
{
	char text[32];

	(void)snprintf(text, sizeof text, "%u %u 1", id, id);
	return put(path, text);
}

/* Make a mount namespace; for an ordinary user in a new user namespace. */
static bool namespace_enter(void)
{
	unsigned uid = geteuid();
	unsigned gid = getegid();

	if (unshare(CLONE_NEWNS | (uid != 0 ? CLONE_NEWUSER : 0)) < 0)
		return false;
	if (uid != 0 && !(put("/proc/self/setgroups", "deny") &&
			  map_write("/proc/self/uid_map", uid) &&
			  map_write("/proc/self/gid_map", gid)))
		return false;
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("none", top, "tmpfs", 0, "mode=755") == 0;
}

static bool overlay_put(const char *lower, const char *upper, const char *work,
			const char *where)
{
	char data[4 * PATH_MAX];

	(void)snprintf(data, sizeof data,
		       "userxattr,lowerdir=%s,upperdir=%s,workdir=%s",
		       at(lower), at(upper), at(work));
	return mount("none", at(where), "overlay", 0, data) == 0;
}

static const char *mine(const struct scene *s, const char *name)
{
	char path[64];

	(void)snprintf(path, sizeof path, "%s/%s", s->is_stack ? "m2" : "l1",
		       name);
	return at(path);
}

static bool give(const char *path, uid_t uid)
{
	return geteuid() != 0 || uid == 0 || lchown(path, uid, uid) == 0;
}

/* "source" is a file that says "mine", or a directory with such a file; "link" leads
 * to another one. */
static bool scene_put(const struct scene *s)
{
	uid_t owner = s->uid != 0 ? s->uid : ORDINARY;
	const char *theirs = s->is_dir ? "other" : "other/word";

	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		if (mkdir(at(dirs[i]), 0755) < 0)
			return false;
	if (s->is_stack && !(overlay_put("l1", "u1", "w1", "m1") &&
			     overlay_put("m1", "u2", "w2", "m2")))
		return false;
	if (s->is_dir && (mkdir(mine(s, "source"), 0755) < 0 ||
			  !put(mine(s, "source/word"), "mine") ||
			  !give(mine(s, "source/word"), owner)))
		return false;
	if (!s->is_dir && !put(mine(s, "source"), "mine"))
		return false;
	if (s->is_file ? !put(mine(s, "link"), "other")
		       : symlink(at(theirs), mine(s, "link")) < 0)
		return false;
	return put(at("other/word"), "other") && give(mine(s, "link"), owner) &&
	       give(mine(s, ""), owner) && give(mine(s, "source"), owner) &&
	       give(at("repo"), owner);
}

static pid_t swapper_start(const struct scene *s)
{
	const char *a = mine(s, "source");
	const char *b = mine(s, "link");
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)alarm(CLOCK_S);
	while (renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0)
		for (unsigned spin = (unsigned)rand() % 4000; spin > 0; spin--)
			__asm__ volatile("");
	_exit(1);
}

/* -- runs of one plan */

struct seen {
	unsigned runs, right, refused, missed, strange, by_filter;
	char said[16];
	size_t said_len;
};

static void hear(void *data, enum run_stream stream, const char *bytes,
		 size_t n)
{
	struct seen *seen = data;

	(void)stream;
	if (n > sizeof seen->said - 1 - seen->said_len)
		n = sizeof seen->said - 1 - seen->said_len;
	memcpy(seen->said + seen->said_len, bytes, n);
	seen->said_len += n;
}

static void run_once(const struct plan *plan, struct seen *seen)
{
	const struct run_hooks hooks = {
		.data = seen, .output = hear, .stdin_fd = -1, .exec_fd = -1
	};
	struct cupel_error err = { 0 };
	struct run *run = NULL;

	memset(seen->said, 0, sizeof seen->said);
	seen->said_len = 0;
	seen->runs++;
	if (run_start(plan, &hooks, &run, &err) == 0) {
		(void)run_wait(run);
		err = run_outcome(run)->error;
		seen->by_filter += run_outcome(run)->objects_by_filter;
	}
	run_free(run);
	if (strcmp(seen->said, "mine") == 0)
		seen->right++;
	else if (strcmp(seen->said, "other") == 0)
		seen->missed++;
	else if (err.stage == CUPEL_STAGE_SOURCE && err.sys == ESTALE)
		seen->refused++;
	else if (seen->strange++ == 0)
		fprintf(stderr, "# stage %d, %d: '%s' said '%s'\n",
			(int)err.stage, err.sys, err.what, seen->said);
}

static int look(const struct scene *s, struct spec *spec, struct host *host,
		struct plan *plan, struct cupel_error *err)
{
	const char *argv[] = { "/bin/cat", s->is_dir ? "/in/word" : "/in" };
	char ro[PATH_MAX + 8];
	int r = spec_init(spec, err);

	(void)snprintf(ro, sizeof ro, "%s:/in", mine(s, "source"));
	if (r == 0)
		r = spec_set(spec, "repo", at("repo"), err);
	if (r == 0)
		r = spec_set(spec, "ro", ro, err);
	if (r == 0)
		r = spec_set_command(spec, argv, 2, err);
	if (r == 0)
		r = spec_check(spec, err);
	if (r == 0)
		r = host_read(spec, host, err);
	return r < 0 ? r
		     : plan_build(spec, host, filter_find(spec->seccomp), plan,
				  err);
}

static void race(const struct scene *s, struct seen *seen)
{
	struct cupel_error err = { 0 };
	struct spec spec = { 0 };
	struct host host = { 0 };
	struct plan plan = { 0 };
	pid_t swapper;

	ok_int(look(s, &spec, &host, &plan, &err), 0);
	if (s->is_control)
		plan.hooks.dropped |= WALL_BIT(DROP_PINS);
	swapper = swapper_start(s);
	ok(swapper > 0);
	for (unsigned i = 0; i < (s->is_control ? RUNS_MOST : RUNS); i++) {
		if (tap_bad > 0 || (s->is_control && seen->missed > 0))
			break;
		run_once(&plan, seen);
	}
	ok(waitpid(swapper, NULL, WNOHANG) == 0); /* it went on to the end */
	(void)kill(swapper, SIGKILL);
	(void)waitpid(swapper, NULL, 0);
	plan_done(&plan);
	host_done(&host);
	spec_done(&spec);
}

static void scene_play(const struct scene *s)
{
	struct seen seen = { 0 };

	ok(namespace_enter());
	ok(scene_put(s));
	if (s->uid != geteuid())
		ok(setresgid(s->uid, s->uid, s->uid) == 0 &&
		   setresuid(s->uid, s->uid, s->uid) == 0);
	if (tap_bad > 0)
		return;
	race(s, &seen);
	fprintf(stderr,
		"# uid %u, %s, %s%s%s: of %u runs %u showed the source, %u "
		"were "
		"refused, %u showed another file\n",
		(unsigned)s->uid, s->is_stack ? "no overlay" : "overlay",
		s->is_dir ? "directory" : "file",
		s->is_file ? " for a file" : "",
		s->is_control ? ", control" : "", seen.runs, seen.right,
		seen.refused, seen.missed);
	ok_int(seen.strange, 0);
	if (s->is_control) {
		ok(seen.missed > 0);
		return;
	}
	ok_int(seen.missed, 0);
	ok_int(seen.runs, RUNS);
	ok(seen.right > 0 && seen.refused > 0);
	ok_int(seen.by_filter > 0, s->is_stack);
}

static void in_process(const struct scene *s)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		tap_bad = 0;
		(void)alarm(CLOCK_S);
		scene_play(s);
		_exit(tap_bad > 98 ? 98 : tap_bad);
	}
	ok(waitpid(pid, &status, 0) == pid);
	ok_int(status, 0);
}

static void as_both(struct scene s)
{
	s.uid = geteuid();
	in_process(&s);
	if (s.uid == 0) {
		s.uid = ORDINARY;
		in_process(&s);
	}
}

static void a_file_where_overlay_is_refused(void)
{
	as_both((struct scene){ .is_stack = true });
}

static void a_directory_where_overlay_is_refused(void)
{
	as_both((struct scene){ .is_stack = true, .is_dir = true });
}

static void a_file_behind_an_overlay(void)
{
	as_both((struct scene){ .is_dir = false });
}

static void a_file_for_another_behind_an_overlay(void)
{
	as_both((struct scene){ .is_file = true });
}

static void a_directory_behind_an_overlay(void)
{
	as_both((struct scene){ .is_dir = true });
}

static void without_the_check_another_file_is_shown(void)
{
	as_both((struct scene){ .is_stack = true, .is_control = true });
	as_both((struct scene){ .is_file = true, .is_control = true });
}

int main(void)
{
	int r;

	if (mkdtemp(top) == NULL || chmod(top, 0755) < 0)
		return 99;
	r = tap_run((struct tap_case[]){
		CASE(a_file_where_overlay_is_refused),
		CASE(a_directory_where_overlay_is_refused),
		CASE(a_file_behind_an_overlay),
		CASE(a_file_for_another_behind_an_overlay),
		CASE(a_directory_behind_an_overlay),
		CASE(without_the_check_another_file_is_shown),
		TAP_END,
	});
	(void)rmdir(top);
	return r;
}
