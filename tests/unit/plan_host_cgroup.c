/* plan_host_cgroup.c -- which cgroup is available, in trees that a test wrote;
 * and files that no kernel writes. */
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "plan/host_cgroup.h"
#include "spec/spec.h"

#define ALL (CGROUP_MEMORY | CGROUP_PIDS | CGROUP_CPU)
#define PID 4711

static char root[64];
static struct arena arena;

static void put(const char *path, const char *text)
{
	char name[256], dir[256];
	FILE *f;

	snprintf(name, sizeof name, "%s/%s", root, path);
	for (char *at = strchr(name + 1, '/'); at != NULL;
	     at = strchr(at + 1, '/')) {
		snprintf(dir, sizeof dir, "%.*s", (int)(at - name), name);
		(void)mkdir(dir, 0755);
	}
	f = fopen(name, "we");
	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		abort();
}

/* One cgroup of the tree: its controllers, those that it passes on, and the
 * processes in it; a NULL type is the root of all. */
static void group(const char *path, const char *offers, const char *has,
		  const char *procs, const char *type)
{
	const struct {
		const char *name, *text;
	} files[] = { { "cgroup.controllers", offers },
		      { "cgroup.subtree_control", has },
		      { "cgroup.procs", procs },
		      { "cgroup.type", type } };
	char name[128];

	for (size_t i = 0; i < 4; i++) {
		snprintf(name, sizeof name, "cg%s/%s", path, files[i].name);
		if (files[i].text != NULL)
			put(name, files[i].text);
	}
}

static void begin(void)
{
	strcpy(root, "/tmp/cupel-unit-cgroup.XXXXXX");
	if (mkdtemp(root) == NULL)
		abort();
	group("", "cpu memory pids\n", "cpu memory pids\n", "", NULL);
}

static void end(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf %s", root);
	(void)!system(command);
	arena_done(&arena);
}

static struct host_cgroup look(const char *self, bool is_root)
{
	static char mount[96], own[96], systemd[96];
	struct cgroup_place at = { .mount = mount,
				   .self = own,
				   .systemd = systemd,
				   .pid = PID,
				   .is_root = is_root };
	struct host_cgroup c = { 0 };

	snprintf(mount, sizeof mount, "%s/cg", root);
	snprintf(own, sizeof own, "%s/self", root);
	snprintf(systemd, sizeof systemd, "%s/systemd", root);
	put("self", self);
	ok_int(cgroup_look(&at, &arena, &c), 0);
	ok(c.is_read);
	return c;
}

static const char *below(const struct host_cgroup *c)
{
	return c->dir != NULL ? c->dir + strlen(root) : "";
}

static void beside_us_in_a_subtree_that_has_them(void)
{
	struct host_cgroup c;

	begin();
	group("/d", "memory pids cpu\n", "memory pids\n", "", "domain\n");
	group("/d/leaf", "memory pids\n", "", "4711\n12\n", "domain\n");
	c = look("1:name=systemd:/x\n0::/d/leaf\n", false);
	ok_int(c.kind, CGROUP_SUBTREE);
	ok(strcmp(below(&c), "/cg/d") == 0);
	ok_int(c.has, CGROUP_MEMORY | CGROUP_PIDS);
	ok_int(c.can, ALL); /* there is no process in it */
	end();
}

static void in_a_subtree_with_processes_only_what_it_has(void)
{
	struct host_cgroup c;

	begin();
	group("/d", "memory pids cpu\n", "pids\n", "8\n", "domain\n");
	group("/d/leaf", "pids\n", "", "4711\n12\n", "domain\n");
	c = look("0::/d/leaf\n", false);
	ok_int(c.kind, CGROUP_SUBTREE);
	ok_int(c.can, CGROUP_PIDS);
	end();
}

static void alone_is_below_us(void)
{
	struct host_cgroup c;

	begin();
	group("/d", "memory pids\n", "", "4711\n", "domain\n");
	c = look("0::/d\n", false);
	ok_int(c.kind, CGROUP_ALONE);
	ok(strcmp(below(&c), "/cg/d") == 0);
	ok_int(c.has, 0);
	ok_int(c.can, CGROUP_MEMORY | CGROUP_PIDS);
	end();
}

