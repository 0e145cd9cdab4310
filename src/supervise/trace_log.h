/* trace_log.h -- what was executed and what was connected to, as the tracer
 * reported it. */
#ifndef CUPEL_SUPERVISE_TRACE_LOG_H
#define CUPEL_SUPERVISE_TRACE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define TRACE_EVENTS_MAX     4096
#define TRACE_ARGV_MAX       16   /* words */
#define TRACE_WORD_BYTES     256  /* of one word */
#define TRACE_PATH_BYTES     4096 /* PATH_MAX; a socket's name has 108 */
#define TRACE_ARGV_BYTES_MAX (TRACE_ARGV_MAX * (TRACE_WORD_BYTES + 1))
/* All texts of a log: 4096 events of 2 KiB.  An event that does not fit is
 * counted as omitted. */
#define TRACE_LOG_BYTES ((size_t)8 << 20)

enum trace_kind { TRACE_EVENT_EXEC, TRACE_EVENT_CONNECT, TRACE_EVENT_MAX_ };

/* Why an event may be missing. */
enum trace_gap {
	TRACE_GAP_LIMIT,          /* more than could be kept or examined */
	TRACE_GAP_TRACER_REFUSED, /* the kernel did not let the tracer look */
	TRACE_GAP_FOREIGN_ABI,    /* a call of another ABI, which was killed */
	TRACE_GAP_MAX_
};

struct trace_text {
	const char *bytes; /* hostile; NULL: not available */
	size_t len;
};

struct trace_event {
	enum trace_kind kind;
	/* The kernel's own state was read; false: it is only a claim. */
	bool verified;
	/* EXEC: the file was a memory file, or has no name any more. */
	bool sealed;
	/* EXEC of a script: its path as the caller gave it. */
	bool is_named;
	/* CONNECT: seen as a packet, without a known call (pid is then 0). */
	bool unattributed;
	bool argv_cut;      /* there were more words, or longer ones */
	bool has_argv_hash; /* then argv_hash is of all of them */
	uint64_t t_ms;      /* since the command was released */
	int32_t pid, ppid;  /* inside; 0 = not known */
	int32_t result;     /* 0 or the errno of the call */
	uint32_t repeats; /* EXEC: failed tries of the same that were merged */

	struct trace_text path; /* EXEC: as inside; CONNECT: of AF_UNIX */
	struct trace_text interpreter; /* EXEC of a script; else NULL */
	struct trace_text argv;        /* each word followed by a NUL */

	uint16_t family; /* CONNECT: AF_INET, AF_INET6, AF_UNIX, ... */
	uint16_t type;   /* SOCK_STREAM, SOCK_DGRAM; 0 = not known */
	uint16_t port;
	uint8_t address[16];   /* network order, the first 4 with AF_INET */
	uint8_t argv_hash[32]; /* BLAKE3 */
};

/* Zero is valid: nothing was reported. */
struct trace_log {
	bool is_on;    /* there was a tracer */
	bool is_whole; /* it said that this was all, and what was missing */
	struct trace_event *events;
	size_t len, room;
	uint64_t omitted; /* events over TRACE_EVENTS_MAX, or without room */
	uint64_t lost;    /* events that the tracer itself could not report */
	uint64_t gaps[TRACE_GAP_MAX_];
	struct arena texts;
};

/* trace_log_add -- add a copy of event, with its texts cut to their caps.  If
 * there is no room, it is counted as omitted and as a gap of
 * TRACE_GAP_LIMIT. */
void trace_log_add(struct trace_log *log, const struct trace_event *event);

/* trace_log_note_gap -- count n times that an event may be missing. */
void trace_log_note_gap(struct trace_log *log, enum trace_gap gap, uint64_t n);

void trace_log_done(struct trace_log *log);

#endif
