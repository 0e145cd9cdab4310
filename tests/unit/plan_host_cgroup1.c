/* plan_host_cgroup1.c -- whether cgroup version 1 is available for memory, in
 * trees that a test wrote. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "plan/cgroup.h"
#include "plan/host_cgroup.h"
#include "spec/spec.h"

static char root[64];
static struct arena arena;

static void begin(void)
{
	strcpy(root, "/tmp/cupel-unit-cgroup1.XXXXXX");
	if (mkdtemp(root) == NULL)
		abort();
}

static void end(void)
{
	char command[192];

	snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", root,
		 root);
	(void)!system(command);
	arena_done(&arena);
}

#define V1                                                                     \
	"9:name=systemd:/memory\n5:cpu,memory2:/no\n4:cpu,memory:/a/b\n0::/\n"

static void the_line_of_memory_is_found_by_its_controller(void)
{
	static const char *const none[] = {
		"",
		"0::/\n",
		"4:memory\n",
		"4:memory:/..\n",
		"4:memory:/../x\n",
		"4:memory:a\n",
		"4:memory:/a",
		"4:memoryx:/a\n",
		"4::/a\n",
		"4:name=memory:/a\n",
	};
	size_t n = 0;
	const char *path = cgroup1_find_own(V1, &n);

	ok(path != NULL && n == 4 && memcmp(path, "/a/b", 4) == 0);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ok(cgroup1_find_own(none[i], &n) == NULL);
}

static struct host_cgroup look1(mode_t mode)
{
	static char mount[96], own[96];
	char dir[128];
	FILE *f;
	struct cgroup_place at = { .mount = mount, .self = own };
	struct host_cgroup c = { .why = "no version 2" };

	snprintf(mount, sizeof mount, "%s/v1", root);
	snprintf(own, sizeof own, "%s/self", root);
	snprintf(dir, sizeof dir, "%s/v1/a", root);
	(void)mkdir(mount, 0755);
	(void)mkdir(dir, 0755);
	snprintf(dir, sizeof dir, "%s/v1/a/b", root);
	(void)mkdir(dir, 0755);
	ok_int(chmod(dir, mode), 0);
	f = fopen(own, "w");
	if (f == NULL || fputs(V1, f) < 0 || fclose(f) != 0)
		abort();
	ok_int(cgroup1_look(&at, &arena, &c), 0);
	return c;
}

static void version_1_has_memory_alone(void)
{
	struct host_cgroup c;

	begin();
	c = look1(0755);
	ok_int(c.kind, CGROUP_V1);
	ok_int(c.can, CGROUP_MEMORY);
	ok(strcmp(c.dir + strlen(root), "/v1/a/b") == 0);
	end();
}

static void what_others_may_write_is_not_used(void)
{
	begin();
	ok_int(look1(0775).kind, CGROUP_NONE);
	ok_int(look1(0757).kind, CGROUP_NONE);
	if (geteuid() != 0)
		ok_int(look1(0555).kind, CGROUP_NONE);
	else
		ok(true);
	end();
}

static void version_1_is_for_a_limit_of_memory(void)
{
	struct spec spec = { .mem_bytes = 1 << 20,
			     .pids_max = 3,
			     .cpu_ms = 1000,
			     .cpu_milli = SPEC_UNLIMITED };
	struct host_cgroup host = { .kind = CGROUP_V1,
				    .can = CGROUP_MEMORY,
				    .why = "no version 2" };
	struct plan_cgroup c;

	cgroup_plan(&spec, &host, &c);
	ok_int(c.kind, CGROUP_V1);
	spec.mem_bytes = SPEC_UNLIMITED;
	cgroup_plan(&spec, &host, &c);
	ok_int(c.kind, CGROUP_NONE);
	spec.cpu_milli = 500;
	cgroup_plan(&spec, &host, &c);
	ok(strcmp(c.lacks, "no version 2") == 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_line_of_memory_is_found_by_its_controller),
		CASE(version_1_has_memory_alone),
		CASE(what_others_may_write_is_not_used),
		CASE(version_1_is_for_a_limit_of_memory),
		TAP_END,
	});
}
