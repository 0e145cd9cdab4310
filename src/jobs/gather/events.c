/* events.c -- see events.h. */
#include "jobs/gather/events.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/jsonw.h"
#include "base/name.h"
#include "jobs/common/log.h"

#define MESSAGE_BYTES 4096U

static const char *const names[] = {
	[EVENT_PROBE_START] = "probe.start",
	[EVENT_PROBE_SUCCESS] = "probe.success",
	[EVENT_PROBE_FAILURE] = "probe.failure",
	[EVENT_PROBE_TIMEOUT] = "probe.timeout",
	[EVENT_PROBE_CACHE_HIT] = "probe.cache_hit",
	[EVENT_PROBE_SKIP] = "probe.skip",
	[EVENT_SANDBOX_START] = "probe.sandbox.start",
	[EVENT_SANDBOX_EXIT] = "probe.sandbox.exit",
	[EVENT_SANDBOX_RLIMIT_EXCEEDED] = "probe.sandbox.rlimit_exceeded",
	[EVENT_CACHE_HIT] = "cache.hit",
	[EVENT_CACHE_MISS] = "cache.miss",
	[EVENT_CACHE_PUT] = "cache.put",
	[EVENT_CACHE_BLOB_INVALID] = "cache.blob.invalid",
	[EVENT_CACHE_BLOB_POISONED] = "cache.blob.poisoned",
	[EVENT_CACHE_SYMLINK_SKIPPED] = "cache.symlink.skipped",
	[EVENT_CACHE_SIZE_CAP_EXCEEDED] = "cache.size_cap_exceeded",
	[EVENT_CACHE_AGGREGATE_CAP_EXCEEDED] = "cache.aggregate_cap_exceeded",
	[EVENT_SANITIZER_PATH_SCRUBBED] = "sanitizer.path_scrubbed",
	[EVENT_SANITIZER_FIELD_NAME_REFUSED] = "sanitizer.field_name_refused",
	[EVENT_SANITIZER_SIZE_CAP_EXCEEDED] = "sanitizer.size_cap_exceeded",
	[EVENT_SANITIZER_DEPTH_CAP_EXCEEDED] = "sanitizer.depth_cap_exceeded",
	[EVENT_SCHEMA_VALIDATION_PASSED] = "schema.validation_passed",
	[EVENT_SCHEMA_VALIDATION_FAILED] = "schema.validation_failed",
};
static_assert(sizeof names / sizeof *names == EVENT_MAX_,
	      "a name for every event");

/* "probe.start" and so on; "?" out of range. */
static const char *event_name(enum gather_event event)
{
	return (unsigned)event < EVENT_MAX_ ? names[event] : "?";
}

static void now_put(struct jsonw *w)
{
	struct timespec now = { 0 };
	char utc[32] = "", text[48];
	struct tm t = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)gmtime_r(&now.tv_sec, &t);
	(void)strftime(utc, sizeof utc, "%Y-%m-%dT%H:%M:%S", &t);
	(void)snprintf(text, sizeof text, "%s.%03dZ", utc,
		       (int)(now.tv_nsec / 1000000));
	jsonw_text(w, "ts", text);
}

static void details_put(struct jsonw *w, const struct event_details *d)
{
	if (d->code != NULL)
		jsonw_text(w, "code", d->code);
	if (d->name != NULL) {
		owned_buf struct buf shown = { 0 };

		name_write(&shown, d->name, strlen(d->name));
		jsonw_bytes(w, "name", shown.bytes ? shown.bytes : "",
			    shown.len);
	}
	if (d->message != NULL)
		jsonw_bytes(w, "message", d->message,
			    strnlen(d->message, MESSAGE_BYTES));
	if (d->status != NULL)
		jsonw_text(w, "status", d->status);
	if (d->wall_ms > 0)
		jsonw_uint(w, "wall_ms", d->wall_ms);
	if (d->bytes > 0)
		jsonw_uint(w, "bytes", d->bytes);
	if (d->count > 0)
		jsonw_uint(w, "count", d->count);
}

int event_write(const struct event_log *log, enum gather_event event,
		const char *probe, const struct event_details *d,
		struct cupel_error *err)
{
	owned_buf struct buf line = { 0 };
	struct jsonw w = { .out = &line };

	if (log->fd < 0)
		return 0;
	jsonw_object(&w, NULL);
	jsonw_text(&w, "event", event_name(event));
	now_put(&w);
	jsonw_text_or_null(&w, "probe", probe);
	if (d != NULL)
		details_put(&w, d);
	jsonw_end_object(&w);
	buf_char(&line, '\n');
	if (buf_has_failed(&line))
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for an event");
	return log_append(log->fd, log->stop_fd, line.bytes, line.len, err);
}
