/* drop_edit.h -- changes of a plan, one for each wall that is taken down by
 * one.
 *
 * All return 0 or -errno.  They fail only for lack of memory, except those that
 * look at the host for a source.
 */
#ifndef CUPEL_TESTS_HOOKS_DROP_EDIT_H
#define CUPEL_TESTS_HOOKS_DROP_EDIT_H

struct plan;

int drop_host_tree(struct plan *p);    /* bind the host's / at /host */
int drop_devices(struct plan *p);      /* the host's /dev in place of ours */
int drop_upper_hidden(struct plan *p); /* show the upper layer at /upper */
int drop_root_readonly(struct plan *p);
int drop_repo_readonly(struct plan *p);
int drop_proc_readonly(struct plan *p);
int drop_mount_flags(struct plan *p); /* no nosuid, no nodev */
int drop_covers(struct plan *p);
int drop_subset_pid(struct plan *p);
int drop_proc_private(struct plan *p); /* the last three */
int drop_cross(struct plan *p);        /* a stacked filter that allows all */
int drop_lesser(struct plan *p);       /* the same */
int drop_violation_report(struct plan *p); /* kill in place of notify */
int drop_host_uid(struct plan *p);         /* uid 0 */
int drop_own_uid(struct plan *p);          /* nobody's, 65534 */
int drop_env(struct plan *p); /* the caller's own environment as well */
int drop_memory_total(struct plan *p);
int drop_pids(struct plan *p);
int drop_cpu_max(struct plan *p);
int drop_cgroup(struct plan *p);
int drop_cpu_tree(struct plan *p);
int drop_wall_time(struct plan *p);
int drop_output(struct plan *p); /* both streams share one cap */

#endif
