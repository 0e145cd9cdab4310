/* report_facts.h -- the page of facts; private to the report. */
#ifndef CUPEL_JOBS_GATHER_REPORT_FACTS_H
#define CUPEL_JOBS_GATHER_REPORT_FACTS_H

struct buf;
struct gather_run;

/* facts_write -- write the sections for which the built-in probes found
 * something.  A member that is missing, or has a type that its schema does not
 * allow, is left out. */
void facts_write(const struct gather_run *run, struct buf *out);

#endif
