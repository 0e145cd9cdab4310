/* egress.c -- probes what scoped egress and traces need. */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/doctor/doctor.h"

#define LOOPBACK 1 /* the index of lo in every network namespace */

/* A route that makes all of IPv4 the vessel's own, over lo. */
struct route_message {
	struct nlmsghdr head;
	struct rtmsg route;
	struct rtattr attribute;
	uint32_t out;
};

static int route_add(int fd)
{
	const struct route_message message = {
		.head = { .nlmsg_len = sizeof message,
			  .nlmsg_type = RTM_NEWROUTE,
			  .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK |
					 NLM_F_CREATE | NLM_F_EXCL },
		.route = { .rtm_family = AF_INET,
			   .rtm_table = RT_TABLE_LOCAL,
			   .rtm_protocol = RTPROT_BOOT,
			   .rtm_scope = RT_SCOPE_HOST,
			   .rtm_type = RTN_LOCAL },
		.attribute = { .rta_len = RTA_LENGTH(sizeof(uint32_t)),
			       .rta_type = RTA_OIF },
		.out = LOOPBACK,
	};
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char rest[256];
	} answer = { .error.error = -EPROTO };

	if (send(fd, &message, sizeof message, 0) < 0 ||
	    recv(fd, &answer, sizeof answer, 0) < 0)
		return -errno;
	return answer.head.nlmsg_type == NLMSG_ERROR ? answer.error.error
						     : -EPROTO;
}

void probe_egress(const struct spec *spec, struct finding *f)
{
	owned_fd int recorder =
		socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_TCP);
	owned_fd int netlink =
		socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	int r;

	if (recorder < 0) {
		finding_fail(f, "socket SOCK_RAW");
		return;
	}
	probe_loopback(spec, f);
	if (!f->ok)
		return;
	r = netlink < 0 ? -errno : route_add(netlink);
	if (r < 0) {
		errno = -r;
		finding_fail(f, "local route of all addresses");
	}
}

/* Stop another process of the same user, and take a socket of it. */
static void look(pid_t pid, struct finding *f)
{
	owned_fd int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	owned_fd int taken = -1;

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0) {
		finding_fail(f, "ptrace PTRACE_SEIZE");
		return;
	}
	taken = pidfd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pidfd, 2, 0);
	if (taken < 0)
		finding_fail(f, "pidfd_getfd");
}

void probe_trace(const struct spec *spec, struct finding *f)
{
	pid_t pid = fork();

	(void)spec;
	if (pid == 0) {
		(void)pause();
		_exit(0);
	}
	if (pid < 0) {
		finding_fail(f, "fork");
		return;
	}
	look(pid, f);
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (f->ok)
		probe_notify_killable(f);
}
