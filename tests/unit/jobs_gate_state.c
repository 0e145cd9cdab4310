/* jobs_gate_state.c -- where a gate's state may be, and evidence that is edited. */
#include "jobs/gate/ledger/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "jobs/gate/ledger/evidence.h"
#include "jobs/gate/ledger/ledger.h"
#include "tap.h"

static char top[64], path[256], cleaner[300];
static struct cupel_error err;
static int tree_fd;

static const char *at(const char *below)
{
	(void)snprintf(path, sizeof path, "%s/%s", top, below);
	return path;
}

static void enter(void)
{
	strcpy(top, "/tmp/cupel-state.XXXXXX");
	ok(mkdtemp(top) != NULL);
	ok_int(mkdir(at("tree"), 0755), 0);
	tree_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ok(tree_fd >= 0);
}

static void leave(void)
{
	close(tree_fd);
	(void)snprintf(cleaner, sizeof cleaner, "rm -rf '%s'", top);
	ok_int(system(cleaner), 0);
}

static int opens(const char *below, bool is_made)
{
	struct state s = STATE_NONE;
	struct state_request req = { .path = at(below),
				     .worktree_fd = tree_fd,
				     .is_made = is_made };
	int e;

	err.what[0] = '\0';
	e = state_open(&req, &s, &err);
	state_close(&s);
	return e;
}

static void it_is_made_private(void)
{
	struct stat st = { 0 };

	enter();
	ok(opens("a/b/state", false) < 0);
	ok_int(access(at("a"), F_OK), -1);
	ok_int(opens("a/b/state", true), 0);
	ok_int(stat(at("a/b/state"), &st), 0);
	ok_int(st.st_mode & 07777, 0700);
	ok_int(stat(at("a/b/state/evidence"), &st), 0);
	ok_int(st.st_mode & 07777, 0700);
	ok_int(opens("a/b/state", false), 0);
	ok_int(chmod(at("a/b/state"), 0755), 0);
	ok(opens("a/b/state", true) < 0);
	ok_has(err.what, "is open to other users");
	leave();
}

/* It is compared by identity, whatever path leads there. */
static void inside_the_work_tree_it_is_refused(void)
{
	static const char *const ways[] = {
		"tree",        "tree/state",      "tree/x/y/state",
		"tree/.cupel", "other/../tree/s", "link/state",
	};

	enter();
	ok_int(mkdir(at("other"), 0755), 0);
	ok_int(symlink("tree", at("link")), 0);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		ok(opens(ways[i], true) < 0);
		ok(strstr(err.what, "is in the work tree") != NULL ||
		   strstr(err.what, "link") != NULL);
	}
	ok_int(access(at("tree/x"), F_OK), -1);
	ok_int(access(at("tree/state"), F_OK), -1);
	ok_int(mkdir(at("tree/given"), 0700), 0);
	ok(opens("tree/given", true) < 0);
	ok_has(err.what, "is in the work tree");
	ok_int(opens("treetop", true),
	       0); /* only the beginning of its name is the same */
	leave();
}

static void with_that_wall_down_it_is_inside(void)
{
	enter();
	(void)setenv("CUPEL_TEST_GATHER_DROP", "gate_state", 1);
	ok_int(opens("tree/state", true), 0);
	(void)unsetenv("CUPEL_TEST_GATHER_DROP");
	leave();
}

static void no_link_is_followed(void)
{
	enter();
	ok_int(mkdir(at("real"), 0700), 0);
	ok_int(symlink("real", at("link")), 0);
	ok(opens("link", true) < 0);
	ok_int(opens("state", true), 0);
	ok_int(rmdir(at("state/evidence")), 0);
	ok_int(symlink("../real", at("state/evidence")), 0);
	ok(opens("state", true) < 0);
	ok_has(err.what, "link");
	leave();
}

static void the_default_is_of_the_environment(void)
{
	char found[PATH_MAX];

	(void)setenv("XDG_STATE_HOME", "/x", 1);
	(void)setenv("HOME", "/h", 1);
	ok_int(state_path("g", found, &err), 0);
	ok_int(strcmp(found, "/x/cupel/gates/g"), 0);
	(void)setenv("XDG_STATE_HOME", "relative", 1);
	ok_int(state_path("g", found, &err), 0);
	ok_int(strcmp(found, "/h/.local/state/cupel/gates/g"), 0);
	(void)setenv("HOME", "", 1);
	ok(state_path("g", found, &err) < 0);
	ok_has(err.what, "--state");
}

static void one_runner_at_a_time(void)
{
	struct state a = STATE_NONE, b = STATE_NONE;
	struct state_request req = { .worktree_fd = -1, .is_made = true };

	enter();
	req.path = at("state");
	ok_int(state_open(&req, &a, &err), 0);
	ok_int(state_open(&req, &b, &err), 0);
	ok_int(state_lock(&a, 0, -1, &err), 0);
	ok_int(state_lock(&b, 20, -1, &err), -EBUSY);
	ok_has(err.what, "another runner is using it");
	state_close(&a);
	ok_int(state_lock(&b, 0, -1, &err), 0);
	state_close(&b);
	leave();
}

