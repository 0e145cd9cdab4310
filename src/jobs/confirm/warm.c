/* warm.c -- see warm.h. */
#include "jobs/confirm/warm.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "service/sealed.h"
#include "service/template.h"
#include "service/vessel_result.h"

static void seat_clear(struct warm_seat *s)
{
	vessel_template_free(s->template);
	*s = (struct warm_seat){ 0 };
}

static void seats_clear(struct warm *w)
{
	warm_forget(w);
	for (size_t i = 0; i < WARM_SEATS; i++)
		if (!w->seats[i].is_taken)
			seat_clear(&w->seats[i]);
}

void warm_fail(struct warm *w)
{
	seats_clear(w);
	if (++w->failures >= WARM_FAILURES_MAX)
		w->is_wanted = false;
}

static void template_begin(struct warm *w, struct warm_seat *s,
			   const struct runner_program *p,
			   const struct vessel_request *req)
{
	struct cupel_error ignored = { 0 };
	owned_fd int program = -1;

	program = sealed_of(p->template.from,
			    (size_t)(p->template.end - p->template.from), false,
			    &ignored);
	if (program < 0 ||
	    vessel_template_start(req, program, &s->template, &ignored) < 0)
		warm_fail(w);
	else
		w->program = p;
}

/* A free seat whose template waits for orders; otherwise a free one, or
 * NULL. */
static struct warm_seat *seat_find(struct warm *w, bool *is_ready)
{
	struct warm_seat *found = NULL;

	*is_ready = false;
	for (size_t i = 0; i < WARM_SEATS && !*is_ready; i++) {
		struct warm_seat *s = &w->seats[i];

		if (s->is_taken)
			continue;
		if (s->copies >= WARM_COPIES_MAX)
			seat_clear(s);
		*is_ready = s->template != NULL &&
			    vessel_template_state(s->template) != 0;
		if (*is_ready || found == NULL)
			found = s;
	}
	return found;
}

static struct warm_seat *copy_make(struct warm *w,
				   const struct vessel_request *req,
				   struct vessel_copy **ret)
{
	struct cupel_error ignored = { 0 };
	bool is_ready;
	struct warm_seat *s = seat_find(w, &is_ready);

	if (!is_ready)
		return NULL;
	if (vessel_copy_make(s->template, req, ret, &ignored) < 0) {
		warm_fail(w);
		return NULL;
	}
	s->is_taken = true;
	s->copies++;
	return s;
}

/* Whether p can run warm here.  Templates of another program are ended. */
static bool program_take(struct warm *w, const struct runner_program *p)
{
	if (!w->is_wanted || p->template.from == NULL)
		return false;
	if (w->program != p)
		seats_clear(w);
	return true;
}

static bool has_template(const struct warm *w)
{
	bool has = false;

	for (size_t i = 0; i < WARM_SEATS; i++)
		has = has || w->seats[i].template != NULL;
	return has;
}

static struct warm_seat *copy_run(struct warm *w, struct warm_seat *s,
				  struct vessel_copy *copy, int stdin_fd,
				  struct vessel **ret)
{
	struct cupel_error ignored = { 0 };

	if (vessel_copy_run(copy, stdin_fd, ret, &ignored) == 0)
		return s;
	warm_leave(s);
	warm_fail(w);
	return NULL;
}

struct warm_seat *warm_resume(struct warm *w, int stdin_fd, struct vessel **ret)
{
	struct vessel_copy *copy = w->waiting;

	if (copy == NULL)
		return NULL;
	w->waiting = NULL;
	return copy_run(w, w->waits_in, copy, stdin_fd, ret);
}

struct warm_seat *warm_start(struct warm *w, const struct runner_program *p,
			     const struct vessel_request *req,
			     struct vessel **ret)
{
	struct vessel_copy *copy = NULL;
	struct warm_seat *s;

	if (!program_take(w, p))
		return NULL;
	/* A template takes as long to start as a cold run, so it does not pay
	 * for a single call. */
	if (!has_template(w)) {
		if (w->calls++ > 0)
			template_begin(w, &w->seats[0], p, req);
		return NULL;
	}
	s = copy_make(w, req, &copy);
	return s == NULL ? NULL : copy_run(w, s, copy, req->stdin_fd, ret);
}

void warm_leave(struct warm_seat *seat)
{
	seat->is_taken = false;
}

bool warm_can_prepare(const struct warm *w, const struct runner_program *p)
{
	return w->is_wanted && w->waiting == NULL && w->program == p;
}

void warm_prepare(struct warm *w, const struct runner_program *p,
		  const struct vessel_request *req)
{
	bool is_ready;
	struct warm_seat *s = seat_find(w, &is_ready);

	if (s == NULL)
		return;
	if (s->template == NULL)
		template_begin(w, s, p, req);
	else if (is_ready)
		w->waits_in = copy_make(w, req, &w->waiting);
}

void warm_forget(struct warm *w)
{
	if (w->waiting == NULL)
		return;
	vessel_copy_free(w->waiting);
	w->waiting = NULL;
	warm_leave(w->waits_in);
}

/* Whatever ended a copy from outside could have ended its template first, so
 * that end says nothing about the witness. */
bool warm_is_void(const struct vessel_result *result)
{
	return result->status == CUPEL_INTERNAL_ERROR ||
	       result->status == CUPEL_KILLED_KILL || !result->started;
}

void warm_done(struct warm *w)
{
	seats_clear(w);
	*w = (struct warm){ 0 };
}
