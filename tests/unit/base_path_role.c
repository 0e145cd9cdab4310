/* base_path_role.c -- whose a file is, by its path. */
#include "base/path_role.h"

#include <stdbool.h>
#include <string.h>

#include "tap.h"

static const char table[] = "# comment\tx\nfixture\tfix *-fix fix-*\n"
			    "vendored\tven a/b\ntest\ttest\n"
			    "template\ttpl\ninstalled\t@*\nnobody\tsrc\n";

static void is_of(const char *path, enum role_subject subject,
		  enum role_kind want, const char *dir)
{
	struct path_text got = { NULL, 0 };
	enum role_kind kind = path_role_find(
		(struct path_text){ table, sizeof table - 1 },
		(struct path_text){ path, strlen(path) }, subject, &got);

	ok(kind == want);
	ok(dir == NULL ? got.bytes == NULL
		       : got.len == strlen(dir) &&
				 memcmp(got.bytes, dir, got.len) == 0);
}

static void directories_decide(void)
{
	is_of("src/a", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("fix", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("x/fix", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("x/fix/a", ROLE_OF_SOURCE, ROLE_FIXTURE, "fix");
	is_of("x-fix/a", ROLE_OF_SOURCE, ROLE_FIXTURE, "x-fix");
	is_of("fix-x/a", ROLE_OF_SOURCE, ROLE_FIXTURE, "fix-x");
	is_of("-fix/a", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("prefix/a", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("ven/fix/a", ROLE_OF_SOURCE, ROLE_VENDORED, "ven");
	is_of("a/b/c", ROLE_OF_SOURCE, ROLE_VENDORED, "a");
	is_of("a/b", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("b/a/c", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("/", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("//fix//a", ROLE_OF_SOURCE, ROLE_FIXTURE, "fix");
}

static void packages_have_none(void)
{
	is_of("src/main/java/com/fix/a", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("x/src/test/kotlin/fix/a", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("src/fix/java/a/b", ROLE_OF_SOURCE, ROLE_FIXTURE, "fix");
	is_of("fix/src/main/java/a", ROLE_OF_SOURCE, ROLE_FIXTURE, "fix");
	is_of("src/test/java", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("src/main/js/fix/a", ROLE_OF_SOURCE, ROLE_FIXTURE, "fix");
	is_of("src/java/fix/a", ROLE_OF_SOURCE, ROLE_FIXTURE, "fix");
	is_of("lib/main/java/fix/a", ROLE_OF_SOURCE, ROLE_FIXTURE, "fix");
	is_of("src/main/a/java/fix/a", ROLE_OF_SOURCE, ROLE_FIXTURE, "fix");
}

/* In order, each is what it is alone. */
static void neighbours_change_nothing(void)
{
	static const char *const paths[] = { "a/x",
					     "a/b",
					     "a/b/c",
					     "a/b/d",
					     "a/c/d",
					     "d/a/b",
					     "d/a/b/c",
					     "d/a/c/e",
					     "e/fix/a",
					     "e/fix/b/c",
					     "e/fiy/a",
					     "e/g/fix/h",
					     "e/g/fix",
					     "e/g/h",
					     "fix/a",
					     "fiy",
					     "",
					     "fix/a",
					     "src/a/java/fix/b",
					     "src/a/java/fix/c",
					     "src/a/java/g/h",
					     "src/a/javb/fix/b",
					     "src/a/javb/fix/c",
					     "src/b/java/fix/c" };
	const struct path_text t = { table, sizeof table - 1 };
	struct path_role_last last = { 0 };

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct path_text a = { NULL, 0 }, b = { NULL, 0 };
		const struct path_text p = { paths[i], strlen(paths[i]) };

		ok(path_role_find(t, p, ROLE_OF_SOURCE, &a) ==
		   path_role_next(t, p, ROLE_OF_SOURCE, &last, &b));
		ok(a.bytes == b.bytes && a.len == b.len);
	}
}

static void subjects_differ(void)
{
	is_of("test/a", ROLE_OF_MANIFEST, ROLE_FIXTURE, "test");
	is_of("test/a", ROLE_OF_DEPLOYMENT, ROLE_FIXTURE, "test");
	is_of("test/a", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	is_of("tpl/a", ROLE_OF_MANIFEST, ROLE_EXAMPLE, "tpl");
	is_of("tpl/a", ROLE_OF_DEPLOYMENT, ROLE_OWN, NULL);
	is_of("@x/a", ROLE_OF_MANIFEST, ROLE_VENDORED, "@x");
	is_of("@x/a", ROLE_OF_SOURCE, ROLE_OWN, NULL);
	ok(strcmp(path_role_name(ROLE_OWN), "own") == 0);
	ok(strcmp(path_role_name(ROLE_GENERATED), "generated") == 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(directories_decide),
		CASE(packages_have_none),
		CASE(neighbours_change_nothing),
		CASE(subjects_differ),
		TAP_END,
	});
}
