/* jobs_gate_room.c -- the space that is reserved for the records of an
 * attempt. */
#include "jobs/gate/loop.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "gate_fake.h"

#define PHASES 4U

/* A disk of 8 MiB on which an attempt begins, and that is full before it ends.
 * All of its records are written, even if they are as long and as many as they
 * may be. */
static struct gate full_gate;
static struct gate_ask full_asks[GATE_SIGNALS_MAX];
static struct gate_phase full_phases[PHASES];

static void disk_fill(void)
{
	static char zeros[4096];
	char path[128];
	int fd;

	(void)snprintf(path, sizeof path, "%s/filler", top);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	while (fd >= 0 && write(fd, zeros, sizeof zeros) > 0)
		;
	close(fd);
}

/* As many refused connections as a result names, each as long as one may be. */
static void result_make(struct arena *arena, struct json_value *ret)
{
	owned_buf struct buf text = { 0 };
	const struct json_caps caps = { .text_bytes = (size_t)4 << 20 };
	struct json_error je;

	buf_text(&text, "{\"status\":\"OK\",\"egress\":[");
	for (int i = 0; i < 256; i++) {
		buf_text(&text, i > 0 ? "," : "");
		buf_text(&text, "{\"verdict\":\"refused\",\"host\":\"");
		for (int c = 0; c < 253; c++)
			buf_text(&text, "\\u0001");
		buf_text(&text, "\"}");
	}
	buf_text(&text, "]}");
	ok_int(json_parse(text.bytes, text.len, &caps, arena, ret, &je), 0);
}

static void signals_make(struct gate_attempt *a)
{
	struct json_value *details = arena_alloc(&a->arena, sizeof *details);
	size_t n = LEDGER_LINE_BYTES / 2 - 1024;
	char *text = arena_alloc(&a->arena, n);

	memset(text, 'x', n);
	*details = (struct json_value){ .type = JSON_STRING,
					.u.string = { text, n - 1 } };
	a->signals =
		arena_array(&a->arena, GATE_SIGNALS_MAX, sizeof *a->signals);
	for (size_t i = 0; i < GATE_SIGNALS_MAX; i++)
		a->signals[a->signals_len++] =
			(struct gate_signal){ .kind = full_asks[i].name,
					      .passed = true,
					      .details = details };
}

static int full_run(const struct gate_attempt_request *req,
		    struct gate_attempt *a, struct cupel_error *e)
{
	struct json_value *result = arena_alloc(&a->arena, sizeof *result);
	int r = 0;

	disk_fill();
	a->number = req->number;
	result_make(&a->arena, result);
	signals_make(a);
	a->runs = arena_array(&a->arena, PHASES, sizeof *a->runs);
	while (r == 0 && a->runs_len < PHASES) {
		struct gate_run *run = &a->runs[a->runs_len++];

		*run = (struct gate_run){ .phase = "tests",
					  .run_id = "0123",
					  .result = result };
		r = req->ended(req->data, run, e);
	}
	return r;
}

static void spit(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	ok(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static bool disk_enter(const char *size)
{
	uid_t uid = getuid();
	gid_t gid = getgid();
	char map[64];

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
		return false;
	(void)snprintf(map, sizeof map, "0 %u 1", (unsigned)uid);
	spit("/proc/self/setgroups", "deny");
	spit("/proc/self/uid_map", map);
	(void)snprintf(map, sizeof map, "0 %u 1", (unsigned)gid);
	spit("/proc/self/gid_map", map);
	return mount("tmpfs", top, "tmpfs", 0, size) == 0;
}

static void what_is_set_aside_is_enough(void)
{
	static char names[GATE_SIGNALS_MAX][8];
	struct loop_request req = request("p", NULL);
	enum attempts_state state = ATTEMPTS_READY;
	int status = -1;
	pid_t pid;

	for (size_t i = 0; i < GATE_SIGNALS_MAX; i++) {
		(void)snprintf(names[i], sizeof names[i], "k%zu", i);
		full_asks[i] = (struct gate_ask){ .name = names[i],
						  .kind = &kinds[0],
						  .required = true };
	}
	full_gate = gate;
	full_gate.asks = full_asks;
	full_gate.asks_len = GATE_SIGNALS_MAX;
	full_gate.phases = full_phases;
	full_gate.phases_len = PHASES;
	req.gate = &full_gate;
	req.attempt_run = full_run;
	enter();
	pid = fork();
	if (pid == 0) {
		if (!disk_enter("size=8m,mode=700"))
			_exit(77);
		if (run(&req, &state) != 0) {
			fprintf(stderr, "# %s\n", err.what);
			_exit(1);
		}
		_exit(state == ATTEMPTS_PASSED ? 0 : 2);
	}
	ok(pid > 0 && waitpid(pid, &status, 0) == pid);
	ok_int(status, 0);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){ CASE(what_is_set_aside_is_enough),
					    TAP_END });
}
