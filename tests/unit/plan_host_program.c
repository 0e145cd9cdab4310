/* plan_host_program.c -- the program that the caller's shell would take is
 * taken, or none; and the repository does not choose it. */
#include "runtime_world.h"

/* Whether PATH inside is the one that is expected; NULL: the usual one. */
static bool path_is(const char *want)
{
	if (want == NULL || host.path == NULL)
		return want == host.path;
	return strcmp(host.path, want) == 0;
}

static void script_make(const char *path, const char *line)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	ok(fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line));
	(void)close(fd);
}

static bool took(size_t i, const char *taken, enum program_origin origin)
{
	return host.programs_len > i && host.programs[i].origin == origin &&
	       strcmp(host.programs[i].taken, taken) == 0;
}

static void the_command_is_found_where_the_caller_would(void)
{
	char path[PATH_MAX];

	prefix_make("first");
	prefix_make("second");
	(void)snprintf(path, sizeof path, "relative::%s:%s:/usr/bin",
		       at("first/bin"), at("second/bin"));
	ok_int(look(NULL, "zzlang", path), 0);
	ok(host.runtime_len == 1 &&
	   strcmp(host.runtime[0].path, at("first")) == 0);
	/* a path is not a name, and a program that no place has is looked for
	 * inside */
	ok_int(look(NULL, "./zzlang", path), 0);
	ok_int(look(NULL, "zznone", path), 0);
	ok_int((intmax_t)host.runtime_len, 0);
	/* a virtualenv and what it was made from */
	prefix_make("venv");
	ok_int(unlink(at("venv/bin/zzlang")), 0);
	ok_int(symlink(at("first/bin/zzlang"), at("venv/bin/zzlang")), 0);
	ok_int(look(NULL, "zzlang", at("venv/bin")), 0);
	ok(host.runtime_len == 2 &&
	   strcmp(host.runtime[0].path, at("venv")) == 0 &&
	   strcmp(host.runtime[1].path, at("first")) == 0);
	/* what is in the repository is there anyway, and nothing is shown */
	repo_is("first");
	ok_int(look(NULL, "zzlang", path), 0);
	repo = NULL;
	ok_int((intmax_t)host.runtime_len, 0);
	ok(host.programs_len == 1 &&
	   strcmp(host.programs[0].taken, "/repo/bin/zzlang") == 0);
}

static void what_is_passed_over_names_the_option(void)
{
	dir_make(at("shims"), 0755);
	program_make(at("shims/zzlang"));
	ok_int(look(NULL, "zzlang", at("shims")), -ENOENT);
	ok_has(err.what, at("shims/zzlang"));
	ok_has(err.what, "--runtime DIR");
	/* with a prefix named, the caller has answered */
	prefix_make("answer");
	ok_int(look(at("answer"), "zzlang", at("shims")), 0);
	ok_int((intmax_t)host.runtime_len, 1);
}

static void another_version_is_never_taken_silently(void)
{
	char path[PATH_MAX];

	/* the first that the shell finds cannot be shown, a later one could */
	prefix_make("later");
	dir_make(at("shims"), 0755);
	program_make(at("shims/zzlang"));
	(void)snprintf(path, sizeof path, "%s:%s:/usr/bin", at("shims"),
		       at("later/bin"));
	ok_int(look(NULL, "zzlang", path), -ENOENT);
	ok_has(err.what, at("shims/zzlang"));
	ok_has(err.what, "--runtime DIR");
	ok_int(chmod(at("later"), 0777), 0);
	(void)snprintf(path, sizeof path, "%s:/usr/bin", at("later/bin"));
	ok_int(look(NULL, "zzlang", path), -ENOENT);
	ok_has(err.what, "others can write to it");
	ok_int(chmod(at("later"), 0755), 0);
	/* /usr comes before it, also inside */
	(void)snprintf(path, sizeof path, "/usr/bin:%s", at("later/bin"));
	ok_int(look(NULL, "zzlang", path), 0);
	(void)snprintf(path, sizeof path, "/usr/bin:%s:/usr/local/bin:/bin",
		       at("later/bin"));
	ok(path_is(path));
	ok_int(look(NULL, "sh", "/usr/bin:/bin"), 0);
	ok(path_is(NULL));
	ok(host.programs_len == 1 && host.programs[0].origin == PROGRAM_SYSTEM);
}