static void others_in_the_way_are_said(void)
{
	static const char *const crowds[] = { "4711\n4712\n", "1\n4711\n",
					      "471\n",        "47110\n",
					      "0\n4711\n",    "" };
	struct host_cgroup c;

	for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++) {
		begin();
		group("/d", "memory pids\n", "", crowds[i], "domain\n");
		c = look("0::/d\n", false);
		ok_int(c.kind, CGROUP_NONE);
		ok(c.dir == NULL && c.can == 0);
		ok(strstr(c.why, "other processes are in") != NULL);
		end();
	}
}

static void a_threaded_one_cannot_be_divided(void)
{
	static const char *const types[] = { "threaded\n", "domain threaded\n",
					     "domain invalid\n", "" };
	struct host_cgroup c;

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		begin();
		group("/d", "memory pids\n", "", "4711\n", types[i]);
		c = look("0::/d\n", false);
		ok_int(c.kind, CGROUP_NONE);
		ok(strstr(c.why, "threaded") != NULL);
		end();
	}
}

static void without_controllers_there_is_nothing_to_have(void)
{
	static const char *const given[] = { "", "\n", "cpu io hugetlb\n",
					     "memoryx pidsx\n", "xmemory\n" };
	struct host_cgroup c;

	for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
		begin();
		group("", given[i], given[i], "", NULL);
		group("/d", given[i], "", "4711\n", "domain\n");
		c = look("0::/d\n", true);
		ok_int(c.kind, CGROUP_NONE);
		ok(strstr(c.why, "neither memory nor pids") != NULL);
		end();
	}
}

static void under_systemd_only_what_is_marked_is_ours(void)
{
	struct host_cgroup c;

	begin();
	put("systemd", "");
	group("/app.slice", "memory pids\n", "memory pids\n", "", "domain\n");
	group("/app.slice/a.scope", "memory pids\n", "", "4711\n9\n",
	      "domain\n");
	c = look("0::/app.slice/a.scope\n", false);
	ok_int(c.kind, CGROUP_NONE);
	/* A leaf that we have made shows that the cgroup above it is in use. */
	group("/app.slice/cupel-caller-1-2-3", "memory pids\n", "", "4711\n9\n",
	      "domain\n");
	c = look("0::/app.slice/cupel-caller-1-2-3\n", false);
	ok_int(c.kind, CGROUP_SUBTREE);
	/* An ordinary user who is alone in a scope disturbs nobody.  That root
	 * may write anywhere means nothing. */
	group("/app.slice/b.scope", "memory pids\n", "", "4711\n", "domain\n");
	c = look("0::/app.slice/b.scope\n", false);
	ok_int(c.kind, CGROUP_ALONE);
	c = look("0::/app.slice/b.scope\n", true);
	ok_int(c.kind, CGROUP_ROOT);
	end();
}

static void root_has_the_top(void)
{
	struct host_cgroup c;

	begin();
	group("", "cpu memory pids\n", "", "1\n4711\n", NULL);
	c = look("0::/\n", true);
	ok_int(c.kind, CGROUP_ROOT);
	ok(strcmp(below(&c), "/cg") == 0);
	ok_int(c.can, ALL);
	c = look("0::/\n", false);
	ok_int(c.kind, CGROUP_NONE);
	end();
	/* The top of a container cannot be used: it cannot be divided with its
	 * processes in it. */
	begin();
	group("", "cpu memory pids\n", "", "1\n4711\n", "domain\n");
	c = look("0::/\n", true);
	ok_int(c.kind, CGROUP_NONE);
	group("", "cpu memory pids\n", "", "4711\n", "domain\n");
	c = look("0::/\n", true);
	ok_int(c.kind, CGROUP_ALONE);
	end();
}

/* Root could write there, and so could its owner: whoever takes the controllers
 * away takes the limits away. */
static void what_is_anothers_is_not_roots(void)
{
	static const char *const dirs[] = { "/d", "/d/leaf" };
	struct host_cgroup c;
	char name[128];

	if (geteuid() != 0)
		skip("needs root, to give something away");
	begin();
	group("/d", "memory pids\n", "memory pids\n", "", "domain\n");
	group("/d/leaf", "memory pids\n", "", "4711\n", "domain\n");
	c = look("0::/d/leaf\n", true);
	ok_int(c.kind, CGROUP_SUBTREE);
	for (size_t i = 0; i < 2; i++) {
		snprintf(name, sizeof name, "%s/cg%s", root, dirs[i]);
		ok_int(chown(name, 65534, 65534), 0);
		c = look("0::/d/leaf\n", true);
		ok_int(c.kind, i == 0 ? CGROUP_ALONE : CGROUP_ROOT);
	}
	end();
}

