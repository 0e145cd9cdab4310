/* build.h -- the parts of plan_build, each in the file that is named. */
#ifndef CUPEL_PLAN_BUILD_H
#define CUPEL_PLAN_BUILD_H

#include <stdbool.h>

#include "plan/host.h"
#include "plan/plan.h"

struct cupel_error;

/* A plan that is being built.  Failure to allocate is sticky, as in struct
 * buf. */
struct build {
	const struct spec *spec;
	const struct host *host;
	struct plan *plan;
	size_t steps_max, rules_max;
	bool no_memory;
};

/* Steps of a plan besides the host's etc entries and the views. */
#define PLAN_STEPS_OWN 96

/* build_step -- append a step; a zero wall means none.  The returned step may
 * be changed until the next call. */
struct plan_step *build_step(struct build *b, enum step_kind kind,
			     const char *target);

/* build_dirs -- make the directories above target that are not there yet, and
 * target too when itself is true.  target is absolute or relative. */
void build_dirs(struct build *b, const char *target, bool itself);

/* build_source -- append a source; returns its index. */
unsigned build_source(struct build *b, const struct host_source *s,
		      bool may_idmap);

int build_ids(struct build *b, struct cupel_error *err);         /* ids.c */
void build_root(struct build *b);                                /* steps.c */
void build_etc(struct build *b);                                 /* etc.c */
void build_views(struct build *b);                               /* views.c */
int build_cache_check(struct build *b, struct cupel_error *err); /* cache.c */
void build_cache(struct build *b);                               /* cache.c */
const char *build_cwd(struct build *b);                          /* views.c */
void build_programs(struct build *b);                            /* views.c */
void build_env(struct build *b);                                 /* env.c */
/* build_reporters_take -- remove from the environment what loads a reporter of
 * ours. */
void build_reporters_take(struct build *b); /* env.c */
void build_limits(struct build *b);         /* limits.c */
void build_landlock(struct build *b);       /* landlock.c */
void build_lesser(struct build *b);         /* lesser.c */
/* build_report -- fill in which report is read.  The plan must have its command: if
 * that is ctest, the option that makes it write the report is added. */
void build_report(struct build *b); /* report.c */
/* build_rule -- append a Landlock rule with those rights that are handled. */
void build_rule(struct build *b, const char *path, uint64_t access);
/* build_rule_source -- the same for a source, which must still be the same
 * file. */
void build_rule_source(struct build *b, const struct host_source *s,
		       uint64_t access);
uint64_t build_rights_of_file(void); /* all that apply to a file */
uint64_t build_rights_to_read(void); /* of a directory and all below */

/* What every bound tree gets. */
#define PLAN_ATTR_RO (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)

#endif
