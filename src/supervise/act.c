/* act.c -- takes records and carries out the actions that the table decides. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "plan/plan.h"
#include "supervise/cgroup.h"
#include "supervise/clock.h"
#include "supervise/control.h"
#include "supervise/run.h"

#define ASK_MS       100  /* for init to kill the command and to report */
#define CARRY_MS     5000 /* init answers as soon as it gets the processor */
#define DRAIN_MS     1000 /* cupel-run(1), "EXIT STATUS" */
#define READS_AT_END 16   /* more than any pipe holds */

void run_break(struct run *r, enum cupel_cause cause, int sys, const char *what)
{
	if (r->out.error.stage == CUPEL_STAGE_NONE)
		(void)cupel_fail(&r->out.error, CUPEL_STAGE_SUPERVISE, cause,
				 sys, "%s%s%s", what, sys > 0 ? ": " : "",
				 sys > 0 ? strerror(sys) : "");
	run_event(r, EVENT_BROKEN);
}

/* --- records ------------------------------------------------------------ */

static void take_started(struct run *r, struct control_message *m)
{
	r->proc_fd = take_fd(&m->proc_fd);
	r->shm_fd = take_fd(&m->shm_fd);
	r->terminal_fd = take_fd(&m->terminal_fd);
	r->out.tmpfs_fd = take_fd(&m->tmpfs_fd);
	run_note_walls(r, &m->record);
	trace_note_start(r);
	r->out.exec_errno = m->record.exec_errno;
	r->out.started = m->record.exec_errno == 0;
	watch_init(&r->watch, &r->plan->watch, r->proc_fd, r->out.tmpfs_fd,
		   r->shm_fd);
	r->watch.own = m->record.keeper_pid != 0 ? 2 : 1;
	r->watch.met = met_limits_of(r->plan, r->watch.own);
	if (!r->child.cgroup.is_v1)
		r->watch.cgroup_fd = r->child.cgroup.dir_fd;
	else if (r->child.cgroup.held & CGROUP_MEMORY) {
		r->watch.oom = &r->child.cgroup;
		r->watch.queue_bytes = r->watch.mem_bytes;
	}
	if (r->child.cgroup.held & CGROUP_MEMORY)
		r->watch.mem_bytes = SPEC_UNLIMITED; /* the kernel has it */
	r->watch.is_offered = (m->record.offers & CARRY_PROC) != 0;
	if (!r->out.started) {
		run_event(r, EVENT_NOT_STARTED);
		return;
	}
	run_event(r, EVENT_STARTED);
	if (run_missing_walls(r) != 0 && !r->plan->allow_partial) {
		char what[128];
		int w = __builtin_ctzll(run_missing_walls(r));

		(void)snprintf(what, sizeof what,
			       "%s was asked for and is not in force, but the "
			       "command was started",
			       wall_name((enum wall)w));
		run_break(r, CUPEL_CAUSE_BUG, 0, what);
	}
}

/* The watchdog's first look is due and its descriptors are still init's.  An
 * init that does not hand them over in time leaves memory unwatched: that ends
 * the run. */
void run_ask_carry(struct run *r)
{
	int e = r->has_asked ? -ETIMEDOUT
			     : control_ask_carry(r->child.control_fd);

	/* EPIPE: init has just ended, and its record is on its way.  One that
	 * lives on without its end of the socket runs into the time. */
	if (e < 0 && e != -EPIPE) {
		run_break(r, CUPEL_CAUSE_BUG, -e,
			  "init did not hand over the vessel's /proc");
		return;
	}
	r->has_asked = true;
	r->watch.next_ns = clock_after_ms(clock_now_ns(), CARRY_MS);
}

static void take_carried(struct run *r, struct control_message *m)
{
	if (!r->has_asked || r->proc_fd >= 0 || m->proc_fd < 0)
		return;
	r->watch.proc_fd = r->proc_fd = take_fd(&m->proc_fd);
	r->watch.shm_fd = r->shm_fd = take_fd(&m->shm_fd);
	if (r->out.tmpfs_fd < 0)
		r->out.tmpfs_fd = take_fd(&m->tmpfs_fd);
	r->watch.tmpfs_fd = r->out.tmpfs_fd;
	r->watch.sockets.fd = r->sockets_fd = take_fd(&m->sockets_fd);
	if (r->phase == PHASE_RUNNING)
		r->watch.next_ns = clock_now_ns();
}

/* What is in the pipes now was written before the command was reaped: a
 * stream that passed its cap did so in time to count. */
static void settle_output(struct run *r)
{
	unsigned output =
		(1U << KILL_OUTPUT_STDOUT) | (1U << KILL_OUTPUT_STDERR);

	run_read_streams(r, READS_AT_END, true);
	if (r->phase == PHASE_RUNNING && r->out.killed == KILL_NONE &&
	    (r->fired & output) != 0)
		r->out.killed =
			(enum kill_cause)__builtin_ctz(r->fired & output);
}

