/* row.c -- the rows of the doctor's table, in the order in which a run needs
 * them. */
#include <linux/sched.h>

#include "cli/doctor/doctor.h"
#include "spec/spec.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif
#define NS_ALL                                                                 \
	(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |            \
	 CLONE_NEWUTS | CLONE_NEWCGROUP)
#define NS_MOUNT (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS)

static bool always(const struct spec *spec)
{
	(void)spec;
	return true;
}

static bool wants_full_proc(const struct spec *spec)
{
	return spec->proc == PROC_FULL;
}

static bool wants_subset_proc(const struct spec *spec)
{
	return spec->proc == PROC_SUBSET_PID;
}

static bool wants_loopback(const struct spec *spec)
{
	return spec->network != NETWORK_NONE;
}

static bool wants_egress(const struct spec *spec)
{
	return spec->network == NETWORK_SCOPED;
}

static bool wants_trace(const struct spec *spec)
{
	return spec->trace != TRACE_NONE;
}

static bool wants_writes(const struct spec *spec)
{
	return spec->repo_mode == REPO_OVERLAY;
}

/* clang-format off */
const struct row rows[] = {
	{ "kernel", "a kernel with all system calls that a run needs (5.12)",
	  TOPIC_HOST, WHERE_HERE, 0, probe_kernel, always },
	{ "launcher", "an ordinary user, or root with root's capabilities",
	  TOPIC_LAUNCHER, WHERE_HERE, 0, probe_launcher, always },
	{ "clone3", "clone3 with a pidfd",
	  TOPIC_CALL, WHERE_HERE, 0, probe_clone3, always },
	{ "openat2", "openat2",
	  TOPIC_CALL, WHERE_HERE, 0, probe_openat2, NULL },
	{ "close_range", "close_range",
	  TOPIC_CALL, WHERE_HERE, 0, probe_close_range, always },
	{ "pidfd", "signals and waiting by pidfd",
	  TOPIC_CALL, WHERE_HERE, 0, probe_pidfd, always },
	{ "memfd_exec", "a program started from a sealed memory file",
	  TOPIC_MEMFD, WHERE_HERE, 0, probe_memfd, always },
	{ "userns", "a user namespace, with its id maps",
	  TOPIC_USERNS, WHERE_INSIDE, 0, probe_nothing, always },
	{ "mountns", "a mount namespace",
	  TOPIC_NAMESPACE, WHERE_INSIDE, CLONE_NEWNS, probe_nothing, always },
	{ "pidns", "a PID namespace",
	  TOPIC_NAMESPACE, WHERE_INSIDE, CLONE_NEWPID, probe_nothing, always },
	{ "netns", "a network namespace",
	  TOPIC_NAMESPACE, WHERE_INSIDE, CLONE_NEWNET, probe_nothing, always },
	{ "ipcns", "an IPC namespace",
	  TOPIC_NAMESPACE, WHERE_INSIDE, CLONE_NEWIPC, probe_nothing, always },
	{ "utsns", "a UTS namespace",
	  TOPIC_NAMESPACE, WHERE_INSIDE, CLONE_NEWUTS, probe_nothing, always },
	{ "cgroupns", "a cgroup namespace",
	  TOPIC_NAMESPACE, WHERE_INSIDE, CLONE_NEWCGROUP, probe_nothing,
	  always },
	{ "namespaces", "all of them in one clone3",
	  TOPIC_NAMESPACE, WHERE_INSIDE, NS_ALL, probe_nothing, always },
	{ "capabilities", "capabilities that can be used in these namespaces",
	  TOPIC_CAPABILITY, WHERE_INSIDE, NS_ALL, probe_capability, always },
	{ "nested_userns", "no further user namespaces inside, by sysctl",
	  TOPIC_PROC, WHERE_INSIDE, NS_ALL, probe_userns_off, NULL },
	{ "loopback", "the loopback interface, up",
	  TOPIC_CAPABILITY, WHERE_INSIDE, NS_ALL, probe_loopback,
	  wants_loopback },
	{ "egress", "a network in which every address is local (--network "
		    "scoped)",
	  TOPIC_CAPABILITY, WHERE_INSIDE, NS_ALL, probe_egress, wants_egress },
	{ "tmpfs", "a tmpfs with a size and an inode cap",
	  TOPIC_MOUNT, WHERE_INSIDE, NS_MOUNT, probe_tmpfs, always },
	{ "fsopen", "a file system that is made through a descriptor",
	  TOPIC_MOUNT, WHERE_INSIDE, NS_MOUNT, probe_fsopen, always },
	{ "bind_readonly", "a host directory, read-only and recursive",
	  TOPIC_MOUNT, WHERE_INSIDE, NS_MOUNT, probe_bind, always },
	{ "runtime", "what mountinfo inside shows of /usr and /etc",
	  TOPIC_HOST, WHERE_HERE, 0, probe_runtime, NULL },
	{ "overlay", "a read-only overlay, for the repository's objects",
	  TOPIC_OVERLAY, WHERE_INSIDE, NS_MOUNT, probe_overlay, NULL },
	{ "overlay_writable", "a writable view (--repo-mode overlay)",
	  TOPIC_OVERLAY, WHERE_INSIDE, NS_MOUNT, probe_overlay_writable,
	  wants_writes },
	{ "overlay_dirs", "directories of the repository can be replaced in it",
	  TOPIC_OVERLAY, WHERE_INSIDE, NS_MOUNT, probe_overlay_dirs, NULL },
	{ "pivot_root", "a root directory of its own, with the host's detached",
	  TOPIC_MOUNT, WHERE_INSIDE, NS_MOUNT, probe_pivot, always },
	{ "proc", "a /proc with only its own processes",
	  TOPIC_PROC, WHERE_INSIDE, NS_MOUNT, probe_proc, wants_full_proc },
	{ "proc_subset", "the same without the rest of /proc (subset=pid)",
	  TOPIC_PROC, WHERE_INSIDE, NS_MOUNT, probe_proc_subset,
	  wants_subset_proc },
	{ "devices", "null, zero, full, random and urandom",
	  TOPIC_DEVICE, WHERE_INSIDE, NS_MOUNT, probe_devices, always },
	{ "idmap", "an idmapped clone of the repository, needed by root",
	  TOPIC_IDMAP, WHERE_HERE, 0, probe_idmap, NULL },
	{ "repo_exec", "programs of the repository can be executed",
	  TOPIC_EXEC, WHERE_HERE, 0, probe_exec, NULL },
	{ "seccomp", "a system call filter",
	  TOPIC_SECCOMP, WHERE_HERE, 0, probe_seccomp, always },
	{ "seccomp_notify", "a seccomp listener, which reports violations",
	  TOPIC_NOTIFY, WHERE_HERE, 0, probe_notify, NULL },
	{ "trace", "a process can be stopped and its socket taken (--trace)",
	  TOPIC_TRACE, WHERE_HERE, 0, probe_trace, wants_trace },
	{ "landlock", "Landlock, the second wall",
	  TOPIC_LANDLOCK, WHERE_HERE, 0, probe_landlock, NULL },
	{ "rlimits", "the limits of the profile",
	  TOPIC_LIMIT, WHERE_INSIDE, 0, probe_rlimits, always },
	{ "keyring", "a session keyring of its own",
	  TOPIC_CALL, WHERE_HERE, 0, probe_keyring, always },
	{ "core_dumps", "no core dump leaves the vessel",
	  TOPIC_LIMIT, WHERE_HERE, 0, probe_core, NULL },
	{ "memory_cgroup", "a cgroup for the memory of the tree",
	  TOPIC_CGROUP, WHERE_SELF, 0, probe_cgroup, NULL },
	{ "vessel", "a run of the profile, with every wall checked",
	  TOPIC_VESSEL, WHERE_HERE, 0, probe_vessel, always },
};
/* clang-format on */
const size_t rows_len = sizeof rows / sizeof *rows;
