/* jobs_inputs.c -- declared inputs of hostile trees: what is read, and what is
 * not. */
#include "jobs/probe/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "inputs_tree.h"
#include "jobs/common/beneath.h"

static const struct probe_input_rule rules[] = { { "**/x.json", 100 },
						 { NULL, 0 } };
static const struct probe one = { .name = "one", .rules = rules };
static char bytes_hash[BLAKE3_TEXT_BYTES];

static void take(struct probe_inputs *in)
{
	const struct probe *const these[] = { &one };

	take_all(these, 1, in);
}

static const char *skip_code(const struct probe_inputs *in, const char *name)
{
	for (size_t i = 0; i < in->skips_len; i++)
		if (in->skips[i].name && strcmp(in->skips[i].name, name) == 0)
			return in->skips[i].code;
	return "none";
}

static void files_come_sorted_hashed_and_sealed(void)
{
	struct probe_inputs in;
	char bytes[20], want[BLAKE3_TEXT_BYTES];

	enter();
	ok_int(mkdirat(root_fd, "b", 0755), 0);
	ok_int(mkdirat(root_fd, "a\nb\xff", 0755), 0);
	ok_int(mkdirat(root_fd, "node_modules", 0755), 0);
	put("b/x.json", "two");
	put("a\nb\xff/x.json", "1");
	put("node_modules/x.json", "no");
	put("y.json", "no");
	take(&in);
	ok_int((intmax_t)in.len, 2);
	ok_int((intmax_t)in.list.len, 25);
	ok(memcmp(in.list.bytes, "a\nb\xff/x.json\0001\0b/x.json\0003\0", 25) ==
	   0);
	ok_int(pread(in.bytes_fd, bytes, sizeof bytes, 0), 4);
	ok(memcmp(bytes, "1two", 4) == 0);
	blake3_hex_text("two", 3, want);
	ok(strcmp(in.items[1].hash, want) == 0);
	ok(write(in.bytes_fd, "x", 1) < 0);
	ok(ftruncate(in.bytes_fd, 0) < 0);
	drop(&in);
	leave();
}

static void what_is_no_file_is_skipped_with_the_reason(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct probe_inputs in;
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	enter();
	for (const char *d = "lfsdo"; *d; d++)
		ok_int(mkdirat(root_fd, (char[]){ *d, 0 }, 0755), 0);
	ok_int(symlinkat("/etc/passwd", root_fd, "l/x.json"), 0);
	ok_int(symlinkat("../s", root_fd, "o/loop"), 0);
	ok_int(mkfifoat(root_fd, "f/x.json", 0644), 0);
	(void)snprintf(at.sun_path, sizeof at.sun_path, "%s/s/x.json", dir);
	ok_int(bind(s, (struct sockaddr *)&at, sizeof at), 0);
	ok_int(mkdirat(root_fd, "d/x.json", 0755), 0);
	put("d/x.json/x.json", "deep");
	take(&in);
	ok_int((intmax_t)in.len, 1);
	ok(strcmp(skip_code(&in, "l/x.json"), "symlink") == 0);
	ok(strcmp(skip_code(&in, "f/x.json"), "fifo") == 0);
	ok(strcmp(skip_code(&in, "s/x.json"), "socket") == 0);
	drop(&in);
	close(s);
	leave();
}

static void a_file_over_its_cap_is_an_error(void)
{
	struct probe_inputs in;

	enter();
	sizes_put();
	ok_int(mkdirat(root_fd, "sparse", 0755), 0);
	put("sparse/x.json", "");
	{
		int fd = openat(root_fd, "sparse/x.json", O_WRONLY);

		ok_int(ftruncate(fd, (off_t)1 << 40), 0);
		close(fd);
	}
	take(&in);
	ok_int((intmax_t)in.len, 1);
	ok_int((intmax_t)in.bytes, 100);
	ok(strcmp(skip_code(&in, "big/x.json"), "too_large") == 0);
	ok(strcmp(skip_code(&in, "sparse/x.json"), "too_large") == 0);
	ok(in.skips[0].weight == SKIP_ERROR);
	drop(&in);
	leave();
}

static void nothing_outside_is_opened(void)
{
	int fd = -1;
	off_t size;

	enter();
	ok(beneath_open_file(root_fd, "../../etc/passwd", &fd, &size) !=
	   BENEATH_OK);
	ok(beneath_open_file(root_fd, "/etc/passwd", &fd, &size) != BENEATH_OK);
	ok_int(symlinkat("/etc", root_fd, "etc"), 0);
	ok_int(beneath_open_file(root_fd, "etc/passwd", &fd, &size),
	       BENEATH_SYMLINK);
	ok_int(fd, -1);
	leave();
	root_fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok_int(beneath_open_file(root_fd, "proc/version", &fd, &size),
	       BENEATH_OTHER_FS);
	close(root_fd);
}

static void a_walk_over_its_cap_stops_loudly(void)
{
	struct probe_inputs in;
	char name[32];

	enter();
	for (int d = 0; d < 2; d++) {
		(void)snprintf(name, sizeof name, "%d", d);
		ok_int(mkdirat(root_fd, name, 0755), 0);
		for (int i = 0; i < 25100; i++) {
			(void)snprintf(name, sizeof name, "%d/%d", d, i);
			(void)mknodat(root_fd, name, S_IFREG | 0644, 0);
		}
	}
	take(&in);
	ok(in.skips_len > 0 && strcmp(in.skips[0].code, "walk_files") == 0 &&
	   in.skips[0].weight == SKIP_ERROR);
	drop(&in);
	leave();
}

