/* met.c -- see met.h. */
#include "result/met.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonw.h"
#include "base/plural.h"
#include "plan/plan.h"
#include "supervise/outcome.h"

struct row {
	const char *name;
	const char *option;
	const char *before, *behind; /* the limit, as text */
};

static const struct row rows[] = {
	[MET_PIDS] = { "pids", "--pids-max", "the process limit of ",
		       " was reached" },
	[MET_NOFILE] = { "nofile", "--nofile", "the limit of ",
			 " open files was reached" },
	[MET_SCRATCH_BYTES] = { "scratch_bytes", "--scratch-bytes",
				"the scratch of ", " bytes was full" },
	[MET_SCRATCH_INODES] = { "scratch_inodes", "--scratch-inodes", "all ",
				 " inodes of the scratch were in use" },
};
static_assert(sizeof rows / sizeof *rows == MET_MAX_, "a row for every limit");

/* Two options set this one limit: name the smaller of them. */
static const char *option_of(const struct plan *plan, enum met m)
{
	bool is_nproc = m == MET_PIDS && met_value(plan, m) + CGROUP_OWN_PIDS <
						 plan->cgroup.pids;

	return is_nproc ? "--nproc" : rows[m].option;
}

static bool is_by_kernel(const struct limits_met *met, enum met m)
{
	return m == MET_PIDS && (met->has_pids_peak || met->pids_refused > 0);
}

static bool has_met(const struct limits_met *met, enum met m)
{
	return met->at[m] > 0 || (met->at_end & MET_BIT(m)) != 0 ||
	       is_by_kernel(met, m);
}

/* How the limit is known to be met: counted, certain once, or seen in
 * samples. */
static void how_write(const struct limits_met *met, enum met m, char *ret,
		      size_t n)
{
	if (m == MET_PIDS && met->pids_refused > 0)
		(void)snprintf(ret, n, " %llu time%s",
			       (unsigned long long)met->pids_refused,
			       plural_s(met->pids_refused));
	else if (is_by_kernel(met, m))
		(void)snprintf(ret, n, "%s", "");
	else if (met->at[m] > 0)
		(void)snprintf(ret, n, " at %u of %u look%s", met->at[m],
			       met->looks, plural_s(met->looks));
	else
		(void)snprintf(ret, n, " when the command ended");
}

int met_say(const struct plan *plan, const struct outcome *o, char *ret,
	    size_t n)
{
	int count = 0;
	size_t len = 0;

	ret[0] = '\0';
	for (int m = 0; m < MET_MAX_; m++) {
		char how[48];

		if (!has_met(&o->met, (enum met)m) || len + 1 >= n)
			continue;
		how_write(&o->met, (enum met)m, how, sizeof how);
		if (count++ > 0)
			(void)snprintf(ret + len, n - len, "; ");
		len += strlen(ret + len);
		(void)snprintf(
			ret + len, n - len, "%s%llu%s%s (%s)", rows[m].before,
			(unsigned long long)met_value(plan, (enum met)m),
			rows[m].behind, how, option_of(plan, (enum met)m));
		len += strlen(ret + len);
	}
	return count;
}

static void one_write(struct jsonw *w, const struct plan *plan,
		      const struct limits_met *met, enum met m)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "limit", rows[m].name);
	jsonw_text(w, "option", option_of(plan, m));
	jsonw_uint(w, "value", met_value(plan, m));
	jsonw_text(w, "by", is_by_kernel(met, m) ? "cgroup" : "look");
	jsonw_uint(w, "looks", met->looks);
	jsonw_uint(w, "looks_at_limit", met->at[m]);
	jsonw_bool(w, "at_end", (met->at_end & MET_BIT(m)) != 0);
	if (m == MET_PIDS && met->pids_refused > 0)
		jsonw_uint(w, "refused", met->pids_refused);
	else
		jsonw_null(w, "refused");
	jsonw_end_object(w);
}

void met_write(struct jsonw *w, const struct plan *plan,
	       const struct outcome *o)
{
	jsonw_array(w, "limits_met");
	for (int m = 0; plan != NULL && o != NULL && m < MET_MAX_; m++)
		if (has_met(&o->met, (enum met)m))
			one_write(w, plan, &o->met, (enum met)m);
	jsonw_end_array(w);
}
