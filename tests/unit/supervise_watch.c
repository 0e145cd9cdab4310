/* The watchdog's readers and sums. */
#include "supervise/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plan/plan.h"
#include "supervise/clock.h"
#include "supervise/procfs.h"
#include "tap.h"

#define STAT_TAIL                                                              \
	" S 1 7 7 0 -1 4194304 10 20 30 40 150 25 300 5 20 0 12 0 99 "         \
	"1048576 77 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0\n"

static void reads_the_fields_of_stat(void)
{
	struct proc_stat s = { 0 };

	ok_int(procfs_parse_stat("42 (sh)" STAT_TAIL, &s), 0);
	ok_int(s.cpu_us, 1750000);
	ok_int(s.reaped_us, 3050000);
	ok_int(s.threads, 12);
	ok_int(s.vsize_bytes, 1048576);
	ok_int(s.rss_pages, 77);
}

static void a_name_cannot_shift_the_fields(void)
{
	struct proc_stat s = { 0 };

	ok_int(procfs_parse_stat("42 (a) S 1 2 (b) 9 )" STAT_TAIL, &s), 0);
	ok_int(s.cpu_us, 1750000);
	ok_int(s.rss_pages, 77);
	ok_int(procfs_parse_stat("42 (a\nb)" STAT_TAIL, &s), 0);
	ok_int(s.threads, 12);
}

static void refuses_what_is_no_stat(void)
{
	struct proc_stat s = { .threads = 5 };

	ok_int(procfs_parse_stat("", &s), -EINVAL);
	ok_int(procfs_parse_stat("42 (sh", &s), -EINVAL);
	ok_int(procfs_parse_stat("42 (sh) S 1 2", &s), -EINVAL);
	ok_int(procfs_parse_stat("1 (x) S 1 2 3 4 5 6 7 8 9 10 x 1 1 1 1 1 1",
				 &s),
	       -EINVAL);
	ok_int(s.threads, 5);
}

static void finds_keys_at_line_starts_only(void)
{
	const char *text = "Name:\tVmPTE: 9 kB\nxVmPTE:\t 7 kB\n"
			   "VmPTE:\t      48 kB\nNSpid:\t901\t33\t2\n";

	ok_int(procfs_find_kib(text, "VmPTE"), 48 * 1024);
	ok_int(procfs_find_kib(text, "VmSwap"), 0);
	ok_int(procfs_find_kib("VmSwap: 99999999999999999999 kB\n", "VmSwap"),
	       0);
	ok_int(procfs_find_last(text, "NSpid"), 2);
	ok_int(procfs_find_last(text, "NStgid"), 0);
	ok_int(procfs_find_last("NSpid:\t99999999999\n", "NSpid"), 0);
}

static void sums_segments(void)
{
	const char *head = "key shmid perms size cpid lpid nattch uid gid cuid "
			   "cgid atime dtime ctime rss swap\n";
	char text[1024];

	ok_int(procfs_sum_shm(head), 0);
	(void)snprintf(text, sizeof text,
		       "%s  -5 1 600 9999 1 1 0 0 0 0 0 1 1 1 4096 8192\n"
		       "  -5 2 600 9999 1 1 0 0 0 0 0 1 1 1 100 0\n  -5 3 60\n",
		       head);
	ok_int(procfs_sum_shm(text), 4096 + 8192 + 100);
	ok_int(procfs_sum_shm(""), 0);
}

static void note_pid(void *data, const char *name)
{
	if (atoi(name) == getpid())
		*(int *)data += 1;
}

static void walks_processes_within_a_bound(void)
{
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int self = 0;

	ok(procfs_each_pid(fd, 100000, note_pid, &self) > 0);
	ok_int(self, 1);
	ok_int(procfs_each_pid(fd, 1, note_pid, &self), 1);
	ok(procfs_each_pid(-1, 1, note_pid, &self) < 0);
	(void)close(fd);
}

static void reads_no_more_than_it_has_room_for(void)
{
	char text[8];

	ok_int(procfs_read(AT_FDCWD, "/proc/self/stat", text, sizeof text), 7);
	ok_int(text[7], 0);
	ok_int(procfs_read(AT_FDCWD, "/proc/self/none", text, sizeof text),
	       -ENOENT);
}

static struct watch a_watch(uint64_t mem, uint64_t cpu_ms, bool hard)
{
	struct plan_watch p = { .mem_bytes = mem,
				.cpu_ms = cpu_ms,
				.cpu_hard = hard,
				.interval_ms = 10 };
	struct watch w;

	watch_init(&w, &p, -1, -1, -1);
	w.cpus = 4;
	return w;
}

