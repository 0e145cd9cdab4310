/* trace_filter.c -- see trace_filter.h.
 *
 * It answers by the number alone, but for sends, so the kernel's cache of calls
 * that are always allowed goes on working for all others. */
#include "plan/trace_filter.h"

#include <assert.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "tracer/protocol.h"

#ifndef MSG_FASTOPEN
#define MSG_FASTOPEN 0x20000000
#endif

/* The x32 ABI's numbers begin here; a kernel without it answers ENOSYS. */
#define X32 0x40000000

#define LOAD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(verdict) BPF_STMT(BPF_RET | BPF_K, (verdict))
#define STOP(what)      RETURN(SECCOMP_RET_TRACE | (what))

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	      "the low half of an argument comes first");

/* A send that connects says so in its flags. */
static const struct row {
	int call;
	enum tracer_call what;
	uint32_t flags_at; /* 0: every call */
} execs[] = {
	{ SYS_execve, TRACER_EXEC, 0 },
	{ SYS_execveat, TRACER_EXEC_AT, 0 },
}, always[] = {
	/* A process that we do not follow has no tracer, and gets ENOSYS from
	 * all of these; one inside would let them go on. */
	{ SYS_ptrace, TRACER_PTRACE, 0 },
}, connects[] = {
	{ SYS_connect, TRACER_CONNECT, 0 },
	{ SYS_sendto, TRACER_SENDTO, offsetof(struct seccomp_data, args[3]) },
	{ SYS_sendmsg, TRACER_SENDMSG, offsetof(struct seccomp_data, args[2]) },
	{ SYS_sendmmsg, TRACER_SENDMSG, offsetof(struct seccomp_data, args[3]) },
};

static size_t row_add(struct sock_filter *to, const struct row *row)
{
	const struct sock_filter whole[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)row->call, 0, 1),
		STOP(row->what),
	};
	const struct sock_filter flagged[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)row->call, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, row->flags_at),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MSG_FASTOPEN, 0, 1),
		STOP(row->what),
		RETURN(SECCOMP_RET_ALLOW),
	};
	const struct sock_filter *from = row->flags_at ? flagged : whole;
	size_t n = row->flags_at ? sizeof flagged / sizeof *flagged
				 : sizeof whole / sizeof *whole;

	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
	return n;
}

static size_t rows_add(struct sock_filter *to, const struct row *rows, size_t n)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		len += row_add(to + len, &rows[i]);
	return len;
}

size_t trace_filter_build(const struct trace_plan *plan, uint32_t arch,
			  struct sock_filter *ret)
{
	const struct sock_filter head[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1),
		RETURN(SECCOMP_RET_ERRNO | ENOSYS),
	};
	size_t n = 0;

	static_assert(sizeof head / sizeof *head + 2 * 3 + 5 * 3 + 1 <=
			      TRACE_FILTER_MAX,
		      "room for all of it");
	if (!plan->exec && !plan->connect)
		return 0;
	for (; n < sizeof head / sizeof *head; n++)
		ret[n] = head[n];
	n += rows_add(ret + n, always, sizeof always / sizeof *always);
	if (plan->exec)
		n += rows_add(ret + n, execs, sizeof execs / sizeof *execs);
	if (plan->connect)
		n += rows_add(ret + n, connects,
			      sizeof connects / sizeof *connects);
	ret[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	return n;
}
