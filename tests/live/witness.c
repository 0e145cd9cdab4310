/* witness.c -- a finished vessel as other libraries read it: libcap the capability
 * sets of its command, libmount its mount table, json-c the plan with which both are
 * compared.
 *
 * `enforced` and `cupel plan` are written by cupel itself; these readers are not
 * cupel's. */
#include <errno.h>
#include <json-c/json.h>
#include <libmount.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/capability.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define PLAN_BYTES (1 << 20)

static const char *const flags[] = { "ro", "nosuid", "nodev", "noexec" };

/* One run of the command: its process, and what it writes. */
struct program {
	pid_t pid;
	int out_fd;
};

static struct program program_start(const char *const argv[])
{
	struct program p = { .pid = -1, .out_fd = -1 };
	const char *build = getenv("BUILD");
	char path[4096];
	int out[2];

	(void)snprintf(path, sizeof path, "%s/cupel",
		       build != NULL ? build : "build");
	if (pipe(out) < 0)
		return p;
	p.pid = fork();
	if (p.pid == 0) {
		(void)dup2(out[1], 1);
		(void)close(out[0]);
		(void)close(out[1]);
		(void)execv(path, (char *const *)argv);
		_exit(127);
	}
	(void)close(out[1]);
	p.out_fd = out[0];
	return p;
}

static void program_end(struct program *p)
{
	if (p->pid > 0) {
		(void)kill(p->pid, SIGKILL);
		(void)waitpid(p->pid, NULL, 0);
	}
	(void)close(p->out_fd);
}

/* A vessel whose command waits. */
static struct program vessel_start(void)
{
	static const char *const argv[] = {
		"cupel", "run", "--repo-mode",         "none", "--",
		"sh",    "-c",  "echo; exec sleep 20", NULL
	};
	struct program p = program_start(argv);
	char line;

	ok(read(p.out_fd, &line, 1) == 1);
	return p;
}

static pid_t child_of(pid_t pid)
{
	char name[64];
	int child = -1;
	FILE *f;

	(void)snprintf(name, sizeof name, "/proc/%d/task/%d/children", (int)pid,
		       (int)pid);
	f = fopen(name, "re");
	if (f == NULL)
		return -1;
	if (fscanf(f, "%d", &child) != 1)
		child = -1;
	(void)fclose(f);
	return child;
}

/* cupel, init, the command. */
static pid_t command_of(const struct program *vessel)
{
	pid_t init = child_of(vessel->pid);

	return init > 0 ? child_of(init) : -1;
}

static bool is_raised(cap_t all, cap_value_t cap, cap_flag_t set)
{
	cap_flag_value_t value = CAP_SET;

	return cap_get_flag(all, cap, set, &value) < 0 || value == CAP_SET;
}

static void libcap_finds_no_capability(void)
{
	struct program vessel = vessel_start();
	pid_t pid = command_of(&vessel);
	cap_t all = cap_get_pid(pid);
	cap_iab_t more = cap_iab_get_pid(pid);
	int raised = 0, bounded = 0;

	ok(all != NULL && more != NULL);
	for (cap_value_t c = 0; all != NULL && c < cap_max_bits(); c++) {
		raised += is_raised(all, c, CAP_EFFECTIVE) +
			  is_raised(all, c, CAP_PERMITTED) +
			  is_raised(all, c, CAP_INHERITABLE) +
			  (cap_iab_get_vector(more, CAP_IAB_AMB, c) == CAP_SET);
		/* In this vector a set bit stands for a capability that was removed. */
		bounded +=
			cap_iab_get_vector(more, CAP_IAB_BOUND, c) != CAP_SET;
	}
	ok_int(raised, 0);
	ok_int(bounded, 0);
	(void)cap_free(all);
	(void)cap_free(more);
	program_end(&vessel);
}

/* What `cupel plan` says about the same run; to be released with put. */
static struct json_object *plan_read(void)
{
	static const char *const argv[] = { "cupel", "plan", "--repo-mode",
					    "none",  "--",   "sh",
					    NULL };
	struct program p = program_start(argv);
	char *text = malloc(PLAN_BYTES);
	struct json_object *plan = NULL;
	size_t len = 0;
	ssize_t n = 1;

