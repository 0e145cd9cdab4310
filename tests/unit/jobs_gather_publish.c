/* jobs_gather_publish.c -- what is written, and what is never written. */
#include "jobs/gather/gather.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/common/beneath.h"
#include "jobs/gather/merge.h"
#include "jobs/gather/output.h"
#include "jobs/probe/report.h"
#include "json_at.h"
#include "spec/schemas.h"
#include "temp_tree.h"

static struct cupel_error err;
static const struct probe_input_rule no_rules[] = { { NULL, 0 } };
static const char *const words[] = { "true", NULL };
static const struct probe other = { .name = "other",
				    .version = "1",
				    .schema_version = "1.0",
				    .rules = no_rules,
				    .command = words };

static void enter(void)
{
	tree_enter("/tmp/cupel-publish.XXXXXX");
}

/* The contents of name below the root; "none" if it cannot be read. */
static const char *text_of(const char *name)
{
	static char text[8192];
	int fd = openat(root_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return "none";
	text[n] = '\0';
	return text;
}

static mode_t mode_of(const char *name)
{
	struct stat st = { 0 };

	(void)fstatat(root_fd, name, &st, AT_SYMLINK_NOFOLLOW);
	return st.st_mode & 07777;
}

/* A gather of one probe, whose output is text. */
static void gather_make(struct gather *g, const char *text)
{
	struct json_value *tree;
	struct json_error why;

	*g = (struct gather){ .root_fd = beneath_open_root(dir) };
	for (size_t i = 0; i < PROBES_MAX; i++)
		g->inputs[i].bytes_fd = -1;
	strcpy(g->repo, dir);
	tree = arena_alloc(&g->arena, sizeof *tree);
	ok_int(json_parse(text, strlen(text), NULL, &g->arena, tree, &why), 0);
	blake3_hex_text("", 0, g->run.digest);
	g->run.repo = dir;
	g->run.probes = g->results;
	g->run.probes_len = 1;
	g->results[0].probe = &other;
	g->results[0].tree = tree;
	g->results[0].status = "OK";
}

#define OUTPUT(slice)                                                          \
	"{\"probe\":\"other\",\"version\":\"1\",\"schema_version\":\"1.0\","   \
	"\"confidence\":\"high\",\"errors\":[],\"warnings\":[],"               \
	"\"prompt_injection_marker_count\":0,\"slice\":" slice "}"

static int publish(const char *text, bool is_json, enum gather_exit *ret)
{
	const struct gather_request req = { .repo = dir,
					    .is_json = is_json,
					    .stop_fd = -1 };
	struct gather *g = calloc(1, sizeof *g);
	int e;

	gather_make(g, text);
	e = gather_publish(&req, g, &err);
	*ret = g->exit;
	gather_done(g);
	free(g);
	return e;
}

static void a_context_is_written_for_this_user_alone(void)
{
	enum gather_exit code;

	enter();
	ok_int(publish(OUTPUT("{\"a\": 1}"), true, &code), 0);
	ok_int(code, GATHER_DONE);
	ok(strstr(text_of(".cupel/repo-context.json"),
		  "\"probes\":{\"other\":{\"probe\":\"other\"") != NULL);
	ok(strcmp(text_of(".cupel/.gitignore"), "*\n") == 0);
	ok_int(mode_of(".cupel"), 0700);
	ok_int(mode_of(".cupel/runs"), 0700);
	ok_int(mode_of(".cupel/repo-context.json"), 0600);
	ok_int(mode_of(".cupel/CONTEXT_REPORT.md"), 0600);
	ok_int(mode_of(".cupel/.gitignore"), 0600);
	leave();
}

static void one_that_does_not_fit_is_kept_apart(void)
{
	static const char bad[] =
		"{\"probe\":\"other\",\"confidence\":\"sky-high\"}";
	enum gather_exit code;
	char before[8192];

	enter();
	ok_int(publish(OUTPUT("null"), false, &code), 0);
	strcpy(before, text_of(".cupel/repo-context.yaml"));
	ok_int(publish(bad, false, &code), 0);
	ok_int(code, GATHER_SCHEMA);
	ok(strcmp(before, text_of(".cupel/repo-context.yaml")) == 0);
	ok(strstr(text_of(".cupel/repo-context.yaml.invalid"), "sky-high") !=
	   NULL);
	ok_int(mode_of(".cupel/repo-context.yaml.invalid"), 0600);
	/* the next good one removes it */
	ok_int(publish(OUTPUT("null"), false, &code), 0);
	ok(strcmp(text_of(".cupel/repo-context.yaml.invalid"), "none") == 0);
	leave();
}

static void links_are_refused_or_replaced(void)
{
	enum gather_exit code;

	enter();
	put("outside", "precious");
	ok_int(mkdirat(root_fd, "elsewhere", 0755), 0);
	ok_int(symlinkat("elsewhere", root_fd, ".cupel"), 0);
	ok(publish(OUTPUT("1"), false, &code) < 0);
	ok_int(code, GATHER_USAGE);
	ok(strstr(err.what, "symbolic link") != NULL);
	ok(unlinkat(root_fd, "elsewhere", AT_REMOVEDIR) == 0); /* still empty */
	ok_int(unlinkat(root_fd, ".cupel", 0), 0);

	ok_int(mkdirat(root_fd, ".cupel", 0755), 0);
	for (const char *const *n =
		     (const char *const[]){
			     "repo-context.yaml", ".new.repo-context.yaml",
			     "CONTEXT_REPORT.md", ".gitignore", NULL };
	     *n != NULL; n++) {
		char name[64];

		(void)snprintf(name, sizeof name, ".cupel/%s", *n);
		ok_int(symlinkat("../outside", root_fd, name), 0);
	}
	ok_int(publish(OUTPUT("1"), false, &code), 0);
	ok(strcmp(text_of("outside"), "precious") == 0);
	ok(strncmp(text_of(".cupel/repo-context.yaml"), "version", 7) == 0);
	ok(strncmp(text_of(".cupel/CONTEXT_REPORT.md"), "#", 1) == 0);
	leave();
}

static void a_link_for_the_records_is_refused(void)
{
	enum gather_exit code;

	enter();
	ok_int(mkdirat(root_fd, ".cupel", 0700), 0);
	ok_int(mkdirat(root_fd, "elsewhere", 0700), 0);
	ok_int(symlinkat("../elsewhere", root_fd, ".cupel/runs"), 0);
	ok(publish(OUTPUT("1"), false, &code) < 0);
	ok(strstr(err.what, "runs: is a symbolic link") != NULL);
	ok_int(unlinkat(root_fd, "elsewhere", AT_REMOVEDIR), 0);
	ok(strcmp(text_of(".cupel/repo-context.yaml"), "none") == 0);
	leave();
}

static void the_repository_and_its_own_gitignore_are_left_alone(void)
{
	enum gather_exit code;
	char path[100];
	int fd;

	enter();
	ok_int(output_open(root_fd, dir, true, &err), -EINVAL);
	ok(strstr(err.what, "the repository itself") != NULL);
	ok(strcmp(text_of(".gitignore"), "none") == 0);
	ok_int(mkdirat(root_fd, ".cupel", 0700), 0);
	put(".cupel/.gitignore", "mine\n");
	ok_int(publish(OUTPUT("1"), false, &code), 0);
	ok(strcmp(text_of(".cupel/.gitignore"), "mine\n") == 0);
	(void)snprintf(path, sizeof path, "%s/a/b", dir);
	ok_int(output_open(root_fd, path, true, &err), -EINVAL);
	ok(strstr(err.what, "/a: No such file") != NULL);
	(void)snprintf(path, sizeof path, "%s/out///", dir);
	ok_int(output_open(root_fd, path, false, &err), -ENOENT);
	fd = output_open(root_fd, path, true, &err);
	ok(fd >= 0);
	close(fd);
	ok_int(mode_of("out"), 0700);
	leave();
}

static void only_one_gather_writes_at_a_time(void)
{
	int pipe_fds[2], a, b;

	enter();
	ok_int(pipe(pipe_fds), 0);
	a = output_open(root_fd, NULL, true, &err);
	b = output_open(root_fd, NULL, true, &err);
	ok_int(output_lock(a, -1, &err), 0);
	ok(write(pipe_fds[1], "x", 1) == 1);
	ok_int(output_lock(b, pipe_fds[0], &err), -EINTR);
	close(a);
	ok_int(output_lock(b, -1, &err), 0);
	ok_int(output_put(b, "x", "1", 1, &err), 0);
	ok_int(output_put(b, "x", "22", 2, &err), 0);
	ok(strcmp(text_of(".cupel/x"), "22") == 0);
	close(b);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	leave();
}

/* Publish in a child that is killed at its n-th stop at a system call.
 * Returns whether it ended before that. */
static bool publish_killed(const char *text, int n)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		enum gather_exit code;

		(void)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		(void)raise(SIGSTOP);
		(void)publish(text, true, &code);
		_exit(0);
	}
	(void)waitpid(pid, &status, 0);
	for (; n > 0 && WIFSTOPPED(status); n--) {
		(void)ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
		(void)waitpid(pid, &status, 0);
	}
	if (!WIFSTOPPED(status))
		return true;
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, &status, 0);
	return false;
}

