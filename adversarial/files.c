/* files.c -- writing where nothing may be written, and talking to the host's
 * processes through objects that lie in the repository. */
#include "attack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Open every descriptor that was passed in once more, as a path below /proc, to
 * get a right that it does not have. */
static void reopen_fds(char **args)
{
	int wrote = 0;

	(void)args;
	for (int fd = 0; fd < 16; fd++) {
		char path[64];

		(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		if (fd == 1 || fd == 2)
			continue; /* the verdict goes there */
		if (truncate(path, 0) == 0)
			wrote++;
		if (file_write(path, O_TRUNC, "overwritten") == 0)
			wrote++;
		if (file_write(path, O_APPEND, "overwritten") == 0)
			wrote++;
	}
	say("tried", "%d writes went somewhere", wrote);
}

static void write_path(char **args)
{
	const char *path = arg(args, 0);

	say_errno(file_write(path, O_CREAT | O_TRUNC, args[1] ? args[1] : "1"),
		  path);
}

static void write_existing(char **args)
{
	const char *path = arg(args, 0);

	say_errno(file_write(path, 0, args[1] ? args[1] : "1"), path);
}

static void make_dir(char **args)
{
	say_errno(mkdir(arg(args, 0), 0755), args[0]);
}

static void remove_path(char **args)
{
	say_errno(remove(arg(args, 0)), args[0]);
}

static void change_mode(char **args)
{
	say_errno(chmod(arg(args, 0), 0777), args[0]);
}

static void change_times(char **args)
{
	say_errno(utimensat(AT_FDCWD, arg(args, 0), NULL, 0), args[0]);
}

static void set_xattr(char **args)
{
	say_errno(setxattr(arg(args, 0), "user.cupel", "x", 1, 0), args[0]);
}

static void hard_link(char **args)
{
	say_errno(link(arg(args, 0), arg(args, 1)), args[1]);
}

static void move_path(char **args)
{
	say_errno(rename(arg(args, 0), arg(args, 1)), args[1]);
}

static void temp_file(char **args)
{
	int fd = open(arg(args, 0), O_TMPFILE | O_RDWR, 0600);

	say_errno(fd, "O_TMPFILE");
}

static void make_node(char **args)
{
	/* 1:1 is mem, 254:0 the first virtio disk, 1:11 kmsg */
	unsigned major_nr = (unsigned)arg_u64(args, 1);
	unsigned minor_nr = (unsigned)arg_u64(args, 2);

	say_errno(mknod(arg(args, 0), S_IFCHR | 0666,
			makedev(major_nr, minor_nr)),
		  "mknod");
}

/* connect -- to a socket file by a fresh stream socket */
static void socket_stream(char **args)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)snprintf(to.sun_path, sizeof to.sun_path, "%s", arg(args, 0));
	if (fd < 0)
		say(errno_name(errno), "socket");
	if (connect(fd, (struct sockaddr *)&to, sizeof to) < 0)
		say(errno_name(errno), "connect");
	say("won", "connected");
}

/* sendto -- by half a socketpair: no socket() and no connect() is needed */
static void socket_dgram(char **args)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int pair[2];

	(void)snprintf(to.sun_path, sizeof to.sun_path, "%s", arg(args, 0));
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0)
		say(errno_name(errno), "socketpair");
	say_errno(sendto(pair[0], "escaped", 7, MSG_DONTWAIT,
			 (struct sockaddr *)&to, sizeof to),
		  "sendto");
}

static void fifo_write(char **args)
{
	int fd = open(arg(args, 0), O_WRONLY | O_NONBLOCK);

	if (fd < 0)
		say(errno_name(errno), "open");
	say_errno(write(fd, "escaped", 7) == 7 ? 0 : -1, "fifo write");
}

/* Test for a lock that a process of the host holds: EWOULDBLOCK means that it
 * can be seen inside. */
static void lock_seen(char **args)
{
	int fd = open(arg(args, 0), O_RDONLY);

	if (fd < 0)
		say(errno_name(errno), "open");
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		say("alone", "no other holder is seen");
	say(errno == EWOULDBLOCK ? "won" : errno_name(errno), "flock");
}

