/* trace_log.c -- see trace_log.h. */
#include "supervise/trace_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* Returns false if there is no room. */
static bool copy(struct trace_log *log, struct trace_text from, size_t cap,
		 struct trace_text *ret)
{
	*ret = (struct trace_text){ 0 };
	if (from.bytes == NULL)
		return true;
	ret->len = from.len < cap ? from.len : cap;
	ret->bytes = arena_copy(&log->texts, from.bytes, ret->len);
	return ret->bytes != NULL;
}

/* Keep the words of argv that fit the caps, each whole. */
static bool argv_copy(struct trace_log *log, const struct trace_event *event,
		      struct trace_event *ret)
{
	const char *at = event->argv.bytes;
	size_t left = event->argv.len, n = 0;
	char words[TRACE_ARGV_BYTES_MAX];
	struct trace_text kept = { words, 0 };

	ret->argv = (struct trace_text){ 0 };
	if (at == NULL)
		return true;
	for (; left > 0 && n < TRACE_ARGV_MAX; n++) {
		size_t len = strnlen(at, left);
		size_t take = len < TRACE_WORD_BYTES ? len : TRACE_WORD_BYTES;

		memcpy(words + kept.len, at, take);
		kept.len += take;
		words[kept.len++] = '\0';
		ret->argv_cut |= take < len;
		len += len < left; /* its NUL; the last word may have none */
		left -= len;
		at += len;
	}
	ret->argv_cut |= left > 0;
	return copy(log, kept, sizeof words, &ret->argv);
}

static bool event_copy(struct trace_log *log, const struct trace_event *event,
		       struct trace_event *ret)
{
	*ret = *event;
	return copy(log, event->path, TRACE_PATH_BYTES, &ret->path) &&
	       copy(log, event->interpreter, TRACE_PATH_BYTES,
		    &ret->interpreter) &&
	       argv_copy(log, event, ret);
}

void trace_log_add(struct trace_log *log, const struct trace_event *event)
{
	void *events = log->events;

	log->texts.cap_bytes = TRACE_LOG_BYTES;
	if (log->len < TRACE_EVENTS_MAX &&
	    array_grow(&events, log->len, &log->room, sizeof *log->events)) {
		log->events = events;
		if (event_copy(log, event, &log->events[log->len])) {
			log->len++;
			return;
		}
	}
	log->omitted++;
	trace_log_note_gap(log, TRACE_GAP_LIMIT, 1);
}

void trace_log_note_gap(struct trace_log *log, enum trace_gap gap, uint64_t n)
{
	log->gaps[gap] += n;
}

void trace_log_done(struct trace_log *log)
{
	free(log->events);
	arena_done(&log->texts);
	*log = (struct trace_log){ 0 };
}
