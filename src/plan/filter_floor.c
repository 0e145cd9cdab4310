/* filter_floor.c -- what no file can allow: cupel-seccomp(5), "THE FLOOR". */
#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "plan/filter_rule.h"

#define ROW_CONDS 2U

/* For int and unsigned arguments the kernel looks only at the low half, so we
 * compare only that (CVE-2019-10063). */
#define LOW32 UINT64_C(0xffffffff)
#define IS_INT(index, n)                                                       \
	{                                                                      \
		.arg = (index), .op = FILTER_MASKED_EQ, .value = LOW32,        \
		.two = (n)                                                     \
	}

/* CLONE_NEWTIME lies in the byte that is clone's exit signal, so it is for
 * unshare only. */
#define NEW_NAMESPACES                                                         \
	((uint64_t)(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |             \
		    CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |              \
		    CLONE_NEWNET))
#define NEW_TIME UINT64_C(0x80)

#define TYPE_MASK   UINT64_C(0xf) /* SOCK_TYPE_MASK of linux/net.h */
#define TYPE_PACKET 10            /* SOCK_PACKET: AF_INET made AF_PACKET */

struct floor_row {
	const char *name;
	int error;
	struct filter_cond conds[ROW_CONDS];
	size_t len; /* of conds; 0: the whole call */
};

#define FAMILY_ROW(call, family)                                               \
	{                                                                      \
		.name = (call), .error = EAFNOSUPPORT,                         \
		.conds = { IS_INT(0, family) }, .len = 1                       \
	}
#define FAMILY_ROWS(call)                                                      \
	FAMILY_ROW(call, AF_VSOCK), FAMILY_ROW(call, AF_PACKET),               \
		FAMILY_ROW(call, AF_ALG),                                      \
		{ .name = (call),                                              \
		  .error = EAFNOSUPPORT,                                       \
		  .conds = { IS_INT(0, AF_NETLINK),                            \
			     { .arg = 2,                                       \
			       .op = FILTER_ANY_BITS,                          \
			       .value = LOW32 } },                             \
		  .len = 2 },                                                  \
	{                                                                      \
		.name = (call), .error = EAFNOSUPPORT,                         \
		.conds = { IS_INT(0, AF_INET),                                 \
			   { .arg = 1,                                         \
			     .op = FILTER_MASKED_EQ,                           \
			     .value = TYPE_MASK,                               \
			     .two = TYPE_PACKET } },                           \
		.len = 2                                                       \
	}

/* Init has the id of the command, and these calls ask for nothing else. */
#define INIT_PID 1
#define OF_INIT_ROW(call, index)                                               \
	{                                                                      \
		.name = (call), .error = EPERM,                                \
		.conds = { IS_INT(index, INIT_PID) }, .len = 1                 \
	}
/* All processes inside have the same user, init too. */
#define OF_USER_ROW(call, kind)                                                \
	{                                                                      \
		.name = (call), .error = EPERM, .conds = { IS_INT(0, kind) },  \
		.len = 1                                                       \
	}
#define IO_WHO_USER 3 /* linux/ioprio.h, which older headers do not have */

/* Refuse one value of an option. */
#define OPTION_ROW(call, number, index, option)                                \
	{                                                                      \
		.name = (call), .error = (number),                             \
		.conds = { IS_INT(index, option) }, .len = 1                   \
	}
#define SOCKET_ROW(option)                                                     \
	{                                                                      \
		.name = "setsockopt", .error = EPERM,                          \
		.conds = { IS_INT(1, SOL_SOCKET), IS_INT(2, option) },         \
		.len = 2                                                       \
	}
/* Not in older headers. */
#define OPTION_FUTEX_HASH   78  /* PR_FUTEX_HASH, Linux 6.16 */
#define OPTION_MEMORY_MERGE 67  /* PR_SET_MEMORY_MERGE, Linux 6.4 */
#define OPTION_SOFT_OFFLINE 101 /* MADV_SOFT_OFFLINE */

