/* trap.c -- why a row says no, and the command that mends it: a pure function
 * of what was found and what the host says. */
#include <errno.h>
#include <stddef.h>

#include "cli/doctor/doctor.h"

typedef const struct evidence ev;
typedef const struct finding fi;

#define IS(name, expr)                                                         \
	static bool name(ev *e, fi *f)                                         \
	{                                                                      \
		(void)e;                                                       \
		(void)f;                                                       \
		return (expr);                                                 \
	}

#define DENIED(f) ((f)->sys == EPERM || (f)->sys == EACCES)
#define MISSING(f)                                                             \
	((f)->sys == ENOSYS || (f)->sys == EINVAL || (f)->sys == EOPNOTSUPP)
#define AT_LEAST(e, major, minor)                                              \
	((e)->kernel >= ((unsigned)(major) << 8 | (minor)))

IS(is_wsl1, e->is_wsl1)
IS(is_gvisor, e->is_gvisor &&MISSING(f))
IS(is_poor_root, e->is_root && (!e->has_sys_admin || !e->has_setid))
IS(is_poor_root_denied, DENIED(f) && is_poor_root(e, f))
IS(is_small_root, DENIED(f) && e->is_root && !e->has_full_map)
IS(is_userns_zero, f->sys == ENOSPC && e->max_userns == 0)
IS(is_full, f->sys == ENOSPC || f->sys == EUSERS)
IS(is_clone_sysctl, DENIED(f) && e->userns_clone == 0 && !e->is_root)
/* The label alone is not enough.  The sysctl restricts callers that are
 * unconfined, and a profile of our own mends that. */
IS(is_apparmor, DENIED(f) && e->apparmor_restrict == 1 && !e->is_root)
IS(is_apparmor_boxed, is_apparmor(e, f) && e->box != BOX_NONE)
IS(is_apparmor_github, is_apparmor(e, f) && e->is_github)
IS(is_selinux, f->sys == EACCES && e->has_selinux)
IS(is_hidden_proc, (DENIED(f) || f->sys == ENOENT) && e->proc_is_hidden)
IS(is_kubernetes, DENIED(f) && e->box == BOX_KUBERNETES)
IS(is_podman, DENIED(f) && e->box == BOX_PODMAN)
IS(is_container, DENIED(f) && (e->box != BOX_NONE || !e->has_full_map))
IS(is_filtered, DENIED(f) && e->seccomp_mode == 2)
IS(is_unit_filtered,
   (DENIED(f) || f->sys == ENOSYS) && e->seccomp_mode == 2 && e->is_unit)
IS(is_call_filtered, f->sys == ENOSYS && e->seccomp_mode == 2)
IS(is_chroot, f->sys == EPERM && !e->has_root_mount)
IS(is_masked, (DENIED(f) || f->sys == EROFS) && e->proc_masked[0] != '\0')
IS(is_masked_kubernetes, is_masked(e, f) && e->box == BOX_KUBERNETES)
IS(is_masked_podman, is_masked(e, f) && e->box == BOX_PODMAN)
IS(is_noexec_memfd, e->memfd_noexec > 1)
IS(is_procless, e->kernel == 0)
IS(is_no_tmpfs_xattr, f->sys == EOPNOTSUPP || f->sys == EIO)
IS(is_old_overlay, !AT_LEAST(e, 5, 11))
IS(is_old, !AT_LEAST(e, 5, 12))
IS(is_busy_listener, f->sys == EBUSY)
IS(is_not_supported, MISSING(f))
IS(is_low_limit, DENIED(f))
IS(is_core_pipe, e->has_core_pipe && f->sys == 0)
IS(is_cgroup1, e->has_cgroup1_memory)
IS(is_refused, true)

#define FIX(kind_, command_)                                                   \
	{                                                                      \
		.kind = (kind_), .command = (command_)                         \
	}
