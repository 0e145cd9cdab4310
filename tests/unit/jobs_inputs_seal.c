/* jobs_inputs_seal.c -- inputs that were only hashed at first and are needed
 * later: the bytes are those that were hashed, or there are none. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "jobs/probe/inputs.h"
#include "tap.h"

static char dir[64];
static int root_fd;
static struct cupel_error err;
static struct walk walk;
static const struct probe_input_rule rules[] = { { "x*", 100 },
						 { "**/*", 0 },
						 { NULL, 0 } };
static const struct probe probe = { .name = "one", .rules = rules };
static const struct probe *const probes_here[] = { &probe };
static struct inputs_request req;

static void put(const char *name, const char *text)
{
	int fd = openat(root_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			0644);

	ok(fd >= 0);
	ok_int((intmax_t)write(fd, text, strlen(text)), (intmax_t)strlen(text));
	close(fd);
}

/* "a" and "z" are declared by name, "x1" to "x3" with their bytes. */
static void enter(bool hash_only, struct probe_inputs *ret)
{
	const struct walk_request *w;
	struct inputs_sum sum;

	strcpy(dir, "/tmp/cupel-seal.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	root_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	put("a", "");
	put("x1", "one");
	put("x2", "two");
	put("x3", "three");
	put("z", "");
	w = &(const struct walk_request){ .root_fd = root_fd };
	memset(&walk, 0, sizeof walk);
	ok_int(walk_run(w, &walk, &err), 0);
	req = (struct inputs_request){ .root_fd = root_fd,
				       .walk = &walk,
				       .probes = probes_here,
				       .probes_len = 1,
				       .hash_only = hash_only,
				       .stop_fd = -1 };
	*ret = (struct probe_inputs){ 0 };
	ok_int(inputs_read(&req, ret, &sum, &err), 0);
	ok_int((intmax_t)ret->len, 4);
	ok_int((intmax_t)sum.bytes, 11);
}

static void leave(struct probe_inputs *in)
{
	char cmd[100];

	inputs_done(in);
	walk_done(&walk);
	close(root_fd);
	(void)snprintf(cmd, sizeof cmd, "rm -rf '%s'", dir);
	ok_int(system(cmd), 0);
}

/* Check that the bytes are want and the list is names, and close both. */
static bool holds(const struct probe_inputs *in, const char *want,
		  const char *list, size_t n)
{
	char bytes[64];

	return pread(in->bytes_fd, bytes, sizeof bytes, 0) ==
		       (ssize_t)strlen(want) &&
	       memcmp(bytes, want, strlen(want)) == 0 &&
	       in->bytes == strlen(want) && in->list.len == n &&
	       memcmp(in->list.bytes, list, n) == 0 &&
	       write(in->bytes_fd, "x", 1) < 0 &&
	       ftruncate(in->bytes_fd, 0) < 0;
}

#define LIST  "a\0-\0x1\0003\0x2\0003\0x3\0005\0z\0-\0"
#define FEWER "a\0-\0x1\0003\0x3\0005\0z\0-\0"

static void what_did_not_change_is_as_if_read_at_once(void)
{
	struct probe_inputs in;

	enter(false, &in);
	ok(holds(&in, "onetwothree", LIST, sizeof LIST - 1));
	ok_int(inputs_seal(&req, &in, &err), 0);
	leave(&in);
	enter(true, &in);
	ok_int(in.bytes_fd, -1);
	ok_int((intmax_t)in.bytes, 11);
	ok_int(inputs_seal(&req, &in, &err), 0);
	ok(holds(&in, "onetwothree", LIST, sizeof LIST - 1));
	ok(!in.has_changed);
	ok_int((intmax_t)in.len, 4);
	ok_int((intmax_t)in.skips_len, 0);
	leave(&in);
}

/* x2 is not what was hashed: how is to be "rewritten", "grown", ... */
static void change_one(const char *how)
{
	struct probe_inputs in;

	enter(true, &in);
	ok_int(unlinkat(root_fd, "x2", 0), 0);
	if (strcmp(how, "rewritten") == 0)
		put("x2", "2wo");
	if (strcmp(how, "grown") == 0)
		put("x2", "two and more");
	if (strcmp(how, "cut") == 0)
		put("x2", "tw");
	if (strcmp(how, "a link") == 0)
		ok_int(symlinkat("x1", root_fd, "x2"), 0);
	ok_int(inputs_seal(&req, &in, &err), 0);
	ok(holds(&in, "onethree", FEWER, sizeof FEWER - 1));
	ok(in.has_changed && in.len == 3 && in.skips_len == 1);
	ok(in.skips_len == 1 && strcmp(in.skips[0].code, "vanished") == 0 &&
	   strcmp(in.skips[0].name, "x2") == 0 &&
	   in.skips[0].weight == SKIP_FILE);
	ok(strcmp(in.items[0].name, "**/*") == 0 &&
	   strcmp(in.items[1].name, "x1") == 0 &&
	   strcmp(in.items[2].name, "x3") == 0);
	leave(&in);
}

static void what_changed_since_is_no_input(void)
{
	change_one("gone");
	change_one("rewritten");
	change_one("grown");
	change_one("cut");
	change_one("a link");
}

static void it_can_be_stopped(void)
{
	struct probe_inputs in;

	enter(true, &in);
	req.stop_fd = eventfd(1, EFD_CLOEXEC);
	ok_int(inputs_seal(&req, &in, &err), -EINTR);
	close(req.stop_fd);
	leave(&in);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_did_not_change_is_as_if_read_at_once),
		CASE(what_changed_since_is_no_input), CASE(it_can_be_stopped),
		TAP_END });
}