static void note_forbidden(struct run *r, const struct forbidden *f)
{
	struct violation *v = &r->out.violation;

	if (f->kind == FORBIDDEN_NONE || r->out.forbidden != FORBIDDEN_NONE)
		return;
	r->out.forbidden = f->kind;
	if (f->kind != FORBIDDEN_SEEN)
		return;
	*v = (struct violation){
		.any = true, .number = f->number, .arch = f->arch, .pid = f->pid
	};
	memcpy(v->args, f->args, sizeof v->args);
	memcpy(v->comm, f->comm, sizeof v->comm);
}

static void take_forbidden(struct run *r, const struct forbidden *f)
{
	if (r->has_exited)
		return;
	note_forbidden(r, f);
	r->fired |= 1U << KILL_FORBIDDEN_SYSCALL;
}

/* Nobody knows when a call was made that init learned of only at the command's
 * end.  It counts as simultaneous with any other reason for which we killed,
 * and wins. */
static void settle_forbidden(struct run *r, const struct forbidden *f)
{
	bool is_late = r->out.forbidden == FORBIDDEN_NONE;

	note_forbidden(r, f);
	if (f->kind == FORBIDDEN_NONE || !r->out.started)
		return;
	if (r->out.killed == KILL_NONE ||
	    (is_late && f->kind != FORBIDDEN_SEEN))
		r->out.killed = KILL_FORBIDDEN_SYSCALL;
}

static void take_exited(struct run *r, const struct record *rec)
{
	struct outcome *o = &r->out;
	uint64_t tree = rec->tree_user_us + rec->tree_system_us;

	if (r->has_exited)
		return;
	r->has_exited = true;
	r->ended_ns = clock_now_ns();
	if (o->started) {
		o->has_status = true;
		o->wait_status = rec->wait_status;
	}
	o->cpu_user_us = rec->cpu_user_us;
	o->cpu_system_us = rec->cpu_system_us;
	o->cpu_soft_s = rec->cpu_soft_s;
	if (tree > o->tree_cpu_us)
		o->tree_cpu_us = tree;
	o->max_rss_kib = rec->max_rss_kib;
	o->processes = rec->processes;
	o->processes_killed = rec->processes_killed;
	o->tasks = rec->tasks;
	if (o->started)
		met_note_end(o, &r->watch.met, r->watch.own,
			     met_full(rec->tmpfs_blocks, rec->tmpfs_free_blocks,
				      rec->tmpfs_files, rec->tmpfs_free_files));
	settle_forbidden(r, &rec->forbidden);
	settle_output(r);
	cgroup_settle(r);
	run_event(r, EVENT_EXITED);
}

void run_take_record(struct run *r, struct control_message *m)
{
	bool is_first = r->out.exec_errno == 0 && !r->out.started;

	switch (m->record.kind) {
	case RECORD_STARTED:
		if (is_first)
			take_started(r, m);
		else
			run_event(r, EVENT_STARTED);
		break;
	case RECORD_FAILED:
		if (r->out.error.stage == CUPEL_STAGE_NONE && is_first) {
			r->out.error = m->record.error;
			r->out.started = m->record.had_started != 0;
		}
		run_event(r, EVENT_SETUP_FAILED);
		break;
	case RECORD_CARRIED:
		take_carried(r, m);
		break;
	case RECORD_NETWORK:
		egress_take_sockets(r, m);
		break;
	case RECORD_TRACER:
		trace_take_socket(r, m);
		break;
	case RECORD_FORBIDDEN:
		take_forbidden(r, &m->record.forbidden);
		break;
	default:
		take_exited(r, &m->record);
		break;
	}
	cleanup_fd(&m->proc_fd);
	cleanup_fd(&m->tmpfs_fd);
	cleanup_fd(&m->shm_fd);
	cleanup_fd(&m->terminal_fd);
	cleanup_fd(&m->sockets_fd);
	for (size_t i = 0; i < m->sockets_len; i++)
		cleanup_fd(&m->sockets[i]);
}

/* --- the end ------------------------------------------------------------ */

/* Why a vessel ended before its command ran, when no record told the reason. */
static void explain_silence(struct run *r)
{
	struct outcome *o = &r->out;

	if (o->started || o->exec_errno != 0 ||
	    o->error.stage != CUPEL_STAGE_NONE || o->killed == KILL_CANCEL)
		return;
	if (o->killed == KILL_MEMORY)
		(void)cupel_fail(&o->error, CUPEL_STAGE_SUPERVISE,
				 CUPEL_CAUSE_CALLER, ENOMEM,
				 "the vessel itself does not fit into %llu "
				 "bytes of memory (--mem-bytes)",
				 (unsigned long long)r->plan->watch.mem_bytes);
	else if (o->killed == KILL_WALL)
		(void)cupel_fail(&o->error, CUPEL_STAGE_SUPERVISE,
				 CUPEL_CAUSE_BUSY, ETIMEDOUT,
				 "the vessel was not ready within its wall "
				 "time of %llu ms",
				 (unsigned long long)r->plan->watch.wall_ms);
	else if (r->hooks.holder != NULL) /* of another's child: no status */
		(void)cupel_fail_lit(&o->error, CUPEL_STAGE_SUPERVISE,
				     CUPEL_CAUSE_HOST, 0,
				     "the process that keeps the files of the "
				     "phases, or the init of this phase, ended "
				     "before the command started");
	else
		(void)cupel_fail(
			&o->error, CUPEL_STAGE_SUPERVISE, CUPEL_CAUSE_BUG, 0,
			"init ended before the command started and gave no "
			"reason (%s %d)",
			r->init_status < 0 ? "signal" : "exit status",
			r->init_status < 0 ? -r->init_status : r->init_status);
}