#define APPARMOR_LOAD                                                          \
	FIX("apparmor", "@self@ doctor --apparmor | sudo tee "                 \
			"/etc/apparmor.d/cupel >/dev/null && sudo "            \
			"apparmor_parser -r /etc/apparmor.d/cupel")
#define APPARMOR_OFF                                                           \
	FIX("sysctl", "sudo sysctl kernel.apparmor_restrict_unprivileged_"     \
		      "userns=0")
/* The smallest change first.  ENGINE.json is the policy that the engine has
 * now. */
#define POLICY "(cupel.json: @self@ doctor --seccomp ENGINE.json)"
#define DOCKER_CUPEL                                                           \
	FIX("container-flag",                                                  \
	    "docker run --security-opt seccomp=cupel.json "                    \
	    "--security-opt apparmor=unconfined "                              \
	    "--security-opt systempaths=unconfined ... " POLICY)
#define DOCKER_OPEN                                                            \
	FIX("container-flag", "docker run --security-opt seccomp=unconfined "  \
			      "--security-opt apparmor=unconfined "            \
			      "--security-opt systempaths=unconfined ...")
#define PODMAN_CUPEL                                                           \
	FIX("container-flag", "podman run --security-opt seccomp=cupel.json "  \
			      "--security-opt label=disable "                  \
			      "--security-opt unmask=ALL ... " POLICY)
#define PODMAN_OPEN                                                            \
	FIX("container-flag", "podman run --security-opt seccomp=unconfined "  \
			      "--security-opt label=disable "                  \
			      "--security-opt unmask=ALL ...")
#define POD(seccomp)                                                           \
	FIX("container-flag",                                                  \
	    "in the pod: spec.hostUsers: false; in the container: "            \
	    "securityContext: {procMount: Unmasked, seccompProfile: "          \
	    "{type: " seccomp "}, appArmorProfile: {type: Unconfined}}")
#define POD_CUPEL POD("Localhost, localhostProfile: cupel.json")
#define POD_OPEN  POD("Unconfined")
#define UNIT_OPEN                                                              \
	FIX("container-flag",                                                  \
	    "systemctl edit UNIT, and in [Service] set: RestrictNamespaces=no" \
	    " RestrictSUIDSGID=no SystemCallFilter= PrivateUsers=no "          \
	    "ProtectKernelTunables=no ProtectProc=default")
#define KERNEL(text) FIX("kernel", text)

