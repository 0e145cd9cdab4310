/* cgroup.c -- in a real tree of cgroups: each write of a limit fails in turn, and
 * what is said to hold is what the kernel's files say; where the kernel takes
 * nobody into one, the watchdog holds; and what still lives in one is ended.
 *
 * A tree without controllers will do for all but the limits; with them it runs
 * in tests/vm, case cgroups.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault/walk.h"
#include "launch/native/cgroup.h"
#include "live/procs.h"
#include "tap.h"

#define POINTS_MAX 200
#define LIVE       16 /* processes in a cgroup that is removed */
#define LIVE_BYTES ((size_t)4 << 20)

static struct walk all;
static bool has_limits; /* the tree has the controllers */

/* --- each limit ----------------------------------------------------------------- */

static const struct row {
	unsigned controller;
	const char *name, *text;
} rows[] = {
	{ CGROUP_MEMORY, "memory.oom.group", "1\n" },
	{ CGROUP_MEMORY, "memory.swap.max", "0\n" },
	{ CGROUP_MEMORY, "memory.max", "67108864\n" },
	{ CGROUP_PIDS, "pids.max", "21\n" },
	{ CGROUP_CPU, "cpu.max", "50000 100000\n" },
};
#define ROWS (sizeof rows / sizeof *rows)

static struct plan_cgroup plan_of(bool is_needed)
{
	struct plan_cgroup plan = all.vessel.plan.cgroup;

	plan.memory_bytes = 67108864;
	plan.pids = 21;
	plan.cpu_milli = 500;
	plan.is_needed = is_needed;
	return plan;
}