static void the_bound_is_never_below_its_parts(void)
{
	struct reading r = { .rss_bytes = 5 << 20,
			     .vsize_bytes = 100ULL << 30,
			     .tmpfs_bytes = 3 << 20,
			     .shm_bytes = 7 << 20,
			     .processes = 2 };

	/* 100 GiB of address space is 200 MiB of page tables at most. */
	ok(watch_bound(&r, 0) >= (5ULL + 200 + 3 + 7) << 20);
	ok(watch_bound(&r, 0) < (5ULL + 200 + 3 + 7 + 8) << 20);
	ok_int(watch_bound(&r, 11) - watch_bound(&r, 0), 11);
}

static void cpu_of_a_tree_is_killed_at_the_limit(void)
{
	struct watch w = a_watch(SPEC_UNLIMITED, 1000, false);
	struct reading r = { .cpu_us = 999999, .largest_us = 10 };

	ok(!watch_is_over_cpu(&w, &r));
	r.cpu_us = 1000000;
	ok(watch_is_over_cpu(&w, &r));
	w.cpu_us = SPEC_UNLIMITED;
	ok(!watch_is_over_cpu(&w, &r));
}

static void one_process_over_the_limit_is_left_to_its_rlimit_for_a_while(void)
{
	struct watch w = a_watch(SPEC_UNLIMITED, 1000, false);
	struct reading r = { .cpu_us = 1500000, .largest_us = 1400000 };

	ok(!watch_is_over_cpu(&w, &r));
	r.cpu_us = 2300000;
	ok(watch_is_over_cpu(&w, &r));
	w = a_watch(SPEC_UNLIMITED, 1000, true);
	r.cpu_us = 1300000;
	ok(watch_is_over_cpu(&w, &r));
}

static void looks_more_often_when_room_gets_small(void)
{
	struct watch w = a_watch(1ULL << 30, SPEC_UNLIMITED, false);
	struct reading r = { .threads = 1 };
	uint64_t far = watch_interval(&w, &r, 0);
	uint64_t near = watch_interval(&w, &r, (1ULL << 30) - (200ULL << 20));
	uint64_t at = watch_interval(&w, &r, 1ULL << 30);

	ok(far > near && near > at);
	ok_int(far, 100 * NS_PER_MS);
	ok_int(at, 10 * NS_PER_MS);
	r.threads = 64; /* but no more hands than processors */
	ok_int(watch_interval(&w, &r, (1ULL << 30) - (640ULL << 20)),
	       20 * NS_PER_MS);
	/* A sample is expensive, and there is much room: one part in 20 of the
	 * time. */
	w.cost_ns = 3 * NS_PER_MS;
	w.mem_bytes = 64ULL << 20;
	ok_int(watch_interval(&w, &r, 31ULL << 20), 60 * NS_PER_MS);
	w.cost_ns = 300 * NS_PER_MS;
	ok_int(watch_interval(&w, &r, 31ULL << 20), 100 * NS_PER_MS);
	/* There is no room: one part in three. */
	w.cost_ns = 8 * NS_PER_MS;
	ok_int(watch_interval(&w, &r, 63ULL << 20), 16 * NS_PER_MS);
}

static void what_was_not_read_is_looked_for_soon(void)
{
	struct watch w = a_watch(1ULL << 30, SPEC_UNLIMITED, false);
	struct reading r = { .threads = 1 };

	ok_int(watch_interval(&w, &r, 0), 100 * NS_PER_MS);
	w.round.last_pid = 7;
	ok_int(watch_interval(&w, &r, 0), 10 * NS_PER_MS);
}

/* 62 processes that share 800 MiB are neither 49 GiB nor 12 MiB. */
static void what_was_not_read_is_shared_by_all_at_most(void)
{
	struct reading r = { .processes = 62,
			     .largest_bytes = 800,
			     .unread_bytes = (uint64_t)62 * 800,
			     .dear_bytes = 5 };

	ok_int(watch_least(&r), 805);
	r.unread_bytes = (uint64_t)60 * 800;
	r.read_bytes = 100;
	ok_int(watch_least(&r), 100 + 60 * 800 / 62 + 5);
	r = (struct reading){ .read_bytes = 10, .largest_bytes = 4 };
	ok_int(watch_least(&r), 10);
}

static void threads_count_for_what_the_kernel_keeps_for_them(void)
{
	struct reading none = { 0 };
	struct reading many = { .threads = 1000 };

	ok(watch_bound(&many, 0) >=
	   watch_bound(&none, 0) + 1000 * (UINT64_C(16) << 10));
}

static void cpu_left_shortens_the_interval_too(void)
{
	struct watch w = a_watch(SPEC_UNLIMITED, 1000, false);
	struct reading r = { .threads = 2, .cpu_us = 0 };

	ok_int(watch_interval(&w, &r, 0), 100 * NS_PER_MS);
	r.cpu_us = 900000; /* 100 ms left, two hands */
	ok_int(watch_interval(&w, &r, 0), 50 * NS_PER_MS);
}

