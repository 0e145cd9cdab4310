/* launch_helper.c -- a program beside a vessel: what it is given, that it ends
 * with its caller, and that a failed start leaves nothing behind.  The helper
 * of these tests is this program itself, under another name. */
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "launch/native/helper.h"

#define NAME           "helper-of-a-test"
#define DEAF           "deaf-helper-of-a-test"
#define WAIT_MS        20000
#define CALLS_AT_LEAST 80 /* the dispositions alone are 62 */

/* --- the helper ------------------------------------------------------------- */

/* If it were built with AddressSanitizer, the helper would have signal
 * handlers, and it has no environment that could turn them off. */
const char *__asan_default_options(void) __attribute__((visibility("default")));
const char *__asan_default_options(void)
{
	return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0";
}

/* What the helper finds.  If everything is true, it is as helper.h says. */
struct finding {
	int fds;        /* open ones, except for the one that lists them */
	int dead;       /* of 0, 1 and 2: read as empty, refuse a write */
	int handled;    /* signals that are blocked or not at their default */
	int words;      /* of the environment */
	bool leads;     /* a session of its own */
	bool is_root;   /* its directory is "/" */
	bool is_sealed; /* its program can be changed by nobody */
};

static int fds_count(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir) != NULL)
		n++;
	(void)closedir(dir);
	return n - 3; /* ".", ".." and the directory's own */
}

static int dead_count(void)
{
	char c;
	int n = 0;

	for (int fd = 0; fd < 3; fd++)
		n += read(fd, &c, 1) == 0 && write(fd, &c, 1) < 0;
	return n;
}

static int handled_count(void)
{
	sigset_t mask;
	int n = 0;

	(void)sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int sig = 1; sig < NSIG; sig++) {
		struct sigaction act;

		if (sigismember(&mask, sig) == 1)
			n++;
		else if (sigaction(sig, NULL, &act) == 0 &&
			 act.sa_handler != SIG_DFL)
			n++;
	}
	return n;
}

static bool program_is_sealed(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int seals = fcntl(fd, F_GET_SEALS);

	(void)close(fd);
	return (seals & (F_SEAL_WRITE | F_SEAL_SEAL)) ==
	       (F_SEAL_WRITE | F_SEAL_SEAL);
}

static int helper_main(char **envp, bool is_deaf)
{
	char dir[64] = "";
	struct finding found = { .dead = dead_count(),
				 .handled = handled_count() };
	char c;

	found.fds = fds_count();
	while (envp[found.words] != NULL)
		found.words++;
	found.leads = getsid(0) == getpid();
	found.is_root = getcwd(dir, sizeof dir) != NULL && !strcmp(dir, "/");
	found.is_sealed = program_is_sealed();
	(void)send(HELPER_CONTROL_FD, &found, sizeof found, MSG_NOSIGNAL);
	while (recv(HELPER_CONTROL_FD, &c, 1, 0) > 0)
		(void)send(HELPER_CONTROL_FD, &c, 1, MSG_NOSIGNAL);
	if (is_deaf)
		for (;;)
			(void)pause();
	return 0;
}

/* --- the caller ------------------------------------------------------------- */

static struct helper_program program = { .name = NAME };

static bool program_read(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *map = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
			   0);
	if (map == MAP_FAILED)
		return false;
	(void)close(fd);
	program.bytes = map;
	program.len = (size_t)st.st_size;
	return true;
}

static bool finding_read(const struct helper *h, struct finding *ret)
{
	struct pollfd p = { .fd = h->control_fd, .events = POLLIN };

	return poll(&p, 1, WAIT_MS) == 1 &&
	       recv(h->control_fd, ret, sizeof *ret, 0) == sizeof *ret;
}

/* There is no child of ours, and no more descriptors than before. */
static bool nothing_is_left(int fds_before)
{
	return waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD &&
	       fds_count() == fds_before;
}

static void on_signal(int signal)
{
	(void)signal;
}

static void finds_what_it_is_promised(void)
{
	struct sys k = { 0 };
	struct helper h = HELPER_NONE;
	struct cupel_error err = { 0 };
	struct finding found = { 0 };
	int before = fds_count();
	sigset_t mask;

	(void)signal(SIGHUP, SIG_IGN);
	(void)signal(SIGTERM, SIG_IGN);
	(void)signal(SIGUSR1, on_signal);
	(void)sigemptyset(&mask);
	(void)sigaddset(&mask, SIGUSR2);
	(void)sigprocmask(SIG_BLOCK, &mask, NULL);
	ok_int(helper_start(&k, &program, &h, &err), 0);
	ok(finding_read(&h, &found));
	ok_int(found.fds, 4);
	ok_int(found.dead, 3);
	ok_int(found.handled, 0);
	ok_int(found.words, 0);
	ok(found.leads && found.is_root && found.is_sealed);
	ok((fcntl(h.control_fd, F_GETFD) & FD_CLOEXEC) != 0);
	ok((fcntl(h.pidfd, F_GETFD) & FD_CLOEXEC) != 0);
	helper_close(&h);
	ok(h.pid == -1 && h.pidfd == -1 && h.control_fd == -1);
	ok(nothing_is_left(before));
}