static bool is_written(const struct cgroup *c, const struct row *row)
{
	char text[64] = "";
	int fd = openat(c->dir_fd, row->name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;

	if (fd >= 0)
		close(fd);
	return n > 0 && strcmp(text, row->text) == 0;
}

/* Returns which rows do not stand; none of them may be said to hold. */
static unsigned rows_lacking(const struct cgroup *c)
{
	unsigned lacking = 0;

	for (size_t i = 0; i < ROWS; i++) {
		if (is_written(c, &rows[i]))
			continue;
		lacking |= 1U << i;
		ok((c->held & rows[i].controller) == 0);
	}
	/* A limit of memory by itself would kill behind the watchdog's back. */
	ok((c->held & CGROUP_MEMORY) != 0 || !is_written(c, &rows[2]));
	return lacking;
}

static void each_write(bool is_needed)
{
	const struct plan_cgroup plan = plan_of(is_needed);
	const unsigned every = (1U << ROWS) - 1;
	unsigned single = 0, n = 1;

	for (; n < POINTS_MAX; n++) {
		struct sys k = { .fault = { n, EBUSY } };
		struct cupel_error err = { 0 };
		struct cgroup c;
		int r = cgroup_make(&k, &plan, &c, &err);

		ok((r < 0) == (is_needed && (c.held & CGROUP_CPU) == 0));
		ok((r < 0) == (err.stage == CUPEL_STAGE_LIMIT));
		ok(r == 0 || c.dir_fd < 0);
		if (c.dir_fd >= 0) {
			unsigned lacking = rows_lacking(&c);

			if ((lacking & (lacking - 1)) == 0 || lacking <= 7)
				single |= lacking;
			if (k.calls < n)
				ok_int(lacking, has_limits ? 0 : every);
		}
		cgroup_remove(&c);
		ok(c.dir_fd < 0 && c.held == 0);
		if (k.calls < n)
			break;
	}
	ok(n > 15 && n < POINTS_MAX);
	/* Each of them was hit; the share of the processors only if the run
	 * starts without it. */
	ok(!has_limits || single == (is_needed ? every >> 1 : every));
}

static void what_is_refused_is_not_said_to_hold(void)
{
	each_write(false);
}

static void what_is_needed_ends_the_run(void)
{
	each_write(true);
}

/* --- the whole launch --------------------------------------------------------- */

static void each_call_fails_in_a_cgroup(void)
{
	const struct side parent = { "parent, in a cgroup", 0, 30, 0 };

	ok(walk_side(&all, &parent, EACCES));
	ok(walk_side(&all, &parent, EMFILE));
}

/* The last call that costs the run its cgroup, and not its life: clone3. */
static uint32_t call_find(void)
{
	uint32_t found = 0;

	for (uint32_t n = 1; n < POINTS_MAX; n++) {
		struct vessel_end end;

		vessel_run(&all.vessel, n, EACCES, &end);
		if (end.result == VESSEL_COMPLETE && !end.has_cgroup)
			found = n;
		else if (found != 0 && n > found + 30)
			break;
	}
	return found;
}

static void where_it_takes_nobody_the_watchdog_holds(void)
{
	struct vessel plain = all.vessel;
	struct vessel_end end;
	uint32_t call;

	if (!has_limits)
		skip("nothing is held that could be lost");
	call = call_find();
	ok(call != 0);
	ok_int(vessel_open_hog(&all.vessel), 0);
	vessel_run(&all.vessel, call, EACCES, &end);
	ok(!end.has_cgroup);
	ok_int(end.killed, KILL_MEMORY);
	vessel_run(&all.vessel, call, ENOMEM, &end); /* nothing of the cgroup */
	ok_int(end.result, VESSEL_FAILED);
	vessel_close(&all.vessel);
	all.vessel = plain;
}

/* --- the end of one ------------------------------------------------------------ */

/* A process in that cgroup, for a minute, with some memory to give back. */
static pid_t live_in(int dir_fd)
{
	int fd = openat(dir_fd, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	pid_t pid = fork();

	if (pid == 0) {
		char *bytes = malloc(LIVE_BYTES);

		if (bytes == NULL || fd < 0 || write(fd, "0", 1) != 1)
			_exit(1);
		memset(bytes, 1, LIVE_BYTES);
		(void)raise(SIGSTOP);
		sleep(60);
		_exit(0);
	}
	close(fd);
	(void)waitpid(pid, NULL, WUNTRACED);
	(void)kill(pid, SIGCONT);
	return pid;
}

static bool was_killed(pid_t pid)
{
	int status = 0;

	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	       WTERMSIG(status) == SIGKILL;
}

/* Locked, so that no sweep takes it; and nobody else can have the lock. */
static bool is_locked_up(const struct cgroup *c)
{
	int fd = openat(c->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st = { 0 };
	bool is_held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 &&
		       errno == EWOULDBLOCK;

	(void)fstat(fd, &st);
	close(fd);
	return is_held && (st.st_mode & 0077) == 0;
}

static void what_lives_in_it_is_killed_and_waited_for(void)
{
	const struct plan_cgroup plan = plan_of(false);
	struct cupel_error err = { 0 };
	struct sys k = { 0 };
	pid_t pids[LIVE];
	struct cgroup c;

	ok_int(cgroup_make(&k, &plan, &c, &err), 0);
	ok(is_locked_up(&c));
	for (int i = 0; i < LIVE; i++)
		pids[i] = live_in(c.dir_fd);
	cgroup_remove(&c);
	for (int i = 0; i < LIVE; i++)
		ok(was_killed(pids[i]));
}

/* Of a supervisor that is no more, and of one whose lock says that it is. */
static void one_that_is_stale_is_ended_by_the_next_run(void)
{
	const struct plan_cgroup plan = plan_of(false);
	const uint64_t random = 7;
	struct cupel_error err = { 0 };
	struct cgroup_owner self, dead;
	struct cgroup next;
	char name[CGROUP_NAME_BYTES];
	struct sys k = { 0 };
	int dir, fd;
	pid_t pid;

	ok_int(cgroup_owner_self(&k, &self), 0);
	dead = self;
	dead.started--;
	cgroup_name_write(CGROUP_RUN_PREFIX, &dead, &random, name);
	dir = open(plan.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok_int(mkdirat(dir, name, 0700), 0);
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	pid = live_in(fd);
	ok_int(cgroup_make(&k, &plan, &next, &err), 0);
	ok(was_killed(pid));
	cgroup_remove(&next);
	ok_int(cgroup_make(&k, &plan, &next, &err), 0);
	cgroup_remove(&next);
	ok(faccessat(dir, name, F_OK, 0) < 0);
	close(fd);
	close(dir);
}

/* --- where ------------------------------------------------------------------- */

static bool text_has(const char *dir, const char *word)
{
	char path[64], text[512] = "";
	FILE *f;

	snprintf(path, sizeof path, "%s/cgroup.controllers", dir);
	f = fopen(path, "re");
	if (f != NULL) {
		(void)!fgets(text, sizeof text, f);
		fclose(f);
	}
	return strstr(text, word) != NULL;
}

/* Where cgroup v2 is not what the library looks at, it is told to. */
static int tree_find(void)
{
	static const char unified[] = "/sys/fs/cgroup/unified";

	if (access(unified, F_OK) == 0)
		return setenv("CUPEL_TEST_CGROUP", unified, 1);
	has_limits = text_has("/sys/fs/cgroup", "memory") &&
		     text_has("/sys/fs/cgroup", "pids") &&
		     text_has("/sys/fs/cgroup", "cpu");
	return has_limits ? 0
			  : setenv("CUPEL_TEST_CGROUP", "/sys/fs/cgroup", 1);
}

static int run_all(void)
{
	if (all.vessel.plan.cgroup.kind == CGROUP_NONE) {
		printf("1..0 # SKIP no tree of cgroups that we may write to\n");
		return 0;
	}
	printf("# %s\n", has_limits ? "with limits"
				    : "no limits: the tree has no controllers");
	return tap_run((struct tap_case[]){
		CASE(what_is_refused_is_not_said_to_hold),
		CASE(what_is_needed_ends_the_run),
		CASE(each_call_fails_in_a_cgroup),
		CASE(where_it_takes_nobody_the_watchdog_holds),
		CASE(what_lives_in_it_is_killed_and_waited_for),
		CASE(one_that_is_stale_is_ended_by_the_next_run),
		TAP_END,
	});
}

int main(void)
{
	int rc = 1;

	if (tree_find() < 0)
		return 99;
	procs_here();
	procs_adopt();
	if (vessel_open(&all.vessel, false) == 0) {
		trace_take(&all.before);
		rc = run_all();
		trace_close(&all.before);
	}
	vessel_close(&all.vessel);
	procs_leave();
	return rc;
}
