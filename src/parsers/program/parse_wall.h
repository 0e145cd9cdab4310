/* parse_wall.h -- the second filter: what is left once hostile bytes are read. */
#ifndef CUPEL_PARSERS_PARSE_WALL_H
#define CUPEL_PARSERS_PARSE_WALL_H

/* wall_raise -- from here on only read, write, lseek, pread64, brk, mmap
 * without PROT_EXEC, munmap, mremap, futex, exit, exit_group and
 * clock_gettime; anything else ends the process (SECCOMP_RET_KILL_PROCESS,
 * which the kernel puts before any verdict of the launcher's filter below).
 *
 * System calls: seccomp; prctl(PR_SET_NO_NEW_PRIVS) only where nobody has set
 * it yet.  Returns 0 or -errno; the caller must not go on after a failure.
 * Source: seccomp(2). */
int wall_raise(void);

#endif
