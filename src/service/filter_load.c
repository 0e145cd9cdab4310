/* filter_load.c -- see filter_load.h. */
#include "service/filter_load.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "plan/filter_engine.h"
#include "service/filter_cache.h"

#ifdef __aarch64__
#define NATIVE AUDIT_ARCH_AARCH64
#else
#define NATIVE AUDIT_ARCH_X86_64
#endif

static bool is_path(const char *what)
{
	size_t n = strlen(what);

	return strchr(what, '/') != NULL ||
	       (n > 5 && strcmp(what + n - 5, ".json") == 0);
}

static int refuse(struct cupel_error *err, const char *path, int sys,
		  const char *why)
{
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER, sys,
			  "--seccomp: %.300s: %s", path, why);
}

/* The running kernel in the form of LINUX_VERSION_CODE; 0, the newest, when it
 * does not tell. */
static uint32_t running_kernel(void)
{
	struct utsname u;
	unsigned major, minor;

	if (uname(&u) != 0 || sscanf(u.release, "%3u.%3u", &major, &minor) != 2)
		return 0;
	return (uint32_t)(major << 16 | (minor > 255 ? 255 : minor) << 8);
}

/* Read the file's bytes, for free(3).  Only regular files: a fifo would
 * wait. */
static int read_file(const char *path, char **ret, size_t *ret_len,
		     struct cupel_error *err)
{
	owned_fd int fd =
		open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	owned_mem char *bytes = NULL;
	struct stat st;
	size_t len = 0;
	ssize_t n = 1;

	if (fd < 0 || fstat(fd, &st) != 0)
		return refuse(err, path, errno, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return refuse(err, path, EINVAL, "is not a regular file");
	bytes = malloc(FILTER_FILE_BYTES + 1);
	if (bytes == NULL)
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY,
				  ENOMEM, "--seccomp: %.300s: no memory", path);
	while (n > 0 && len <= FILTER_FILE_BYTES) {
		n = read(fd, bytes + len, FILTER_FILE_BYTES + 1 - len);
		if (n < 0)
			return refuse(err, path, errno, strerror(errno));
		len += (size_t)n;
	}
	if (len > FILTER_FILE_BYTES)
		return refuse(
			err, path, EINVAL,
			"is longer than the 1 MiB that a policy may have");
	*ret = take_ptr(bytes);
	*ret_len = len;
	return 0;
}

static int load_file(const char *path, struct arena *arena, struct filter *ret,
		     struct cupel_error *err)
{
	owned_mem char *bytes = NULL;
	struct filter_source source = { .name = path,
					.arch = NATIVE,
					.kernel = running_kernel() };
	struct cupel_error why = { 0 };
	struct filter f = { 0 };
	uint8_t key[BLAKE3_BYTES];
	int r = read_file(path, &bytes, &source.n, err);

	if (r < 0)
		return r;
	source.json = bytes;
	filter_cache_key(&source, key);
	if (filter_cache_find(key, arena, &f)) {
		f.name = arena_text(arena, path);
		if (f.name == NULL)
			return cupel_fail(err, CUPEL_STAGE_PLAN,
					  CUPEL_CAUSE_BUSY, ENOMEM,
					  "--seccomp: %.300s: no memory", path);
		*ret = f;
		return 0;
	}
	r = filter_compile(&source, arena, &f, &why);
	if (r < 0)
		return cupel_fail(err, why.stage, why.cause, why.sys,
				  "--seccomp: %s", why.what);
	filter_cache_add(key, &f);
	*ret = f;
	return 0;
}

int filter_load(const char *what, struct arena *arena, struct filter *ret,
		struct cupel_error *err)
{
	const struct filter *shipped;

	if (is_path(what))
		return load_file(what, arena, ret, err);
	shipped = filter_is_half(what) ? NULL : filter_find(what);
	if (shipped == NULL)
		return refuse(err, what, EINVAL,
			      "is not default, test, python-function, "
			      "node-function, parser or probe, and is not a "
			      "path (a path has a / or ends in .json)");
	*ret = *shipped;
	return 0;
}

int filter_load_engine(const char *name, const char *json, size_t n,
		       struct buf *out, struct cupel_error *err)
{
	const struct filter_source source = { .name = name,
					      .json = json,
					      .n = n,
					      .arch = NATIVE,
					      .kernel = running_kernel() };
	struct cupel_error why = { 0 };
	int r = filter_engine_write(&source, out, &why);

	return r < 0 ? cupel_fail(err, why.stage, why.cause, -r,
				  "--seccomp: %s", why.what)
		     : 0;
}
