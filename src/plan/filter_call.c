/* filter_call.c -- from names of system calls to numbers. */
#include <errno.h>
#include <linux/audit.h>
#include <seccomp.h>
#include <string.h>

#include "plan/filter_rule.h"

/* libseccomp's number for an architecture is the kernel's own. */
_Static_assert(SCMP_ARCH_X86_64 == AUDIT_ARCH_X86_64 &&
		       SCMP_ARCH_AARCH64 == AUDIT_ARCH_AARCH64,
	       "one number for an architecture");

/* Calls that some libseccomp from 2.5.0 on does not know.  From 424 on the
 * numbers are the same on every architecture.  Source: syscall_64.tbl and
 * syscall.tbl of Linux 6.18 and later. */
static const struct {
	const char *name;
	unsigned nr;
	bool is_x86;
} newer[] = {
	{ "uretprobe", 335, true },
	{ "uprobe", 336, true },
	{ "process_madvise", 440, false },
	{ "epoll_pwait2", 441, false },
	{ "mount_setattr", 442, false },
	{ "quotactl_fd", 443, false },
	{ "landlock_create_ruleset", 444, false },
	{ "landlock_add_rule", 445, false },
	{ "landlock_restrict_self", 446, false },
	{ "memfd_secret", 447, false },
	{ "process_mrelease", 448, false },
	{ "futex_waitv", 449, false },
	{ "set_mempolicy_home_node", 450, false },
	{ "cachestat", 451, false },
	{ "fchmodat2", 452, false },
	{ "map_shadow_stack", 453, false },
	{ "futex_wake", 454, false },
	{ "futex_wait", 455, false },
	{ "futex_requeue", 456, false },
	{ "statmount", 457, false },
	{ "listmount", 458, false },
	{ "lsm_get_self_attr", 459, false },
	{ "lsm_set_self_attr", 460, false },
	{ "lsm_list_modules", 461, false },
	{ "mseal", 462, false },
	{ "setxattrat", 463, false },
	{ "getxattrat", 464, false },
	{ "listxattrat", 465, false },
	{ "removexattrat", 466, false },
	{ "open_tree_attr", 467, false },
	{ "file_getattr", 468, false },
	{ "file_setattr", 469, false },
	{ "listns", 470, false },
};

int filter_number(const char *name, uint32_t arch)
{
	int nr = seccomp_syscall_resolve_name_arch(arch, name);

	if (nr >= 0 && nr < (int)FILTER_NR_MAX)
		return nr;
	for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
		if (strcmp(newer[i].name, name) != 0)
			continue;
		if (newer[i].is_x86 && arch != AUDIT_ARCH_X86_64)
			return -ENOSYS;
		return (int)newer[i].nr;
	}
	return nr == __NR_SCMP_ERROR ? -ENOENT : -ENOSYS;
}

const char *filter_newer_name(unsigned nr, uint32_t arch)
{
	for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
		if (newer[i].nr == nr &&
		    (!newer[i].is_x86 || arch == AUDIT_ARCH_X86_64))
			return newer[i].name;
	return NULL;
}
