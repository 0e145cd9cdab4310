/* metrics.c -- counters, a gauge and a histogram as text. */
#include "worker/metrics.h"

#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/outfile.h"

static const char *const kinds[WORKER_KIND_MAX_] = {
	[WORKER_RUN] = "run",         [WORKER_GATHER] = "gather",
	[WORKER_CONFIRM] = "confirm", [WORKER_GATE] = "gate",
	[WORKER_KIND_NONE] = "none",
};
static const char *const ends[WORKER_END_MAX_] = {
	[WORKER_DONE] = "done",       [WORKER_REFUSED] = "refused",
	[WORKER_FAILED] = "failed",   [WORKER_GIVEN_BACK] = "given_back",
	[WORKER_STOPPED] = "stopped",
};

/* Upper bounds of the histogram; the last bucket has none. */
static const struct {
	uint64_t ms;
	const char *le;
} bounds[WORKER_BUCKETS] = {
	{ 50, "0.05" },         { 100, "0.1" },    { 500, "0.5" },
	{ 1000, "1" },          { 5000, "5" },     { 15000, "15" },
	{ 60000, "60" },        { 300000, "300" }, { 1800000, "1800" },
	{ UINT64_MAX, "+Inf" },
};

const char *worker_kind_name(enum worker_kind kind)
{
	return kinds[kind];
}

const char *worker_end_name(enum worker_end end)
{
	return ends[end];
}

void worker_metrics_note(struct worker_metrics *m, enum worker_kind kind,
			 enum worker_end end, uint64_t ms)
{
	size_t i = 0;

	while (ms > bounds[i].ms)
		i++;
	atomic_fetch_add(&m->ends[kind][end], 1);
	atomic_fetch_add(&m->buckets[kind][i], 1);
	atomic_fetch_add(&m->sum_ms[kind], ms);
}

static void add_head(struct buf *out, const char *name, const char *type,
		     const char *help)
{
	buf_format(out,
		   "# HELP cupel_worker_%s %s\n# TYPE cupel_worker_%s %s\n",
		   name, help, name, type);
}

static void add_one(struct buf *out, const char *name, const char *type,
		    const char *help, uint64_t value)
{
	add_head(out, name, type, help);
	buf_format(out, "cupel_worker_%s %llu\n", name,
		   (unsigned long long)value);
}

static void add_histogram(struct worker_metrics *m, size_t kind,
			  struct buf *out)
{
	uint64_t sum = atomic_load(&m->sum_ms[kind]), n = 0;

	for (size_t i = 0; i < WORKER_BUCKETS; i++) {
		n += atomic_load(&m->buckets[kind][i]);
		buf_format(out,
			   "cupel_worker_request_duration_seconds_bucket"
			   "{kind=\"%s\",le=\"%s\"} %llu\n",
			   kinds[kind], bounds[i].le, (unsigned long long)n);
	}
	buf_format(out,
		   "cupel_worker_request_duration_seconds_sum{kind=\"%s\"} "
		   "%llu.%03u\n"
		   "cupel_worker_request_duration_seconds_count{kind=\"%s\"} "
		   "%llu\n",
		   kinds[kind], (unsigned long long)(sum / 1000),
		   (unsigned)(sum % 1000), kinds[kind], (unsigned long long)n);
}

void worker_metrics_write(struct worker_metrics *m, struct buf *out)
{
	add_head(out, "requests_total", "counter",
		 "Deliveries that ended, by kind and by end.");
	for (size_t k = 0; k < WORKER_KIND_MAX_; k++)
		for (size_t e = 0; e < WORKER_END_MAX_; e++)
			buf_format(out,
				   "cupel_worker_requests_total{kind=\"%s\","
				   "end=\"%s\"} %llu\n",
				   kinds[k], ends[e],
				   (unsigned long long)atomic_load(
					   &m->ends[k][e]));
	add_one(out, "delivered_total", "counter", "Deliveries taken.",
		atomic_load(&m->delivered));
	add_one(out, "redelivered_total", "counter",
		"Deliveries that were not the first of their request.",
		atomic_load(&m->redelivered));
	add_one(out, "repeated_answers_total", "counter",
		"Answers that the server already had.",
		atomic_load(&m->repeated));
	add_one(out, "unconfirmed_acks_total", "counter",
		"Acknowledgements that the server did not confirm.",
		atomic_load(&m->unconfirmed));
	add_one(out, "disconnects_total", "counter",
		"How often the connection was lost.",
		atomic_load(&m->disconnects));
	add_one(out, "reconnects_total", "counter",
		"How often the connection was made again.",
		atomic_load(&m->reconnects));
	add_one(out, "not_permitted_total", "counter",
		"Operations that the server did not permit.",
		atomic_load(&m->not_permitted));
	add_one(out, "running_requests", "gauge",
		"Requests that are being done now.", atomic_load(&m->running));
	add_one(out, "connected", "gauge",
		"1 while there is a connection to the server, else 0.",
		atomic_load(&m->connected));
	add_head(out, "request_duration_seconds", "histogram",
		 "Seconds from a delivery to its end.");
	for (size_t k = 0; k < WORKER_KIND_MAX_; k++)
		add_histogram(m, k, out);
}

int worker_metrics_put(struct worker_metrics *m, const char *path,
		       struct cupel_error *err)
{
	owned_buf struct buf text = { 0 };
	struct outfile o = OUTFILE_NONE;
	int r;

	worker_metrics_write(m, &text);
	if (buf_has_failed(&text))
		return cupel_fail(err, CUPEL_STAGE_RESULT, CUPEL_CAUSE_BUSY,
				  ENOMEM, "--metrics: no memory");
	r = outfile_open(path, 0644, &o, err);
	if (r < 0)
		return r;
	r = outfile_write(o.fd, text.bytes, text.len);
	if (r == 0)
		r = outfile_put(&o);
	outfile_done(&o);
	return r == 0 ? 0
		      : cupel_fail(err, CUPEL_STAGE_RESULT, CUPEL_CAUSE_HOST,
				   -r,
				   "--metrics: %.300s: cannot be written: %s",
				   path, strerror(-r));
}
