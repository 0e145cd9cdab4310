/* tracer.h -- cupel-tracer: what a vessel executes and connects to.
 *
 * Room: tracer.  A static program of its own, outside of the vessel, the caller's
 * user: a process that traces belongs to one thread, and waits.
 *
 * Must:     resume whatever it stopped, soon; tell what it saw or count it
 *           confine itself before it looks at a process of the vessel
 * Must not: wait for what is inside; let an internet connect(2) go on by itself
 *           open a file for writing; make a socket
 */
#ifndef CUPEL_TRACER_TRACER_H
#define CUPEL_TRACER_TRACER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "tracer/protocol.h"

/* As many threads as a run may have.  Only those that are in the middle of
 * something have a task. */
#define TASKS_MAX   4096
#define CLAIM_BYTES 512 /* of a path that a caller claimed */

/* A connect(2) that goes on by itself: the kernel looks its descriptor up once
 * more, and another thread may have put another file there. */
struct claim {
	int socket_fd;     /* -1: there is none; ours by a copy */
	uint64_t ino;      /* of that socket: no two that live have the same */
	bool is_shared;    /* others have the same descriptors */
	bool is_contested; /* another call was under way on that socket */
	bool was_connected;
};

/* What is remembered of a stopped call until it is over. */
struct task {
	pid_t tid;
	enum tracer_call call; /* 0: none is under way */
	bool has_failed;       /* a failed exec waits to be told */
	char claim[CLAIM_BYTES];
	struct trace_record record; /* of has_failed, or of the call */
	socklen_t address_len;      /* of a connect(2), in claim */
	/* A connect(2) that is held: the caller's socket, ours by a copy. */
	int socket_fd; /* -1 = none is held */
	int flags;     /* what the file's were */
	bool is_timed; /* SO_SNDTIMEO is set */
	bool is_interrupted;
	uint64_t deadline_ns; /* UINT64_MAX = none */
	struct claim claim_of;
};

/* Records that are not sent yet: the tracer never waits for the supervisor. */
#define QUEUE_BYTES ((size_t)8 << 20)
struct queue {
	char *bytes; /* QUEUE_BYTES: each record behind its size_t */
	size_t from, to;
};

/* Threads that have connected, by the last digits of their numbers. */
#define KNOWN_MAX 256
struct known {
	pid_t tid;   /* 0: none */
	int32_t pid; /* inside */
};

struct tracer {
	struct tracer_config config;
	int vessel_fd, proc_fd, signal_fd;
	pid_t own_pid;
	bool has_seized;
	bool has_shared; /* processes that share descriptors were made */
	uint32_t told;
	struct trace_end end;
	struct queue queue;
	struct known known[KNOWN_MAX];
	size_t tasks_len;
	struct task tasks[TASKS_MAX];
	struct pollfd polled[TASKS_MAX + 3];
};

/* tracer_wall_raise -- no capability, no new privilege, the system calls of this
 * program alone.  Returns 0 or -errno. */
int tracer_wall_raise(void);

/* --- tracer_task.c ----------------------------------------------------------- */

/* task_find -- NULL when there is none. */
struct task *task_find(struct tracer *t, pid_t tid);

/* task_add -- it must have none yet.  NULL, and a count, when there is no room. */
struct task *task_add(struct tracer *t, pid_t tid);

/* task_end -- forget it: what it still had to tell is told, what it holds is
 * given back.  NULL is fine. */
void task_end(struct tracer *t, struct task *task);

/* --- tracer_queue.c ---------------------------------------------------------- */

struct text {
	const char *bytes;
	size_t len;
};

/* queue_open -- its memory.  Returns 0 or -errno. */
int queue_open(struct queue *q);

/* record_put -- an event, or one more that is only counted.  Its lengths are
 * filled in here. */
void record_put(struct tracer *t, struct trace_record *r, struct text path,
		struct text interpreter, struct text argv);

/* queue_put -- a record of n bytes.  Returns false without room. */
bool queue_put(struct queue *q, const void *bytes, size_t n);

/* queue_send -- what the socket takes now.  Returns 0, or -EPIPE when nobody is
 * there any more. */
int queue_send(struct queue *q);

static inline bool queue_is_empty(const struct queue *q)
{
	return q->from == q->to;
}

/* is_full -- whether events are only counted by now: then nothing need be
 * looked at for them. */
static inline bool is_full(const struct tracer *t)
{
	return t->told >= TRACER_EVENTS_MAX;
}

/* --- tracer_look.c: a stopped thread ------------------------------------------ */

#define PROC_PATH_BYTES 64

