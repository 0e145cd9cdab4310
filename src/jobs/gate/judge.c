/* judge.c -- see judge.h. */
#include "jobs/gate/judge.h"

#include <string.h>

static const struct gate_signal *signal_find(const struct gate_attempt *a,
					     const char *kind)
{
	for (size_t i = 0; i < a->signals_len; i++)
		if (strcmp(a->signals[i].kind, kind) == 0)
			return &a->signals[i];
	return NULL;
}

/* A missing signal does not pass. */
static void ask_judge(const struct gate_ask *ask, const struct gate_signal *s,
		      struct gate_verdict *v)
{
	if (s != NULL && s->passed)
		return;
	v->passed = false;
	if (v->failing_len < GATE_SIGNALS_MAX)
		v->failing[v->failing_len++] = ask->name;
	if (s != NULL && s->is_final)
		v->retryable = false;
	else if (s == NULL || !s->is_unreached)
		v->retryable &= ask->retryable;
}

void gate_judge(const struct gate *g, const struct gate_attempt *a,
		struct gate_verdict *ret)
{
	bool has_required = false;

	*ret = (struct gate_verdict){ .lost = a->lost };
	if (a->lost) {
		ret->retryable = true;
		return;
	}
	ret->is_too_weak = a->isolation < g->isolation;
	ret->is_changed = a->changed != NULL;
	ret->passed = !ret->is_too_weak && !ret->is_changed;
	ret->retryable = ret->passed;
	for (size_t i = 0; i < g->asks_len; i++) {
		if (!g->asks[i].required)
			continue;
		has_required = true;
		ask_judge(&g->asks[i], signal_find(a, g->asks[i].name), ret);
	}
	if (!has_required)
		ret->passed = false;
	if (ret->passed)
		ret->retryable = false;
}
