/* plan_host_runtime.c -- which interpreters outside /usr are shown, and why
 * others are not. */
#include "runtime_world.h"

static int named(const char *dir)
{
	return look(dir, NULL, "/usr/bin:/bin");
}

static void a_named_prefix_is_shown_where_it_lies(void)
{
	prefix_make("good");
	ok_int(named(at("good")), 0);
	ok_int((intmax_t)host.runtime_len, 1);
	ok(host.runtime_len == 1 &&
	   strcmp(host.runtime[0].path, at("good")) == 0 &&
	   strcmp(host.runtime[0].dst, at("good")) == 0);
	/* its link is followed */
	ok_int(symlink("good", at("link")), 0);
	ok_int(look(at("link"), NULL, "/usr/bin"), 0);
	ok_int((intmax_t)host.runtime_len, 1);
	/* what is in /usr is there already */
	ok_int(named("/usr"), 0);
	ok_int((intmax_t)host.runtime_len, 0);
}

static void a_prefix_that_shows_too_much_is_refused(void)
{
	static const char *const bad[] = { "/",    "/home", "/root", "/etc",
					   "/var", "/tmp",  "/dev",  "/proc" };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (access(bad[i], F_OK) < 0)
			continue;
		ok_int(named(bad[i]), -EINVAL);
		ok_has(err.what, "--runtime: ");
		ok_has(err.what, bad[i]);
		ok_int(err.cause, CUPEL_CAUSE_CALLER);
	}
	ok_int(named(at("nosuch")), -ENOENT);
	ok_has(err.what, "--runtime: ");
}

static void home_and_repository_are_refused(void)
{
	prefix_make("own");
	ok_int(setenv("HOME", at("own"), 1), 0);
	ok_int(named(at("own")), -EINVAL);
	ok_has(err.what, "home directory");
	ok_int(setenv("HOME", at("own/lib"), 1), 0);
	ok_int(named(at("own")), -EINVAL);
	ok_int(setenv("HOME", "/", 1), 0);
	repo_is("own/lib");
	ok_int(named(at("own")), -EINVAL);
	ok_has(err.what, "contains the repository");
	repo = top;
	ok_int(named(at("own")), -EINVAL);
	ok_has(err.what, "is in the repository");
	repo = NULL;
}

static void what_others_can_change_is_refused(void)
{
	prefix_make("open");
	ok_int(chmod(at("open"), 0775), 0);
	ok_int(named(at("open")), -EINVAL);
	ok_has(err.what, "others can write to it");
	ok_int(chmod(at("open"), 0755), 0);
	ok_int(chmod(at("open/lib"), 0757), 0);
	ok_int(named(at("open")), -EINVAL);
	ok_has(err.what, "does not look like");
	ok_int(chmod(at("open/lib"), 0755), 0);
	ok_int(named(at("open")), 0);
	if (geteuid() == 0) {
		ok_int(chown(at("open"), 1234, 1234), 0);
		ok_int(named(at("open")), -EINVAL);
		ok_has(err.what, "does not belong to");
	}
	dir_make(at("bare"), 0755);
	dir_make(at("bare/bin"), 0755);
	ok_int(named(at("bare")), -EINVAL);
	ok_has(err.what, "does not look like");
	dir_make(at("bare/lib64"), 0755);
	ok_int(named(at("bare")), 0);
}

static void a_prefix_and_a_ro_target_stay_apart(void)
{
	static const char *const overlaps[] = { "side", "side/lib", "." };
	struct host_source source = { 0 };
	char own[PATH_MAX];
	char dst[PATH_MAX];

	prefix_make("side");
	(void)snprintf(own, sizeof own, "%s/side", top);
	(void)snprintf(dst, sizeof dst, "%s/side2", top);
	source.dst = dst;
	ro = &source;
	ok_int(named(own), 0);
	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(dst, sizeof dst, "%s/%s", top, overlaps[i]);
		if (i == 2)
			dst[strlen(top)] = '\0';
		ok_int(named(own), -EINVAL);
		ok_has(err.what, "--runtime: ");
		ok_has(err.what, "--ro target");
		ok_has(err.what, dst);
	}
	ro = NULL;
}

static void there_is_an_end_to_them(void)
{
	const char *dirs[17];
	char own[17][64];

	for (int i = 0; i < 17; i++) {
		(void)snprintf(own[i], sizeof own[i], "%s/n%d", top, i);
		prefix_make(own[i] + strlen(top) + 1);
		dirs[i] = own[i];
	}
	spec.argc = 0;
	spec.runtime = (struct spec_list){ .items = dirs, .len = 16 };
	host_begin();
	ok_int(host_runtime_read(&host, &spec, &err), 0);
	spec.runtime.len = 17;
	host_begin();
	ok_int(host_runtime_read(&host, &spec, &err), -E2BIG);
	ok_has(err.what, "at most 16 prefixes");
}

int main(void)
{
	return world_run((struct tap_case[]){
		CASE(a_named_prefix_is_shown_where_it_lies),
		CASE(a_prefix_that_shows_too_much_is_refused),
		CASE(home_and_repository_are_refused),
		CASE(what_others_can_change_is_refused),
		CASE(a_prefix_and_a_ro_target_stay_apart),
		CASE(there_is_an_end_to_them),
		TAP_END,
	});
}
