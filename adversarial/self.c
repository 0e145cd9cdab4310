/* self.c -- ways to get more than was given: ids, capabilities, privileges. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static void become_root(char **args)
{
	(void)args;
	if (setresuid(0, 0, 0) == 0 || setresgid(0, 0, 0) == 0)
		say("won", "uid %d gid %d", getuid(), getgid());
	say(errno_name(errno), "setresuid");
}

static void take_groups(char **args)
{
	gid_t list[1] = { 0 };

	(void)args;
	say_errno(setgroups(1, list), "setgroups");
}

static unsigned long long status_hex(const char *name)
{
	char buf[8192], *at;

	if (file_read("/proc/self/status", buf, sizeof buf) < 0)
		say(errno_name(errno), "status");
	at = strstr(buf, name);
	return at ? strtoull(at + strlen(name), NULL, 16) : ~0ULL;
}

static void hold_caps(char **args)
{
	static const char *const sets[] = { "CapInh:", "CapPrm:", "CapEff:",
					    "CapBnd:", "CapAmb:" };

	(void)args;
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		if (status_hex(sets[i]) != 0)
			say("won", "%s%llx", sets[i], status_hex(sets[i]));
	say("none", "all five sets are empty");
}

/* Use the capability to override file modes: read a file whose mode allows
 * nobody to read it. */
static void override_mode(char **args)
{
	const char *path = arg(args, 0);
	int fd = open(path, O_CREAT | O_WRONLY | O_EXCL, 0);

	if (fd < 0)
		say(errno_name(errno), "create");
	say_errno(open(path, O_RDONLY), "open of mode 0");
}

static void securebits_open(char **args)
{
	int locked = SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP_LOCKED |
		     SECBIT_KEEP_CAPS_LOCKED;
	int bits = prctl(PR_GET_SECUREBITS, 0, 0, 0, 0);

	(void)args;
	if (bits < 0)
		say(errno_name(errno), "PR_GET_SECUREBITS");
	if ((bits & locked) != locked)
		say("won", "securebits 0x%x", (unsigned)bits);
	say("locked", "securebits 0x%x", (unsigned)bits);
}

static void ambient_raise(char **args)
{
	(void)args;
	say_errno(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE,
			0, 0),
		  "PR_CAP_AMBIENT_RAISE");
}

static void new_privs(char **args)
{
	int got = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);

	(void)args;
	if (got == 0)
		say("won", "execve may grant privileges");
	say("set", "no_new_privs is %d", got);
}

/* Run a file of our own with the set-user-ID bits: the ids must stay the
 * same. */
static void setuid_file(char **args)
{
	const char *copy = arg(args, 0);
	char *const argv[] = { (char *)copy, "who", NULL };
	char *const envp[] = { NULL };

	if (chmod(copy, 06755) < 0 && errno != EROFS && errno != EPERM)
		say(errno_name(errno), "chmod");
	(void)execve(copy, argv, envp);
	say(errno_name(errno), "execve");
}

static void who_am_i(char **args)
{
	uid_t r, e, s;

	(void)args;
	if (getresuid(&r, &e, &s) < 0)
		say(errno_name(errno), "getresuid");
	if (e == 0 || r != e || s != e)
		say("won", "uid %d %d %d", r, e, s);
	say("same", "uid %d", e);
}

/* Look for ids of the host: only uid 1000 and gid 1000 may be mapped. */
static void ids_inside(char **args)
{
	char map[256];

	(void)args;
	if (file_read("/proc/self/uid_map", map, sizeof map) < 0)
		say(errno_name(errno), "uid_map");
	if (getuid() != 1000 || getgid() != 1000)
		say("won", "uid %d gid %d", getuid(), getgid());
	for (char *c = map; *c; c++)
		if (*c == '\n' && c[1])
			say("won", "more than one id is mapped");
	say("own", "1000");
}

static void host_names(char **args)
{
	struct utsname u;

	if (uname(&u) < 0)
		say(errno_name(errno), "uname");
	if (strcmp(u.nodename, "cupel") != 0)
		say("won", "%s", u.nodename);
	if (args[0] && strstr(u.domainname, args[0]))
		say("won", "%s", u.domainname);
	say("own", "cupel");
}

/* Look at a shared memory segment of the host, by its id. */
static void host_shm(char **args)
{
	int id = (int)arg_u64(args, 0);
	struct shmid_ds ds;

	if (shmctl(id, IPC_STAT, &ds) == 0 && ds.shm_segsz == arg_u64(args, 1))
		say("won", "segment %d", id);
	say(errno_name(errno ? errno : EINVAL), "shmctl");
}

/* Check what the caller may have passed on: signal dispositions, the signal
 * mask, umask and priority. */
static void inherited(char **args)
{
	struct sigaction act;
	sigset_t mask;
	mode_t old = umask(022);

	(void)args;
	if (old != 022)
		say("won", "umask %03o", old);
	if (sigprocmask(SIG_BLOCK, NULL, &mask) < 0)
		say(errno_name(errno), "mask");
	for (int s = 1; s < 65; s++) {
		if (sigismember(&mask, s) == 1)
			say("won", "signal %d is blocked", s);
		if (s == 32 || s == 33 || sigaction(s, NULL, &act) < 0)
			continue;
		if (act.sa_handler != SIG_DFL)
			say("won", "signal %d is ignored", s);
	}
	if (prctl(PR_GET_PDEATHSIG, &(int){ 0 }, 0, 0, 0) < 0)
		say(errno_name(errno), "pdeathsig");
	say("clean", "default");
}

static void kept_group(char **args)
{
	gid_t list[64];
	int n = getgroups(64, list), extra = 0;

	(void)args;
	for (int i = 0; i < n; i++)
		extra += list[i] != getgid();
	if (extra)
		say("won", "%d groups", extra);
	say("none", "no supplementary group");
}

const struct attack attacks_self[] = {
	{ "become-root", become_root },
	{ "setgroups", take_groups },
	{ "caps", hold_caps },
	{ "override-mode", override_mode },
	{ "securebits", securebits_open },
	{ "ambient", ambient_raise },
	{ "new-privs", new_privs },
	{ "setuid-file", setuid_file },
	{ "who", who_am_i },
	{ "ids", ids_inside },
	{ "names", host_names },
	{ "host-shm", host_shm },
	{ "inherited", inherited },
	{ "groups", kept_group },
	{ 0 },
};
