/* launch_cgroup.c -- to whom a cgroup belongs, by its name, and which cgroups
 * are removed: those of this user whose run has ended, and no others. */
#include "tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/native/cgroup.h"

static void names_are_read_as_they_were_written(void)
{
	const struct cgroup_owner o = { 4026531836, 4194304, UINT64_MAX / 10 };
	const uint64_t random = 0xabcdef;
	struct cgroup_owner got = { 0 };
	char name[CGROUP_NAME_BYTES];

	cgroup_name_write(CGROUP_RUN_PREFIX, &o, &random, name);
	ok(strcmp(name, "cupel-run-4026531836-4194304-1844674407370955161-"
			"0000000000abcdef") == 0);
	ok(cgroup_name_read(CGROUP_RUN_PREFIX, true, name, &got));
	ok(memcmp(&o, &got, sizeof o) == 0);
	ok(!cgroup_name_read(CGROUP_CALLER_PREFIX, false, name, &got));
	cgroup_name_write(CGROUP_CALLER_PREFIX, &o, NULL, name);
	ok(cgroup_name_read(CGROUP_CALLER_PREFIX, false, name, &got));
	ok(!cgroup_name_read(CGROUP_RUN_PREFIX, true, name, &got));
}

#define RANDOM "-0123456789abcdef"

static void another_spelling_is_no_name_of_ours(void)
{
	static const char *const names[] = {
		"",
		"cupel-run-",
		"cupel-run-1-2-3",
		"cupel-run-1-2" RANDOM,
		"cupel-run-01-2-3" RANDOM,
		"cupel-run-1-02-3" RANDOM,
		"cupel-run--1-2-3" RANDOM,
		"cupel-run-+1-2-3" RANDOM,
		"cupel-run-1-2-3 " RANDOM,
		"cupel-run-1-2-3-0123456789ABCDEF",
		"cupel-run-1-2-3-0123456789abcde",
		"cupel-run-1-2-3-0123456789abcdef0",
		"cupel-run-1-2-3-4" RANDOM,
		"cupel-run-1-99999999999999999999-3" RANDOM,
		"Cupel-run-1-2-3" RANDOM,
		"cupel-runs-1-2-3" RANDOM,
		"system.slice",
	};
	struct cgroup_owner got;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		ok(!cgroup_name_read(CGROUP_RUN_PREFIX, true, names[i], &got));
		ok(!cgroup_name_read(CGROUP_CALLER_PREFIX, false, names[i],
				     &got));
	}
}

static void a_start_is_found_behind_any_program_name(void)
{
	ok_int(cgroup_find_started(
		       "7 (a) b) (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 "
		       "17 18 4242 20 21\n"),
	       4242);
	ok_int(cgroup_find_started("7 (a) S 1 2 3\n"), 0);
	ok_int(cgroup_find_started("nothing"), 0);
	ok_int(cgroup_find_started(""), 0);
}

/* --- sweeping ---------------------------------------------------------------- */

static struct cgroup_owner self;
static char dir[] = "/dev/shm/cupel-unit-sweep.XXXXXX"; /* or in /tmp */
static int dir_fd = -1;

static pid_t dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	(void)waitpid(pid, NULL, 0);
	return pid;
}

static bool is_swept(const char *prefix, struct cgroup_owner o, bool content,
		     uid_t uid)
{
	const uint64_t random = 1;
	char name[CGROUP_NAME_BYTES], inner[CGROUP_NAME_BYTES + 2];
	struct sys k = { 0 };
	bool is_gone;

	cgroup_name_write(
		prefix, &o,
		strcmp(prefix, CGROUP_RUN_PREFIX) == 0 ? &random : NULL, name);
	snprintf(inner, sizeof inner, "%s/x", name);
	if (mkdirat(dir_fd, name, 0755) < 0 ||
	    (content && mkdirat(dir_fd, inner, 0755) < 0) ||
	    fchownat(dir_fd, name, uid, (gid_t)-1, 0) < 0)
		abort();
	(void)lseek(dir_fd, 0, SEEK_SET);
	cgroup_sweep(&k, dir_fd, &self);
	is_gone = faccessat(dir_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0;
	(void)unlinkat(dir_fd, inner, AT_REMOVEDIR);
	(void)unlinkat(dir_fd, name, AT_REMOVEDIR);
	return is_gone;
}

static void what_the_dead_left_is_swept(void)
{
	struct cgroup_owner o = self;

	o.pid = (uint64_t)dead_pid();
	ok(is_swept(CGROUP_RUN_PREFIX, o, false, geteuid()));
	ok(is_swept(CGROUP_CALLER_PREFIX, o, false, geteuid()));
	o.pid = 0;
	ok(is_swept(CGROUP_RUN_PREFIX, o, false, geteuid()));
	o.pid = (uint64_t)1 << 40; /* a pid that never existed */
	ok(is_swept(CGROUP_RUN_PREFIX, o, false, geteuid()));
	o = self; /* this number was used again */
	o.started--;
	ok(is_swept(CGROUP_RUN_PREFIX, o, false, geteuid()));
}

static void what_lives_or_is_not_ours_is_not(void)
{
	struct cgroup_owner o = self;

	ok(!is_swept(CGROUP_RUN_PREFIX, o, false, geteuid()));
	ok(!is_swept(CGROUP_CALLER_PREFIX, o, false, geteuid()));
	o.pid = (uint64_t)dead_pid();
	o.pidns++; /* of another PID namespace, where nobody knows who has ended */
	ok(!is_swept(CGROUP_RUN_PREFIX, o, false, geteuid()));
	ok(!is_swept(CGROUP_CALLER_PREFIX, o, false, geteuid()));
	o.pidns--;
	ok(!is_swept(CGROUP_RUN_PREFIX, o, true, geteuid())); /* not empty */
	if (geteuid() == 0)
		ok(!is_swept(CGROUP_RUN_PREFIX, o, false, 65534));
}

/* /proc may be wrong about which of them live; one whose lock is held lives. */
static void what_somebody_holds_is_not(void)
{
	const uint64_t random = 2;
	struct cgroup_owner o = self;
	char name[CGROUP_NAME_BYTES];
	struct sys k = { 0 };
	int fd;

	o.pid = (uint64_t)dead_pid();
	cgroup_name_write(CGROUP_RUN_PREFIX, &o, &random, name);
	ok_int(mkdirat(dir_fd, name, 0700), 0);
	fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok_int(flock(fd, LOCK_EX | LOCK_NB), 0);
	(void)lseek(dir_fd, 0, SEEK_SET);
	cgroup_sweep(&k, dir_fd, &self);
	ok_int(faccessat(dir_fd, name, F_OK, 0), 0);
	close(fd);
	(void)lseek(dir_fd, 0, SEEK_SET);
	cgroup_sweep(&k, dir_fd, &self);
	ok(faccessat(dir_fd, name, F_OK, 0) < 0);
}

/* Neither a link nor a file is the cgroup of a run, whatever its name is. */
static void what_is_no_directory_stays(void)
{
	const uint64_t random = 3;
	struct cgroup_owner o = self;
	char name[CGROUP_NAME_BYTES];
	struct sys k = { 0 };

	o.pid = (uint64_t)dead_pid();
	cgroup_name_write(CGROUP_RUN_PREFIX, &o, &random, name);
	ok_int(mkdirat(dir_fd, "target", 0700), 0);
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			ok_int(symlinkat("target", dir_fd, name), 0);
		else
			ok_int(mknodat(dir_fd, name, S_IFREG | 0600, 0), 0);
		(void)lseek(dir_fd, 0, SEEK_SET);
		cgroup_sweep(&k, dir_fd, &self);
		ok_int(unlinkat(dir_fd, name, 0), 0);
	}
	ok_int(unlinkat(dir_fd, "target", AT_REMOVEDIR), 0);
}

