/* watch.c -- watches memory and CPU time of a whole vessel by samples. */
#include "supervise/watch.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "plan/plan.h"
#include "supervise/cgroup.h"
#include "supervise/clock.h"
#include "supervise/procfs.h"

#define FIRST_MS      20      /* shorter runs are never looked at */
#define FLOOR_MS      10      /* unless the plan says otherwise */
#define DEAR_MS       10      /* of one look at PSS; the next one goes on */
#define PROCS_MAX     4096    /* more would be an attack on us */
#define HARD_GRACE_US 250000  /* RLIMIT_CPU acts on the tick */
#define SOFT_GRACE_US 1250000 /* hard = soft + 1 s, and the tick */

static unsigned count_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) < 0)
		return (unsigned)CPU_SETSIZE;
	return (unsigned)CPU_COUNT(&set);
}

void watch_init(struct watch *w, const struct plan_watch *plan, int proc_fd,
		int tmpfs_fd, int shm_fd)
{
	uint64_t floor_ms =
		plan->interval_ms > 0 ? plan->interval_ms : FLOOR_MS;

	*w = (struct watch){
		.proc_fd = proc_fd,
		.tmpfs_fd = tmpfs_fd,
		.shm_fd = shm_fd,
		.cgroup_fd = -1,
		.sockets = { .fd = -1 },
		.mem_bytes = plan->mem_bytes,
		.queue_bytes = SPEC_UNLIMITED,
		.cpu_us = plan->cpu_ms < SPEC_UNLIMITED / 1000
				  ? plan->cpu_ms * 1000
				  : SPEC_UNLIMITED,
		.grace_us = plan->cpu_hard ? HARD_GRACE_US : SOFT_GRACE_US,
		.floor_ns = floor_ms * NS_PER_MS,
		.met = { SPEC_UNLIMITED, SPEC_UNLIMITED, false, false },
		.cpus = count_cpus(),
		.has_memory = plan->mem_bytes != SPEC_UNLIMITED,
		.next_ns = UINT64_MAX,
	};
}

void watch_done(struct watch *w)
{
	free(w->round.read);
	w->round = (struct watch_round){ 0 };
}

void watch_start(struct watch *w, uint64_t now_ns)
{
	bool has_proc = w->proc_fd >= 0 || w->is_offered;
	bool is_asked =
		w->mem_bytes != SPEC_UNLIMITED || w->cpu_us != SPEC_UNLIMITED;

	if (w->oom == NULL && (!has_proc || !is_asked))
		return;
	w->next_ns = now_ns + FIRST_MS * NS_PER_MS;
}

struct look {
	struct watch *w;
	struct reading *r;
	uint64_t deadline_ns; /* for the expensive figure */
	uint32_t at;          /* index in the round's list */
	char *text;
	size_t room;
	char last_pid[PROCFS_PID_BYTES];
};

static bool file_read(const struct look *look, const char *pid, const char *of)
{
	char name[32];

	(void)snprintf(name, sizeof name, "%s/%s", pid, of);
	return procfs_read(look->w->proc_fd, name, look->text, look->room) > 0;
}

static bool stat_read(const struct look *look, const char *pid,
		      struct proc_stat *ret)
{
	return file_read(look, pid, "stat") &&
	       procfs_parse_stat(look->text, ret) == 0;
}

static bool living_find(const struct look *look, const char *pid,
			char ret_id[PROCFS_PID_BYTES])
{
	return procfs_find_living(look->w->proc_fd, pid, look->text, look->room,
				  ret_id);
}

/* The size of /proc/PID/fd is the number of open files; 0 before Linux 6.2. */
static void add_files(const struct look *look, const char *pid)
{
	char name[32];
	struct stat st;

	(void)snprintf(name, sizeof name, "%s/fd", pid);
	if (fstatat(look->w->proc_fd, name, &st, 0) == 0 &&
	    (uint64_t)st.st_size > look->r->files_most)
		look->r->files_most = (uint64_t)st.st_size;
}

static void add_cheap(void *data, const char *pid)
{
	struct look *look = data;
	struct reading *r = look->r;
	char living[PROCFS_PID_BYTES];
	struct proc_stat s;

	if (!stat_read(look, pid, &s))
		return; /* it ended meanwhile */
	/* Both files give the times of all its threads. */
	if (procfs_is_leaderless(&s) && living_find(look, pid, living) &&
	    !stat_read(look, living, &s))
		return;
	(void)snprintf(look->last_pid, sizeof look->last_pid, "%s", pid);
	r->processes++;
	r->cpu_us += s.cpu_us + s.reaped_us;
	if (s.cpu_us > r->largest_us)
		r->largest_us = s.cpu_us;
	r->threads += s.threads;
	r->vsize_bytes += s.vsize_bytes;
	r->rss_bytes += s.rss_pages * (uint64_t)sysconf(_SC_PAGESIZE);
	if (look->w->met.nofile != SPEC_UNLIMITED)
		add_files(look, pid);
}

