/* plan.c -- the plans of a machine that is written down, held to files: a
 * change of policy is a diff.  The plan of the default profile is held whole, every
 * other to its difference from that one.  UPDATE_GOLDEN=1 writes them anew. */
#include "tap.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "golden/fake_plan.h"
#include "golden/golden.h"
#include "golden/plan_cases.h"
#include "spec/profile.h"

struct made {
	struct fake_plan p;
	struct buf json;
};

static struct cupel_error err;

static void made_done(struct made *m)
{
	buf_done(&m->json);
	fake_plan_done(&m->p);
}

static int make(const struct plan_case *c, struct made *m)
{
	static const char *const argv[] = { "prog", "-x", "two words", "\n",
					    NULL };
	int r;

	m->json = (struct buf){ 0 };
	err.what[0] = '\0';
	r = fake_plan_begin(c->options, argv, &m->p, &err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < 3 && c->change[i] != NULL; i++)
		c->change[i](&m->p.host);
	if (c->landlock_abi != ABI_AS_IS)
		m->p.host.landlock_abi =
			c->landlock_abi == ABI_NONE ? 0 : c->landlock_abi;
	r = fake_plan_build(&m->p, &err);
	if (r == 0)
		r = plan_hash(&m->p.plan);
	if (r == 0)
		plan_write_json(&m->p.plan, &m->json);
	return r;
}

/* What the shipped filters say is held elsewhere; here, that there is a hash
 * and where it stands. */
static void hash_blank(struct buf *json)
{
	char *at = strstr(json->bytes, "\"policy_hash\": \"blake3:");

	ok(at != NULL);
	for (at += 23; at != NULL && *at != '"'; at++)
		*at = '.';
}

static struct plan_case profile_case(const char *profile)
{
	return (struct plan_case){ .name = profile,
				   .options = { { "profile", profile } } };
}

static bool made_text(const struct plan_case *c, struct made *m)
{
	int r = make(c, m);

	ok_int(r, 0);
	if (r < 0)
		fprintf(stderr, "# %s: %s\n", c->name, err.what);
	else
		hash_blank(&m->json);
	return r == 0;
}

static void case_hold(const struct plan_case *c)
{
	char name[128];
	struct made base, m;
	bool is_made = made_text(&cases[0], &base);

	if (made_text(c, &m) && is_made) {
		(void)snprintf(name, sizeof name, "plans/%s.%s", c->name,
			       c == cases ? "json" : "diff");
		ok(c == cases ? golden_is(name, &m.json)
			      : golden_is_diff(name, &base.json, &m.json));
	}
	made_done(&base);
	made_done(&m);
}

static void every_plan_is_as_written_down(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		case_hold(&cases[i]);
}

static void the_same_twice_is_the_same_text(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct made a, b;

		ok_int(make(&cases[i], &a), 0);
		ok_int(make(&cases[i], &b), 0);
		ok(a.json.len > 0 && a.json.len == b.json.len &&
		   memcmp(a.json.bytes, b.json.bytes, a.json.len) == 0);
		made_done(&a);
		made_done(&b);
	}
}

/* What a profile says, and the plan that follows, as one text. */
static bool profile_text(const char *profile, struct buf *out)
{
	const struct plan_case c = profile_case(profile);
	owned_buf struct buf says = { 0 };
	struct made m;
	bool is_made = made_text(&c, &m);

	if (is_made) {
		profile_write_json(&m.p.spec, &says);
		buf_format(out, "{\"profile\":%s,\"plan\":%s}", says.bytes,
			   m.json.bytes);
	}
	made_done(&m);
	return is_made;
}

/* How each differs from the default profile and its plan, which are held whole. */
static void every_profile_is_as_written_down(void)
{
	owned_buf struct buf base = { 0 }, says = { 0 };
	struct spec s = { 0 };

	ok_int(spec_init(&s, &err), 0);
	profile_write_json(&s, &says);
	spec_done(&s);
	ok(golden_is("profiles/default.json", &says));
	if (!profile_text("default", &base))
		return;
	for (size_t i = 1; profile_at(i) != NULL; i++) {
		owned_buf struct buf text = { 0 };
		char name[80];

		(void)snprintf(name, sizeof name, "profiles/%s.diff",
			       profile_at(i)->name);
		if (profile_text(profile_at(i)->name, &text))
			ok(golden_is_diff(name, &base, &text));
	}
}