static void killed_at_any_system_call_the_old_or_the_new_is_whole(void)
{
	static const char *const forms[] = { OUTPUT("\"old\""),
					     OUTPUT("\"new\"") };
	char whole[2][8192];
	enum gather_exit code;
	bool has_ended = false;
	int n = 0;

	enter();
	for (int i = 1; i >= 0; i--) {
		ok_int(publish(forms[i], true, &code), 0);
		strcpy(whole[i], text_of(".cupel/repo-context.json"));
	}
	while (!has_ended && n < 5000) {
		const char *now;

		n++;
		has_ended = publish_killed(forms[n % 2], n);
		now = text_of(".cupel/repo-context.json");
		ok(strcmp(now, whole[0]) == 0 || strcmp(now, whole[1]) == 0);
		now = text_of(".cupel/CONTEXT_REPORT.md");
		ok(now[0] == '#' && now[strlen(now) - 1] == '\n');
	}
	ok(has_ended && n > 50);
	ok_int(publish(forms[1], true, &code), 0);
	ok(strcmp(text_of(".cupel/repo-context.json"), whole[1]) == 0);
	ok(strcmp(text_of(".cupel/.new.repo-context.json"), "none") == 0);
	leave();
}

/* The schema names each built-in probe's own. */
static void every_built_in_probe_stands_in_the_schema(void)
{
	const struct data_text *t = schema_text_find("repo-context");
	struct schema_set *set = NULL;
	char want[128];

	for (size_t i = 0; i < probes_len; i++) {
		(void)snprintf(want, sizeof want,
			       "\"$ref\": \"urn:cupel:schema:%s-%s\"",
			       probes[i].name, probes[i].schema_version);
		ok_has(t ? t->bytes : "", want);
	}
	ok_int(merge_schema(&set, &err), 0);
	schema_set_free(set);
}

