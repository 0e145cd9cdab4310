/* walls.c -- probes what confines a command besides its mounts. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/doctor/doctor.h"
#include "spec/spec.h"

#define LANDLOCK_VERSION_FLAG 1U        /* linux/landlock.h */
#define WAIT_KILLABLE_RECV    (1U << 5) /* linux/seccomp.h of Linux 5.19 */
#define ABI_SCOPED            6         /* Linux 6.12 */
#define ABI_UNSCOPED                                                           \
	", without a scope for signals: a run without namespaces "             \
	"(--backend) could be outlived"

/* What is gained in a user namespace must be usable: AppArmor may allow the
 * namespace and remove every capability in it. */
void probe_capability(const struct spec *spec, struct finding *f)
{
	(void)spec;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		finding_fail(f, "mount private /");
	else if (sethostname("cupel", 5) < 0)
		finding_fail(f, "sethostname");
	else if (setdomainname("", 0) < 0)
		finding_fail(f, "setdomainname");
	else if (unshare(CLONE_NEWNET) < 0)
		finding_fail(f, "unshare(CLONE_NEWNET)");
}

void probe_userns_off(const struct spec *spec, struct finding *f)
{
	owned_fd int fd = open("/proc/sys/user/max_user_namespaces",
			       O_WRONLY | O_CLOEXEC);

	(void)spec;
	if (fd < 0 || write(fd, "0\n", 2) < 0)
		finding_fail(f, "write user.max_user_namespaces");
}

void probe_loopback(const struct spec *spec, struct finding *f)
{
	struct ifreq req = { .ifr_name = "lo" };
	owned_fd int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	(void)spec;
	req.ifr_flags = IFF_UP;
	if (fd < 0)
		finding_fail(f, "socket");
	else if (ioctl(fd, SIOCSIFFLAGS, &req) < 0)
		finding_fail(f, "ioctl SIOCSIFFLAGS lo");
}

/* Set a filter that turns sethostname into an errno or into a notification. */
static int set_filter(uint32_t verdict, unsigned flags)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sethostname, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, verdict),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {
		.len = sizeof insns / sizeof *insns,
		.filter = insns,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
}

void probe_seccomp(const struct spec *spec, struct finding *f)
{
	(void)spec;
	if (set_filter(SECCOMP_RET_ERRNO | EXDEV, 0) < 0)
		finding_fail(f, "seccomp");
	else if (sethostname("", 0) == 0 || errno != EXDEV)
		finding_fail(f, "seccomp verdict");
}

void probe_notify(const struct spec *spec, struct finding *f)
{
	(void)spec;
	if (set_filter(SECCOMP_RET_USER_NOTIF,
		       SECCOMP_FILTER_FLAG_NEW_LISTENER) < 0)
		finding_fail(f, "seccomp listener");
}

/* Since Linux 5.19 a process that waits for an answer can be killed while it
 * waits.  Nothing else withdraws the question. */
void probe_notify_killable(struct finding *f)
{
	if (set_filter(SECCOMP_RET_USER_NOTIF,
		       SECCOMP_FILTER_FLAG_NEW_LISTENER | WAIT_KILLABLE_RECV) <
	    0)
		finding_fail(f, "seccomp WAIT_KILLABLE_RECV");
}

void probe_landlock(const struct spec *spec, struct finding *f)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
			   LANDLOCK_VERSION_FLAG);

	(void)spec;
	if (abi < 0)
		finding_fail(f, "landlock_create_ruleset");
	else
		finding_value(f, "ABI %ld%s", abi,
			      abi < ABI_SCOPED ? ABI_UNSCOPED : "");
}

struct wanted {
	const char *name;
	int resource;
	uint64_t value;
};

/* The limits are set inside, as in a run.  If a hard limit of the caller is
 * lower than what the request asks for, it cannot be raised. */
void probe_rlimits(const struct spec *spec, struct finding *f)
{
	const struct wanted limits[] = {
		{ "as", RLIMIT_AS, spec->as_bytes },
		{ "data", RLIMIT_DATA, spec->data_bytes },
		{ "fsize", RLIMIT_FSIZE, spec->fsize_bytes },
		{ "nofile", RLIMIT_NOFILE, spec->nofile },
		{ "nproc", RLIMIT_NPROC,
		  spec->pids_max < spec->nproc ? spec->pids_max : spec->nproc },
		{ "cpu", RLIMIT_CPU,
		  spec->cpu_ms == SPEC_UNLIMITED ? SPEC_UNLIMITED
						 : spec->cpu_ms / 1000 + 2 },
	};

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct rlimit l = { limits[i].value, limits[i].value };

		if (limits[i].value == SPEC_UNLIMITED)
			continue;
		if (setrlimit((__rlimit_resource_t)limits[i].resource, &l) <
		    0) {
			finding_fail(f, "setrlimit");
			finding_value(f, "%s cannot be %llu", limits[i].name,
				      (unsigned long long)limits[i].value);
			return;
		}
	}
}