static void finish(struct run *r)
{
	struct outcome *o = &r->out;

	asked_end(r);
	feed_done(&r->feed);
	asked_done(r);
	run_close_fd(r, &r->child.control_fd);
	run_close_fd(r, &r->child.stdout_fd);
	run_close_fd(r, &r->child.stderr_fd);
	run_close_fd(r, &r->child.result_fd);
	egress_done(r);
	trace_done(r);
	cleanup_fd(&r->proc_fd);
	cleanup_fd(&r->shm_fd);
	cleanup_fd(&r->sockets_fd);
	if (r->ended_ns == 0)
		r->ended_ns = clock_now_ns();
	o->duration_ms = (r->ended_ns - r->begun_ns) / NS_PER_MS;
	cgroup_note(r);
	run_note_helpers(r);
	o->memory_interval_ms = r->watch.floor_ns / NS_PER_MS;
	o->memory_overshoot_bytes = watch_overshoot(&r->watch);
	explain_silence(r);
}

static void be_patient(struct run *r, uint64_t ms)
{
	r->patience_ns = clock_after_ms(clock_now_ns(), ms);
}

/* The reason for which we killed stays the run's status, even when the kernel
 * then takes long to end the vessel. */
static void give_up(struct run *r)
{
	launch_kill(&r->child);
	if (r->out.killed == KILL_NONE &&
	    r->out.error.stage == CUPEL_STAGE_NONE)
		(void)cupel_fail(&r->out.error, CUPEL_STAGE_SUPERVISE,
				 CUPEL_CAUSE_HOST, ETIMEDOUT,
				 "a process of the vessel was still there %d s "
				 "after SIGKILL",
				 RUN_GONE_MS / 1000);
}

static void act(struct run *r, enum action what)
{
	switch (what) {
	case DO_NOTHING:
		break;
	case DO_WATCH:
		watch_start(&r->watch, clock_now_ns());
		break;
	case DO_FORWARD:
		if (!r->is_asked) /* it would be taken for the go */
			(void)control_send_signal(r->child.control_fd,
						  r->out.cancel_signal);
		be_patient(r, r->plan->watch.kill_after_ms);
		break;
	case DO_ASK:
		be_patient(r, control_send_signal(r->child.control_fd,
						  SIGKILL) == 0
				      ? ASK_MS
				      : 0);
		break;
	case DO_BLAME:
		if (r->out.error.stage == CUPEL_STAGE_NONE)
			(void)cupel_fail(&r->out.error, CUPEL_STAGE_SUPERVISE,
					 CUPEL_CAUSE_BUG, EPROTO,
					 "init sent a record out of turn");
		/* fall through */
	case DO_KILL:
		launch_end(&r->child);
		be_patient(r, RUN_GONE_MS);
		break;
	case DO_DRAIN:
		launch_end(&r->child);
		be_patient(r, DRAIN_MS);
		run_read_streams(r, READS_AT_END, true);
		break;
	case DO_REAP:
		if (r->ended_ns == 0)
			r->ended_ns = clock_now_ns();
		run_reap_init(r);
		if (!r->has_exited)
			cgroup_settle(r);
		be_patient(r, DRAIN_MS);
		run_read_streams(r, READS_AT_END, true);
		break;
	case DO_GIVE_UP:
		give_up(r);
		/* fall through */
	case DO_FINISH:
	case ACTION_MAX_:
		finish(r);
		break;
	}
}

void run_event(struct run *r, enum event what)
{
	struct step s = phase_step(r->phase, what);
	bool begins = r->phase == PHASE_STARTING && s.next != PHASE_STARTING;

	if (s.next != r->phase)
		r->patience_ns = RUN_NEVER;
	r->phase = s.next;
	if (begins)
		run_watch_streams(r);
	if (r->phase == PHASE_DRAINING) {
		egress_end(r);
		trace_end(r);
	}
	act(r, s.action);
}

void run_raise(struct run *r, enum event what, enum kill_cause cause)
{
	enum action action = phase_step(r->phase, what).action;

	if ((action == DO_ASK || action == DO_KILL) &&
	    r->out.killed == KILL_NONE)
		r->out.killed = cause;
	run_event(r, what);
}