static void record_lock_seen(char **args)
{
	struct flock want = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open(arg(args, 0), O_RDONLY);

	if (fd < 0)
		say(errno_name(errno), "open");
	if (fcntl(fd, F_GETLK, &want) < 0)
		say(errno_name(errno), "F_GETLK");
	if (want.l_type == F_UNLCK)
		say("alone", "no other holder is seen");
	say("won", "a lock of the host is seen");
}

/* Hold a lease on a file while the host opens it for writing: the host would
 * have to wait. */
static void lease_hold(char **args)
{
	int fd = open(arg(args, 0), O_RDONLY);

	if (fd < 0)
		say(errno_name(errno), "open");
	(void)signal(SIGIO, SIG_IGN);
	if (fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		say(errno_name(errno), "F_SETLEASE");
	printf("holding\n");
	(void)fflush(stdout);
	pause_ms(700);
	say("tried", "the runner knows");
}

/* Watch a file for what the host does with it. */
static void inotify_host(char **args)
{
	int fd = inotify_init1(IN_NONBLOCK);

	if (fd < 0)
		say(errno_name(errno), "inotify_init1");
	say_errno(inotify_add_watch(fd, arg(args, 0), IN_OPEN | IN_ACCESS),
		  "inotify_add_watch");
}

/* Try to create a file below every mount point. */
static void write_mounts(char **args)
{
	static char table[1 << 20];
	char won[2048] = "";
	long n = file_read("/proc/self/mounts", table, sizeof table);

	(void)args;
	if (n < 0)
		say(errno_name(errno), "mounts");
	for (char *line = strtok(table, "\n"); line;
	     line = strtok(NULL, "\n")) {
		char dir[1024], path[1100];

		if (sscanf(line, "%*s %1023s", dir) != 1)
			continue;
		(void)snprintf(path, sizeof path, "%s/cupel-attack", dir);
		if (file_write(path, O_CREAT | O_EXCL, "x") < 0)
			continue;
		(void)unlink(path);
		if (strlen(won) + strlen(dir) + 2 < sizeof won)
			(void)strcat(strcat(won, dir), ",");
	}
	say(won[0] ? "wrote" : "EROFS", "%s", won);
}

/* List every directory, down to a depth of four, in which a file can be
 * created. */
static void find_writable(const char *dir, int depth, char *list, size_t n)
{
	DIR *d = opendir(dir[0] ? dir : "/");
	struct dirent *e;
	char path[2048];

	if (!d)
		return;
	(void)snprintf(path, sizeof path, "%s/.cupel-attack", dir);
	if (file_write(path, O_CREAT | O_EXCL, "x") == 0) {
		(void)unlink(path);
		if (strlen(list) + strlen(dir) + 2 < n)
			(void)strcat(strcat(list, dir[0] ? dir : "/"), ",");
	}
	while (depth > 0 && (e = readdir(d)) != NULL) {
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		if (!dir[0] && strcmp(e->d_name, "proc") == 0)
			continue;
		(void)snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		find_writable(path, depth - 1, list, n);
	}
	(void)closedir(d);
}

static void walk_writable(char **args)
{
	char list[3000] = "";

	(void)args;
	find_writable("", 3, list, sizeof list);
	say("wrote", "%s", list);
}

const struct attack attacks_files[] = {
	{ "reopen-fds", reopen_fds },
	{ "write", write_path },
	{ "write-existing", write_existing },
	{ "mkdir", make_dir },
	{ "remove", remove_path },
	{ "chmod", change_mode },
	{ "utimes", change_times },
	{ "setxattr", set_xattr },
	{ "link", hard_link },
	{ "rename", move_path },
	{ "tmpfile", temp_file },
	{ "mknod", make_node },
	{ "socket-stream", socket_stream },
	{ "socket-dgram", socket_dgram },
	{ "fifo", fifo_write },
	{ "flock", lock_seen },
	{ "record-lock", record_lock_seen },
	{ "lease", lease_hold },
	{ "inotify", inotify_host },
	{ "write-mounts", write_mounts },
	{ "walk-writable", walk_writable },
	{ 0 },
};