static void strangers_stay(void)
{
	static const char *const names[] = { "system.slice", "cupel-run-1",
					     "cupel-caller-x", "a b" };
	struct sys k = { 0 };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ok_int(mkdirat(dir_fd, names[i], 0755), 0);
	(void)lseek(dir_fd, 0, SEEK_SET);
	cgroup_sweep(&k, dir_fd, &self);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ok_int(unlinkat(dir_fd, names[i], AT_REMOVEDIR), 0);
}

/* However many there are, one run examines some of them, and the next run the
 * others. */
#define CROWD       3000
#define LISTS       64 /* of 4096 bytes */
#define ENTRY_BYTES 96 /* of names as long as those */

static unsigned crowd_left(void)
{
	struct stat st;

	ok_int(fstat(dir_fd, &st), 0);
	return (unsigned)st.st_nlink - 2;
}

static void a_crowd_is_swept_in_parts(void)
{
	const struct cgroup_owner o = { self.pidns, (uint64_t)1 << 40,
					UINT64_MAX / 10 };
	char name[CGROUP_NAME_BYTES];
	struct sys k = { 0 };
	unsigned left;

	for (uint64_t i = 0; i < CROWD; i++) {
		cgroup_name_write(CGROUP_RUN_PREFIX, &o, &i, name);
		if (mkdirat(dir_fd, name, 0700) < 0)
			abort();
	}
	(void)lseek(dir_fd, 0, SEEK_SET);
	cgroup_sweep(&k, dir_fd, &self);
	ok_int(k.calls, LISTS);
	left = crowd_left();
	ok(left > CROWD - LISTS * 4096 / ENTRY_BYTES && left < CROWD);
	for (int i = 0; i < 3 && crowd_left() > 0; i++) {
		(void)lseek(dir_fd, 0, SEEK_SET);
		cgroup_sweep(&k, dir_fd, &self);
	}
	ok_int(crowd_left(), 0);
}

static void one_that_is_removed_holds_nothing(void)
{
	struct cgroup c = { .held = CGROUP_MEMORY | CGROUP_PIDS | CGROUP_CPU,
			    .name = "removed" };

	ok_int(mkdirat(dir_fd, c.name, 0700), 0);
	c.dir_fd = openat(dir_fd, c.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cgroup_remove(&c);
	ok(faccessat(dir_fd, "removed", F_OK, 0) < 0);
	ok_int(c.dir_fd, -1);
	ok_int(c.held, 0);
	cgroup_remove(&c); /* twice counts once */
}

int main(void)
{
	struct sys k = { 0 };
	int rc;

	if (access("/dev/shm", W_OK) < 0)
		strcpy(dir, "/tmp/cupel-unit-sweep.XXXXXX");
	if (mkdtemp(dir) == NULL || cgroup_owner_self(&k, &self) < 0)
		return 99;
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rc = tap_run((struct tap_case[]){
		CASE(names_are_read_as_they_were_written),
		CASE(another_spelling_is_no_name_of_ours),
		CASE(a_start_is_found_behind_any_program_name),
		CASE(what_the_dead_left_is_swept),
		CASE(what_lives_or_is_not_ours_is_not),
		CASE(what_somebody_holds_is_not),
		CASE(what_is_no_directory_stays),
		CASE(strangers_stay),
		CASE(a_crowd_is_swept_in_parts),
		CASE(one_that_is_removed_holds_nothing),
		TAP_END,
	});
	close(dir_fd);
	(void)rmdir(dir);
	return rc;
}