static void a_script_brings_its_interpreter(void)
{
	char path[PATH_MAX];
	char line[PATH_MAX + 64];

	prefix_make("lang");
	prefix_make("tool");
	(void)snprintf(line, sizeof line, "#! %s -x\n", at("lang/bin/zzlang"));
	script_make(at("tool/bin/zztool"), line);
	(void)snprintf(path, sizeof path, "%s:/usr/bin", at("tool/bin"));
	ok_int(look(NULL, "zztool", path), 0);
	ok_int((intmax_t)host.runtime_len, 2);
	ok(took(0, at("tool/bin/zztool"), PROGRAM_PATH));
	ok(took(1, at("lang/bin/zzlang"), PROGRAM_PATH));
	/* env looks it up, in the order of PATH */
	script_make(at("tool/bin/zztool"), "#!/usr/bin/env -S A=1 zzlang\n");
	ok_int(unlink(at("tool/bin/zzlang")), 0);
	(void)snprintf(path, sizeof path, "%s:%s:/usr/bin", at("tool/bin"),
		       at("lang/bin"));
	ok_int(look(NULL, "zztool", path), 0);
	ok_int((intmax_t)host.runtime_len, 2);
	(void)snprintf(line, sizeof line, "%s:/usr/local/bin:/bin", path);
	ok(path_is(line));
	/* one that cannot be shown is reported */
	ok_int(chmod(at("lang"), 0777), 0);
	ok_int(look(NULL, "zztool", path), -ENOENT);
	ok_has(err.what, at("lang/bin/zzlang"));
	ok_int(chmod(at("lang"), 0755), 0);
	/* a chain of scripts has an end */
	(void)snprintf(line, sizeof line, "#!%s\n", at("tool/bin/zztool"));
	script_make(at("tool/bin/zztool"), line);
	ok_int(look(NULL, "zztool", path), 0);
	ok_int((intmax_t)host.programs_len, 5);
}

static void a_prefix_within_another_is_shown_once(void)
{
	prefix_make("npm");
	dir_make(at("npm/lib/tool"), 0755);
	dir_make(at("npm/lib/tool/bin"), 0755);
	dir_make(at("npm/lib/tool/lib"), 0755);
	script_make(at("npm/lib/tool/bin/cli.js"), "#!/usr/bin/env zzlang\n");
	ok_int(symlink("../lib/tool/bin/cli.js", at("npm/bin/zznpm")), 0);
	ok_int(look(NULL, "zznpm", at("npm/bin")), 0);
	ok(host.runtime_len == 1 &&
	   strcmp(host.runtime[0].path, at("npm")) == 0);
	ok(took(1, at("npm/bin/zzlang"), PROGRAM_PATH));
}

static void version_put(const char *where, const char *text)
{
	(void)unlink(where);
	script_make(where, text);
}

static void a_shim_is_followed_to_what_it_stands_for(void)
{
	static const char *const versions[] = { "1.2", "1.10.3", "1.10.12",
						"1.9" };

	dir_make(at(".pyenv"), 0755);
	dir_make(at(".pyenv/shims"), 0755);
	dir_make(at(".pyenv/versions"), 0755);
	for (size_t i = 0; i < 4; i++) {
		char name[64];

		(void)snprintf(name, sizeof name, ".pyenv/versions/%s",
			       versions[i]);
		prefix_make(name);
	}
	dir_make(at("work"), 0755);
	program_make(at(".pyenv/shims/zzlang"));
	/* without a version it is the system's, which has none */
	ok_int(look(NULL, "zzlang", at(".pyenv/shims")), 0);
	ok_int((intmax_t)host.programs_len, 0);
	version_put(at(".pyenv/version"), "1.2\n");
	ok_int(look(NULL, "zzlang", at(".pyenv/shims")), 0);
	ok(took(0, at(".pyenv/versions/1.2/bin/zzlang"), PROGRAM_SHIM));
	ok(host.programs_len == 1 &&
	   strcmp(host.programs[0].found, at(".pyenv/shims/zzlang")) == 0);
	/* the repository's file, the latest of a line of versions */
	repo_is("work");
	version_put(at("work/.python-version"), "1.10\n");
	ok_int(look(NULL, "zzlang", at(".pyenv/shims")), 0);
	ok(took(0, at(".pyenv/versions/1.10.12/bin/zzlang"), PROGRAM_SHIM));
	ok_int((intmax_t)host.runtime_len, 1);
	ok_int(setenv("PYENV_VERSION", "nosuch:1.9", 1), 0);
	ok_int(look(NULL, "zzlang", at(".pyenv/shims")), 0);
	ok(took(0, at(".pyenv/versions/1.9/bin/zzlang"), PROGRAM_SHIM));
	ok_int(unsetenv("PYENV_VERSION"), 0);
	repo = NULL;
}

