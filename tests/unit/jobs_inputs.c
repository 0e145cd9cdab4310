/* jobs_inputs.c -- declared inputs of hostile trees: what is read, what not. */
#include "jobs/probe/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "jobs/beneath.h"
#include "tap.h"

static char dir[64];
static int root_fd;
static struct cupel_error err;
static const struct probe_input_rule rules[] = { { "**/x.json", 100 },
						 { NULL, 0 } };

static void enter(void)
{
	strcpy(dir, "/tmp/cupel-inputs.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	root_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok(root_fd >= 0);
}

static void leave(void)
{
	char cmd[100];

	close(root_fd);
	(void)snprintf(cmd, sizeof cmd, "rm -rf '%s'", dir);
	ok_int(system(cmd), 0);
}

static void put(const char *name, const char *text)
{
	int fd = openat(root_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	ok(fd >= 0);
	ok_int((intmax_t)write(fd, text, strlen(text)), (intmax_t)strlen(text));
	close(fd);
}

static void take(struct probe_inputs *in)
{
	*in = (struct probe_inputs){ .list_fd = -1, .bytes_fd = -1 };
	ok_int(inputs_read(root_fd, rules, in, &err), 0);
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
	char list[200], bytes[20], want[BLAKE3_TEXT_BYTES];

	enter();
	ok_int(mkdirat(root_fd, "b", 0755), 0);
	ok_int(mkdirat(root_fd, "a\nb\xff", 0755), 0);
	ok_int(mkdirat(root_fd, "node_modules", 0755), 0);
	put("b/x.json", "two");
	put("a\nb\xff/x.json", "1");
	put("node_modules/x.json", "no");
	put("y.json", "no");
	take(&in);
	ok_int((intmax_t)in.files_len, 2);
	ok_int(pread(in.list_fd, list, sizeof list, 0), 25);
	ok(memcmp(list, "a\nb\xff/x.json\0001\0b/x.json\0003\0", 25) == 0);
	ok_int(pread(in.bytes_fd, bytes, sizeof bytes, 0), 4);
	ok(memcmp(bytes, "1two", 4) == 0);
	blake3_hex_text("two", 3, want);
	ok(strcmp(in.files[1].hash, want) == 0);
	ok(write(in.bytes_fd, "x", 1) < 0);
	ok(ftruncate(in.bytes_fd, 0) < 0);
	inputs_done(&in);
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
	ok_int((intmax_t)in.files_len, 1);
	ok(strcmp(skip_code(&in, "l/x.json"), "symlink") == 0);
	ok(strcmp(skip_code(&in, "f/x.json"), "fifo") == 0);
	ok(strcmp(skip_code(&in, "s/x.json"), "socket") == 0);
	inputs_done(&in);
	close(s);
	leave();
}

static void a_file_over_its_cap_is_an_error(void)
{
	struct probe_inputs in;
	char big[102];

	enter();
	memset(big, 'x', 101);
	big[101] = '\0';
	ok_int(mkdirat(root_fd, "big", 0755), 0);
	ok_int(mkdirat(root_fd, "fits", 0755), 0);
	ok_int(mkdirat(root_fd, "sparse", 0755), 0);
	put("big/x.json", big);
	put("fits/x.json", big + 1);
	put("sparse/x.json", "");
	{
		int fd = openat(root_fd, "sparse/x.json", O_WRONLY);

		ok_int(ftruncate(fd, (off_t)1 << 40), 0);
		close(fd);
	}
	take(&in);
	ok_int((intmax_t)in.files_len, 1);
	ok_int((intmax_t)in.bytes, 100);
	ok(strcmp(skip_code(&in, "big/x.json"), "too_large") == 0);
	ok(strcmp(skip_code(&in, "sparse/x.json"), "too_large") == 0);
	ok(in.skips[0].is_error);
	inputs_done(&in);
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
	   in.skips[0].is_error);
	inputs_done(&in);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(files_come_sorted_hashed_and_sealed),
		CASE(what_is_no_file_is_skipped_with_the_reason),
		CASE(a_file_over_its_cap_is_an_error),
		CASE(nothing_outside_is_opened),
		CASE(a_walk_over_its_cap_stops_loudly), TAP_END });
}
