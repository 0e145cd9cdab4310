/* replay.c -- see replay.h. */
#include "jobs/gate/replay.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/replan.h"

static bool is_kind(const struct json_value *record, const char *kind)
{
	return json_is_text(json_find(record, "kind"), kind);
}

static bool is_true(const struct json_value *record, const char *name)
{
	const struct json_value *v = json_find(record, name);

	return v != NULL && v->type == JSON_BOOL && v->u.boolean;
}

bool replay_is_lost(const struct json_value *record)
{
	return is_true(record, "lost");
}

long replay_find(const struct ledger_book *b)
{
	long begun = -1;

	for (size_t i = 0; i < b->len; i++) {
		if (is_kind(&b->records[i], "gate.begun"))
			begun = (long)i;
		else if (is_kind(&b->records[i], "gate.ended"))
			begun = -1;
	}
	return begun;
}

static bool begun_step(struct attempts *a, const struct json_value *record)
{
	(void)record;
	return attempts_step(a, ATTEMPTS_BEGUN);
}

static bool ended_step(struct attempts *a, const struct json_value *record)
{
	const struct json_value *list = json_find(record, "failing_signals");
	const char *failing[GATE_SIGNALS_MAX];
	struct attempts_end end = { .passed = is_true(record, "passed"),
				    .retryable = is_true(record, "retryable"),
				    .lost = is_true(record, "lost"),
				    .failing = failing };

	if (list == NULL || list->type != JSON_ARRAY ||
	    list->u.array.len > GATE_SIGNALS_MAX)
		return false;
	for (size_t i = 0; i < list->u.array.len; i++) {
		if (list->u.array.items[i].type != JSON_STRING)
			return false;
		failing[i] = list->u.array.items[i].u.string.bytes;
	}
	end.failing_len = list->u.array.len;
	return attempts_end_step(a, &end);
}

static bool replan_step(struct attempts *a, const struct json_value *record)
{
	const struct json_value *status = json_find(record, "status");
	uint64_t n = REPLAN_NO_PLAN;

	if (status == NULL || json_read_u64(status, &n) < 0)
		return false;
	return attempts_step(a, n == 0 ? ATTEMPTS_PLANNED : ATTEMPTS_NO_PLAN);
}

int replay_read(const struct ledger_book *b, size_t begun, struct attempts *a,
		struct cupel_error *err)
{
	static const struct {
		const char *kind;
		bool (*step)(struct attempts *a, const struct json_value *r);
	} rows[] = {
		{ "attempt.begun", begun_step },
		{ "attempt.ended", ended_step },
		{ "replan", replan_step },
	};

	for (size_t i = begun + 1; i < b->len; i++)
		for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
			if (!is_kind(&b->records[i], rows[k].kind) ||
			    rows[k].step(a, &b->records[i]))
				continue;
			(void)cupel_fail(
				err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				EINVAL,
				"line %zu: %s is not allowed at this place",
				i + 1, rows[k].kind);
			return LEDGER_BROKEN;
		}
	return 0;
}