/* memory_read -- at most n bytes at address, up to the first that cannot be
 * read.  Returns how many, or -errno. */
ssize_t memory_read(pid_t tid, uint64_t address, void *ret, size_t n);

/* text_read -- a string of at most n - 1 bytes and its NUL.  Returns its length
 * or -errno. */
ssize_t text_read(pid_t tid, uint64_t address, char *ret, size_t n);

/* link_read -- /proc/TID/NAME, with its NUL.  Returns its length or -errno. */
ssize_t link_read(const struct tracer *t, pid_t tid, const char *name,
		  char *ret, size_t n);

/* name_find -- where the name is, in a program that has just begun, by which it
 * was executed.  0: not to be had. */
uint64_t name_find(const struct tracer *t, pid_t pid);

/* pids_read -- record's pid and ppid, as they are inside. */
void pids_read(struct tracer *t, pid_t tid, struct trace_record *record);

/* pid_find -- the pid alone, of a thread that connects again and again. */
int32_t pid_find(struct tracer *t, pid_t tid);

/* pid_end -- that number may mean another thread from now on. */
void pid_end(struct tracer *t, pid_t tid);

/* is_interrupted -- whether a signal waits that its thread would wake for. */
bool is_interrupted(const struct tracer *t, pid_t tid);

/* is_ignored -- whether the signal does nothing to that process. */
bool is_ignored(const struct tracer *t, pid_t tid, int signal);

/* is_alone -- whether its process has no other thread. */
bool is_alone(const struct tracer *t, pid_t tid);

/* socket_take -- a copy of its descriptor fd.  -EBADF: it has none; other errors
 * are ours. */
int socket_take(const struct tracer *t, pid_t tid, int fd);

uint64_t now_ns(void);

/* --- tracer_regs.c: what differs by machine ------------------------------------ */

struct call {
	uint64_t args[6];
	enum tracer_call what;
};

/* call_read -- at PTRACE_EVENT_SECCOMP.  Returns 0 or -errno. */
int call_read(const struct tracer *t, pid_t tid, struct call *ret);

/* call_skip -- the call is not made; the thread sees result (negative: errno).
 * Returns 0 or -errno. */
int call_skip(pid_t tid, long result);

/* call_result -- at the stop behind a call.  Returns 0 or -errno. */
int call_result(pid_t tid, long *ret);

/* call_restart -- at the stop behind a skipped connect(2): what a signal makes
 * of it, as if it had waited in the kernel. */
void call_restart(pid_t tid, bool is_timed);

/* call_resume -- at a stop for a signal that does nothing: a call that it ended
 * with EINTR goes on, as it would without us.  Does nothing on machines whose
 * kernel has decided that already. */
void call_resume(const struct tracer *t, pid_t tid, int signal);

/* stack_read -- where its stack begins.  0: not to be had. */
uint64_t stack_read(pid_t tid);

/* --- events -------------------------------------------------------------------- */

/* exec_begin -- at the stop before an exec.  Returns whether the stop behind it
 * is wanted. */
bool exec_begin(struct tracer *t, pid_t tid, const struct call *call);

/* exec_end -- at the stop behind one that failed. */
void exec_end(struct tracer *t, struct task *task, long result);

/* exec_note -- PTRACE_EVENT_EXEC: one that was done. */
void exec_note(struct tracer *t, pid_t pid);

enum resume {
	RESUME_RUN,  /* PTRACE_CONT */
	RESUME_CALL, /* PTRACE_SYSCALL: the stop behind the call is wanted */
	RESUME_HELD, /* not now */
};

/* connect_begin -- at the stop before connect(2): done here for a socket of the
 * internet. */
enum resume connect_begin(struct tracer *t, pid_t tid, const struct call *call);

/* connect_end -- at the stop behind one that went on by itself. */
void connect_end(struct tracer *t, struct task *task, long result);

/* connect_tell -- the call of a task, which is over then. */
void connect_tell(struct tracer *t, struct task *task, long result);

/* held_step -- look after a held connect(2).  is_ready: its socket is. */
void held_step(struct tracer *t, struct task *task, bool is_ready);

/* --- tracer_claim.c: connects that go on by themselves ---------------------------- */

/* claim_begin -- at the stop before one of task, on *socket_fd, which is taken:
 * the caller's socket. */
void claim_begin(struct tracer *t, struct task *task, int *socket_fd);

/* claim_end -- it is over with result (negative: errno).  What may have been made
 * on another socket is counted. */
void claim_end(struct tracer *t, struct task *task, long result);

#endif