static void a_version_is_no_way_out(void)
{
	static const char *const bad[] = {
		"../../evil", "/opt", "..", ".", "1.2/../../../evil", "-1", "3"
	};

	prefix_make("evil");
	repo_is("work");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		version_put(at("work/.python-version"), bad[i]);
		ok_int(look(NULL, "zzlang", at(".pyenv/shims")), -ENOENT);
		ok_has(err.what, "pyenv shim");
		ok_has(err.what, "--runtime ");
		ok_int((intmax_t)host.runtime_len, 0);
	}
	/* a link is not read and a fifo is not waited for: the caller's own
	 * file counts */
	(void)unlink(at("work/.python-version"));
	ok_int(symlink("../nine", at("work/.python-version")), 0);
	version_put(at("nine"), "1.9");
	ok_int(look(NULL, "zzlang", at(".pyenv/shims")), 0);
	ok(took(0, at(".pyenv/versions/1.2/bin/zzlang"), PROGRAM_SHIM));
	ok_int(unlink(at("work/.python-version")), 0);
	ok_int(mkfifo(at("work/.python-version"), 0644), 0);
	ok_int(look(NULL, "zzlang", at(".pyenv/shims")), 0);
	ok(took(0, at(".pyenv/versions/1.2/bin/zzlang"), PROGRAM_SHIM));
	ok_int(unlink(at("work/.python-version")), 0);
	/* shims that others can write do not belong to a version manager */
	ok_int(chmod(at(".pyenv"), 0777), 0);
	ok_int(look(NULL, "zzlang", at(".pyenv/shims")), -ENOENT);
	ok_int(chmod(at(".pyenv"), 0755), 0);
	repo = NULL;
}

static void a_link_in_the_repository_shows_nothing(void)
{
	char path[PATH_MAX];
	char want[PATH_MAX];

	prefix_make("work/venv");
	ok_int(unlink(at("work/venv/bin/zzlang")), 0);
	ok_int(symlink(at("evil/bin/zzlang"), at("work/venv/bin/zzlang")), 0);
	repo_is("work");
	(void)snprintf(path, sizeof path, "%s:/usr/bin", at("work/venv/bin"));
	ok_int(look(NULL, "zzlang", path), -ENOENT);
	ok_has(err.what, "--runtime DIR");
	ok_int((intmax_t)host.runtime_len, 0);
	ok_int(look(NULL, "venv/bin/zzlang", path), -ENOENT);
	ok_int((intmax_t)host.runtime_len, 0);
	/* and neither is a place of PATH outside that leads into it */
	ok_int(symlink("work/venv/bin", at("sly")), 0);
	ok_int(look(NULL, "zzlang", at("sly")), -ENOENT);
	ok_int((intmax_t)host.runtime_len, 0);
	/* this is different if the caller's PATH or --runtime also names it */
	ok_int(look(at("evil"), "venv/bin/zzlang", path), 0);
	(void)snprintf(path, sizeof path, "%s:%s", at("work/venv/bin"),
		       at("evil/bin"));
	ok_int(look(NULL, "zzlang", path), 0);
	ok(host.runtime_len == 1 &&
	   strcmp(host.runtime[0].path, at("evil")) == 0);
	ok(took(0, at("evil/bin/zzlang"), PROGRAM_REPOSITORY));
	(void)snprintf(want, sizeof want,
		       "/repo/venv/bin:/usr/local/bin:/usr/bin:/bin");
	ok(path_is(want));
	repo = NULL;
}

static void a_script_of_the_repository_asks_for_languages_alone(void)
{
	char path[PATH_MAX];

	prefix_make("langs");
	program_make(at("langs/bin/python3.77"));
	program_make(at("langs/bin/zzsecret"));
	(void)snprintf(path, sizeof path, "%s:/usr/bin", at("langs/bin"));
	repo_is("work");
	script_make(at("work/run"), "#!/usr/bin/env zzsecret\n");
	ok_int(look(NULL, "./run", path), 0);
	ok_int((intmax_t)host.runtime_len, 0);
	script_make(at("work/run"), "#!/usr/bin/env python3.77\n");
	ok_int(look(NULL, "./run", path), 0);
	ok_int((intmax_t)host.runtime_len, 1);
	ok(took(1, at("langs/bin/python3.77"), PROGRAM_PATH));
	/* whoever wrote the path chose it */
	{
		char line[PATH_MAX + 16];

		(void)snprintf(line, sizeof line, "#!%s\n",
			       at("langs/bin/python3.77"));
		script_make(at("work/run"), line);
	}
	ok_int(look(NULL, "./run", path), 0);
	ok_int((intmax_t)host.runtime_len, 0);
	repo = NULL;
}

static void asked_for(const char *dots, const char *program)
{
	char line[PATH_MAX + 64];

	(void)snprintf(line, sizeof line, "#!%s%s\n", dots, program);
	script_make(at("work/run"), line);
	ok_int(look(NULL, "./run", "/usr/bin:/bin"), 0);
	ok_int((intmax_t)host.runtime_len, 0);
	ok_int((intmax_t)host.programs_len, 1);
}

