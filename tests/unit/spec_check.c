/* spec_check.c -- rules for several fields together, forms of paths, names of
 * variables. */
#include "tap.h"

#include <errno.h>

#include "base/error.h"
#include "spec/profile.h"
#include "spec/spec.h"

static struct spec s;
static struct cupel_error err;

/* Read "option value option value ..." as words, and return what spec_check
 * does. */
static int check(const char *const words[])
{
	spec_done(&s);
	err = (struct cupel_error){ 0 };
	ok_int(spec_init(&s, &err), 0);
	for (size_t i = 0; words[i] != NULL; i += 2)
		if (spec_set(&s, words[i], words[i + 1], &err) < 0)
			return -EIO;
	return spec_check(&s, &err);
}
#define CHECK(...) check((const char *const[]){ __VA_ARGS__, NULL })

static void shipped_profiles_pass(void)
{
	size_t n = 0;

	for (; profile_at(n) != NULL; n++)
		ok_int(CHECK("profile", profile_at(n)->name), 0);
	ok_int((intmax_t)n, 24);
}

static void ids_of_the_host_are_one_or_two_numbers(void)
{
	static const char *const good[] = { "1", "65533", "65535",
					    "70000:80000", "4294967294:1" };
	static const char *const bad[] = { "0",
					   "65534",
					   "1:0",
					   "1:65534",
					   ":1",
					   "1:",
					   "1:2:3",
					   "-1",
					   "+1",
					   " 1",
					   "0x1",
					   "1.5",
					   "root",
					   "4294967295",
					   "1:4294967295",
					   "1:root",
					   "99999999999999999999",
					   "1K" };

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok_int(CHECK("host-uid", good[i]), 0);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ok(CHECK("host-uid", bad[i]) < 0);
		ok_has(err.what, "--host-uid");
	}
}

static void a_report_has_a_format_and_a_place(void)
{
	static const char *const good[] = {
		"none",         "junit:/scratch/r", "tap:stdout",
		"cargo:stderr", "jest:/tmp/d/r",    "unittest:/scratch/a:b",
	};
	static const char *const bad[] = {
		"junit",        "junit:",          "junit:r",      "xml:/tmp/r",
		"JUNIT:/tmp/r", "junit:/tmp/../r", "junit:/etc/r", "go:/repo/r",
		"none:/tmp/r",  "tap:Stdout",
	};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok_int(CHECK("report", good[i]), 0);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ok_int(CHECK("report", bad[i]), -EINVAL);
		ok_has(err.what, "--report");
	}
	ok_int(CHECK("report", "go:/repo/r", "repo-mode", "overlay"), 0);
	ok_int(CHECK("report", "go:/tmp/r", "scratch-bytes", "0"), -EINVAL);
	ok_int(CHECK("report", "tap:stdout", "result-schema", "x"), -EINVAL);
	ok_has(err.what, "give --report none");
	ok_int(CHECK("report", "none", "result-schema", "x"), 0);
	ok_int(CHECK("profile", "pytest", "scratch-bytes", "0"), -EINVAL);
}

static void chdir_is_absolute_and_normal(void)
{
	static const char *const bad[] = { "repo",     "/repo/",
					   "/repo//a", "/repo/../etc",
					   "/./repo",  "/repo/." };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ok_int(CHECK("chdir", bad[i]), -EINVAL);
		ok_has(err.what, "--chdir: ");
	}
	ok_int(CHECK("chdir", "/"), 0);
	ok_int(CHECK("chdir", "/repo/..a/b..c"), 0);
}

static void chdir_needs_what_it_lies_in(void)
{
	ok_int(CHECK("chdir", "/scratch/x", "scratch-bytes", "0"), -EINVAL);
	ok_has(err.what, "--scratch-bytes is 0");
	ok_int(CHECK("chdir", "/scratches", "scratch-bytes", "0"), 0);
	ok_int(CHECK("chdir", "/repo", "repo-mode", "none"), -EINVAL);
	ok_has(err.what, "--repo-mode is none");
}

static void the_place_of_the_repository_is_its_own(void)
{
	static const char *const bad[] = {
		"/",     "/usr",   "/usr/x",  "/proc/1", "/dev/x",
		"/etc",  "/tmp/x", "/.cupel", "/repo/x", "/srv/../usr",
		"/srv/", "srv",    "Same",    "/srv//x", "/lib64/x",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ok_int(CHECK("repo-at", bad[i]), -EINVAL);
		ok_has(err.what, "--repo-at: ");
	}
	ok_int(CHECK("repo-at", "same"), 0);
	ok_int(CHECK("repo-at", "/repo"), 0);
	ok_int(CHECK("repo-at", "/users"), 0);
	ok_int(CHECK("repo-at", "/srv/a", "ro", "/x:/srv/ab"), 0);
	ok_int(CHECK("repo-at", "/srv/a", "ro", "/x:/srv/a"), -EINVAL);
	ok_int(CHECK("repo-at", "/srv/a", "ro", "/x:/srv/a/b"), -EINVAL);
	ok_int(CHECK("repo-at", "/srv/a", "ro", "/srv"), -EINVAL);
	ok_has(err.what, "overlap");
	ok_int(CHECK("repo-at", "same", "repo-mode", "none"), -EINVAL);
	ok_int(CHECK("repo-at", "same", "profile", "parser"), -EINVAL);
	ok_has(err.what, "--repo-at");
}