/* What an earlier look of this round read for that process.  Both lists are in
 * the order of process numbers; processes that have ended do not count. */
static uint64_t round_find(const struct watch_round *round, struct look *look,
			   uint32_t pid)
{
	while (look->at < round->len && round->read[look->at].pid < pid)
		look->at++;
	return look->at < round->len && round->read[look->at].pid == pid
		       ? (uint64_t)round->read[look->at].kib * 1024
		       : 0;
}

/* PSS walks all page tables of a process.  For processes that share much, that
 * takes seconds, and in that time more memory can be touched than any limit
 * allows.  So a look stops when its time is up, and the next one goes on after
 * the last process that was read: the kernel lists them in the order of their
 * numbers.
 *
 * If smaps_rollup is refused, the resident size replaces PSS: better too much
 * than too little. */
static void add_dear(void *data, const char *pid)
{
	struct look *look = data;
	struct watch_round *round = &look->w->round;
	struct reading *r = look->r;
	uint32_t number = (uint32_t)strtoul(pid, NULL, 10);
	uint64_t resident, own;
	char living[PROCFS_PID_BYTES];

	if (!file_read(look, pid, "status"))
		return; /* it ended meanwhile */
	/* The first thread's memory is gone: see procfs_is_leaderless(). */
	if (procfs_find_kib(look->text, "VmSize") == 0 &&
	    procfs_find_last(look->text, "Threads") > 1 &&
	    living_find(look, pid, living)) {
		pid = living;
		if (!file_read(look, pid, "status"))
			return;
	}
	r->dear_bytes += procfs_find_kib(look->text, "VmPTE") +
			 procfs_find_kib(look->text, "VmSwap");
	resident = procfs_find_kib(look->text, "VmRSS");
	own = procfs_find_kib(look->text, "RssAnon") +
	      procfs_find_kib(look->text, "RssShmem");
	if (own > r->largest_bytes)
		r->largest_bytes = own;
	if (number <= round->last_pid) {
		r->read_bytes += round_find(round, look, number);
		return;
	}
	if (round->len == PROCS_MAX || clock_now_ns() >= look->deadline_ns) {
		r->unread_bytes += own;
		return;
	}
	if (file_read(look, pid, "smaps_rollup"))
		resident = procfs_find_kib(look->text, "Pss");
	r->read_bytes += resident;
	round->last_pid = number;
	round->read[round->len++] =
		(struct watch_read){ .pid = number,
				     .kib = (uint32_t)(resident / 1024) };
}

