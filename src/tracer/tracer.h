/* tracer.h -- cupel-tracer: records what a vessel executes and connects to.
 *
 * Room: tracer.  A static program of its own, outside the vessel, run as the
 * caller's user.  It is a process of its own because tracing belongs to one
 * thread, and that thread must wait.
 *
 * Must:     resume whatever it stopped, soon; tell what it saw or count it
 *           confine itself before it looks at a process of the vessel
 * Must not: wait for what is inside; let an internet connect(2) go on by itself
 *           open a file for writing; make a socket
 * */
#ifndef CUPEL_TRACER_TRACER_H
#define CUPEL_TRACER_TRACER_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/blake3.h"
#include "tracer/protocol.h"

/* As many as a run may have threads.  Only a thread in the middle of a traced
 * call has a task. */
#define TASKS_MAX   4096
#define CLAIM_BYTES 512 /* of a path that a caller claimed */

/* A connect(2) that the kernel carries out itself.  It looks the descriptor up
 * once more, and another thread may have put another file there. */
struct claim {
	int socket_fd; /* -1: there is none; ours by a copy */
	uint64_t ino;  /* of that socket: no two living sockets have the same */
	bool is_shared;    /* another process shares its descriptors */
	bool is_contested; /* another call was under way on that socket */
	bool was_connected;
};

/* What is remembered of a stopped call until it is over. */
struct task {
	pid_t tid;
	enum tracer_call call; /* 0: none is under way */
	bool has_failed;       /* a failed exec is still to be reported */
	char claim[CLAIM_BYTES];
	struct trace_record record; /* of the failed exec, or of the call */
	socklen_t address_len;      /* of a connect(2), in claim */
	/* A connect(2) that is held: our copy of the caller's socket. */
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
	char *bytes; /* QUEUE_BYTES; each record follows a size_t, its length */
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
	size_t held; /* tasks with a connect(2) that is held */
	struct task tasks[TASKS_MAX];
	struct pollfd polled[TASKS_MAX + 3];
};

/* tracer_wall_raise -- take all capabilities and new privileges away, and all
 * system calls that this program does not need.  Returns 0 or -errno. */
int tracer_wall_raise(void);

/* --- tracer_task.c ----------------------------------------------------------- */

/* task_find -- NULL when there is none. */
struct task *task_find(struct tracer *t, pid_t tid);

/* task_add -- a new task for a thread that has none.  Without room it returns
 * NULL and counts that. */
struct task *task_add(struct tracer *t, pid_t tid);

/* task_end -- forget it: report what is still unreported and close what it
 * holds.  NULL is fine. */
void task_end(struct tracer *t, struct task *task);

/* --- tracer_queue.c ---------------------------------------------------------- */

struct text {
	const char *bytes;
	size_t len;
};

/* queue_open -- map its memory.  Returns 0 or -errno. */
int queue_open(struct queue *q);

/* record_put -- queue an event, or only count it when there is no room.  Fills
 * in its lengths. */
void record_put(struct tracer *t, struct trace_record *r, struct text path,
		struct text interpreter, struct text argv);

/* queue_put -- queue a record of n bytes.  Returns false without room. */
bool queue_put(struct queue *q, const void *bytes, size_t n);

/* queue_send -- send what the socket takes now.  Returns 0, or -EPIPE when the
 * supervisor is gone. */
int queue_send(struct queue *q);

static inline bool queue_is_empty(const struct queue *q)
{
	return q->from == q->to;
}

/* is_full -- whether events are only counted, so that nothing has to be read
 * for them. */
static inline bool is_full(const struct tracer *t)
{
	return t->told >= TRACER_EVENTS_MAX;
}

/* --- tracer_look.c: a stopped thread ------------------------------------------ */

#define PROC_PATH_BYTES 64

/* memory_read -- read at most n bytes at address, up to the first that cannot
 * be read.  Returns how many, or -errno. */
ssize_t memory_read(pid_t tid, uint64_t address, void *ret, size_t n);

/* text_read -- read a string of at most n - 1 bytes and its NUL.  Returns its
 * length or -errno. */
ssize_t text_read(pid_t tid, uint64_t address, char *ret, size_t n);

/* link_read -- read the link /proc/TID/NAME, with a NUL.  Returns its length or
 * -errno. */
ssize_t link_read(const struct tracer *t, pid_t tid, const char *name,
		  char *ret, size_t n);

/* name_find -- the address of the file name by which a program that has just
 * begun was executed.  0: unknown. */
uint64_t name_find(const struct tracer *t, pid_t pid);

/* argv_hash -- the BLAKE3 of all words of a program that has just begun, each
 * with its NUL.  Returns false if they cannot be read. */
