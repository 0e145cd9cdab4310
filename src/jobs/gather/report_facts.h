/* report_facts.h -- the page of facts; private to the report. */
#ifndef CUPEL_JOBS_GATHER_REPORT_FACTS_H
#define CUPEL_JOBS_GATHER_REPORT_FACTS_H

struct buf;
struct gather_run;

/* facts_write -- what the repository is: the sections that the built-in probes
 * found something for.  A member that is missing, or of a type that its schema
 * does not have, is passed over. */
void facts_write(const struct gather_run *run, struct buf *out);

#endif