static void add_tmpfs(const struct look *look)
{
	const struct watch *w = look->w;
	struct statfs fs;

	if (w->tmpfs_fd < 0 || fstatfs(w->tmpfs_fd, &fs) < 0)
		return;
	look->r->tmpfs_bytes =
		(uint64_t)(fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize;
	look->r->full =
		met_full(fs.f_blocks, fs.f_bfree, fs.f_files, fs.f_ffree);
}

static void add_shm(const struct look *look)
{
	const struct watch *w = look->w;
	size_t len = 0;

	if (w->shm_fd < 0)
		return;
	while (len < look->room - 1) {
		ssize_t n = pread(w->shm_fd, look->text + len,
				  look->room - 1 - len, (off_t)len);

		if (n <= 0)
			break;
		len += (size_t)n;
	}
	look->text[len] = '\0';
	look->r->shm_bytes = procfs_sum_shm(look->text);
}

/* Init stays in the host's network, so only the last process of the list is
 * certainly one of the command's.  If it has ended, or its first thread has, it
 * tells nothing: then everything is asked for. */
static uint64_t add_sockets(const struct look *look)
{
	struct watch *w = look->w;
	bool has_inet = !file_read(look, look->last_pid, "net/sockstat") ||
			sockets_has_inet(look->text) ||
			(file_read(look, look->last_pid, "net/sockstat6") &&
			 sockets_has_inet(look->text));

	look->r->socket_bytes = sockets_read(
		&w->sockets, has_inet, clock_now_ns() + DEAR_MS * NS_PER_MS,
		look->text, look->room);
	return look->r->socket_bytes;
}

uint64_t watch_overshoot(const struct watch *w)
{
	return (w->floor_ns / NS_PER_MS + DEAR_MS) * TOUCH_BYTES_MS * w->cpus;
}

/* Swap in use on the host; no process of ours can have more. */
static uint64_t host_swap(void)
{
	struct sysinfo s;

	if (sysinfo(&s) < 0)
		return 0;
	return (uint64_t)(s.totalswap - s.freeswap) * s.mem_unit;
}

static void round_begin(struct watch_round *round, bool is_again)
{
	round->len = round->last_pid = 0;
	round->is_again = is_again;
}

/* While a round takes several looks, a process that forks reduces the shares of
 * processes that were already read, and the sum is too large.  If only such a
 * sum is over the limit, read once more. */
static bool round_is_doubtful(const struct watch *w, const struct reading *r,
			      uint64_t exact)
{
	return exact > w->mem_bytes && !w->round.is_again &&
	       r->dear_bytes + r->largest_bytes + watch_others(r) <=
		       w->mem_bytes;
}

/* The figure to judge by.  It is exact when the bound could be over the limit
 * or has grown by an eighth since the last exact figure; otherwise it is the
 * bound.  So the reported peak is at most an eighth too low at the time of a
 * look.  Memory for which there was no time counts as if all processes shared
 * it: nobody is killed for memory that they did not have. */
static uint64_t weigh(struct watch *w, struct look *look, struct outcome *o)
{
	struct reading *r = look->r;
	uint64_t bound = watch_bound(r, host_swap());
	bool is_long = w->round.last_pid != 0;
	uint64_t exact;

	if (bound < w->mem_bytes && bound - bound / 8 < w->dear_at)
		return bound;
	w->dear_at = bound;
	if (w->round.read == NULL)
		w->round.read = calloc(PROCS_MAX, sizeof *w->round.read);
	look->deadline_ns = clock_now_ns() + DEAR_MS * NS_PER_MS;
	if (w->round.read == NULL ||
	    procfs_each_pid(w->proc_fd, PROCS_MAX, add_dear, look) <= 0)
		return bound;
	exact = watch_least(r) + watch_others(r);
	if (is_long && round_is_doubtful(w, r, exact)) {
		round_begin(&w->round, true);
		w->dear_at = 0;
		return w->mem_bytes;
	}
	if (r->unread_bytes == 0)
		round_begin(&w->round, false);
	else
		w->dear_at = 0;
	o->has_memory_peak = true;
	if (exact > o->memory_peak_bytes)
		o->memory_peak_bytes = exact;
	return exact;
}

enum kill_cause watch_run(struct watch *w, struct outcome *o, char *text,
			  size_t room)
{
	struct reading r = { 0 };
	struct look look = { .w = w, .r = &r, .text = text, .room = room };
	uint64_t begun = clock_now_ns();
	uint64_t memory = 0;
	uint64_t now, used;

	(void)procfs_each_pid(w->proc_fd, PROCS_MAX, add_cheap, &look);
	if (w->cgroup_fd >= 0 && cgroup_read_cpu(w->cgroup_fd, &used) == 0 &&
	    used > r.cpu_us)
		r.cpu_us = used;
	if (w->sockets.fd >= 0 && watch_limit(w) != SPEC_UNLIMITED)
		memory = add_sockets(&look);
	add_tmpfs(&look);
	met_note_look(&o->met, &w->met, &r);
	if (w->mem_bytes != SPEC_UNLIMITED) {
		add_shm(&look);
		memory = weigh(w, &look, o);
	}
	if (r.cpu_us > o->tree_cpu_us)
		o->tree_cpu_us = r.cpu_us;
	r.cpu_us += o->helpers_us;
	/* all but ours; a lower bound in case init does not get to count
	 * them */
	if (r.processes > o->processes + w->own)
		o->processes = r.processes - w->own;
	o->has_locks = w->has_memory && locks_look(&w->locks, w->proc_fd,
						   clock_now_ns(), text, room);
	now = clock_now_ns();
	w->cost_ns = now - begun;
	w->next_ns = now + watch_interval(w, &r, memory);
	if (memory > watch_limit(w) || o->has_locks ||
	    (w->oom != NULL && cgroup_has_oom(w->oom)))
		return KILL_MEMORY;
	return watch_is_over_cpu(w, &r) ? KILL_CPU : KILL_NONE;
}
