/* outside.c -- a kind of other people: takes what its program said, see
 * jobs/gate/outside.h. */
#include "jobs/gate/outside.h"
#include "base/buf.h"
#include "base/jsonw.h"
#include "jobs/gate/kinds/made.h"

static int made_note(const struct kind_source *s,
		     const struct gate_answer *answer, struct gate_signal *ret)
{
	const struct gate_attempt *a = s->attempt;
	int e = 0;

	for (size_t i = 0; e == 0 && i < a->runs_len; i++)
		e = run_note(s, &a->runs[i], ret);
	if (e == 0 && answer->is_unreached)
		e = run_note(s, NULL, ret);
	for (size_t i = 0; e == 0 && i < answer->files_len; i++)
		e = file_note(s, answer->files[i], ret);
	return e;
}

int outside_build(const struct kind_source *s, struct gate_signal *ret)
{
	static const struct gate_answer none = { .problem = "lost" };
	const struct gate_outside *o = s->ask->outside;
	const struct gate_answer *answer =
		s->attempt->answers != NULL
			? &s->attempt->answers[s->ask - s->gate->asks]
			: &none;
	owned_buf struct buf text = { 0 }, found = { 0 };
	struct jsonw w = { .out = &text };
	bool has_answer = answer->problem == NULL && answer->found != NULL;
	int e = made_note(s, answer, ret);

	if (e < 0)
		return e;
	ret->passed = has_answer && answer->passed;
	jsonw_object(&w, NULL);
	jsonw_text(&w, "version", o->version);
	jsonw_text(&w, "manifest", o->hash);
	jsonw_text_or_null(&w, "problem", answer->problem);
	jsonw_text_or_null(&w, "why", answer->why);
	if (has_answer) {
		json_write(answer->found, &found);
		text.failed |= buf_has_failed(&found);
		jsonw_raw(&w, "found", found.bytes, found.len);
	} else {
		jsonw_null(&w, "found");
	}
	jsonw_end_object(&w);
	return details_take(s, &text, ret);
}