/* --- evidence --------------------------------------------------------------- */

static struct state s;
static struct ledger_book book;

static void named_put(struct ledger *l, const char *kept)
{
	struct ledger_record r;

	ledger_begin(l, "attempt.ended", &r);
	jsonw_array(&r.w, "evidence");
	jsonw_object(&r.w, NULL);
	jsonw_text(&r.w, "path", kept);
	jsonw_end_object(&r.w);
	jsonw_end_array(&r.w);
	ok_int(ledger_put(l, &r, &err), 0);
}

static void removed_put(struct ledger *l, const char *gone)
{
	struct ledger_record r;

	ledger_begin(l, "evidence.removed", &r);
	jsonw_array(&r.w, "removed");
	jsonw_text(&r.w, NULL, gone);
	jsonw_end_array(&r.w);
	ok_int(ledger_put(l, &r, &err), 0);
}

static int verifies(void)
{
	int e;

	book = (struct ledger_book){ 0 };
	ok_int(ledger_read(s.dir_fd, NULL, &book, &err), 0);
	err.what[0] = '\0';
	e = evidence_verify(&s, &book, &err);
	ledger_book_done(&book);
	return e;
}

static void write_at(const char *name, const char *text)
{
	int fd = openat(s.dir_fd, name,
			O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0600);

	ok_int((long)write(fd, text, strlen(text)), (long)strlen(text));
	close(fd);
}

static void edited_evidence_is_named_with_its_line(void)
{
	struct state_request req = { .worktree_fd = -1, .is_made = true };
	char kept[STATE_PATH_BYTES], hash[BLAKE3_TEXT_BYTES];
	struct ledger l = LEDGER_NONE;

	enter();
	s = STATE_NONE;
	book = (struct ledger_book){ 0 };
	req.path = at("state");
	ok_int(state_open(&req, &s, &err), 0);
	ok_int(ledger_open(s.dir_fd, NULL, &l, &book, &err), 0);
	ok_int(state_put(&s, "a log\n", 6, kept, hash, &err), 0);
	ok_int(strcmp(kept + 9, hash + 7), 0);
	named_put(&l, kept);
	named_put(&l, kept);
	ok_int(verifies(), 0);
	write_at(kept, "a Log\n");
	ok_int(verifies(), LEDGER_BROKEN);
	ok_has(err.what, "line 1: its evidence/");
	ok_has(err.what, "was changed");
	write_at(kept, "a log\n");
	ok_int(verifies(), 0);
	ok_int(state_remove(&s, kept), 0);
	ok_int(verifies(), LEDGER_BROKEN);
	ok_has(err.what, "is missing");
	removed_put(&l, kept);
	ok_int(verifies(), 0);
	/* if it is named again later, it has to be there again */
	named_put(&l, kept);
	ok_int(verifies(), LEDGER_BROKEN);
	ok_has(err.what, "line 4:");
	ok_int(symlinkat("/etc/hostname", s.dir_fd, kept), 0);
	ok_int(verifies(), LEDGER_BROKEN);
	ok_int(state_remove(&s, kept), 0);
	ok_int(state_put(&s, "a log\n", 6, kept, hash, &err), 0);
	ok_int(verifies(), 0);
	named_put(&l, "evidence/../HEAD");
	ok_int(verifies(), LEDGER_BROKEN);
	ok_has(err.what, "line 5: its evidence/../HEAD is not the name");
	ok(state_remove(&s, "evidence/../HEAD") < 0);
	ledger_close(&l);
	ledger_book_done(&book);
	state_close(&s);
	leave();
}

static void evidence_is_capped(void)
{
	struct state_request req = { .worktree_fd = -1, .is_made = true };
	char kept[STATE_PATH_BYTES], hash[BLAKE3_TEXT_BYTES];
	size_t n = STATE_EVIDENCE_BYTES + 1;
	char *bytes = calloc(1, n);
	struct buf back = { 0 };

	enter();
	s = STATE_NONE;
	req.path = at("state");
	ok_int(state_open(&req, &s, &err), 0);
	ok_int(state_put(&s, bytes, n, kept, hash, &err), 1);
	ok(state_read(&s, kept, &back) == NULL);
	ok_int((long)back.len, (long)STATE_EVIDENCE_BYTES);
	buf_done(&back);
	free(bytes);
	state_close(&s);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(it_is_made_private),
		CASE(inside_the_work_tree_it_is_refused),
		CASE(with_that_wall_down_it_is_inside),
		CASE(no_link_is_followed),
		CASE(the_default_is_of_the_environment),
		CASE(one_runner_at_a_time),
		CASE(edited_evidence_is_named_with_its_line),
		CASE(evidence_is_capped), TAP_END });
}
