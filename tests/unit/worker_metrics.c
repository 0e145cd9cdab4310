/* worker_metrics.c -- the counts are written in the format that Prometheus
 * reads. */
#include "worker/metrics.h"

#include "base/buf.h"
#include "tap.h"

static void counters_and_histograms_are_written(void)
{
	static struct worker_metrics m;
	owned_buf struct buf out = { 0 };

	worker_metrics_note(&m, WORKER_RUN, WORKER_DONE, 40);
	worker_metrics_note(&m, WORKER_RUN, WORKER_DONE, 50);
	worker_metrics_note(&m, WORKER_RUN, WORKER_FAILED, 700);
	worker_metrics_note(&m, WORKER_GATE, WORKER_STOPPED, UINT64_C(1) << 40);
	worker_metrics_write(&m, &out);
	buf_char(&out, '\0');
	ok_has(out.bytes, "cupel_worker_requests_total{kind=\"run\","
			  "end=\"done\"} 2\n");
	ok_has(out.bytes, "{kind=\"run\",le=\"0.05\"} 2\n");
	ok_has(out.bytes, "{kind=\"run\",le=\"0.5\"} 2\n");
	ok_has(out.bytes, "{kind=\"run\",le=\"1\"} 3\n");
	ok_has(out.bytes, "{kind=\"run\",le=\"+Inf\"} 3\n");
	ok_has(out.bytes, "_sum{kind=\"run\"} 0.790\n");
	ok_has(out.bytes, "_count{kind=\"run\"} 3\n");
	ok_has(out.bytes, "{kind=\"gate\",le=\"1800\"} 0\n");
	ok_has(out.bytes, "{kind=\"gate\",le=\"+Inf\"} 1\n");
}

/* Each name has one HELP and one TYPE, before its first sample. */
static void each_name_is_explained_once(void)
{
	static struct worker_metrics m;
	owned_buf struct buf out = { 0 };
	unsigned helps = 0, types = 0;

	worker_metrics_write(&m, &out);
	buf_char(&out, '\0');
	for (const char *p = out.bytes; (p = strstr(p, "# HELP ")) != NULL; p++)
		helps++;
	for (const char *p = out.bytes; (p = strstr(p, "# TYPE ")) != NULL; p++)
		types++;
	ok_int(helps, types);
	ok_int(helps, 11);
	ok(strncmp(out.bytes, "# HELP ", 7) == 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(counters_and_histograms_are_written),
		CASE(each_name_is_explained_once),
		TAP_END,
	});
}
