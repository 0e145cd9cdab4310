/* plan_shape.c -- which plans may share a template, and which plans never have
 * one (decision 0070). */
#include "tap.h"

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "base/error.h"
#include "golden/fake_host.h"
#include "plan/shape.h"
#include "spec/spec.h"

static const struct sock_filter insns[] = {
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

struct made {
	struct spec spec;
	struct host host;
	struct plan plan;
	char hash[BLAKE3_TEXT_BYTES];
};

static struct cupel_error err;

static void make(struct made *m, const char *name, const char *value)
{
	static const char *const argv[] = { "prog" };
	const struct filter filter = { .name = "a filter",
				       .hash = "blake3:of a filter",
				       .insns = insns,
				       .len = 1 };

	*m = (struct made){ 0 };
	ok_int(spec_init(&m->spec, &err), 0);
	if (name != NULL)
		ok_int(spec_set(&m->spec, name, value, &err), 0);
	ok_int(spec_set_command(&m->spec, argv, 1, &err), 0);
	ok_int(spec_check(&m->spec, &err), 0);
	fake_host(&m->spec, &m->host);
	fake_scratch(&m->host);
	ok_int(plan_build(&m->spec, &m->host, &filter, &m->plan, &err), 0);
	shape_hash(&m->plan, m->hash);
}

static void made_done(struct made *m)
{
	plan_done(&m->plan);
	host_done(&m->host);
	spec_done(&m->spec);
}

static bool is_same_with(const char *name, const char *value)
{
	struct made a, b;
	bool is_same;

	make(&a, NULL, NULL);
	make(&b, name, value);
	is_same = strcmp(a.hash, b.hash) == 0;
	made_done(&a);
	made_done(&b);
	return is_same;
}

static void what_is_each_copys_own_is_no_part_of_it(void)
{
	ok(is_same_with(NULL, NULL));
	ok(is_same_with("nofile", "17"));
	ok(is_same_with("mem-bytes", "64M"));
	ok(is_same_with("scratch-bytes", "1M"));
	ok(is_same_with("wall-time-s", "3"));
	ok(is_same_with("env", "A=b"));
	ok(is_same_with("chdir", "/tmp"));
}

static void what_the_template_shows_is_part_of_it(void)
{
	ok(!is_same_with("repo-mode", "none"));
	ok(!is_same_with("repo-at", "/work"));
	ok(!is_same_with("ro", "/opt/data:/data"));
}

/* A file that was replaced under its name is another source. */
static void the_files_themselves_count(void)
{
	struct made m;
	char other[BLAKE3_TEXT_BYTES];

	make(&m, NULL, NULL);
	for (size_t i = 0; i < m.plan.sources_len; i++) {
		m.plan.sources[i].ino++;
		shape_hash(&m.plan, other);
		ok(strcmp(m.hash, other) != 0);
		m.plan.sources[i].ino--;
		m.plan.sources[i].dev++;
		shape_hash(&m.plan, other);
		ok(strcmp(m.hash, other) != 0);
		m.plan.sources[i].dev--;
	}
	for (size_t i = 0; i < m.plan.steps_len; i++) {
		m.plan.steps[i].attr ^= 1;
		shape_hash(&m.plan, other);
		ok(strcmp(m.hash, other) != 0);
		m.plan.steps[i].attr ^= 1;
	}
	m.plan.ids.host_uid++;
	shape_hash(&m.plan, other);
	ok(strcmp(m.hash, other) != 0);
	made_done(&m);
}

static void refuses(struct made *m, const char *why)
{
	const char *got = shape_refusal(&m->plan);

	ok(got != NULL);
	ok_has(got != NULL ? got : "", why);
}

static void what_is_never_copied_says_why(void)
{
	struct made m;

	make(&m, NULL, NULL);
	ok(shape_refusal(&m.plan) == NULL);
	m.plan.cgroup.kind = CGROUP_SUBTREE;
	refuses(&m, "a cgroup of version 2");
	m.plan.cgroup.kind = CGROUP_V1;
	ok(shape_refusal(&m.plan) == NULL);
	m.plan.cgroup.kind = CGROUP_NONE;
	m.plan.trace.exec = true;
	refuses(&m, "a trace");
	m.plan.trace.exec = false;
	m.plan.egress.is_wanted = true;
	refuses(&m, "scoped egress");
	m.plan.egress.is_wanted = false;
	m.plan.terminal = true;
	refuses(&m, "a terminal");
	m.plan.terminal = false;
	m.plan.keeps_files = true;
	refuses(&m, "artifacts");
	m.plan.cache.dir = "/home/ann/cache";
	refuses(&m, "a cache");
	m.plan.cache.dir = NULL;
	m.plan.report.path = "/scratch/report.xml";
	refuses(&m, "a report");
	m.plan.report.path = NULL;
	m.plan.keeps_files = false;
	m.plan.allow_partial = true;
	refuses(&m, "a partial run");
	m.plan.allow_partial = false;
	m.plan.clone_flags = 0;
	refuses(&m, "without all namespaces");
	made_done(&m);
	make(&m, "repo-mode", "overlay");
	refuses(&m, "a writable view");
	made_done(&m);
	make(&m, "backend", "landlock");
	refuses(&m, "without all namespaces");
	made_done(&m);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_is_each_copys_own_is_no_part_of_it),
		CASE(what_the_template_shows_is_part_of_it),
		CASE(the_files_themselves_count),
		CASE(what_is_never_copied_says_why),
		TAP_END,
	});
}