static void a_dummy_is_a_word_of_ours(void)
{
	static const char *const bad[] = { "A=B", "A\nB", "https_proxy",
					   "CUPEL_RESULT_FD",
					   "CUPEL_REPORT_DIR" };
	static const char *const plain[] = { "PATH", "LD_PRELOAD", "HOME",
					     "A" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ok_int(CHECK("env-dummy", bad[i]), -EINVAL);
		ok_has(err.what, "--env-dummy: ");
		ok_int(CHECK("pass-env", bad[i]), -EINVAL);
		ok_lacks(err.what, "--env-dummy");
	}
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		ok_int(CHECK("env-dummy", plain[i]), -EINVAL);
		ok_has(err.what, "not that of a secret");
	}
	ok_int(CHECK("env-dummy", "DJANGO_SECRET_KEY", "env-dummy",
		     "some_token"),
	       0);
	ok_int(CHECK("env", "DJANGO_SECRET_KEY=x"), -EINVAL);
	ok_has(err.what, "--env-dummy");
}

static void start_follows_what_there_is(void)
{
	ok_int(CHECK("nofile", "9"), 0);
	ok(strcmp(spec_cwd(&s), "/repo") == 0);
	ok_int(CHECK("repo-mode", "none"), 0);
	ok(strcmp(spec_cwd(&s), "/scratch") == 0);
	ok_int(CHECK("repo-mode", "none", "scratch-bytes", "0"), 0);
	ok(strcmp(spec_cwd(&s), "/") == 0);
	ok_int(CHECK("chdir", "/usr"), 0);
	ok(strcmp(spec_cwd(&s), "/usr") == 0);
}

static void contradictions_are_named(void)
{
	ok_int(CHECK("scratch-inodes", "0"), -EINVAL);
	ok_has(err.what, "--scratch-inodes");
	ok_int(CHECK("scratch-bytes", "0", "scratch-inodes", "0"), 0);
	ok_int(CHECK("scratch-bytes", "0", "repo-mode", "overlay"), -EINVAL);
	ok_has(err.what, "--repo-mode: overlay");
	ok_int(CHECK("repo", "/r", "repo-mode", "none"), -EINVAL);
	ok_has(err.what, "--repo: '/r'");
}

static void ro_targets_stay_clear_of_ours(void)
{
	static const char *const bad[] = {
		"/a:/proc",   "/a:/proc/x", "/a:/dev/x",  "/a:/etc/x",
		"/a:/repo/x", "/a:/usr/x",  "/a:/lib",    "/a:/scratch/x",
		"/a:/tmp",    "/a:/sys",    "/a:/",       "/a:/x/../y",
		"/a:/x/",     "a",          "/usr/share", "/a:/x//y",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ok_int(CHECK("ro", bad[i]), -EINVAL);
		ok_has(err.what, "--ro: ");
	}
	ok_int(CHECK("ro", "/data"), 0);
	ok_int(CHECK("ro", "rel:/data/x", "ro", "/b:/data-y"), 0);
	ok_int(CHECK("ro", "/a:/process", "ro", "/b:/library"), 0);
}

static void ro_targets_do_not_nest(void)
{
	ok_int(CHECK("ro", "/a:/x", "ro", "/b:/x"), -EINVAL);
	ok_int(CHECK("ro", "/a:/x/y", "ro", "/b:/x-z", "ro", "/c:/x"), -EINVAL);
	ok_has(err.what, "'/x/y' is at or below '/x'");
	ok_int(CHECK("ro", "/a:/x/y", "ro", "/b:/x/y-z", "ro", "/c:/x/z"), 0);
}

static void ro_splits_at_the_last_target(void)
{
	size_t n = 0;
	const char *dst = spec_ro_target("/a:b:/c:d", &n);

	ok(dst != NULL && strcmp(dst, "/c:d") == 0);
	ok_int((intmax_t)n, 4);
	ok(spec_ro_target("/a:b", &n) == NULL);
	ok_int((intmax_t)n, 4);
	ok(spec_ro_target(":/a", &n) == NULL);
}

static void variables_that_carry_secrets_are_named(void)
{
	static const char *const bad[] = {
		"API_KEY",         "aws_secret_access",
		"GITHUB_TOKEN",    "PASSWORD",
		"MY_PASSWD_X",     "GOOGLE_CREDENTIALS",
		"http_proxy",      "NO_PROXY",
		"ALL_PROXY",       "npm_config_https_proxy",
		"monkey",          "proxy",
		"CUPEL_RESULT_FD", "PGPASSWORD",
		"APIKEY",          "API_KEYS",
		"TOKEN2",          "tokenFile",
		"x-token-y",       "my.secret.z",
		"ACCESSTOKENS_1",
	};
	char item[80];

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ok_int(CHECK("pass-env", bad[i]), -EINVAL);
		ok_has(err.what, bad[i]);
		ok_has(err.what, "--pass-env: ");
		(void)snprintf(item, sizeof item, "%s=value-of-it", bad[i]);
		ok_int(CHECK("env", item), -EINVAL);
		ok_has(err.what, bad[i]);
		ok_lacks(err.what, "value-of-it");
	}
	ok_int(CHECK("pass-env", "LANG", "env", "PATH=/x", "env", "E=", "env",
		     "A=KEY", "pass-env", "GOPROXY"),
	       0);
}

