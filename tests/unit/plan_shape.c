/* plan_shape.c -- which plans may share a template, and which plans never have
 * one (docs/copies.md). */
#include "tap.h"

#include "base/error.h"
#include "golden/fake_plan.h"
#include "plan/shape.h"

struct made {
	struct fake_plan given;
	char hash[BLAKE3_TEXT_BYTES];
};

static struct cupel_error err;

static void make(struct made *m, const char *name, const char *value)
{
	static const char *const argv[] = { "prog", NULL };
	const char *const options[][2] = { { name, value }, { NULL } };

	*m = (struct made){ 0 };
	ok_int(fake_plan_make(options, argv, &m->given, &err), 0);
	shape_hash(&m->given.plan, m->hash);
}

static bool is_same_with(const char *name, const char *value)
{
	struct made a, b;
	bool is_same;

	make(&a, NULL, NULL);
	make(&b, name, value);
	is_same = strcmp(a.hash, b.hash) == 0;
	fake_plan_done(&a.given);
	fake_plan_done(&b.given);
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
	struct plan *p = &m.given.plan;
	char other[BLAKE3_TEXT_BYTES];

	make(&m, NULL, NULL);
	for (size_t i = 0; i < p->sources_len; i++) {
		p->sources[i].ino++;
		shape_hash(p, other);
		ok(strcmp(m.hash, other) != 0);
		p->sources[i].ino--;
		p->sources[i].dev++;
		shape_hash(p, other);
		ok(strcmp(m.hash, other) != 0);
		p->sources[i].dev--;
	}
	for (size_t i = 0; i < p->steps_len; i++) {
		p->steps[i].attr ^= 1;
		shape_hash(p, other);
		ok(strcmp(m.hash, other) != 0);
		p->steps[i].attr ^= 1;
	}
	p->ids.host_uid++;
	shape_hash(p, other);
	ok(strcmp(m.hash, other) != 0);
	fake_plan_done(&m.given);
}

static void refuses(const struct plan *p, const char *why)
{
	const char *got = shape_refusal(p);

	ok(got != NULL);
	ok_has(got != NULL ? got : "", why);
}

static void what_is_never_copied_says_why(void)
{
	struct made m;
	struct plan *p = &m.given.plan;

	make(&m, NULL, NULL);
	ok(shape_refusal(p) == NULL);
	p->cgroup.kind = CGROUP_SUBTREE;
	refuses(p, "a cgroup of version 2");
	p->cgroup.kind = CGROUP_V1;
	ok(shape_refusal(p) == NULL);
	p->cgroup.kind = CGROUP_NONE;
	p->trace.exec = true;
	refuses(p, "a trace");
	p->trace.exec = false;
	p->egress.is_wanted = true;
	refuses(p, "scoped egress");
	p->egress.is_wanted = false;
	p->terminal = true;
	refuses(p, "a terminal");
	p->terminal = false;
	p->keeps_files = true;
	refuses(p, "artifacts");
	p->cache.dir = "/home/ann/cache";
	refuses(p, "a cache");
	p->cache.dir = NULL;
	p->report.path = "/scratch/report.xml";
	refuses(p, "a report");
	p->report.path = NULL;
	p->keeps_files = false;
	p->allow_partial = true;
	refuses(p, "a partial run");
	p->allow_partial = false;
	p->clone_flags = 0;
	refuses(p, "without all namespaces");
	fake_plan_done(&m.given);
	make(&m, "repo-mode", "overlay");
	refuses(p, "a writable view");
	fake_plan_done(&m.given);
	make(&m, "backend", "landlock");
	refuses(p, "without all namespaces");
	fake_plan_done(&m.given);
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
