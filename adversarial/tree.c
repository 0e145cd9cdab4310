/* tree.c -- attacks that look at how the root was put together. */
#include "attack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Break out with chroot: change the root to a directory below, then climb from
 * a descriptor that stayed above. */
static void chroot_climb(char **args)
{
	int above = open("/", O_PATH | O_DIRECTORY);

	(void)mkdir(arg(args, 0), 0755);
	if (chroot(args[0]) < 0)
		say(errno_name(errno), "chroot");
	if (above < 0 || fchdir(above) < 0)
		say(errno_name(errno), "fchdir");
	for (int i = 0; i < 64; i++)
		if (chdir("..") < 0)
			break;
	say_errno(access("etc/passwd", F_OK), "climbed");
}

/* Look for mounts that lack a flag: all must have nosuid, all but the devices
 * nodev, all but the scratch ro. */
static void mount_flags(char **args)
{
	static char table[1 << 20];
	long n = file_read("/proc/self/mounts", table, sizeof table);
	char *save = NULL;

	(void)args;
	if (n < 0)
		say(errno_name(errno), "mounts");
	for (char *line = strtok_r(table, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char dir[1024];
		struct statvfs v;
		struct stat st;

		if (sscanf(line, "%*s %1023s", dir) != 1 ||
		    statvfs(dir, &v) < 0 || stat(dir, &st) < 0)
			continue;
		if (!(v.f_flag & ST_NOSUID))
			say("won", "%s lacks nosuid", dir);
		if (!(v.f_flag & ST_NODEV) && !S_ISCHR(st.st_mode))
			say("won", "%s lacks nodev", dir);
	}
	say("flagged", "every mount");
}

/* A link in the repository names a mount point of the vessel: reading through
 * it must not give a file of the host. */
static void follow(char **args)
{
	char buf[4096];
	long n = file_read(arg(args, 0), buf, sizeof buf);

	if (n < 0)
		say(errno_name(errno), "%s", args[0]);
	if (strstr(buf, arg(args, 1)))
		say("won", "%s leads out", args[0]);
	say("inside", "%s", args[0]);
}

/* Say who owns a file: an id that is not mapped would be one of the host. */
static void owner(char **args)
{
	struct stat st;

	if (stat(arg(args, 0), &st) < 0)
		say(errno_name(errno), "%s", args[0]);
	say(st.st_uid == 1000 ? "own" : "other", "uid %d gid %d mode %o",
	    st.st_uid, st.st_gid, st.st_mode & 07777);
}

/* Look for the directory that holds the repository's overlay: neither the
 * scratch nor any other directory may show it. */
static void find_upper(char **args)
{
	static const char *const dirs[] = { "/scratch", "/tmp", "/dev/shm", "/",
					    "/repo" };
	const char *need = arg(args, 0);
	char path[1024];

	if (file_write("/repo/cupel-upper-probe", O_CREAT, need) < 0)
		say(errno_name(errno), "write to /repo");
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs - 1; i++) {
		DIR *d = opendir(dirs[i]);
		struct dirent *e;

		while (d && (e = readdir(d)) != NULL) {
			(void)snprintf(path, sizeof path,
				       "%s/%s/cupel-upper-probe", dirs[i],
				       e->d_name);
			if (strcmp(e->d_name, "repo") != 0 &&
			    e->d_name[0] != '.' && access(path, F_OK) == 0)
				say("won", "%s", path);
		}
		if (d)
			(void)closedir(d);
	}
	say("unseen", "the upper layer");
}

/* Execute a program that was just written: only the scratch allows it. */
static void run_copy(char **args)
{
	char path[1024];
	static char image[8 << 20];
	long n = file_read("/proc/self/exe", image, sizeof image);
	int fd;

	(void)snprintf(path, sizeof path, "%s/copy", arg(args, 0));
	fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0755);
	if (n < 0 || fd < 0 || write(fd, image, (size_t)n) != n)
		say(errno_name(errno), "copy");
	(void)close(fd);
	(void)execl(path, path, "exit", "0", (char *)NULL);
	say(errno_name(errno), "exec");
}

const struct attack attacks_tree[] = {
	{ "chroot", chroot_climb },
	{ "mount-flags", mount_flags },
	{ "follow", follow },
	{ "owner", owner },
	{ "find-upper", find_upper },
	{ "run-copy", run_copy },
	{ 0 },
};
