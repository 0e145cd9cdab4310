/* tell.c -- see tell.h. */
#include "jobs/gather/tell.h"

#include <string.h>

#include "jobs/probe/answer.h"

#define SKIPS_TOLD 200U /* events of one probe */

void tell(const struct bench *b, enum gather_event event, const struct task *t,
	  const struct event_details *details)
{
	static const struct event_details nothing = { 0 };

	if (b->hooks->event != NULL)
		b->hooks->event(b->hooks->data, event,
				b->selection->probes[t->index]->name,
				details ? details : &nothing);
}

void tell_skips(const struct bench *b, const struct task *t, size_t from)
{
	const struct probe_inputs *in = &b->inputs[t->index];

	for (size_t i = from; i < in->skips_len && i < SKIPS_TOLD; i++) {
		const struct event_details d = { .code = in->skips[i].code,
						 .name = in->skips[i].name };

		tell(b, EVENT_PROBE_SKIP, t, &d);
	}
}

/* Why the boundary refused it, as the word of an event if there is one. */
static void tell_refusal(const struct bench *b, const struct task *t,
			 const char *code, const char *message)
{
	static const struct {
		const char *code;
		enum gather_event event;
	} rows[] = {
		{ "field_name_refused", EVENT_SANITIZER_FIELD_NAME_REFUSED },
		{ "size_cap_exceeded", EVENT_SANITIZER_SIZE_CAP_EXCEEDED },
		{ "string_cap_exceeded", EVENT_SANITIZER_SIZE_CAP_EXCEEDED },
		{ "depth_cap_exceeded", EVENT_SANITIZER_DEPTH_CAP_EXCEEDED },
		{ "too_large", EVENT_SANITIZER_SIZE_CAP_EXCEEDED },
		{ "string_too_long", EVENT_SANITIZER_SIZE_CAP_EXCEEDED },
		{ "too_deep", EVENT_SANITIZER_DEPTH_CAP_EXCEEDED },
	};
	const struct event_details d = { .code = code, .message = message };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (code != NULL && strcmp(code, rows[i].code) == 0) {
			tell(b, rows[i].event, t, &d);
			return;
		}
	tell(b, EVENT_SCHEMA_VALIDATION_FAILED, t, &d);
}

void tell_answer(const struct bench *b, const struct task *t,
		 const struct answer *a)
{
	const struct payload *p = &a->checked;
	const struct event_details scrubbed = { .count = p->scrubbed_paths };

	if (p->scrubbed_paths > 0)
		tell(b, EVENT_SANITIZER_PATH_SCRUBBED, t, &scrubbed);
	if (a->is_valid)
		tell(b, EVENT_SCHEMA_VALIDATION_PASSED, t, NULL);
	else
		tell_refusal(b, t,
			     p->status == PAYLOAD_VALID ? "too_large"
							: p->error.code,
			     a->why);
}

void tell_cache(const struct bench *b, const struct task *t,
		enum cache_result r, size_t bytes)
{
	static const enum gather_event events[] = {
		[CACHE_HIT] = EVENT_CACHE_HIT,
		[CACHE_MISS] = EVENT_CACHE_MISS,
		[CACHE_PUT] = EVENT_CACHE_PUT,
		[CACHE_INVALID] = EVENT_CACHE_BLOB_INVALID,
		[CACHE_POISONED] = EVENT_CACHE_BLOB_POISONED,
		[CACHE_SYMLINK] = EVENT_CACHE_SYMLINK_SKIPPED,
		[CACHE_TOO_LARGE] = EVENT_CACHE_SIZE_CAP_EXCEEDED,
	};
	const struct event_details d = { .bytes = bytes };

	if (r != CACHE_OFF)
		tell(b, events[r], t, &d);
}
