/* attack.h -- what the attacks share.
 *
 * All attacks are one static program, started inside as /repo/attack NAME
 * [ARG...].  An attack tries one thing and says what became of it in one line,
 * "VERDICT word detail", where word is "won" or the name of an errno.  It
 * exits 0 in either case: the table (attacks/ *.ini) says whether the word is
 * good news, and the runner checks what happened to the host.
 *
 * Must:     bound every loop, bomb and flood, so that it does not bring the
 *           machine down when its wall is down
 * Must not: depend on anything but the kernel: no file, no locale, no shell
 */
#ifndef CUPEL_ADVERSARIAL_ATTACK_H
#define CUPEL_ADVERSARIAL_ATTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attack {
	const char *name;
	void (*run)(char **args); /* NULL-terminated, args[0] is the first */
};

extern const struct attack attacks_calls[], attacks_channel[], attacks_egress[],
	attacks_files[], attacks_hello[], attacks_life[], attacks_limits[],
	attacks_memory[], attacks_net[], attacks_options[], attacks_peer[],
	attacks_proc[], attacks_queues[], attacks_see[], attacks_self[],
	attacks_tell[], attacks_trace[], attacks_tree[], attacks_vanish[];

/* say -- print the verdict and exit 0.  word is one word. */
_Noreturn void say(const char *word, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* say_errno -- "won" when ret is not negative, else the name of errno. */
_Noreturn void say_errno(long ret, const char *what);

/* errno_name -- "EPERM"; "E?" for a number without a name. */
const char *errno_name(int err);

/* arg -- args[n], or exit 2 when the table forgot it. */
const char *arg(char **args, int n);
uint64_t arg_u64(char **args, int n);

/* file_read -- at most n - 1 bytes of path, NUL-terminated.
 * Returns the count, or -1 with errno. */
long file_read(const char *path, char *buf, size_t n);

/* file_write -- open path with flags (O_WRONLY added), write text.
 * Returns 0, or -1 with errno. */
int file_write(const char *path, int flags, const char *text);

/* has_text -- whether the file holds text somewhere in its first MiB.
 * Returns 1, 0, or -1 with errno when it cannot be read. */
int has_text(const char *path, const char *text);

/* daemon_leave -- start a daemon under that name, as manuals describe it, which
 * ignores every signal, has no descriptors, and ends by itself in some seconds. */
void daemon_leave(const char *name);

/* filter_add -- add a filter that answers the call of this number with that and
 * allows all others.  Returns what seccomp(2) does, or -1 with errno. */
int filter_add(long number, uint32_t answer, unsigned flags);

/* pause_ms -- sleep; nothing wakes it early. */
void pause_ms(unsigned ms);

/* burn_ms -- use the processor for ms of this thread's CPU time. */
void burn_ms(unsigned ms);

#endif
