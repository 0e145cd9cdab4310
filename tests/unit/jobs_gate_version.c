/* jobs_gate_version.c -- the orders of versions, and which versions an OSV
 * record affects. */
#include "jobs/gate/vuln/version.h"

#include <errno.h>

#include "jobs/gate/vuln/osv.h"
#include "tap.h"

typedef int version_find(const char *a, const char *b, int *ret);

static int sign(int c)
{
	return (c > 0) - (c < 0);
}

/* Every version of the list is older than all that follow it. */
static void in_order(version_find *find, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			int c = 9;

			ok_int(find(list[i], list[k], &c), 0);
			if (sign(c) != (i > k) - (i < k))
				fprintf(stderr, "# %s %s\n", list[i], list[k]);
			ok_int(sign(c), (i > k) - (i < k));
		}
}

static void semver_orders_as_its_specification(void)
{
	static const char *const list[] = {
		/* section 11.4's own row, among others */
		"0.0.0-0",
		"0.0.0",
		"0.0.1",
		"0.9.99",
		"1.0.0-1",
		"1.0.0-2",
		"1.0.0-10",
		"1.0.0-alpha",
		"1.0.0-alpha.1",
		"1.0.0-alpha.beta",
		"1.0.0-beta",
		"1.0.0-beta.2",
		"1.0.0-beta.11",
		"1.0.0-rc.1",
		"1.0.0",
		"1.9.0",
		"1.10.0",
		"1.11.0",
		"2.0.0",
		"2.1.0",
		"2.1.1",
		"99999999999999999999999.0.0",
		"100000000000000000000000.0.0",
	};

	in_order(version_semver_find, list, sizeof list / sizeof *list);
}

static void pep440_orders_as_packaging(void)
{
	static const char *const list[] = {
		"1.0.dev456",
		"1.0a1",
		"1.0a2.dev456",
		"1.0a12.dev456",
		"1.0a12",
		"1.0b1.dev456",
		"1.0b2",
		"1.0b2.post345.dev456",
		"1.0b2.post345",
		"1.0rc1.dev456",
		"1.0rc1",
		"1.0",
		"1.0+abc.5",
		"1.0+abc.7",
		"1.0+5",
		"1.0.post456.dev34",
		"1.0.post456",
		"1.1.dev1",
		"1.2+123abc",
		"1.2+123abc456",
		"1.2+abc",
		"1.2+abc123",
		"1.2+abc123def",
		"1.2+1234.abc",
		"1.2+123456",
		"1.2.r32+123456",
		"1.2.rev33+123456",
		"1!1.0.dev456",
		"1!1.0a1",
		"1!1.0",
	};

	in_order(version_pep440_find, list, sizeof list / sizeof *list);
}

static void what_is_written_otherwise_is_the_same(void)
{
	static const struct {
		version_find *find;
		const char *a, *b;
	} rows[] = {
		{ version_semver_find, "1.0.0+a", "1.0.0+b" },
		{ version_semver_find, "v1.2.3", "1.2.3" },
		{ version_semver_find, "1.2", "1.2.0" },
		{ version_pep440_find, "1.0", "1" },
		{ version_pep440_find, "1.0.0", "v1.0" },
		{ version_pep440_find, "1.0-1", "1.0.post1" },
		{ version_pep440_find, "1.0-ALPHA.1", "1.0a1" },
		{ version_pep440_find, "1.0c1", "1.0rc1" },
		{ version_pep440_find, "1.0preview2", "1.0rc2" },
		{ version_pep440_find, "1.0_dev", "1.0.dev0" },
		{ version_pep440_find, "0!01.00", "1.0" },
		{ version_pep440_find, "1.0+ubuntu-1", "1.0+ubuntu.1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int c = 9;

		ok_int(rows[i].find(rows[i].a, rows[i].b, &c), 0);
		ok_int(c, 0);
	}
}

static void refuses_what_is_no_version(void)
{
	static const struct {
		version_find *find;
		const char *text;
	} rows[] = {
		{ version_semver_find, "" },
		{ version_semver_find, "01.0.0" },
		{ version_semver_find, "1.0.0-" },
		{ version_semver_find, "1.0.0-01" },
		{ version_semver_find, "1.0.0-a..b" },
		{ version_semver_find, "1.0.0+" },
		{ version_semver_find, "1.0.0.0" },
		{ version_semver_find, "1.0.0 " },
		{ version_semver_find, "latest" },
		{ version_pep440_find, "" },
		{ version_pep440_find, "french toast" },
		{ version_pep440_find, "1.0+a+" },
		{ version_pep440_find, "1.0++" },
		{ version_pep440_find, "1.0+_foobar" },
		{ version_pep440_find, "1.0+foo&asd" },
		{ version_pep440_find, "1.0+1+1" },
		{ version_pep440_find, "1..0" },
		{ version_pep440_find, "1.0x" },
	};
	char longest[400] = "1.";
	int c = 9;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ok_int(rows[i].find(rows[i].text, "1.0.0", &c), -EINVAL);
		ok_int(rows[i].find("1.0.0", rows[i].text, &c), -EINVAL);
	}
	memset(longest + 2, '1', sizeof longest - 3);
	ok_int(version_semver_find(longest, "1.0.0", &c), -EINVAL);
	ok_int(version_pep440_find(longest, "1.0", &c), -EINVAL);
	ok_int(c, 9);
}

