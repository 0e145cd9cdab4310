/* names.c -- host name, loopback interface, session keyring, kernel counts. */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/keyctl.h>
#include <linux/netlink.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "launch/native/init/init.h"

static int hostname_set(struct init *in)
{
	const char *name = image_text(in, in->im->hostname);
	long r;

	if (!(in->begin.clone_flags & CLONE_NEWUTS) || name == NULL)
		return 0;
	r = sys2(&in->k, SYS_sethostname, name, strlen(name));
	if (r == 0)
		r = sys2(&in->k, SYS_setdomainname, "", 0);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-r,
				 "sethostname", NULL);
	return 0;
}

int loopback_up(struct init *in)
{
	struct ifreq req = { .ifr_ifrn.ifrn_name = "lo" };
	owned_sys_fd int fd = -1;
	long r;

	if (!(in->begin.clone_flags & CLONE_NEWNET) || !in->im->loopback ||
	    (in->part == PART_COPY && init_shares(in, WALL_NETNS)))
		return 0;

	fd = (int)sys3(&in->k, SYS_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC,
		       0);
	r = fd;
	req.ifr_ifru.ifru_flags = IFF_UP | IFF_RUNNING;
	if (r >= 0)
		r = sys3(&in->k, SYS_ioctl, fd, SIOCSIFFLAGS, &req);
	if (r < 0)
		return init_missing(in, WALL_NETWORK, CUPEL_STAGE_NAMESPACE,
				    (int)-r, "bringing the loopback up");
	return 0;
}

/* Make the network namespace of the command's process alone. */
int network_make(struct init *in)
{
	long r;

	if (!(in->begin.clone_flags & CLONE_NEWNET) ||
	    init_shares(in, WALL_NETNS))
		return 0;
	r = sys1(&in->k, SYS_unshare, CLONE_NEWNET);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-r,
				 "a network namespace was refused", NULL);
	init_applied(in, WALL_NETNS);
	init_applied(in, WALL_NETWORK);
	return 0;
}

/* Hold the directory of the counts by a descriptor: its name belongs to the
 * caller's root, which init may have left by the time of counts_bound(). */
int counts_open(struct init *in)
{
	if (!init_drops(in, DROP_COUNTS) && in->counts_fd >= 0)
		return in->counts_fd; /* the template's, until exec */
	if (init_drops(in, DROP_COUNTS) ||
	    !(in->begin.clone_flags & (CLONE_NEWNET | CLONE_NEWUSER)))
		return -1;
	return (int)sys4(&in->k, SYS_openat, AT_FDCWD, "/proc/sys",
			 O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
}

/* Bound kernel memory that no process maps and the watchdog cannot see.  The
 * kernel itself bounds it, in namespaces that are the vessel's own.  Where the
 * caller's /proc cannot be written to, only these bounds are lost; memory_total
 * says in any case what is not held (docs/memory.md).  A name in /proc/sys
 * exists once for each namespace of the host, and the kernel goes through all
 * of them, so we leave alone what the command has no use for. */
void counts_bound(struct init *in, int dir_fd)
{
	const struct {
		bool has;    /* whether the vessel has what is counted */
		uint64_t of; /* the namespace that has it */
		const char *path, *value;
	} table[] = {
		/* connections that nobody has accepted, each with its data */
		{ true, CLONE_NEWNET, "net/core/somaxconn", "128" },
		/* the watchdog reads no list that has its queues; they hold
		 * nothing where no interface is up */
		{ in->im->loopback, CLONE_NEWNET, "net/mptcp/enabled", "0" },
		/* events that nobody has read, 16,384 for each instance */
		{ in->im->inotify, CLONE_NEWUSER, "user/max_inotify_instances",
		  "16" },
		{ in->im->inotify, CLONE_NEWUSER, "user/max_inotify_watches",
		  "8192" },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		owned_sys_fd int fd = -1;

		if (!table[i].has || dir_fd < 0 ||
		    !(in->begin.clone_flags & table[i].of))
			continue;
		fd = (int)sys4(&in->k, SYS_openat, dir_fd, table[i].path,
			       O_WRONLY | O_CLOEXEC, 0);
		if (fd >= 0)
			(void)sys3(&in->k, SYS_write, fd, table[i].value,
				   strlen(table[i].value));
	}
	sys_close(dir_fd);
}

/* The watchdog needs this, because it is in another network namespace. */
void sockets_open(struct init *in)
{
	if (in->begin.clone_flags & CLONE_NEWNET)
		in->sockets_fd =
			(int)sys3(&in->k, SYS_socket, AF_NETLINK,
				  SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
}

/* Join a new keyring: otherwise the caller's session keyring is inherited. */
int keyring_join(struct init *in)
{
	long r;

	if (init_drops(in, WALL_SESSION))
		return 0;
	r = sys2(&in->k, SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, 0);
	if (r < 0)
		return init_missing(in, WALL_SESSION, CUPEL_STAGE_PRIVILEGE,
				    (int)-r, "a fresh session keyring");
	return 0;
}

/* clone3(2) either made all that was asked for or failed.  Only that this is
 * PID 1 is worth a check.  Outside a PID namespace orphans would go to the
 * host's init, so become their subreaper. */
static int namespaces_attest(struct init *in)
{
	static const struct {
		uint64_t flag;
		enum wall wall;
	} table[] = {
		{ CLONE_NEWUSER, WALL_USERNS },
		{ CLONE_NEWIPC, WALL_IPCNS },
		{ CLONE_NEWUTS, WALL_UTSNS },
		{ CLONE_NEWCGROUP, WALL_CGROUPNS },
		{ CLONE_NEWPID, WALL_PIDNS },
	};
	long r = 0;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (in->begin.clone_flags & table[i].flag)
			init_applied(in, table[i].wall);
	if (!init_can(in, WALL_PIDNS))
		r = sys5(&in->k, SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	else if (sys0(&in->k, SYS_getpid) != 1)
		r = -ESRCH;
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-r,
				 "init is not the first of its processes",
				 NULL);
	return 0;
}

/* For what init makes as well as for what the command will make: a caller's
 * umask could make directories that nobody can enter. */
int umask_set(struct init *in)
{
	long r = 0;

	if (!init_drops(in, DROP_UMASK))
		r = sys1(&in->k, SYS_umask, 022);
	return r < 0 ? init_fail(in, CUPEL_STAGE_EXEC, (int)-r, "umask", NULL)
		     : 0;
}

int names_set(struct init *in)
{
	int r = namespaces_attest(in);

	if (r == 0)
		r = signals_scope(in);
	if (r == 0)
		r = scratch_make(in);
	if (r == 0)
		r = hostname_set(in);
	return r;
}