const struct trap traps[] = {
	{ "PROC_ABSENT",
	  ~0U,
	  is_procless,
	  "/proc is not mounted here, as in a bare chroot: nothing can be run, "
	  "and the other rows cannot be explained",
	  { FIX("container-flag", "mount -t proc proc /proc"),
	    FIX("container-flag", "use bwrap, systemd-nspawn or a container "
				  "in place of chroot(8)") } },
	{ "WSL1",
	  ~0U,
	  is_wsl1,
	  "this is WSL 1, which has no Linux kernel",
	  { FIX("kernel", "wsl --set-version DISTRIBUTION 2") } },
	{ "GVISOR",
	  ~0U,
	  is_gvisor,
	  "the kernel here is gVisor, which does not have this call",
	  { FIX("container-flag", "docker run --runtime=runc ...") } },
	{ "MEMFD_NOEXEC",
	  TOPIC_MEMFD,
	  is_noexec_memfd,
	  "vm.memfd_noexec forbids programs in memory files",
	  { FIX("sysctl", "sudo sysctl vm.memfd_noexec=1") } },
	{ "ROOT_WITHOUT_CAPABILITIES",
	  TOPIC_LAUNCHER,
	  is_poor_root,
	  "root without CAP_SYS_ADMIN, CAP_SETUID and CAP_SETGID can neither "
	  "map another user nor become an ordinary one",
	  { FIX("container-flag", "docker run --user 1000:1000 ..."),
	    FIX("container-flag", "docker run --cap-add SYS_ADMIN ...") } },
	{ "USERNS_APPARMOR_HOST",
	  TOPIC_INSIDE,
	  is_apparmor_boxed,
	  "the host's AppArmor restricts user namespaces; that can be changed "
	  "only on the host, outside this container",
	  { APPARMOR_OFF, DOCKER_CUPEL, DOCKER_OPEN } },
	{ "USERNS_APPARMOR_GITHUB",
	  TOPIC_INSIDE,
	  is_apparmor_github,
	  "this runner's AppArmor restricts user namespaces to programs with a "
	  "profile; add a step before the first use of cupel",
	  { APPARMOR_LOAD, APPARMOR_OFF } },
	{ "USERNS_APPARMOR",
	  TOPIC_INSIDE,
	  is_apparmor,
	  "AppArmor restricts user namespaces to programs with a profile; if "
	  "two profiles name this program, neither is used: remove one",
	  { APPARMOR_LOAD, APPARMOR_OFF } },
	{ "USERNS_SYSCTL",
	  TOPIC_USERNS,
	  is_clone_sysctl,
	  "kernel.unprivileged_userns_clone is 0",
	  { FIX("sysctl", "sudo sysctl kernel.unprivileged_userns_clone=1") } },
	{ "USERNS_MAX_ZERO",
	  TOPIC_USERNS,
	  is_userns_zero,
	  "user.max_user_namespaces is 0, on this host or in the namespace of "
	  "this process",
	  { FIX("sysctl", "sudo sysctl user.max_user_namespaces=65536") } },
	{ "USERNS_LIMIT",
	  TOPIC_USERNS | TOPIC_NAMESPACE,
	  is_full,
	  "a limit on namespaces is reached: their number "
	  "(user.max_*_namespaces), or 32 nested user namespaces",
	  { FIX("sysctl", "sudo sysctl user.max_user_namespaces=65536 "
			  "user.max_mnt_namespaces=65536 "
			  "user.max_net_namespaces=65536") } },
	{ "PROC_MASKED_KUBERNETES",
	  TOPIC_PROC,
	  is_masked_kubernetes,
	  "files of the pod's /proc are covered, so the kernel refuses a "
	  "fresh one in a user namespace",
	  { POD_CUPEL, POD_OPEN } },
	{ "PROC_MASKED_PODMAN",
	  TOPIC_PROC,
	  is_masked_podman,
	  "files of the container's /proc are covered, so the kernel refuses "
	  "a fresh one in a user namespace",
	  { FIX("container-flag",
		"podman run --security-opt unmask=ALL ...") } },
	{ "PROC_MASKED",
	  TOPIC_PROC,
	  is_masked,
	  "files of the /proc here are covered, so the kernel refuses a fresh "
	  "one in a user namespace",
	  { FIX("container-flag",
		"docker run --security-opt systempaths=unconfined ...") } },
	{ "PROC_HIDEPID",
	  TOPIC_MAP,
	  is_hidden_proc,
	  "the /proc here hides processes (hidepid), also the child whose id "
	  "maps have to be written",
	  { FIX("sysctl", "sudo mount -o remount,hidepid=0 /proc") } },
	{ "ROOT_WITHOUT_USERS",
	  TOPIC_MAP | TOPIC_IDMAP,
	  is_small_root,
	  "root in a user namespace that does not have the users up to 65534, "
	  "and a vessel started by root runs as one of them",
	  { FIX("container-flag", "start cupel as your own ordinary user, not "
				  "under unshare -r or fakeroot") } },
	{ "SELINUX",
	  TOPIC_INSIDE,
	  is_selinux,
	  "SELinux refuses it",
	  { FIX("container-flag",
		"podman run --security-opt label=disable ..."),
	    FIX("package", "sudo ausearch -m avc -ts recent | audit2allow -M "
			   "cupel && sudo semodule -i cupel.pp") } },
	{ "KUBERNETES",
	  TOPIC_INSIDE | TOPIC_MEMFD,
	  is_kubernetes,
	  "the pod's security profiles refuse it",
	  { POD_CUPEL, POD_OPEN } },
	{ "PODMAN",
	  TOPIC_INSIDE | TOPIC_MEMFD,
	  is_podman,
	  "the container's security profiles refuse it",
	  { PODMAN_CUPEL, PODMAN_OPEN } },
	{ "CONTAINER",
	  TOPIC_INSIDE | TOPIC_MEMFD,
	  is_container,
	  "the container's security profiles refuse it",
	  { DOCKER_CUPEL, DOCKER_OPEN } },
	{ "SYSTEMD_UNIT",
	  TOPIC_INSIDE | TOPIC_CALL,
	  is_unit_filtered,
	  "a system call filter of the systemd unit around this process "
	  "refuses it",
	  { UNIT_OPEN } },
	{ "OPENAT2_FILTERED",
	  TOPIC_INSIDE | TOPIC_CALL,
	  is_call_filtered,
	  "the kernel has the call, but a filter around this process hides it",
	  { UNIT_OPEN, DOCKER_CUPEL, DOCKER_OPEN } },
	{ "SECCOMP_FILTERED",
	  TOPIC_INSIDE | TOPIC_CALL | TOPIC_MEMFD,
	  is_filtered,
	  "a system call filter around this process refuses it",
	  { DOCKER_CUPEL, DOCKER_OPEN, UNIT_OPEN } },
	{ "CHROOT",
	  TOPIC_INSIDE,
	  is_chroot,
	  "this process is in a chroot, where user namespaces are refused",
	  { FIX("container-flag", "use bwrap, systemd-nspawn or a container "
				  "in place of chroot(8)") } },
	{ "ROOT_WITHOUT_CAPABILITIES",
	  TOPIC_INSIDE,
	  is_poor_root_denied,
	  "root without CAP_SYS_ADMIN, CAP_SETUID and CAP_SETGID can neither "
	  "map another user nor become an ordinary one",
	  { FIX("container-flag", "docker run --user 1000:1000 ..."),
	    FIX("container-flag", "docker run --cap-add SYS_ADMIN ...") } },
	{ "OVERLAY_TMPFS_XATTR",
	  TOPIC_OVERLAY,
	  is_no_tmpfs_xattr,
	  "tmpfs has no user xattrs before Linux 6.6: a directory of the "
	  "repository can be neither emptied and removed nor replaced in the "
	  "writable view",
	  { KERNEL("install Linux 6.6 or later") } },
	{ "OVERLAY_KERNEL",
	  TOPIC_OVERLAY,
	  is_old_overlay,
	  "overlayfs in a user namespace needs Linux 5.11",
	  { KERNEL("install Linux 5.11 or later") } },
	{ "OVERLAY_REFUSED",
	  TOPIC_OVERLAY,
	  is_refused,
	  "overlayfs is refused here; read-only sources are then plain binds, "
	  "and the filter refuses the calls that would reach the host's "
	  "objects through them",
	  { KERNEL("sudo modprobe overlay") } },
	{ "IDMAP_REFUSED",
	  TOPIC_IDMAP,
	  is_refused,
	  "the repository's file system cannot be idmapped: launched by root, "
	  "files that only their owner may read cannot be shown",
	  { FIX("container-flag", "run cupel as the repository's owner, or "
				  "put the repository on ext4, xfs, btrfs or "
				  "tmpfs") } },
	{ "LISTENER_BUSY",
	  TOPIC_NOTIFY,
	  is_busy_listener,
	  "another seccomp listener is already active around this process: "
	  "violations still kill and are reported, but without the arguments",
	  { FIX("container-flag", "run outside the supervised container "
				  "(Incus: security.syscalls.intercept.*="
				  "false)") } },
	{ "TRACE_REFUSED",
	  TOPIC_TRACE,
	  is_refused,
	  "processes of the same user cannot be examined here, or the kernel "
	  "is older than 5.19: runs cannot be traced",
	  { FIX("container-flag", "--cap-add SYS_PTRACE (Docker's own policy "
				  "refuses pidfd_getfd)"),
	    FIX("sysctl", "sysctl -w kernel.yama.ptrace_scope=1"),
	    KERNEL("Linux 5.19 or later") } },
	{ "LANDLOCK_ABSENT",
	  TOPIC_LANDLOCK,
	  is_refused,
	  "Landlock is not in this kernel, or is missing from its lsm= list",
	  { KERNEL("boot with lsm=landlock,... (Linux 5.13, "
		   "CONFIG_SECURITY_LANDLOCK)") } },
	{ "HARD_LIMIT",
	  TOPIC_LIMIT,
	  is_low_limit,
	  "a hard limit of this process is lower than the profile asks for",
	  { FIX("container-flag", "docker run --ulimit NAME=N ..., or "
				  "LimitNAME=N in the unit, or "
				  "/etc/security/limits.conf") } },
	{ "CGROUP_V1",
	  TOPIC_CGROUP,
	  is_cgroup1,
	  "the memory controller is in cgroups version 1, where systemd gives "
	  "ordinary users no cgroup: root has one, or can make one for this "
	  "shell",
	  { FIX("container-flag",
		"sudo sh -c 'd=/sys/fs/cgroup/memory$(sed -n "
		"s/.*:memory://p /proc/$1/cgroup)/cupel; mkdir -p $d && chown "
		"$0 $d $d/cgroup.procs && echo $1 >$d/cgroup.procs' $(id -u) "
		"$$"),
	    KERNEL("boot with systemd.unified_cgroup_hierarchy=1, then "
		   "systemd-run --user --scope -p Delegate=yes -- COMMAND") } },
	{ "CGROUP_NOT_DELEGATED",
	  TOPIC_CGROUP,
	  is_refused,
	  "there is no cgroup v2 with a memory controller that this user may "
	  "write to",
	  { FIX("container-flag",
		"systemd-run --user --scope -p Delegate=yes -- COMMAND") } },
	{ "CORE_PIPE",
	  TOPIC_LIMIT,
	  is_core_pipe,
	  "core_pattern is a pipe, which RLIMIT_CORE does not stop; the filter "
	  "and the limits still hold for the vessel's processes",
	  { FIX("sysctl", "sudo sysctl kernel.core_pattern=core") } },
	{ "NOEXEC",
	  TOPIC_EXEC,
	  is_refused,
	  "the repository's file system is mounted noexec, which no namespace "
	  "can change",
	  { FIX("container-flag",
		"run scripts through their interpreter, or remount: sudo mount "
		"-o remount,exec MOUNTPOINT") } },
	{ "KERNEL_TOO_OLD",
	  ~0U,
	  is_old,
	  "this kernel is too old",
	  { KERNEL("install Linux 5.12 or later") } },
	{ "NOT_SUPPORTED",
	  ~0U,
	  is_not_supported,
	  "the kernel was built or booted without this feature",
	  { KERNEL("use a distribution's kernel: CONFIG_USER_NS, "
		   "CONFIG_SECCOMP_FILTER, CONFIG_OVERLAY_FS") } },
	{ "REFUSED",
	  ~0U,
	  is_refused,
	  "the kernel refused it",
	  { { NULL, NULL } } },
};
const size_t traps_len = sizeof traps / sizeof *traps;

const struct trap *trap_find(const struct evidence *e, unsigned topic,
			     const struct finding *f)
{
	unsigned about = f->reached != 0 ? f->reached : topic;

	for (size_t i = 0; i + 1 < traps_len; i++)
		if ((traps[i].topics & about) != 0 && traps[i].matches(e, f))
			return &traps[i];
	return &traps[traps_len - 1];
}