static void garbage_is_none(void)
{
	static char many[6000];
	static const char *const texts[] = {
		"",
		"0::",
		"0::/d",
		"0::d\n",
		"1::/d\n",
		"00::/d\n",
		"x0::/d\n",
		"0::/../d\n",
		"0::/..\n",
		"\n\n\n",
		"0:cpu:/d\n",
		"0::/no/such\n",
		"0::/d\x01\n",
		many,
	};
	struct host_cgroup c;

	memset(many, 'a', sizeof many - 1);
	memcpy(many, "0::/", 4);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		begin();
		group("/d", "memory pids\n", "", "4711\n", "domain\n");
		c = look(texts[i], false);
		ok_int(c.kind, CGROUP_NONE);
		ok(c.why != NULL && c.why[0] != '\0');
		end();
	}
}

static void a_file_that_never_ends_is_read_in_part(void)
{
	static char much[20000];
	struct host_cgroup c;

	memset(much, ' ', sizeof much - 1);
	memcpy(much, "pids", 4);
	memcpy(much + sizeof much - 8, "memory\n", 7);
	begin();
	group("/d", much, "", "4711\n", "domain\n");
	c = look("0::/d\n", false);
	ok_int(c.kind, CGROUP_ALONE);
	ok_int(c.can, CGROUP_PIDS);
	end();
}

static void limits_are_those_asked_for_and_our_own(void)
{
	struct spec spec = { .mem_bytes = 1 << 20,
			     .pids_max = 0,
			     .cpu_ms = 1000,
			     .cpu_milli = SPEC_UNLIMITED };
	struct host_cgroup host = { .kind = CGROUP_ROOT,
				    .dir = "/x",
				    .can = CGROUP_MEMORY };
	struct plan_cgroup c;

	cgroup_plan(&spec, &host, &c);
	ok_int(c.kind, CGROUP_ROOT);
	ok_int(c.memory_bytes, (1 << 20) + CGROUP_OWN_BYTES);
	ok_int(c.pids, 3); /* two of ours, and the command */
	ok(!c.is_needed && c.lacks == NULL);
	spec.pids_max = 64;
	spec.cpu_milli = 500;
	cgroup_plan(&spec, &host, &c);
	ok_int(c.pids, 66);
	ok(c.is_needed && strstr(c.lacks, "cpu controller") != NULL);
	host.can |= CGROUP_CPU;
	cgroup_plan(&spec, &host, &c);
	ok(c.is_needed && c.lacks == NULL);
	spec.allow_partial = true;
	cgroup_plan(&spec, &host, &c);
	ok(!c.is_needed);
	host = (struct host_cgroup){ .why = "there is none" };
	cgroup_plan(&spec, &host, &c);
	ok(c.kind == CGROUP_NONE && strcmp(c.lacks, "there is none") == 0);
}

static void nothing_to_hold_is_nothing_to_make(void)
{
	struct spec spec = { .mem_bytes = SPEC_UNLIMITED,
			     .pids_max = SPEC_UNLIMITED,
			     .cpu_ms = SPEC_UNLIMITED,
			     .cpu_milli = SPEC_UNLIMITED };
	struct host_cgroup host = { .kind = CGROUP_ROOT, .can = ALL };
	struct plan_cgroup c;

	cgroup_plan(&spec, &host, &c);
	ok_int(c.kind, CGROUP_NONE);
	spec.mem_bytes = UINT64_MAX - 1; /* and no sum overflows */
	cgroup_plan(&spec, &host, &c);
	ok(c.kind == CGROUP_ROOT && c.memory_bytes == SPEC_UNLIMITED &&
	   c.pids == SPEC_UNLIMITED);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(beside_us_in_a_subtree_that_has_them),
		CASE(in_a_subtree_with_processes_only_what_it_has),
		CASE(alone_is_below_us),
		CASE(others_in_the_way_are_said),
		CASE(a_threaded_one_cannot_be_divided),
		CASE(without_controllers_there_is_nothing_to_have),
		CASE(under_systemd_only_what_is_marked_is_ours),
		CASE(root_has_the_top),
		CASE(what_is_anothers_is_not_roots),
		CASE(garbage_is_none),
		CASE(a_file_that_never_ends_is_read_in_part),
		CASE(limits_are_those_asked_for_and_our_own),
		CASE(nothing_to_hold_is_nothing_to_make),
		TAP_END,
	});
}