/* After the cases that hold them. */
static void every_golden_file_is_of_a_case(void)
{
	ok(golden_is_all("plans"));
	ok(golden_is_all("profiles"));
}

/* The random name of a scratch directory is nobody's policy. */
static void a_scratch_of_another_name_is_the_same_plan(void)
{
	static const char *const names[] = { "landlock", "rlimits" };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct made a, b;

		if (strcmp(cases[i].name, names[0]) != 0 &&
		    strcmp(cases[i].name, names[1]) != 0)
			continue;
		ok_int(make(&cases[i], &a), 0);
		ok_int(make(&cases[i], &b), 0);
		plan_done(&b.p.plan);
		b.p.host.scratch =
			"/tmp/cupel-ffeeddccbbaa99887766554433221100";
		ok_int(fake_plan_build(&b.p, &err), 0);
		ok_int(plan_hash(&b.p.plan), 0);
		buf_done(&b.json);
		b.json = (struct buf){ 0 };
		plan_write_json(&b.p.plan, &b.json);
		ok(strcmp(a.json.bytes, b.json.bytes) == 0);
		made_done(&a);
		made_done(&b);
	}
}

/* The case of a name, or else of the profile that has it. */
static struct plan_case case_of(const char *name)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (strcmp(cases[i].name, name) == 0)
			return cases[i];
	return profile_case(name);
}

static void hash_of(const struct plan_case *c, char out[80])
{
	struct made m;

	ok_int(make(c, &m), 0);
	(void)snprintf(out, 80, "%s", m.p.plan.policy_hash);
	made_done(&m);
}

static void the_policy_hash_sees_every_wall(void)
{
	static const char *const names[] = {
		"default",    "test",       "parser",        "overlay",
		"no-repo",    "ro-sources", "loopback",      "abi-none",
		"abi-2",      "abi-3",      "abi-4",         "abi-5",
		"low-limits", "landlock",   "landlock-root", "rlimits",
	};
	enum { N = sizeof names / sizeof *names };
	char hash[N][80];

	for (size_t i = 0; i < N; i++) {
		const struct plan_case c = case_of(names[i]);

		hash_of(&c, hash[i]);
	}
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(hash[i], hash[k]) == 0) {
				ok(false && "two policies of one hash");
				fprintf(stderr, "# %s and %s\n", names[i],
					names[k]);
			}
}

static void without_landlock_that_backend_is_refused(void)
{
	struct plan_case c = case_of("landlock");
	struct made m;

	c.landlock_abi = ABI_NONE;
	ok_int(make(&c, &m), -ENOSYS);
	ok_int(err.stage, CUPEL_STAGE_LANDLOCK);
	ok_int(err.cause, CUPEL_CAUSE_HOST);
	ok_has(err.what, "--backend landlock");
	made_done(&m);
}

static void powerless_root(struct host *h)
{
	fake_root(h);
	h->is_root = false;
	h->is_host_root = true;
}

static void root_of_a_namespace(struct host *h)
{
	powerless_root(h);
	h->is_host_root = false;
}

static void uid_0_without_power_is_refused(void)
{
	struct plan_case c = { .change = { powerless_root } };
	struct made m;

	ok_int(make(&c, &m), -EPERM);
	ok_int(err.cause, CUPEL_CAUSE_HOST);
	ok_has(err.what, "ordinary user");
	made_done(&m);
	c.options[0][0] = "allow-partial";
	ok_int(make(&c, &m), 0);
	ok((m.p.plan.missing & WALL_BIT(WALL_HOST_UID)) != 0);
	made_done(&m);
}

static void uid_0_of_a_namespace_is_an_ordinary_user(void)
{
	struct plan_case c = { .change = { root_of_a_namespace } };
	struct made m;

	ok_int(make(&c, &m), 0);
	ok(!m.p.plan.ids.by_root);
	ok_int(m.p.plan.missing & WALL_BIT(WALL_HOST_UID), 0);
	made_done(&m);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_plan_is_as_written_down),
		CASE(the_same_twice_is_the_same_text),
		CASE(every_profile_is_as_written_down),
		CASE(every_golden_file_is_of_a_case),
		CASE(a_scratch_of_another_name_is_the_same_plan),
		CASE(the_policy_hash_sees_every_wall),
		CASE(without_landlock_that_backend_is_refused),
		CASE(uid_0_without_power_is_refused),
		CASE(uid_0_of_a_namespace_is_an_ordinary_user),
		TAP_END,
	});
}