static bool context_fits(struct gather *g, const char **why)
{
	struct json_value v;
	bool fits = false;

	ok(merge_build(&g->run, &g->arena, &v, &err) == 0 &&
	   merge_check(&v, &g->schemas, &g->arena, &fits, why, &err) == 0);
	return fits;
}

static void a_built_in_probe_is_held_to_its_own_schema(void)
{
	struct probe named = other;
	const char *why = "";
	struct gather *g = calloc(1, sizeof *g);

	enter();
	gather_make(g, OUTPUT("{\"anything\": true}"));
	ok(context_fits(g, &why));
	named.name = "node_manifest";
	g->results[0].probe = &named;
	ok(!context_fits(g, &why));
	ok_has(why, "/probes/node_manifest/");
	gather_done(g);
	free(g);
	leave();
}

/* A probe's answer was sanitized when it came.  What is added here quotes it
 * and names files. */
static void notes_that_are_added_have_no_host_paths(void)
{
	static const char *const roots[] = { "/home/u/work", "/repo", NULL };
	struct probe_skip skip = { .code = "fifo",
				   .weight = SKIP_ERROR,
				   .name = "x:/home/u/work/a" };
	struct probe_inputs in = { .probe = &other,
				   .skips = &skip,
				   .skips_len = 1 };
	struct probe_outcome o = { .inputs = &in,
				   .failure = "schema_failed",
				   .why = "/home/u/work/src/a.c is no number",
				   .roots = roots };
	owned_buf struct buf text = { 0 };
	struct arena arena = { 0 };
	struct json_value v;

	ok(output_build(&o, &arena, &v));
	json_write(&v, &text);
	ok_json(text.bytes, "/errors/0/source", "\"x:a\"");
	ok_json(text.bytes, "/errors/1/message", "\"src/a.c is no number\"");
	arena_done(&arena);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_context_is_written_for_this_user_alone),
		CASE(one_that_does_not_fit_is_kept_apart),
		CASE(links_are_refused_or_replaced),
		CASE(a_link_for_the_records_is_refused),
		CASE(the_repository_and_its_own_gitignore_are_left_alone),
		CASE(only_one_gather_writes_at_a_time),
		CASE(killed_at_any_system_call_the_old_or_the_new_is_whole),
		CASE(every_built_in_probe_stands_in_the_schema),
		CASE(a_built_in_probe_is_held_to_its_own_schema),
		CASE(notes_that_are_added_have_no_host_paths), TAP_END });
}