static void a_longer_word_is_no_secret(void)
{
	static const char *const good[] = {
		"TOKENIZERS_PARALLELISM",
		"KEYBOARD",
		"XKB_KEYMAP",
		"SECRETARY",
		"tokenizer",
		"TOKENIZE",
		"KEYCLOAK_URL",
		"Tokenizers",
		"CREDENTIALED_BY",
	};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		ok_int(CHECK("pass-env", good[i]), 0);
		ok_int(CHECK("env-dummy", good[i]), -EINVAL);
	}
}

static void variables_have_their_form(void)
{
	ok_int(CHECK("env", "NOVALUE"), -EINVAL);
	ok_has(err.what, "K=V");
	ok_int(CHECK("env", "=x"), -EINVAL);
	ok_int(CHECK("env", "A\nB=x"), -EINVAL);
	ok_int(CHECK("pass-env", "A=B"), -EINVAL);
}

static void refs_have_their_form(void)
{
	ok_int(CHECK("ref", "urn:x"), -EINVAL);
	ok_int(CHECK("ref", "=f"), -EINVAL);
	ok_int(CHECK("ref", "urn:x="), -EINVAL);
	ok_int(CHECK("ref", "urn:x=f"), 0);
}

static void artifacts_come_from_where_one_can_write(void)
{
	ok_int(CHECK("artifact", "/scratch/a"), 0);
	ok_int(CHECK("artifact", "/tmp/a:out/b"), 0);
	ok_int(CHECK("artifact", "a", "chdir", "/scratch"), 0);
	ok_int(CHECK("artifact", "a"), -EINVAL); /* /repo is read-only */
	ok_has(err.what, "/repo/a");
	ok_int(CHECK("artifact", "a", "repo-mode", "overlay"), 0);
	ok_int(CHECK("artifact", "/scratch/../etc/x"), -EINVAL);
	ok_int(CHECK("artifact", "/scratch/a:"), -EINVAL);
	ok_int(CHECK("artifact", ":x"), -EINVAL);
	ok_int(CHECK("artifact", "/scratch/a", "scratch-bytes", "0"), -EINVAL);
	ok_int(CHECK("artifact", "/usr/a"), -EINVAL);
	spec_done(&s);
}

/* A profile's list by hand: no option sets it. */
static int check_etc_of(const char **items, size_t n)
{
	ok_int(CHECK("chdir", "/repo"), 0);
	err = (struct cupel_error){ 0 };
	s.etc = (struct spec_list){ .items = items, .len = n };
	return spec_check(&s, &err);
}

static void etc_is_short_and_never_ours(void)
{
	static const char *const ours[] = { "passwd", "group", "hosts",
					    "localtime", "resolv.conf" };
	const char *many[SPEC_ETC_MAX + 1];
	const char *odd[] = { "a/../b", "/a", "", "a//b", "." };

	for (size_t i = 0; i < SPEC_ETC_MAX + 1; i++)
		many[i] = "java/security";
	ok_int(check_etc_of(many, SPEC_ETC_MAX), 0);
	ok_int(check_etc_of(many, SPEC_ETC_MAX + 1), -E2BIG);
	ok(strcmp(err.what, "etc: 49 names, more than the 48 allowed") == 0);
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
		many[0] = ours[i];
		ok_int(check_etc_of(many, 1), -EINVAL);
		ok_has(err.what, ours[i]);
		ok_has(err.what, "made by cupel");
	}
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
		ok_int(check_etc_of(&odd[i], 1), -EINVAL);
	s.etc = (struct spec_list){ 0 };
	spec_done(&s);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(shipped_profiles_pass),
		CASE(ids_of_the_host_are_one_or_two_numbers),
		CASE(a_report_has_a_format_and_a_place),
		CASE(chdir_is_absolute_and_normal),
		CASE(chdir_needs_what_it_lies_in),
		CASE(the_place_of_the_repository_is_its_own),
		CASE(a_dummy_is_a_word_of_ours),
		CASE(start_follows_what_there_is),
		CASE(contradictions_are_named),
		CASE(ro_targets_stay_clear_of_ours),
		CASE(ro_targets_do_not_nest),
		CASE(ro_splits_at_the_last_target),
		CASE(variables_that_carry_secrets_are_named),
		CASE(a_longer_word_is_no_secret),
		CASE(variables_have_their_form),
		CASE(refs_have_their_form),
		CASE(artifacts_come_from_where_one_can_write),
		CASE(etc_is_short_and_never_ours),
		TAP_END,
	});
}
