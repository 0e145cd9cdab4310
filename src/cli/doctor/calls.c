/* calls.c -- probes of the host, the caller and single system calls. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/doctor/doctor.h"
#include "service/cgroup.h"
#include "spec/spec.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif
#define KEYCTL_JOIN_SESSION 1 /* linux/keyctl.h */

void probe_nothing(const struct spec *spec, struct finding *f)
{
	(void)spec;
	(void)f;
}

/* The oldest kernel with every call that a run makes: mount_setattr came in
 * 5.12. */
void probe_kernel(const struct spec *spec, struct finding *f)
{
	struct evidence e;

	(void)spec;
	evidence_read("", &e);
	finding_value(f, "%.100s", e.release);
	f->ok = e.kernel >= (5U << 8 | 12) && !e.is_wsl1;
}

void probe_launcher(const struct spec *spec, struct finding *f)
{
	struct evidence e;

	(void)spec;
	evidence_read("", &e);
	finding_value(f, "uid %u%s", (unsigned)geteuid(),
		      e.is_root && !e.has_sys_admin ? " without CAP_SYS_ADMIN"
		      : e.is_root && !e.has_setid   ? " without CAP_SETUID"
						    : "");
	f->ok = !e.is_root || (e.has_sys_admin && e.has_setid);
}

void probe_cgroup(const struct spec *spec, struct finding *f)
{
	struct service_cgroup c;

	(void)spec;
	service_cgroup_try(&c);
	f->ok = c.has_memory;
	finding_value(
		f, "%s%s",
		f->ok ? "" : "a watchdog watches the memory instead: ", c.text);
}

void probe_core(const struct spec *spec, struct finding *f)
{
	struct evidence e;

	(void)spec;
	evidence_read("", &e);
	f->ok = !e.has_core_pipe;
	finding_value(f, "%s", e.has_core_pipe ? "core_pattern is a pipe" : "");
}

void probe_exec(const struct spec *spec, struct finding *f)
{
	const char *dir = spec->repo != NULL ? spec->repo : ".";
	struct statvfs st;

	if (statvfs(dir, &st) < 0) {
		finding_fail(f, "statvfs");
		return;
	}
	f->ok = (st.f_flag & ST_NOEXEC) == 0;
	finding_value(f, "%s", f->ok ? "" : "mounted noexec");
}

void probe_clone3(const struct spec *spec, struct finding *f)
{
	int pidfd = -1;
	struct clone_args args = {
		.flags = CLONE_PIDFD,
		.pidfd = (uint64_t)(uintptr_t)&pidfd,
		.exit_signal = SIGCHLD,
	};
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);

	(void)spec;
	if (pid == 0)
		_exit(0);
	if (pid < 0) {
		finding_fail(f, "clone3");
		return;
	}
	(void)waitpid(pid, NULL, 0);
	(void)close(pidfd);
}

void probe_openat2(const struct spec *spec, struct finding *f)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | O_DIRECTORY,
		.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	owned_fd int fd =
		(int)syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof how);

	(void)spec;
	if (fd < 0)
		finding_fail(f, "openat2");
}

void probe_close_range(const struct spec *spec, struct finding *f)
{
	(void)spec;
	if (syscall(SYS_close_range, 1000U, ~0U, CLOSE_RANGE_CLOEXEC) < 0)
		finding_fail(f, "close_range");
}

void probe_pidfd(const struct spec *spec, struct finding *f)
{
	pid_t pid = fork();
	owned_fd int fd = -1;
	siginfo_t info = { 0 };
	struct pollfd p = { .events = POLLIN };

	(void)spec;
	if (pid == 0) {
		(void)pause();
		_exit(0);
	}
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0) {
		finding_fail(f, "pidfd_open");
		(void)kill(pid, SIGKILL);
		return;
	}
	p.fd = fd;
	if (syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0) < 0) {
		finding_fail(f, "pidfd_send_signal");
		(void)kill(pid, SIGKILL);
	} else if (poll(&p, 1, PROBE_MS) != 1) {
		finding_fail(f, "poll pidfd");
	} else if (waitid(P_PIDFD, (id_t)fd, &info, WEXITED) < 0) {
		finding_fail(f, "waitid P_PIDFD");
	}
}

/* Make a sealed memory file with this program's bytes. */
static int copy_self(struct finding *f)
{
	owned_fd int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	owned_fd int fd =
		(int)syscall(SYS_memfd_create, "cupel",
			     MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);
	struct stat st;

	if (fd < 0 && errno == EINVAL) /* before Linux 6.3 */
		fd = (int)syscall(SYS_memfd_create, "cupel",
				  MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0) {
		finding_fail(f, "memfd_create");
		return -1;
	}
	if (self < 0 || fstat(self, &st) < 0) {
		finding_fail(f, "open /proc/self/exe");
		return -1;
	}
	while (lseek(fd, 0, SEEK_CUR) < st.st_size)
		if (sendfile(fd, self, NULL, (size_t)st.st_size) <= 0) {
			finding_fail(f, "sendfile");
			return -1;
		}
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK) <
	    0) {
		finding_fail(f, "fcntl F_ADD_SEALS");
		return -1;
	}
	return take_fd(&fd);
}

void probe_memfd(const struct spec *spec, struct finding *f)
{
	owned_fd int fd = copy_self(f);
	char *const argv[] = { "cupel", "--version", NULL };
	char *const envp[] = { NULL };
	int status = 0;
	pid_t pid;

	(void)spec;
	if (fd < 0)
		return;
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		(void)dup2(null, STDOUT_FILENO);
		(void)syscall(SYS_execveat, fd, "", argv, envp, AT_EMPTY_PATH);
		_exit(errno);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		finding_fail(f, "fork");
	} else if (status != 0) {
		errno = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
		finding_fail(f, "execveat a memory file");
	}
}

void probe_keyring(const struct spec *spec, struct finding *f)
{
	(void)spec;
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION, NULL) < 0)
		finding_fail(f, "keyctl");
}