/* If a call has several rows, each of them refuses it. */
static const struct floor_row rows[] = {
	/* the mount family: the vessel's tree is what launch built */
	{ .name = "mount", .error = EPERM },
	{ .name = "umount2", .error = EPERM },
	{ .name = "mount_setattr", .error = EPERM },
	{ .name = "move_mount", .error = EPERM },
	{ .name = "open_tree", .error = EPERM },
	{ .name = "open_tree_attr", .error = EPERM },
	{ .name = "fsopen", .error = EPERM },
	{ .name = "fsconfig", .error = EPERM },
	{ .name = "fsmount", .error = EPERM },
	{ .name = "fspick", .error = EPERM },
	{ .name = "pivot_root", .error = EPERM },
	/* namespaces: a new one gives the capabilities that were taken */
	{ .name = "setns", .error = EPERM },
	{ .name = "unshare",
	  .error = EPERM,
	  .conds = { { .arg = 0,
		       .op = FILTER_ANY_BITS,
		       .value = NEW_NAMESPACES | NEW_TIME } },
	  .len = 1 },
	{ .name = "clone",
	  .error = EPERM,
	  .conds = { { .arg = 0,
		       .op = FILTER_ANY_BITS,
		       .value = NEW_NAMESPACES } },
	  .len = 1 },
	/* its flags are behind a pointer; the C libraries fall back to clone */
	{ .name = "clone3", .error = ENOSYS },
	{ .name = "bpf", .error = EPERM },
	/* keyrings are not in a namespace */
	{ .name = "keyctl", .error = EPERM },
	{ .name = "add_key", .error = EPERM },
	{ .name = "request_key", .error = EPERM },
	/* no filter sees what a ring does; libuv falls back */
	{ .name = "io_uring_setup", .error = ENOSYS },
	{ .name = "io_uring_enter", .error = ENOSYS },
	{ .name = "io_uring_register", .error = ENOSYS },
	{ .name = "kexec_load", .error = EPERM },
	{ .name = "kexec_file_load", .error = EPERM },
	{ .name = "init_module", .error = EPERM },
	{ .name = "finit_module", .error = EPERM },
	{ .name = "delete_module", .error = EPERM },
	/* opens by inode number, which bypasses every directory */
	{ .name = "open_by_handle_at", .error = EPERM },
	/* families that reach beyond a network namespace or into the kernel's
	 * own machinery */
	FAMILY_ROWS("socket"),
	FAMILY_ROWS("socketpair"),
	/* limits that would end init, or delay it */
	OF_INIT_ROW("prlimit64", 0),
	OF_INIT_ROW("sched_setaffinity", 0),
	OF_INIT_ROW("sched_setattr", 0),
	OF_INIT_ROW("sched_setparam", 0),
	OF_INIT_ROW("sched_setscheduler", 0),
	OF_INIT_ROW("setpriority", 1), /* itself, or the group it leads */
	OF_USER_ROW("setpriority", PRIO_USER),
	OF_INIT_ROW("ioprio_set", 1),
	OF_USER_ROW("ioprio_set", IO_WHO_USER),
	/* typing into the terminal that a shell runs on, or changing which
	 * kernel module handles it */
	{ .name = "ioctl",
	  .error = EPERM,
	  .conds = { IS_INT(1, TIOCSTI) },
	  .len = 1 },
	{ .name = "ioctl",
	  .error = EPERM,
	  .conds = { IS_INT(1, TIOCLINUX) },
	  .len = 1 },
	{ .name = "ioctl",
	  .error = EPERM,
	  .conds = { IS_INT(1, TIOCSETD) },
	  .len = 1 },
	/* one call takes a gigabyte of kernel memory, which no process's size
	 * shows */
	OPTION_ROW("prctl", EINVAL, 0, OPTION_FUTEX_HASH),
	/* merged pages reveal what other programs have in theirs */
	OPTION_ROW("prctl", EINVAL, 0, OPTION_MEMORY_MERGE),
	OPTION_ROW("madvise", EINVAL, 2, MADV_MERGEABLE),
	/* takes pages away from the host */
	OPTION_ROW("madvise", EPERM, 2, MADV_HWPOISON),
	OPTION_ROW("madvise", EPERM, 2, OPTION_SOFT_OFFLINE),
	/* buffers beyond the host's maximum */
	SOCKET_ROW(SO_SNDBUFFORCE),
	SOCKET_ROW(SO_RCVBUFFORCE),
};

int filter_floor_read(uint32_t arch, struct arena *arena,
		      const struct filter_clause ***ret)
{
	const struct filter_clause **floor =
		arena_array(arena, FILTER_NR_MAX, sizeof *floor);

	if (floor == NULL)
		return -ENOMEM;
	/* backwards, so that each list is in the order of the rows */
	for (size_t i = sizeof rows / sizeof *rows; i-- > 0;) {
		const struct floor_row *row = &rows[i];
		struct filter_clause *c = arena_alloc(arena, sizeof *c);
		int nr = filter_number(row->name, arch);

		if (nr < 0)
			return -ENOENT;
		if (c == NULL)
			return -ENOMEM;
		*c = (struct filter_clause){
			.next = (struct filter_clause *)floor[nr],
			.conds = row->conds,
			.len = row->len,
			.verdict = SECCOMP_RET_ERRNO | (uint32_t)row->error,
		};
		floor[nr] = c;
	}
	*ret = floor;
	return 0;
}