/* A process that cuts a file and lets it grow, over and over, until it is
 * killed. */
static pid_t grower_start(const char *name)
{
	const struct timespec a_moment = { .tv_nsec = 50000 };
	static char block[256 << 10];
	int fd = openat(root_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	pid_t pid = fork();

	if (pid != 0) {
		close(fd);
		return pid;
	}
	for (;;) {
		if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0)
			_exit(1);
		for (int i = 0; i < 2; i++) {
			if (write(fd, block, sizeof block) < 0)
				_exit(1);
			(void)nanosleep(&a_moment, NULL);
		}
	}
}

/* What was copied before the file grew over its cap is removed again. */
static void a_file_that_grows_while_it_is_read_spoils_no_other(void)
{
	static const struct probe_input_rule large[] = {
		{ "**/x.json", 300 << 10 }, { NULL, 0 }
	};
	const struct probe grown = { .name = "grown", .rules = large };
	const struct probe *const these[] = { &grown };
	pid_t pid;

	enter();
	ok_int(mkdirat(root_fd, "a", 0755), 0);
	ok_int(mkdirat(root_fd, "b", 0755), 0);
	put("b/x.json", "plain");
	pid = grower_start("a/x.json");
	ok(pid > 0);
	for (int i = 0; i < 1000; i++) {
		struct probe_inputs in;
		char bytes[8] = "";
		off_t at;

		take_all(these, 1, &in);
		at = (off_t)(in.bytes - 5);
		ok(in.len >= 1 && in.items[in.len - 1].size == 5);
		ok(pread(in.bytes_fd, bytes, sizeof bytes, at) == 5 &&
		   memcmp(bytes, "plain", 5) == 0);
		drop(&in);
	}
	ok_int(kill(pid, SIGKILL), 0);
	ok_int(waitpid(pid, NULL, 0), pid);
	leave();
}

/* Several probes over one tree: what each declares and no more. */
static void each_probe_gets_its_own_and_a_file_is_counted_once(void)
{
	static const struct probe_input_rule few[] = { { "**/x.json", 3 },
						       { NULL, 0 } };
	static const struct probe_input_rule names[] = { { "a/x.json", 100 },
							 { "**/*", 0 },
							 { NULL, 0 } };
	const struct probe two = { .name = "two", .rules = few };
	const struct probe three = { .name = "three", .rules = names };
	const struct probe *const these[] = { &one, &two, &three };
	struct probe_inputs in[3];
	char bytes[20];

	enter();
	ok_int(mkdirat(root_fd, "a", 0755), 0);
	ok_int(symlinkat("x", root_fd, "a/link"), 0);
	put("a/x.json", "123");
	put("b-x.json", "");
	put("x.json", "1234");
	take_all(these, 3, in);
	ok_int((intmax_t)in[0].len, 2);
	ok_int((intmax_t)in[0].bytes, 7);
	ok_int((intmax_t)in[1].len, 1);
	ok_int(pread(in[1].bytes_fd, bytes, sizeof bytes, 0), 3);
	ok(strcmp(skip_code(&in[1], "x.json"), "too_large") == 0);
	ok_int((intmax_t)in[2].len, 2);
	ok(strcmp(in[2].items[0].name, "**/*") == 0 && in[2].items[0].is_names);
	ok_int((intmax_t)in[2].items[0].names, 2);
	ok_int((intmax_t)in[2].items[0].size, 16);
	blake3_hex_text("b-x.json\0x.json", 16, bytes_hash);
	ok(strcmp(in[2].items[0].hash, bytes_hash) == 0);
	ok_int(pread(in[2].bytes_fd, bytes, sizeof bytes, 0), 3);
	ok_int((intmax_t)in[2].list.len, 11 + 11 + 9);
	ok(memcmp(in[2].list.bytes, "a/x.json\0003\0b-x.json\0-\0x.json\0-\0",
		  31) == 0);
	ok(strcmp(skip_code(&in[2], "a/link"), "symlink") == 0 &&
	   in[2].skips[0].weight == SKIP_NAME);
	ok_int((intmax_t)sum.files, 2);
	ok_int((intmax_t)sum.bytes, 7);
	for (int i = 0; i < 3; i++)
		inputs_done(&in[i]);
	walk_done(&walk);
	leave();
}

static void many_files_in_many_directories_are_within_the_cap(void)
{
	struct probe_inputs in;
	char name[32];

	enter();
	for (int d = 0; d < 50; d++) {
		(void)snprintf(name, sizeof name, "%d", d);
		ok_int(mkdirat(root_fd, name, 0755), 0);
		for (int i = 0; i < 1000; i++) {
			(void)snprintf(name, sizeof name, "%d/%d", d, i);
			(void)mknodat(root_fd, name, S_IFREG | 0644, 0);
		}
	}
	take(&in);
	ok_int((intmax_t)walk.len, 50000);
	ok_int((intmax_t)in.skips_len, 0);
	drop(&in);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(files_come_sorted_hashed_and_sealed),
		CASE(what_is_no_file_is_skipped_with_the_reason),
		CASE(a_file_over_its_cap_is_an_error),
		CASE(nothing_outside_is_opened),
		CASE(a_walk_over_its_cap_stops_loudly),
		CASE(a_file_that_grows_while_it_is_read_spoils_no_other),
		CASE(many_files_in_many_directories_are_within_the_cap),
		CASE(each_probe_gets_its_own_and_a_file_is_counted_once),
		TAP_END });
}
