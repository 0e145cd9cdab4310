/* protocol.h -- what the supervisor, the vessel and the tracer say to each other.
 *
 * The tracer has one SOCK_SEQPACKET socket to the supervisor, as descriptor
 * TRACER_CONTROL_FD, and gets one to the vessel.  The order of a run:
 *
 *   supervisor                        tracer                 vessel
 *                                     confines itself
 *   struct tracer_config, with   -->
 *   the tracer's end of the      <--  TRACER_SAYS_READY, or
 *   vessel's socket                   TRACER_SAYS_FAILED
 *                                                       <--  TRACER_ASK: the
 *                                     seizes its sender      command's process,
 *                                     tracer_answer     -->  before its exec
 *                                <--  TRACER_SAYS_EXEC, TRACER_SAYS_CONNECT
 *                                <--  TRACER_SAYS_END, when all that it traced
 *                                     is dead; then it ends
 *
 * The supervisor's end is the lifeline: at its end of file the tracer ends, and
 * with it, by the kernel, all that it traces.
 *
 * The vessel's socket has SO_PASSCRED on the tracer's end before it is handed
 * out: the kernel says who asks, and not the message.
 *
 * Both sides are built together, so the structs go as they are.  What is in a
 * record's texts was chosen by the command.
 */
#ifndef CUPEL_TRACER_PROTOCOL_H
#define CUPEL_TRACER_PROTOCOL_H

#include <stdint.h>

#define TRACER_CONTROL_FD 3

/* The vessel's message.  Its content does not matter. */
#define TRACER_ASK 't'

/* What the filter stopped (stops.h).  SECCOMP_RET_DATA also has it, but only
 * for people who read the filter; nothing depends on it. */
enum tracer_call {
	TRACER_NONE,     /* nothing: another filter answered as ours does */
	TRACER_EXEC = 1, /* execve */
	TRACER_EXEC_AT,  /* execveat */
	TRACER_CONNECT,  /* connect */
	TRACER_SHARE,    /* clone of a process that shares its descriptors */
	TRACER_PTRACE,   /* ptrace: nobody else may answer these stops */
};

#define TRACER_EVENTS_MAX 4096 /* told; more are counted */
#define TRACER_WORDS      16   /* of argv */
#define TRACER_WORD_BYTES 256  /* of a word, without its NUL */
#define TRACER_PATH_BYTES 4096 /* of a path or of an interpreter's */

enum tracer_traced {
	TRACER_EXECS = 1,
	TRACER_CONNECTS = 2,
};

struct tracer_config {
	uint32_t traced; /* enum tracer_traced */
	/* Landlock refuses TCP connections of the command.  It would not see
	 * those that the tracer makes, so the tracer answers as Landlock
	 * would. */
	uint32_t refuses_tcp;
};

struct tracer_answer {
	int32_t error; /* 0: seized; else the errno of the refusal */
};

enum trace_record_kind {
	TRACER_SAYS_READY = 1,
	TRACER_SAYS_FAILED, /* result: an errno; path: what the tracer lacks */
	TRACER_SAYS_EXEC,
	TRACER_SAYS_CONNECT,
	TRACER_SAYS_END, /* struct trace_end */
	TRACE_RECORD_MAX_
};

enum trace_flag {
	TRACE_VERIFIED = 1, /* the kernel's own state was read */
	TRACE_SEALED = 2,   /* no name leads to what was executed */
	TRACE_CUT = 4,      /* argv is not whole: too long, or not read */
	TRACE_NAMED = 8,    /* a script: path is as the caller named it */
	TRACE_HASHED = 16,  /* argv is cut, and argv_hash is of all of it */
};

/* It is followed by path, interpreter and argv, which have this many bytes;
 * each word of argv ends with a NUL. */
struct trace_record {
	uint16_t kind, flags;
	uint16_t path_len, interpreter_len, argv_len;
	uint16_t family, type,
		port;      /* TRACER_SAYS_CONNECT; port as people write it */
	int32_t pid, ppid; /* inside; 0 = not known */
	int32_t result;    /* 0 or an errno */
	uint32_t repeats;  /* failed tries of the same, folded */
	uint64_t t_ns;     /* CLOCK_MONOTONIC */
	uint64_t dev, ino; /* TRACER_SAYS_EXEC, verified: of the file */
	uint8_t address[16];
	uint8_t argv_hash[32]; /* BLAKE3 of all words, each with its NUL */
};

struct trace_end {
	uint16_t kind, unused;
	uint32_t omitted; /* events over the caps */
	/* Calls that the kernel hid from the tracer, or that may have used
	 * another descriptor than the one it looked at. */
	uint32_t refused;
	uint32_t foreign_abi; /* processes killed for a call of another ABI */
	uint32_t lost; /* calls whose arguments could not be read at all */
};

#define TRACE_RECORD_BYTES                                                     \
	(sizeof(struct trace_record) + 2 * TRACER_PATH_BYTES +                 \
	 TRACER_WORDS * (TRACER_WORD_BYTES + 1))

#endif