static void a_script_of_the_repository_climbs_out_of_nothing(void)
{
	static const char *const dots[] = {
		"/usr/..",
		"/bin/../..",
		"/lib64/../..",
		"/usr/bin/../..",
		"/usr/./..",
		"/usr//..",
		"/usr/../proc/self/root",
		"/sbin/../..",
		"//usr/..",
	};

	repo_is("work");
	for (size_t i = 0; i < sizeof dots / sizeof *dots; i++)
		asked_for(dots[i], at("evil/bin/zzlang"));
	/* the control: one that is plain is followed, and the caller can
	 * name the prefix */
	script_make(at("work/run"), "#!/bin/sh\n");
	ok_int(look(NULL, "./run", "/usr/bin:/bin"), 0);
	ok(host.programs_len == 2 && host.programs[1].origin == PROGRAM_SYSTEM);
	ok_int(look(at("evil"), "zzlang", "/usr/bin:/bin"), 0);
	ok_int((intmax_t)host.runtime_len, 1);
	/* a last '/' in PATH does not make another place */
	ok_int(look(NULL, "sh", "/usr/bin/:/bin/"), 0);
	ok(host.programs_len == 1 && host.programs[0].origin == PROGRAM_SYSTEM);
	ok_int((intmax_t)host.runtime_len, 0);
	repo = NULL;
}

static void nothing(const char *command, const char *path, int want)
{
	ok_int(look(NULL, command, path), want);
	ok_int((intmax_t)host.runtime_len, 0);
}

static void a_linked_directory_of_the_repository_shows_nothing(void)
{
	char path[PATH_MAX];

	repo_is("work");
	ok_int(symlink("../evil/bin", at("work/bin")), 0);
	ok_int(symlink("../evil", at("work/.venv")), 0);
	nothing("zzlang", at("work/bin"), -ENOENT);
	ok_has(err.what, "leads out of the repository");
	nothing("zzlang", at("work/.venv/bin"), -ENOENT);
	nothing("zzlang", at("work/bin/../bin"), -ENOENT);
	nothing("bin/zzlang", "/usr/bin", -ENOENT);
	/* a path is only looked for inside */
	nothing(at("work/bin/zzlang"), "/usr/bin", 0);
	/* through a link outside that leads to the one inside */
	ok_int(symlink("work/bin", at("slyer")), 0);
	nothing("zzlang", at("slyer"), -ENOENT);
	/* two such places do not vouch for each other */
	(void)snprintf(path, sizeof path, "%s:%s:%s", at("work/bin"),
		       at("slyer"), at("work/.venv/bin"));
	nothing("zzlang", path, -ENOENT);
	/* a program outside whose link leads through the repository */
	prefix_make("mixed");
	ok_int(unlink(at("mixed/bin/zzlang")), 0);
	ok_int(symlink(at("work/bin/zzlang"), at("mixed/bin/zzlang")), 0);
	nothing("zzlang", at("mixed/bin"), -ENOENT);
	ok_has(err.what, "link in the repository");
	/* nor does --runtime follow one */
	ok_int(look(at("work/.venv"), NULL, "/usr/bin"), -EINVAL);
	ok_has(err.what, "link in the repository");
	/* the control: a place of the caller names it */
	(void)snprintf(path, sizeof path, "%s:%s", at("work/bin"),
		       at("evil/bin"));
	ok_int(look(NULL, "zzlang", path), 0);
	ok(host.runtime_len == 1 &&
	   strcmp(host.runtime[0].path, at("evil")) == 0);
	(void)snprintf(path, sizeof path, "%s:/usr/local/bin:/usr/bin:/bin",
		       at("evil/bin"));
	ok(path_is(path));
	/* ".." out of its own directories is not a choice of the caller */
	ok_int(look(NULL, "zzlang", at("work/../evil/bin")), 0);
	ok_int((intmax_t)host.runtime_len, 1);
	repo = NULL;
}

int main(void)
{
	return world_run((struct tap_case[]){
		CASE(the_command_is_found_where_the_caller_would),
		CASE(what_is_passed_over_names_the_option),
		CASE(another_version_is_never_taken_silently),
		CASE(a_script_brings_its_interpreter),
		CASE(a_prefix_within_another_is_shown_once),
		CASE(a_shim_is_followed_to_what_it_stands_for),
		CASE(a_version_is_no_way_out),
		CASE(a_link_in_the_repository_shows_nothing),
		CASE(a_script_of_the_repository_asks_for_languages_alone),
		CASE(a_script_of_the_repository_climbs_out_of_nothing),
		CASE(a_linked_directory_of_the_repository_shows_nothing),
		TAP_END,
	});
}
