/* prepare.h -- everything that happens between a request and a vessel. */
#ifndef CUPEL_SERVICE_PREPARE_H
#define CUPEL_SERVICE_PREPARE_H

#include "base/arena.h"
#include "plan/host.h"
#include "plan/plan.h"

struct cupel_error;
struct schema_set;

/* Zero is valid: nothing prepared. */
struct prepared {
	struct arena arena; /* of a filter that came from a file */
	struct filter filter;
	struct host host;
	struct plan plan;
	bool has_plan;
	struct schema_set *schema; /* NULL: none asked for */
};

/* prepare_check -- what can be said of a request without a look at the host or at a
 * file.  Returns 0 or -EINVAL, *err filled (cause caller). */
int prepare_check(const struct spec *spec, struct cupel_error *err);

/* prepare_request -- check the request, and read the files that it names.  This
 * finds the errors that a request has on any host.
 *
 * @ret		zeroed; prepared_done() frees it, on failure too
 * Returns 0, or -errno. */
int prepare_request(const struct spec *spec, struct prepared *ret,
		    struct cupel_error *err);

/* prepare_plan -- afterwards: look at the host, and plan.  Changes nothing.
 *
 * Returns 0, or -errno: cause caller when the request is wrong on this host (no
 * such repository), another cause when the host cannot do it. */
int prepare_plan(const struct spec *spec, struct prepared *ret,
		 struct cupel_error *err);

/* prepare_early -- whether init may be started before there is a plan: only for
 * an ordinary user, and for namespaces.
 *
 * @ret_cgroup	the cgroup in which it is to be born; filled if the answer is
 *		yes */
bool prepare_early(const struct spec *spec, struct prepared *p,
		   struct plan_cgroup *ret_cgroup);

/* prepare_lesser -- plan again, for the best backend without namespaces.
 *
 * @spec	its backend is set to the one that was chosen
 * @why		what the host refused; the result's message tells it */
int prepare_lesser(struct spec *spec, struct prepared *p,
		   const struct cupel_error *why, struct cupel_error *err);

/* prepare_write -- the plan of a request as JSON; see cupel_plan_json().
 *
 * @ret		for free(3); set on success only
 * Returns 0 or -errno. */
int prepare_write(const struct spec *spec, char **ret, struct cupel_error *err);

/* prepared_done -- zeroed is fine. */
void prepared_done(struct prepared *p);

#endif
