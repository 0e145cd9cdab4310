/* kill.c -- kill everything below init, and nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "launch/native/init/init.h"

/* Room for some hundred children a pass; the caller repeats. */
#define CHILDREN_BYTES 2048

#define CLONES 0x80000000 /* __WCLONE: children whose end sends no SIGCHLD */

char *number_before(char *end, long n)
{
	do {
		*--end = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	return end;
}

/* Open "/proc/self/task/TID/children": only without a PID namespace, on the
 * host's own /proc.  Returns a descriptor or -errno. */
static int children_open(struct init *in)
{
	static const char head[] = "/proc/self/task/";
	static const char tail[] = "/children";
	char path[64];
	char digits[20];
	char *from =
		number_before(digits + sizeof digits, sys0(&in->k, SYS_gettid));
	size_t n = sizeof head - 1;

	memcpy(path, head, n);
	while (from < digits + sizeof digits)
		path[n++] = *from++;
	memcpy(path + n, tail, sizeof tail);
	return (int)sys4(&in->k, SYS_openat, AT_FDCWD, path,
			 O_RDONLY | O_CLOEXEC, 0);
}

/* As of Landlock ABI 6. */
struct scope {
	uint64_t fs, net, scoped;
};
#define SCOPE_SIGNAL (UINT64_C(1) << 1)

/* Without a PID namespace a Landlock domain that confines only signals makes
 * kill(-1) reach just our descendants: one call that no fork outruns.  Where
 * the kernel has no such domain the children are killed one by one.  The
 * command enters a domain of its own below this one, from which no signal
 * reaches init (landlock.c). */
int signals_scope(struct init *in)
{
	const struct scope scope = { .scoped = SCOPE_SIGNAL };
	owned_sys_fd int fd = -1;
	long r;

	if (init_can(in, WALL_PIDNS) || in->im->landlock_scoped == 0 ||
	    init_drops(in, WALL_NO_NEW_PRIVS) || init_drops(in, WALL_LANDLOCK))
		return 0;
	r = sys5(&in->k, SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (r == 0)
		r = sys3(&in->k, SYS_landlock_create_ruleset, &scope,
			 sizeof scope, 0);
	if (r < 0)
		return 0;
	fd = (int)r;
	in->is_scoped = sys2(&in->k, SYS_landlock_restrict_self, fd, 0) == 0;
	return 0;
}

int life_start(struct init *in)
{
	long r;

	if (init_can(in, WALL_PIDNS))
		return 0;
	in->child->life = 1;
	r = sys1(&in->k, SYS_set_tid_address, &in->child->life);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-r,
				 "init: saying when it ends", NULL);
	in->life = &in->child->life;
	return 0;
}

/* The signal at a parent's end comes only to those who asked for it before.
 * When a parent ends, the kernel first clears the word and then, under the lock
 * that setsid(2) takes too, looks who has asked.  So a process that asks, takes
 * that lock and then finds the word unchanged will get the signal. */
long life_share(struct sys *k, const int *life, bool is_leader)
{
	long r = 0;

	if (life != NULL)
		r = sys2(k, SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
	if (r == 0 && is_leader)
		r = sys0(k, SYS_setsid);
	if (r < 0)
		return r;
	return life != NULL && __atomic_load_n(life, __ATOMIC_ACQUIRE) == 0
		       ? -ESRCH
		       : 0;
}

#ifdef CUPEL_TEST_HOOKS
void turn_await(const struct init *in, enum drop_bit bit)
{
	const struct timespec moment = { .tv_nsec = 1000 * 1000 };

	while (init_drops(in, bit) && in->life != NULL &&
	       __atomic_load_n(in->life, __ATOMIC_ACQUIRE) != 0)
		(void)sys_raw(SYS_nanosleep, sys_arg(&moment), 0, 0, 0, 0, 0);
}
#endif

static void children_signal(struct init *in, int sig)
{
	owned_sys_fd int fd = -1;
	char text[CHILDREN_BYTES];
	long pid = 0;
	long n;

	if (in->is_scoped || sys0(&in->k, SYS_getpid) == 1) {
		(void)sys2(&in->k, SYS_kill, -1, sig);
		return;
	}
	fd = children_open(in);
	n = fd >= 0 ? sys3(&in->k, SYS_read, fd, text, sizeof text) : 0;
	for (long i = 0; i < n; i++) {
		if (text[i] >= '0' && text[i] <= '9') {
			pid = pid * 10 + (text[i] - '0');
			continue;
		}
		if (pid > 1)
			(void)sys2(&in->k, SYS_kill, pid, sig);
		pid = 0;
	}
	if (fd < 0 && in->command_pid > 0)
		(void)sys2(&in->k, SYS_kill, in->command_pid, sig);
}

void keeper_kill(struct init *in)
{
	if (in->out.keeper_pid > 0)
		(void)sys2(&in->k, SYS_kill, in->out.keeper_pid, SIGKILL);
}

void keeper_reap(struct init *in)
{
	if (in->out.keeper_pid == 0)
		return;
	(void)sys4(&in->k, SYS_wait4, in->out.keeper_pid, 0, CLONES, 0);
	in->out.keeper_pid = 0;
}

/* In a PID namespace the keeper ends with init, without this. */
static void keeper_end(struct init *in)
{
	if (init_can(in, WALL_PIDNS))
		return;
	keeper_kill(in);
	keeper_reap(in);
}

/* Orphans come to init, which is the first of a PID namespace or a subreaper.
 * So when no child is left, no process below init is left. */
void descendants_kill(struct init *in)
{
	for (;;) {
		int status = 0;
		long pid = sys4(&in->k, SYS_wait4, -1, &status, WNOHANG, 0);

		if (pid == 0) {
			children_signal(in, SIGKILL);
			pid = sys4(&in->k, SYS_wait4, -1, &status, 0, 0);
		}
		if (pid <= 0) {
			keeper_end(in);
			return;
		}
		in->out.processes++;
		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
			in->out.processes_killed++;
	}
}
