/* cgroup.h -- reads the run's cgroup.
 *
 * Source: Linux Documentation/admin-guide/cgroup-v2.rst.  The files are the
 * kernel's.  A value that cannot be read as expected counts as absent.
 * */
#ifndef CUPEL_SUPERVISE_CGROUP_H
#define CUPEL_SUPERVISE_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

struct cgroup;
struct run;

/* cgroup_find_value -- the number behind "key " at the start of a line, as in
 * cpu.stat and memory.events.  Pure.
 * Returns 0, or -EINVAL: no such line, no number, or one over 64 bits. */
int cgroup_find_value(const char *text, const char *key, uint64_t *ret);

/* cgroup_read_cpu -- microseconds that the whole tree has used.
 * Returns 0 or -errno. */
int cgroup_read_cpu(int dir_fd, uint64_t *ret_us);

/* cgroup_has_oom -- whether the kernel killed a process in it for memory. */
bool cgroup_has_oom(const struct cgroup *c);

/* cgroup_settle -- when the command or the vessel has ended: if the kernel
 * killed for memory, that is the reason, unless we killed before. */
void cgroup_settle(struct run *r);

/* cgroup_note -- write peak, CPU time and kills for memory into the outcome. */
void cgroup_note(struct run *r);

#endif
