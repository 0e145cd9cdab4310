/* plan_host_mounts.c -- what is mounted inside a directory, by its list. */
#include "tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plan/host_mounts.h"

static char list[] = "/tmp/cupel-mounts.XXXXXX";

static const char *found(const char *dir)
{
	static char point[PATH_MAX];

	return host_mounts_find(list, dir, point) ? point : "none";
}

static void a_mount_below_is_found(void)
{
	static const char text[] =
		"21 1 8:1 / / rw - ext4 /dev/a rw\n"
		"22 21 0:5 / /srv/repo rw shared:2 - tmpfs t rw\n"
		"23 22 0:6 / /srv/repo/node_modules rw - tmpfs t rw\n"
		"24 21 0:7 / /srv/a\\040b\\134c/d rw - tmpfs t rw\n"
		"torn\n"
		"25 21 0:8 / /srv/last rw - tmpfs t rw";
	int fd = mkstemp(list);

	ok(fd >= 0 && write(fd, text, sizeof text - 1) == sizeof text - 1);
	(void)close(fd);
	ok(strcmp(found("/srv/repo"), "/srv/repo/node_modules") == 0);
	ok(strcmp(found("/srv/repo/node_modules"), "none") == 0);
	ok(strcmp(found("/srv/rep"), "none") == 0);
	ok(strcmp(found("/srv/a b\\c"), "/srv/a b\\c/d") == 0);
	ok(strcmp(found("/srv/last"), "none") == 0);
	ok(strcmp(found("/srv"), "/srv/repo") == 0);
	(void)unlink(list);
	ok(strcmp(found("/srv"), "none") == 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_mount_below_is_found),
		TAP_END,
	});
}