#define ARGV_BYTES_MAX (8U << 20)
bool argv_hash(const struct tracer *t, pid_t pid, uint8_t ret[BLAKE3_BYTES]);

/* pids_read -- fill in the record's pid and ppid, as they are inside. */
void pids_read(struct tracer *t, pid_t tid, struct trace_record *record);

/* pid_find -- find only the pid, for a thread that connects again and again. */
int32_t pid_find(struct tracer *t, pid_t tid);

/* pid_end -- note that the number may mean another thread from now on. */
void pid_end(struct tracer *t, pid_t tid);

/* is_interrupted -- whether a signal is pending that would wake its thread. */
bool is_interrupted(const struct tracer *t, pid_t tid);

/* is_ignored -- whether the signal does nothing to that process. */
bool is_ignored(const struct tracer *t, pid_t tid, int signal);

/* is_alone -- whether it is the only thread of its process. */
bool is_alone(const struct tracer *t, pid_t tid);

/* socket_take -- make a copy of its descriptor fd.  -EBADF when it has no such
 * descriptor; other errors are the tracer's own. */
int socket_take(const struct tracer *t, pid_t tid, int fd);

uint64_t now_ns(void);

/* --- tracer_wait.c: a socket of the vessel's ------------------------------------- */

/* bell_open -- prepare for the other two.  Returns 0 or -errno. */
int bell_open(void);

/* socket_connect -- connect(2), which does not wait, whatever the vessel does to
 * the socket meanwhile.  Returns 0 or -errno; -EINPROGRESS if it would wait. */
int socket_connect(int fd, const void *address, socklen_t len);

/* socket_close -- close it.  It may be the last copy of a socket that lingers. */
void socket_close(int fd);

/* --- tracer_regs.c: what differs by machine ------------------------------------ */

struct call {
	uint64_t args[6];
	enum tracer_call what;
};

/* call_read -- read the call at PTRACE_EVENT_SECCOMP.  Returns 0 or -errno. */
int call_read(const struct tracer *t, pid_t tid, struct call *ret);

/* call_skip -- skip the call; the thread sees result (negative: errno).
 * Returns 0 or -errno. */
int call_skip(pid_t tid, long result);

/* call_result -- set the result at the stop after a call.  Returns 0 or
 * -errno. */
int call_result(pid_t tid, long *ret);

/* call_restart -- at the stop after a skipped connect(2): let a signal
 * interrupt or restart it, as if it had waited in the kernel. */
void call_restart(pid_t tid, bool is_timed);

/* call_resume -- at a stop for a signal without effect: restart a call that the
 * signal ended with EINTR, as it would go on without us.  Does nothing on
 * machines where the kernel has decided that already. */
void call_resume(const struct tracer *t, pid_t tid, int signal);

/* stack_read -- the address where its stack begins.  0: unknown. */
uint64_t stack_read(pid_t tid);

/* --- events -------------------------------------------------------------------- */

/* exec_begin -- at the stop before an exec.  Returns whether the stop after it
 * is wanted. */
bool exec_begin(struct tracer *t, pid_t tid, const struct call *call);

/* exec_end -- handle the stop after an exec that failed. */
void exec_end(struct tracer *t, struct task *task, long result);

/* exec_note -- report an exec that succeeded, at PTRACE_EVENT_EXEC. */
void exec_note(struct tracer *t, pid_t pid);

enum resume {
	RESUME_RUN,  /* PTRACE_CONT */
	RESUME_CALL, /* PTRACE_SYSCALL: the stop after the call is wanted */
	RESUME_HELD, /* not now */
};

/* connect_begin -- at the stop before connect(2).  For an internet socket the
 * tracer makes the call itself. */
enum resume connect_begin(struct tracer *t, pid_t tid, const struct call *call);

/* connect_end -- at the stop after a connect(2) that the kernel carried out
 * itself. */
void connect_end(struct tracer *t, struct task *task, long result);

/* connect_tell -- report the call of a task, which ends with that. */
void connect_tell(struct tracer *t, struct task *task, long result);

/* held_step -- go on with a held connect(2). is_ready: its socket is ready. */
void held_step(struct tracer *t, struct task *task, bool is_ready);

/* --- tracer_claim.c: connects that go on by themselves ---------------------------- */

/* claim_begin -- at the stop before such a call of task.  Takes *socket_fd, a
 * copy of the caller's socket. */
void claim_begin(struct tracer *t, struct task *task, int *socket_fd);

/* claim_end -- the call ended with result (negative: errno).  Count it when it
 * may have been made on another socket. */
void claim_end(struct tracer *t, struct task *task, long result);

#endif
