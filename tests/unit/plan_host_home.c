/* plan_host_home.c -- no prefix shows a home, whatever HOME says. */
#include "runtime_world.h"

#include "plan/host_home.h"

static void passwd_is(const char *home)
{
	int fd = open(at("passwd"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		      0644);

	ok(fd >= 0 && dprintf(fd,
			      "root:x:0:0:root:/:/bin/sh\n"
			      "# a comment\n\n+::::::\n"
			      "cup:x:1234:1234:,,,:%s:/bin/sh\n",
			      home) > 0);
	(void)close(fd);
}

static const char *refusal(const char *name)
{
	return host_home_refusal(at("%s", name), at("passwd"));
}

static void a_home_that_the_accounts_name_is_refused(void)
{
	prefix_make("homes");
	dir_make(at("homes/cup"), 0755);
	passwd_is("/nonexistent");
	ok(refusal("homes") == NULL);
	ok(refusal("homes/cup") == NULL);
	passwd_is(at("homes/cup"));
	ok_has(refusal("homes/cup"), "home directory of an account");
	ok_has(refusal("homes"), "home directory of an account");
	/* what is only in a home may be shown */
	dir_make(at("homes/cup/python"), 0755);
	ok(refusal("homes/cup/python") == NULL);
	ok(refusal("hom") == NULL);
	/* a home that is reached by a link */
	ok_int(symlink("homes/cup", at("tilde")), 0);
	passwd_is(at("tilde"));
	ok_has(refusal("homes"), "home directory of an account");
	/* one that nobody can look at has its name */
	passwd_is(at("homes/absent"));
	ok_has(refusal("homes"), "home directory of an account");
}

static void a_linked_local_is_of_the_home(void)
{
	dir_make(at("disk"), 0755);
	dir_make(at("disk/share"), 0755);
	dir_make(at("linked"), 0755);
	ok_int(symlink("../disk", at("linked/.local")), 0);
	passwd_is("/nonexistent");
	ok(refusal("disk") == NULL);
	passwd_is(at("linked"));
	ok_has(refusal("disk"), "home directory of an account");
}

static void an_unreadable_file_of_accounts_refuses_all(void)
{
	ok_has(host_home_refusal(at("disk"), top), "cannot be read");
	ok(host_home_refusal(at("disk"), at("no-passwd")) == NULL);
}

static void what_the_environment_names_counts_too(void)
{
	static const char *const names[] = { "HOME", "XDG_CONFIG_HOME",
					     "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
					     "GNUPGHOME" };

	passwd_is("/nonexistent");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		ok_int(setenv(names[i], at("disk/share"), 1), 0);
		ok(refusal("disk") != NULL);
		ok_int(setenv(names[i], "", 1), 0);
		ok(refusal("disk") == NULL);
		ok_int(unsetenv(names[i]), 0);
	}
}

/* By what is in it, with nobody's word. */
static void what_only_a_home_has_is_refused(void)
{
	static const char *const kept[] = { ".local", ".ssh",   ".config",
					    ".gnupg", ".aws",   ".kube",
					    ".netrc", ".docker" };

	passwd_is("/nonexistent");
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		prefix_make("plain");
		ok_int(look(at("plain"), NULL, "/usr/bin"), 0);
		ok_int(symlink("nowhere", at("plain/%s", kept[i])), 0);
		ok_has(refusal("plain"), "more than programs");
		ok_int(look(at("plain"), NULL, "/usr/bin"), -EINVAL);
		ok_has(err.what, "--runtime: ");
		ok_int(unlink(at("plain/%s", kept[i])), 0);
		/* and by its own name, as a directory alone */
		ok_int(rename(at("plain"), at("%s", kept[i])), 0);
		ok_has(refusal(kept[i]), "more than programs");
		ok_int(look(at("%s", kept[i]), NULL, "/usr/bin"), -EINVAL);
		ok_int(rename(at("%s", kept[i]), at("plain")), 0);
	}
}

int main(void)
{
	return world_run((struct tap_case[]){
		CASE(a_home_that_the_accounts_name_is_refused),
		CASE(a_linked_local_is_of_the_home),
		CASE(an_unreadable_file_of_accounts_refuses_all),
		CASE(what_the_environment_names_counts_too),
		CASE(what_only_a_home_has_is_refused),
		TAP_END,
	});
}