	while (text != NULL && len < PLAN_BYTES - 1 && n > 0) {
		n = read(p.out_fd, text + len, PLAN_BYTES - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	}
	if (text != NULL) {
		text[len] = '\0';
		plan = json_tokener_parse(text);
	}
	free(text);
	program_end(&p);
	return plan;
}

static const char *text_in(struct json_object *o, const char *key)
{
	struct json_object *v = NULL;

	return json_object_object_get_ex(o, key, &v) ? json_object_get_string(v)
						     : "";
}

static bool plan_says(struct json_object *mount, const char *flag)
{
	struct json_object *list = NULL;

	if (!json_object_object_get_ex(mount, "flags", &list))
		return false;
	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (strcmp(json_object_get_string(
				   json_object_array_get_idx(list, i)),
			   flag) == 0)
			return true;
	return false;
}

/* mnt_fs_match_options() would take "nosuid" for "not suid". */
static bool has_option(struct libmnt_fs *fs, const char *flag)
{
	return mnt_optstr_get_option(mnt_fs_get_vfs_options(fs), flag, NULL,
				     NULL) == 0;
}

/* A mount of the plan is in the table, with its flags and no others. */
static bool is_mounted(struct libmnt_table *table, struct json_object *mount)
{
	const char *target = text_in(mount, "target");
	struct libmnt_fs *fs =
		mnt_table_find_target(table, target, MNT_ITER_BACKWARD);
	bool good = fs != NULL;

	for (size_t i = 0; good && i < sizeof flags / sizeof *flags; i++)
		good = plan_says(mount, flags[i]) == has_option(fs, flags[i]);
	if (!good)
		fprintf(stderr, "# %s: %s, %s\n", target,
			fs != NULL ? mnt_fs_get_vfs_options(fs) : "no mount",
			json_object_to_json_string(mount));
	return good;
}

static bool has_flags(struct json_object *mount)
{
	struct json_object *list = NULL;

	return json_object_object_get_ex(mount, "flags", &list);
}

static void libmount_finds_what_was_planned(void)
{
	struct json_object *plan = plan_read(), *mounts = NULL;
	struct program vessel = vessel_start();
	struct libmnt_table *table;
	char name[64];
	size_t planned = 0, wrong = 0;

	(void)snprintf(name, sizeof name, "/proc/%d/mountinfo",
		       (int)command_of(&vessel));
	table = mnt_new_table_from_file(name);
	ok(table != NULL);
	ok(json_object_object_get_ex(plan, "mounts", &mounts));
	for (size_t i = 0; table != NULL && mounts != NULL &&
			   i < json_object_array_length(mounts);
	     i++) {
		struct json_object *m = json_object_array_get_idx(mounts, i);

		if (!has_flags(m))
			continue;
		planned++;
		wrong += !is_mounted(table, m);
	}
	ok(planned > 10);
	ok_int(wrong, 0);
	mnt_unref_table(table);
	json_object_put(plan);
	program_end(&vessel);
}

/* Only the one tmpfs may be written to, and no mount honours a setuid bit. */
static void libmount_finds_nothing_else_writable(void)
{
	struct program vessel = vessel_start();
	struct libmnt_iter *at = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_table *table;
	struct libmnt_fs *fs;
	char name[64];
	int writable = 0, others = 0, setuid = 0;

	(void)snprintf(name, sizeof name, "/proc/%d/mountinfo",
		       (int)command_of(&vessel));
	table = mnt_new_table_from_file(name);
	ok(table != NULL);
	while (table != NULL && mnt_table_next_fs(table, at, &fs) == 0) {
		setuid += !has_option(fs, "nosuid");
		if (has_option(fs, "ro"))
			continue;
		writable++;
		others += mnt_fs_match_target(fs, "/scratch", NULL) != 1 &&
			  mnt_fs_match_target(fs, "/tmp", NULL) != 1 &&
			  mnt_fs_match_target(fs, "/dev/shm", NULL) != 1;
	}
	ok_int(writable, 3);
	ok_int(others, 0);
	ok_int(setuid, 0);
	mnt_free_iter(at);
	mnt_unref_table(table);
	program_end(&vessel);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(libcap_finds_no_capability),
		CASE(libmount_finds_what_was_planned),
		CASE(libmount_finds_nothing_else_writable), TAP_END });
}