#define RANGE(events)                                                          \
	"{\"ranges\":[{\"type\":\"ECOSYSTEM\",\"events\":[" events "]}]}"
#define E(kind, version) "{\"" kind "\":\"" version "\"}"

static const struct {
	const char *affected, *type, *version;
	bool is_affected;
} weighed[] = {
	{ RANGE(E("introduced", "0") "," E("fixed", "1.2.3")), "npm", "1.2.2",
	  true },
	{ RANGE(E("introduced", "0") "," E("fixed", "1.2.3")), "npm", "1.2.3",
	  false },
	{ RANGE(E("introduced", "0") "," E("fixed", "1.2.3")), "npm",
	  "1.2.3-rc.1", true },
	{ RANGE(E("introduced", "0") "," E("fixed", "1.2.3")), "pypi",
	  "1.2.3rc1", true },
	{ RANGE(E("introduced", "0") "," E("fixed", "1.2.10")), "npm", "1.2.9",
	  true },
	{ RANGE(E("introduced", "1.0.0") "," E("fixed", "2.0.0")), "npm",
	  "0.9.0", false },
	{ RANGE(E("introduced", "1.0.0")), "npm", "1.0.0", true },
	{ RANGE(E("introduced", "1.0.0") "," E("last_affected", "1.5.0")),
	  "npm", "1.5.0", true },
	{ RANGE(E("introduced", "1.0.0") "," E("last_affected", "1.5.0")),
	  "npm", "1.5.1", false },
	{ RANGE(E("introduced", "1.5.0") "," E("last_affected", "1.5.0")),
	  "npm", "1.5.0", true },
	{ RANGE(E("introduced", "1.5.0") "," E("last_affected", "1.5.0")),
	  "npm", "1.5.1", false },
	/* in any order, and introduced again */
	{ RANGE(E("fixed", "2.0.0") "," E("introduced",
					  "3.0.0") "," E("introduced", "0")),
	  "npm", "1.0.0", true },
	{ RANGE(E("fixed", "2.0.0") "," E("introduced",
					  "3.0.0") "," E("introduced", "0")),
	  "npm", "2.5.0", false },
	{ RANGE(E("fixed", "2.0.0") "," E("introduced",
					  "3.0.0") "," E("introduced", "0")),
	  "npm", "3.1.0", true },
	{ RANGE(E("introduced", "0") "," E("limit", "2.0.0")), "npm", "1.0.0",
	  true },
	{ RANGE(E("introduced", "0") "," E("limit", "2.0.0")), "npm", "2.0.0",
	  false },
	{ RANGE(E("introduced", "0") "," E("limit", "*")), "npm", "9.0.0",
	  true },
	{ "{\"versions\":[\"1.0\",\"1.1\"]}", "pypi", "1.1.0", true },
	{ "{\"versions\":[\"1.0\",\"1.1\"]}", "pypi", "1.2", false },
	{ "{\"versions\":[\"weird\"]}", "pypi", "weird", true },
	/* a version that cannot be compared counts as affected */
	{ RANGE(E("introduced", "1.0") "," E("fixed", "2.0")), "pypi",
	  "french toast", true },
	{ RANGE(E("introduced", "0") "," E("fixed", "soon")), "npm", "3.0.0",
	  true },
	{ RANGE("{\"other\":\"1\"}"), "npm", "3.0.0", true },
	{ "{}", "npm", "1.0.0", true },
	{ "{\"ranges\":[{\"type\":\"GIT\",\"events\":[]}]}", "npm", "1.0.0",
	  true },
	{ "{\"ranges\":[{\"type\":\"GIT\",\"events\":[]}],"
	  "\"versions\":[\"1.0.0\"]}",
	  "npm", "1.0.1", false },
	{ "{\"ranges\":[{\"type\":\"NEW\",\"events\":[]}]}", "npm", "1.0.0",
	  true },
	{ "{\"ranges\":[{\"type\":\"SEMVER\"}]}", "npm", "1.0.0", true },
};

static void osv_events_are_weighed(void)
{
	for (size_t i = 0; i < sizeof weighed / sizeof *weighed; i++) {
		struct arena arena = { 0 };
		struct json_value v;
		struct json_error bad = { 0 };
		bool is_affected;

		ok_int(json_parse(weighed[i].affected,
				  strlen(weighed[i].affected), NULL, &arena, &v,
				  &bad),
		       0);
		is_affected = osv_is_affected(&v, weighed[i].type,
					      weighed[i].version);
		if (is_affected != weighed[i].is_affected)
			fprintf(stderr, "# %s %s\n", weighed[i].affected,
				weighed[i].version);
		ok(is_affected == weighed[i].is_affected);
		arena_done(&arena);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(semver_orders_as_its_specification),
		CASE(pep440_orders_as_packaging),
		CASE(what_is_written_otherwise_is_the_same),
		CASE(refuses_what_is_no_version), CASE(osv_events_are_weighed),
		TAP_END });
}
