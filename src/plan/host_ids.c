/* host_ids.c -- finds out which ids of the host a vessel can be given. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "plan/host_path.h"
#include "spec/spec.h"

/* 340 lines of three numbers: user_namespaces(7). */
#define MAP_BYTES (340 * 34)

/* One line of uid_map or gid_map: ids first..first+count-1 exist here. */
struct extent {
	unsigned long first, outside, count;
};

static bool caps_are_held(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[2] = { 0 };
	const uint32_t need =
		1U << CAP_SETUID | 1U << CAP_SETGID | 1U << CAP_SYS_ADMIN;

	if (syscall(SYS_capget, &head, data) < 0)
		return false;
	return (data[0].effective & need) == need;
}

/* Read the map as text; empty when it cannot be read. */
static void map_read(const char *path, char ret[MAP_BYTES + 1])
{
	owned_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n = fd < 0 ? 0 : 1;

	while (n > 0 && len < MAP_BYTES) {
		n = read(fd, ret + len, MAP_BYTES - len);
		len += n > 0 ? (size_t)n : 0;
	}
	ret[len] = '\0';
}

/* Read the line at *at, which moves past it; false at the end, or when it is no
 * line of a map. */
static bool map_next(const char **at, struct extent *ret)
{
	const char *end = strchr(*at, '\n');

	if (end == NULL || sscanf(*at, "%lu %lu %lu", &ret->first,
				  &ret->outside, &ret->count) != 3)
		return false;
	*at = end + 1;
	return true;
}

/* Whether id exists in our user namespace.  A map that cannot be read counts as
 * the machine's own. */
static bool map_has(const char *text, unsigned long id)
{
	struct extent e;

	if (text[0] == '\0')
		return true;
	while (map_next(&text, &e))
		if (id >= e.first && id - e.first < e.count)
			return true;
	return false;
}

/* Whether the ids from 0 to that of nobody exist, in one range. */
static bool map_is_large(const char *text)
{
	struct extent e;

	return text[0] == '\0' ||
	       (map_next(&text, &e) && e.first == 0 && e.count > 65534);
}

static bool map_is_initial(const char *text)
{
	struct extent e;

	return text[0] == '\0' || !map_next(&text, &e) || e.count == UINT32_MAX;
}

int host_ids_read(struct host *h, const struct spec *spec,
		  struct cupel_error *err)
{
	char uids[MAP_BYTES + 1] = "";
	char gids[MAP_BYTES + 1] = "";
	uint32_t uid = 0;
	uint32_t gid = 0;
	int r;

	if (h->uid == 0) {
		map_read("/proc/self/uid_map", uids);
		map_read("/proc/self/gid_map", gids);
		h->is_host_root = map_is_initial(uids);
		h->is_root = map_is_large(uids) && map_is_large(gids) &&
			     caps_are_held();
	}
	if (spec->host_uid == NULL)
		return 0;
	if (!h->is_root)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EPERM,
				  "--host-uid: only root may choose it; the "
				  "command runs with your own id");
	r = spec_read_ids(spec->host_uid, &uid, &gid, err);
	if (r == 0 && !(map_has(uids, uid) && map_has(gids, gid)))
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "--host-uid: '%s' does not exist in this "
				  "user namespace (/proc/self/uid_map)",
				  spec->host_uid);
	return r;
}