/* No signal of the caller is lost or let in, and the caller's own state is
 * unchanged. */
static void leaves_its_caller_as_it_was(void)
{
	struct sys k = { 0 };
	struct helper h = HELPER_NONE;
	struct cupel_error err = { 0 };
	struct sigaction act;
	char before[256], after[256];
	sigset_t mask;

	ok(getcwd(before, sizeof before) != NULL);
	(void)signal(SIGHUP, SIG_IGN);
	ok_int(helper_start(&k, &program, &h, &err), 0);
	ok(getcwd(after, sizeof after) != NULL && !strcmp(before, after));
	ok(sigaction(SIGHUP, NULL, &act) == 0 && act.sa_handler == SIG_IGN);
	(void)sigprocmask(SIG_BLOCK, NULL, &mask);
	ok(!sigismember(&mask, SIGTERM) && sigismember(&mask, SIGUSR2));
	ok_int(prctl(PR_GET_DUMPABLE), 1);
	ok(getsid(0) != h.pid);
	helper_close(&h);
}

static int64_t now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Helpers that do not end when they are told to are killed after a time, which
 * they all share. */
static void kills_those_that_do_not_end(void)
{
	struct helper_program deaf = program;
	struct sys k = { 0 };
	struct helper h[3] = { HELPER_NONE, HELPER_NONE, HELPER_NONE };
	struct helper *const all[] = { &h[0], &h[1], &h[2] };
	struct cupel_error err = { 0 };
	struct finding found;
	int before = fds_count();
	int64_t begun_ms;

	deaf.name = DEAF;
	for (int i = 0; i < 2; i++) {
		ok_int(helper_start(&k, &deaf, &h[i], &err), 0);
		ok(finding_read(&h[i], &found));
	}
	begun_ms = now_ms();
	helpers_close(all, 3);
	ok(now_ms() - begun_ms >= HELPER_END_MS);
	ok(now_ms() - begun_ms < 2 * HELPER_END_MS);
	for (int i = 0; i < 3; i++)
		ok(h[i].pid == -1 && h[i].pidfd == -1 && h[i].control_fd == -1);
	ok(nothing_is_left(before));
}

/* The end of its socket tells it that nobody is there any more. */
static void ends_with_a_caller_that_is_killed(void)
{
	int pair[2];
	struct pollfd p = { .events = POLLIN };
	pid_t pid;
	char c;

	ok(pipe(pair) == 0);
	pid = fork();
	if (pid == 0) {
		struct sys k = { 0 };
		struct helper h = HELPER_NONE;
		struct cupel_error err = { 0 };
		struct finding found;
		int pidfd;

		(void)helper_start(&k, &program, &h, &err);
		(void)finding_read(&h, &found);
		pidfd = h.pidfd;
		(void)write(pair[1], &pidfd, sizeof pidfd);
		(void)pause();
		_exit(0);
	}
	(void)close(pair[1]);
	p.fd = pair[0];
	ok(poll(&p, 1, WAIT_MS) == 1);
	ok(read(pair[0], &(int){ 0 }, sizeof(int)) == sizeof(int));
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	(void)kill(pid, SIGKILL);
	ok(waitpid(pid, NULL, 0) == pid);
	/* We have to reap it now, and it ends by itself. */
	ok(waitpid(-1, NULL, __WALL) > 0);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 0);
	ok(read(pair[0], &c, 1) == 0);
	(void)close(pair[0]);
}

/* Each of its system calls in turn. */
static void leaves_nothing_when_a_call_fails(void)
{
	int before = fds_count();
	uint32_t call = 1;

	for (; call < 200; call++) {
		struct sys k = { .fault = { .call = call, .sys = ENOMEM } };
		struct helper h = HELPER_NONE;
		struct cupel_error err = { 0 };
		int r = helper_start(&k, &program, &h, &err);

		if (k.calls < call)
			break; /* it has no descriptor of that number */
		if (r == 0) {
			helper_close(&h); /* it can do without it */
		} else {
			ok_int(r, -ENOMEM);
			ok_has(err.what, NAME ": ");
		}
		ok(nothing_is_left(before));
	}
	ok(call > CALLS_AT_LEAST && call < 200);
}

int main(int argc, char **argv, char **envp)
{
	(void)argc;
	if (!strcmp(argv[0], NAME) || !strcmp(argv[0], DEAF))
		return helper_main(envp, !strcmp(argv[0], DEAF));
	if (!program_read())
		return 99;
	return tap_run((struct tap_case[]){
		CASE(finds_what_it_is_promised),
		CASE(leaves_its_caller_as_it_was),
		CASE(kills_those_that_do_not_end),
		CASE(ends_with_a_caller_that_is_killed),
		CASE(leaves_nothing_when_a_call_fails), TAP_END });
}
