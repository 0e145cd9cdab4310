/* vessel.h -- one run of one command, from a request to its end.  The runs of
 * cupel.h, the jobs' runs and the reader of a report are made of it.
 *
 * Room: service.  It keeps what lives between runs and what jobs share: vessels
 * that are made ahead, caches, the parser program, sealed files.  It is below
 * lib (docs/boundary.md): the calls of cupel.h use it, and so do jobs.
 *
 * Must:     turn a request into spec, plan, run, in this order
 *           report a host that cannot as the end of a run, a wrong request as
 *           an error
 *           leave the caller's process as it was
 * Must not: keep global state, install handlers, print, decide policy
 *           know what a job is about */
#ifndef CUPEL_SERVICE_VESSEL_H
#define CUPEL_SERVICE_VESSEL_H

#include <stddef.h>

#include "cupel.h"

struct trees;
struct vessel;

/* vessel_hooks_read -- read the hooks of a caller, whose struct may be shorter
 * than ours; what it lacks is as without hooks.
 *
 * @hooks	NULL is fine
 * Returns 0, or -EINVAL: they are not of a size that ever was. */
int vessel_hooks_read(const struct cupel_hooks *hooks, struct cupel_hooks *ret,
		      struct cupel_error *err);

/* vessel_start_spec -- start, and return at once.
 *
 * @spec	may be freed by the caller afterwards
 * @hooks	copied; may be NULL.  See cupel_run_start()
 * @ret		freed by the caller with vessel_free()
 * Returns 0 or -errno: the request was wrong.  If the host cannot run it, the
 * vessel has already ended. */
int vessel_start_spec(const struct cupel_spec *spec,
		      const struct cupel_hooks *hooks, struct vessel **ret,
		      struct cupel_error *err);

/* vessel_start_in -- the same, perhaps as a copy of a template.
 *
 * @trees	must outlive the vessel; used by one thread at a time; NULL is
 *		fine
 * @hooks	its stdin_fd, if any, is a regular file at its start: it is read
 *		again if a copy fails and the vessel is made from the beginning */
int vessel_start_in(const struct cupel_spec *spec,
		    const struct cupel_hooks *hooks, struct trees *trees,
		    struct vessel **ret, struct cupel_error *err);

/* vessel_fd -- readable when vessel_step() has work; -1: it has ended. */
int vessel_fd(const struct vessel *v);

/* vessel_step -- do what can be done; never blocks.  Returns 1 while it goes
 * on, 0 at the end, -errno for a failure of our own, which ends it, too. */
int vessel_step(struct vessel *v, struct cupel_error *err);

/* vessel_wait -- step until the end. */
int vessel_wait(struct vessel *v, struct cupel_error *err);

/* vessel_cancel -- like cupel_run_cancel(): from any thread or signal
 * handler. */
void vessel_cancel(struct vessel *v, int signal);

/* vessel_free -- kill what still lives, and free.  NULL is fine. */
void vessel_free(struct vessel *v);

/* --- a run that is ours: a job's, or the reader of a report --------------- */

struct vessel_option {
	const char *name, *value; /* of cupel-run(1); a NULL name ends a list */
};

/* A run that we make ourselves: a profile, a few options and descriptors. */
struct vessel_request {
	const char *profile;
	const struct vessel_option *options; /* set after the profile */
	const char *repo;        /* host directory; NULL = none is shown */
	const char *const *argv; /* NULL-terminated */
	int stdin_fd;            /* sealed memory file, or -1 */
	const int *inputs;       /* sealed memory files: 4, 5, ... */
	size_t inputs_len;
	int exec_fd; /* sealed memory file to execute, or -1 */
};

/* vessel_start -- like vessel_start_spec(), for a request of ours.
 *
 * Returns 0 or -errno: our own request was wrong. */
int vessel_start(const struct vessel_request *req, struct vessel **ret,
		 struct cupel_error *err);

/* vessel_end_code -- the code for the way in which a parser or probe ended, or
 * NULL if its answer counts. */
const char *vessel_end_code(enum cupel_status status);

/* vessel_end_sentence -- the sentence for a code: always the same, without
 * paths and numbers of this host. */
const char *vessel_end_sentence(const char *code);

#endif