static void nothing_to_hold_means_no_looks(void)
{
	struct watch w = a_watch(SPEC_UNLIMITED, SPEC_UNLIMITED, false);

	w.proc_fd = 0;
	watch_start(&w, 1);
	ok(w.next_ns == UINT64_MAX);
	w = a_watch(1, SPEC_UNLIMITED, false);
	watch_start(&w, 1);
	ok(w.next_ns == UINT64_MAX); /* there is no /proc to read */
	w.proc_fd = 0;
	watch_start(&w, 1);
	ok_int(w.next_ns, 20 * NS_PER_MS + 1);
}

/* Our own process stands in for a vessel: a directory that holds it alone is
 * not available, so this only checks what must be in the sum. */
static void sees_memory_of_a_real_process(void)
{
	static char text[65536];
	struct outcome o = { .tmpfs_fd = -1 };
	struct watch w = a_watch(1 << 20, SPEC_UNLIMITED, false);
	size_t n = (size_t)64 << 20;
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(p, 1, n);
	w.proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok_int(watch_run(&w, &o, text, sizeof text), KILL_MEMORY);
	ok(o.has_memory_peak);
	ok(o.memory_peak_bytes >= n);
	ok(w.next_ns > clock_now_ns());
	watch_done(&w);
	watch_done(&w);
	(void)close(w.proc_fd);
	(void)munmap(p, n);
}

/* What the kernel writes when the first thread has ended: nothing about
 * memory. */
static void knows_a_process_without_its_first_thread(void)
{
	struct proc_stat s = { 0 };

	ok_int(procfs_parse_stat("42 (sh) Z 1 7 7 0 -1 4194304 1 2 3 4 150 25 "
				 "300 5 20 0 2 0 99 0 0 18446744073709551615\n",
				 &s),
	       0);
	ok(procfs_is_leaderless(&s));
	s.threads = 1; /* a zombie */
	ok(!procfs_is_leaderless(&s));
	ok_int(procfs_parse_stat("42 (sh)" STAT_TAIL, &s), 0);
	ok(!procfs_is_leaderless(&s));
}

static void *fill_and_wait(void *data)
{
	size_t n = (size_t)64 << 20;
	int *ends = data;
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char byte = 0;

	memset(p, 1, n);
	(void)!write(ends[1], &byte, 1);
	for (;;)
		(void)pause();
	return NULL;
}

static void sees_memory_behind_a_dead_first_thread(void)
{
	static char text[65536];
	char own[PROCFS_PID_BYTES], id[PROCFS_PID_BYTES] = "";
	int proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct proc_stat s = { 0 };
	char name[32];
	pthread_t t;
	int ends[2];
	pid_t pid;

	ok(pipe(ends) == 0);
	pid = fork();
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)pthread_create(&t, NULL, fill_and_wait, ends);
		pthread_exit(NULL);
	}
	ok(read(ends[0], text, 1) == 1);
	(void)snprintf(own, sizeof own, "%d", (int)pid);
	(void)snprintf(name, sizeof name, "%s/stat", own);
	for (int i = 0; i < 1000 && !procfs_is_leaderless(&s); i++) {
		(void)poll(NULL, 0, 10); /* until it has ended */
		(void)procfs_read(proc_fd, name, text, sizeof text);
		(void)procfs_parse_stat(text, &s);
	}
	ok(procfs_is_leaderless(&s));
	ok(procfs_find_living(proc_fd, own, text, sizeof text, id));
	ok(strcmp(own, id) != 0);
	(void)snprintf(name, sizeof name, "%s/smaps_rollup", id);
	ok(procfs_read(proc_fd, name, text, sizeof text) > 0);
	ok(procfs_find_kib(text, "Pss") >= (uint64_t)64 << 20);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	ok(!procfs_find_living(proc_fd, own, text, sizeof text, id));
	(void)close(proc_fd);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(reads_the_fields_of_stat),
		CASE(a_name_cannot_shift_the_fields),
		CASE(refuses_what_is_no_stat),
		CASE(finds_keys_at_line_starts_only),
		CASE(sums_segments),
		CASE(walks_processes_within_a_bound),
		CASE(reads_no_more_than_it_has_room_for),
		CASE(the_bound_is_never_below_its_parts),
		CASE(cpu_of_a_tree_is_killed_at_the_limit),
		CASE(one_process_over_the_limit_is_left_to_its_rlimit_for_a_while),
		CASE(looks_more_often_when_room_gets_small),
		CASE(what_was_not_read_is_looked_for_soon),
		CASE(what_was_not_read_is_shared_by_all_at_most),
		CASE(threads_count_for_what_the_kernel_keeps_for_them),
		CASE(cpu_left_shortens_the_interval_too),
		CASE(nothing_to_hold_means_no_looks),
		CASE(knows_a_process_without_its_first_thread),
		CASE(sees_memory_behind_a_dead_first_thread),
		CASE(sees_memory_of_a_real_process),
		TAP_END });
}
