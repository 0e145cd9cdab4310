/* jobs_gate_ledger_kill.c -- a ledger whose writer is killed, and how long an
 * append takes. */
#include "jobs/gate/ledger/ledger.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "gate_ledger.h"

/* A child that appends, and writes a byte for each record that is on disk. */
static pid_t writer_start(const char *kill_at, int *ret_fd)
{
	int ends[2];
	pid_t pid;

	ok_int(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		struct ledger_book b = { 0 };
		struct ledger l = LEDGER_NONE;

		close(ends[0]);
		if (kill_at != NULL)
			setenv("CUPEL_TEST_LEDGER_KILL", kill_at, 1);
		if (ledger_open(dir_fd, NULL, &l, &b, &err) != 0)
			_exit(3);
		for (unsigned i = 0; i < 400; i++)
			if (put(&l, "signal", i) != 0 ||
			    write(ends[1], "x", 1) != 1)
				_exit(4);
		_exit(0);
	}
	close(ends[1]);
	*ret_fd = ends[0];
	return pid;
}

/* How many records the child reported as on disk; the status from wait(2) goes
 * to *ret_status. */
static size_t writer_end(pid_t pid, int fd, int *ret_status)
{
	char bytes[512];
	size_t said = 0;
	ssize_t n;

	while ((n = read(fd, bytes, sizeof bytes)) > 0)
		said += (size_t)n;
	close(fd);
	ok_int(waitpid(pid, ret_status, 0), pid);
	return said;
}

static void killed_at_every_point_it_goes_on(void)
{
	for (unsigned point = 4; point < 4 + 12; point++) {
		size_t records = 0, said;
		char kill_at[16];
		int fd, status;
		pid_t pid;

		enter();
		(void)snprintf(kill_at, sizeof kill_at, "%u", point);
		pid = writer_start(kill_at, &fd);
		said = writer_end(pid, fd, &status);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		ok_int(reads(NULL, &records), 0);
		/* written but not reported: at most one */
		ok_int((long)said, point / 4 - 1);
		ok_int((long)records, (long)said + (point % 4 > 0));
		ok_int(grow(NULL, 2), 0);
		ok_int(reads(NULL, &records), 0);
		ok_int((long)records, (long)said + (point % 4 > 0) + 2);
		leave();
	}
}

static void killed_at_any_moment_it_goes_on(void)
{
	const char *tier = getenv("CUPEL_TIER");
	unsigned rounds = tier != NULL && strcmp(tier, "full") == 0 ? 500 : 40;
	size_t all = 0;

	srand(16);
	enter();
	for (unsigned i = 0; i < rounds; i++) {
		struct timespec wait = { 0, 1000L * (rand() % 4000) };
		size_t before = all, said;
		int fd, status, r;
		pid_t pid = writer_start(NULL, &fd);

		(void)nanosleep(&wait, NULL);
		(void)kill(pid, SIGKILL);
		said = writer_end(pid, fd, &status);
		r = reads(NULL, &all);
		/* It was killed before it had made one. */
		if (r == -ENOENT)
			all = 0;
		ok(r == 0 || (r == -ENOENT && before == 0));
		ok(all == before + said || all == before + said + 1);
		if (all > 20000) { /* the ledger's cap is not what is tested */
			leave();
			enter();
			all = 0;
		}
	}
	leave();
}

static double now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The bounds are generous: the bench checks the real ones on a quiet
 * machine. */
static void ten_thousand_records_are_read_quickly(void)
{
	struct ledger_book b = { 0 };
	char head[LEDGER_HEAD_BYTES + 1];
	struct ledger l = LEDGER_NONE;
	struct buf all = { 0 };
	double begin;

	for (unsigned i = 0; i < 10000; i++) {
		struct ledger_record r;

		ledger_begin(&l, "run.ended", &r);
		jsonw_text(&r.w, "phase", "tests");
		jsonw_uint(&r.w, "wall_ms", i);
		jsonw_text(&r.w, "isolation_class", "shared_kernel");
		jsonw_end_object(&r.w);
		blake3_hex_text(r.text.bytes, r.text.len, l.hash);
		r.text.len--;
		buf_add(&all, r.text.bytes, r.text.len);
		buf_format(&all, ",\"hash\":\"%s\"}\n", l.hash);
		buf_done(&r.text);
		l.seq++;
	}
	ledger_head_write(l.seq, l.hash, head);
	begin = now_s();
	ok_int(ledger_check(all.bytes, all.len, head, NULL, &b, &err), 0);
	fprintf(stderr, "# 10000 records: %.3f s\n", now_s() - begin);
	ok(now_s() - begin < 5);
	ok_int((long)b.len, 10000);
	ledger_book_done(&b);
	buf_done(&all);
	enter();
	ok_int(ledger_open(dir_fd, NULL, &l, &b, &err), 0);
	begin = now_s();
	for (unsigned i = 0; i < 100; i++)
		ok_int(put(&l, "signal", i), 0);
	fprintf(stderr, "# a record with its sync: %.3f ms\n",
		(now_s() - begin) * 10);
	ledger_close(&l);
	ledger_book_done(&b);
	leave();
}

int main(void)
{
	(void)signal(SIGPIPE, SIG_IGN);
	return tap_run((struct tap_case[]){
		CASE(killed_at_every_point_it_goes_on),
		CASE(killed_at_any_moment_it_goes_on),
		CASE(ten_thousand_records_are_read_quickly), TAP_END });
}
