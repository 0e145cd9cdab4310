/* leak_leave.c -- the half of the leakage oracle's program that leaves something in
 * every place (leak.c). */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "leak.h"

#define LIVE_S 5

const char *const leak_roots[LEAK_ROOTS] = {
	"/scratch", "/tmp", "/dev/shm", "/dev",  "/",
	"/etc",     "/usr", "/repo",    "/proc", "/proc/sys",
};

static void told(const char *what, long r)
{
	printf("left %s %s\n", what, r >= 0 ? "yes" : strerrorname_np(errno));
}

static void leave_files(void)
{
	char path[128];

	for (size_t i = 0; i < LEAK_ROOTS; i++) {
		int fd;

		(void)snprintf(path, sizeof path, "%s/leak", leak_roots[i]);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		told(leak_roots[i], fd);
		if (fd >= 0 && (write(fd, "leak", 4) != 4 || close(fd) < 0))
			exit(3);
		(void)snprintf(path, sizeof path, "%s/leak.d", leak_roots[i]);
		(void)mkdir(path, 0700);
		(void)snprintf(path, sizeof path, "%s/leak.fifo",
			       leak_roots[i]);
		(void)mkfifo(path, 0600);
	}
	told("mode of /dev", chmod("/dev", 0777));
	told("mode of /", chmod("/", 0777));
	told("times of /etc/passwd",
	     utimensat(AT_FDCWD, "/etc/passwd", NULL, 0));
	told("attribute of /repo", setxattr("/repo", "user.leak", "1", 1, 0));
	told("name of /dev/null", rename("/dev/null", "/dev/leak.null"));
}

static void leave_ipc(void)
{
	const struct {
		long type;
		char text[4];
	} message = { 1, "leak" };
	int shm = shmget(LEAK_KEY, 4096, IPC_CREAT | 0666);
	int msg = msgget(LEAK_KEY, IPC_CREAT | 0666);
	char *at = shm < 0 ? (void *)-1 : shmat(shm, NULL, 0);
	mqd_t queue = mq_open("/leak", O_RDWR | O_CREAT, 0666, NULL);

	told("shm", shm);
	if (at != (void *)-1)
		memcpy(at, "leak", 5);
	told("sem", semget(LEAK_KEY, 3, IPC_CREAT | 0666));
	told("msg", msg);
	(void)msgsnd(msg, &message, sizeof message.text, IPC_NOWAIT);
	told("mq", queue);
	(void)mq_send(queue, "leak", 4, 0);
}

static int unix_named(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "\0leak" };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (void *)&at, offsetof(struct sockaddr_un, sun_path) + 5) <
	    0)
		return -1;
	return listen(fd, 1) < 0 ? -1 : fd;
}

/* Make a connection between a server and a client of our own, and close it at
 * the server first: the kernel then keeps it for a minute. */
static long tcp_close(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(4242),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int one;

	if (bind(server, (void *)&at, sizeof at) < 0 || listen(server, 1) < 0 ||
	    connect(client, (void *)&at, sizeof at) < 0)
		return -1;
	one = accept(server, NULL, NULL);
	return close(one) < 0 || close(client) < 0 ? -1 : 0;
}

static void leave_net(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(9),
				  .sin_addr = { htonl(0x7f000001) } };
	struct sockaddr_in6 six = { .sin6_family = AF_INET6,
				    .sin6_port = htons(9),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct ip_mreq group = { { htonl(0xe0000122) }, { 0 } };
	int udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int udp6 = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	told("abstract", unix_named());
	told("tcp to nobody", connect(tcp, (void *)&to, sizeof to));
	told("closed tcp", tcp_close());
	told("udp", sendto(udp, "leak", 4, 0, (void *)&to, sizeof to));
	to.sin_addr.s_addr = htonl(0x0a000001);
	told("udp away", sendto(udp, "leak", 4, 0, (void *)&to, sizeof to));
	told("udp6", sendto(udp6, "leak", 4, 0, (void *)&six, sizeof six));
	told("group", setsockopt(udp, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group,
				 sizeof group));
	told("port", bind(udp6, (void *)&six, sizeof six));
}

static void leave_names(void)
{
	static const char *const sysctls[] = {
		"net/core/somaxconn",     "net/ipv4/ip_default_ttl",
		"kernel/shmmni",          "kernel/domainname",
		"fs/mqueue/queues_max",   "user/max_inotify_instances",
		"kernel/shm_rmid_forced", "net/ipv4/ip_local_port_range",
	};
	char path[128];

	for (size_t i = 0; i < sizeof sysctls / sizeof *sysctls; i++) {
		int fd;

		(void)snprintf(path, sizeof path, "/proc/sys/%s", sysctls[i]);
		fd = open(path, O_WRONLY | O_CLOEXEC);
		told(sysctls[i], fd < 0 ? -1 : write(fd, "7", 1));
	}
}

/* Calls that the policy forbids as violations; they are made only by a test
 * that runs without a filter. */
static void leave_keys(void)
{
	told("session key", syscall(SYS_add_key, "user", "leak", "1", 1,
				    KEY_SPEC_SESSION_KEYRING));
	told("user key", syscall(SYS_add_key, "user", "leak", "1", 1,
				 KEY_SPEC_USER_KEYRING));
	told("host name", sethostname("leak", 4));
}

static void leave_self(void)
{
	const struct itimerval soon = { .it_value.tv_sec = LIVE_S };
	const struct sched_param none = { 0 };
	cpu_set_t one;
	int fd;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	told("priority", setpriority(PRIO_PROCESS, 0, 7));
	told("processors", sched_setaffinity(0, sizeof one, &one));
	told("scheduler", sched_setscheduler(0, SCHED_BATCH, &none));
	told("timer", setitimer(ITIMER_REAL, &soon, NULL));
	told("slack", prctl(PR_SET_TIMERSLACK, 777777));
	told("umask", umask(0));
	fd = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);
	told("coredump_filter", fd < 0 ? -1 : write(fd, "0x7f", 4));
	fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	told("oom_score_adj", fd < 0 ? -1 : write(fd, "1000", 4));
	for (int i = 0; i < 40; i++) { /* numbers that count up */
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			exit(3);
	}
}

/* Leave a process that ignores all signals and holds a lock, a lease and a
 * name. */
static void leave_process(void)
{
	pid_t pid = fork();
	int fd;

	told("process", pid);
	if (pid != 0)
		return;
	(void)setsid();
	(void)prctl(PR_SET_NAME, "leak");
	for (int sig = 1; sig < NSIG; sig++)
		(void)signal(sig, SIG_IGN);
	fd = open("/repo/leak", O_RDONLY | O_CLOEXEC);
	(void)flock(fd, LOCK_EX | LOCK_NB);
	(void)fcntl(fd, F_SETLEASE, F_RDLCK);
	(void)unix_named();
	(void)close(0);
	(void)close(1);
	(void)close(2);
	(void)sleep(LIVE_S);
	_exit(0);
}

void leak_leave(bool has_keys)
{
	leave_files();
	leave_ipc();
	leave_net();
	leave_names();
	if (has_keys)
		leave_keys();
	leave_process();
	(void)fflush(stdout);
	leave_self();
}
