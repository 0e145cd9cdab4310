/* json.c -- every key of cupel-result(5), in its order. */
#include "result/json.h"

#include <stdio.h>
#include <string.h>

#include "base/jsonw.h"
#include "base/name.h"
#include "plan/backend.h"
#include "plan/call_name.h"
#include "plan/plan.h"
#include "result/enforced.h"
#include "result/happened.h"
#include "result/met.h"
#include "result/text.h"
#include "spec/spec.h"
#include "supervise/artifact.h"
#include "supervise/keep.h"
#include "supervise/outcome.h"

static void write_verdict(struct jsonw *w, const struct verdict *v)
{
	bool is_ours = v->status == CUPEL_INTERNAL_ERROR;

	jsonw_text(w, "status", cupel_status_name(v->status));
	jsonw_int(w, "rc", v->rc);
	jsonw_text_or_null(w, "reason", reason_name(v->reason));
	jsonw_text_or_null(w, "message",
			   v->message[0] != '\0' ? v->message : NULL);
	jsonw_text_or_null(w, "stage",
			   is_ours ? cupel_stage_name(v->stage) : NULL);
	jsonw_text_or_null(w, "cause",
			   is_ours ? cupel_cause_name(v->cause) : NULL);
	jsonw_bool(w, "partial", v->partial);
	jsonw_bool(w, "started", v->started);
}

static void write_stream(struct jsonw *w, const char *name,
			 const struct stream *s)
{
	static const struct stream none;
	owned_buf struct buf text = { 0 };
	char key[32];
	uint64_t bad;

	if (s == NULL)
		s = &none;
	bad = text_quote(&text, s->kept.bytes, s->kept.len, s->truncated);
	w->out->failed |= buf_has_failed(&text);
	jsonw_raw(w, name, text.bytes != NULL ? text.bytes : "", text.len);
	(void)snprintf(key, sizeof key, "%s_bytes", name);
	jsonw_uint(w, key, s->bytes);
	(void)snprintf(key, sizeof key, "%s_truncated", name);
	jsonw_bool(w, key, s->truncated);
	(void)snprintf(key, sizeof key, "%s_replaced", name);
	jsonw_bool(w, key, bad > 0);
}

/* What was started, which may have words that the plan added; without a plan, what
 * was asked for. */
static void write_command(struct jsonw *w, const struct spec *spec,
			  const struct plan *p)
{
	bool is_planned = p != NULL && p->argv != NULL;
	const char *const *argv = is_planned ? p->argv : spec->argv;
	size_t argc = is_planned ? p->argc : spec->argc;

	jsonw_array(w, "cmd");
	for (size_t i = 0; i < argc; i++)
		jsonw_text(w, NULL, argv[i]);
	jsonw_end_array(w);
}

static void write_usage(struct jsonw *w, const struct outcome *o)
{
	static const struct outcome none;

	if (o == NULL)
		o = &none;
	jsonw_object(w, "usage");
	jsonw_uint(w, "cpu_user_ms", o->cpu_user_us / 1000);
	jsonw_uint(w, "cpu_system_ms", o->cpu_system_us / 1000);
	jsonw_uint(w, "cpu_tree_ms", (o->tree_cpu_us + o->helpers_us) / 1000);
	jsonw_uint(w, "max_rss_kib", o->max_rss_kib);
	if (o->has_memory_peak)
		jsonw_uint(w, "peak_memory_bytes", o->memory_peak_bytes);
	else
		jsonw_null(w, "peak_memory_bytes");
	if (o->cgroup_held & CGROUP_MEMORY)
		jsonw_uint(w, "oom_kills", o->oom_kills);
	else
		jsonw_null(w, "oom_kills");
	jsonw_uint(w, "processes", o->processes);
	jsonw_uint(w, "processes_killed", o->processes_killed);
	if (o->tasks > 0)
		jsonw_uint(w, "tasks", o->tasks);
	else
		jsonw_null(w, "tasks");
	jsonw_end_object(w);
}

static const char *arch_name(uint32_t arch)
{
	switch (arch) {
	case 0xc000003e:
		return "x86_64";
	case 0xc00000b7:
		return "aarch64";
	case 0x40000003:
		return "i386";
	case 0x40000028:
		return "arm";
	default:
		return NULL;
	}
}

static void write_args(struct jsonw *w, const struct violation *v)
{
	jsonw_array(w, "args");
	for (int i = 0; i < 6; i++) {
		char text[24];

		(void)snprintf(text, sizeof text, "0x%llx",
			       (unsigned long long)v->args[i]);
		jsonw_text(w, NULL, text);
	}
	jsonw_end_array(w);
}

static void write_violation(struct jsonw *w, const struct violation *v)
{
	char name[CALL_NAME_BYTES];

	if (v == NULL || !v->any) {
		jsonw_null(w, "violation");
		return;
	}
	jsonw_object(w, "violation");
	if (call_name(v->arch, v->number, name, sizeof name))
		jsonw_text(w, "syscall", name);
	else
		jsonw_null(w, "syscall");
	jsonw_int(w, "number", v->number);
	jsonw_text_or_null(w, "arch", arch_name(v->arch));
	write_args(w, v);
	if (v->pid > 0)
		jsonw_int(w, "pid", v->pid);
	else
		jsonw_null(w, "pid");
	jsonw_text(w, "comm", v->comm);
	jsonw_end_object(w);
}

static const char *text_or_null(const char *text)
{
	return text != NULL && text[0] != '\0' ? text : NULL;
}

static void write_payload(struct jsonw *w, const struct payload *p)
{
	enum payload_status status = p != NULL ? p->status : PAYLOAD_ABSENT;
	owned_buf struct buf text = { 0 };

	if (status == PAYLOAD_VALID) {
		json_write(&p->value, &text);
		w->out->failed |= buf_has_failed(&text);
		jsonw_raw(w, "payload", text.bytes, text.len);
	} else {
		jsonw_null(w, "payload");
	}
	jsonw_text(w, "payload_status", payload_status_name(status));
	if (status == PAYLOAD_VALID || p == NULL || p->error.code == NULL) {
		jsonw_null(w, "payload_error");
		return;
	}
	jsonw_object(w, "payload_error");
	jsonw_text_or_null(w, "code", text_or_null(p->error.code));
	jsonw_uint(w, "offset", p->error.offset);
	jsonw_text_or_null(w, "instance", p->error.instance);
	jsonw_text_or_null(w, "schema", text_or_null(p->error.schema));
	jsonw_text_or_null(w, "message", text_or_null(p->error.message));
	jsonw_end_object(w);
}

static void write_artifacts(struct jsonw *w, const struct artifact_list *list)
{
	jsonw_array(w, "artifacts");
	for (size_t i = 0; list != NULL && i < list->len; i++) {
		const struct artifact *a = &list->items[i];
		owned_buf struct buf path = { 0 };

		/* The command chose the names below a directory. */
		name_write(&path, a->path, strlen(a->path));
		w->out->failed |= buf_has_failed(&path);
		jsonw_object(w, NULL);
		jsonw_bytes(w, "path", path.bytes, path.len);
		jsonw_text_or_null(w, "dst", a->dst);
		if (a->skipped == NULL) {
			jsonw_uint(w, "bytes", a->bytes);
			jsonw_text(w, "blake3", a->blake3);
		} else {
			jsonw_null(w, "bytes");
			jsonw_null(w, "blake3");
		}
		jsonw_text_or_null(w, "skipped", a->skipped);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

/* A request without --cache has no such member. */
static void write_cache(struct jsonw *w, const struct plan *p,
			const struct kept *kept)
{
	static const struct kept nothing = { .why = "not_ended" };
	const struct kept *k = kept != NULL ? kept : &nothing;

	if (p == NULL || p->cache.dir == NULL)
		return;
	jsonw_object(w, "cache");
	jsonw_text(w, "dir", p->cache.dir);
	jsonw_text(w, "state",
		   k->is_saved      ? "saved"
		   : k->why != NULL ? "not_saved"
				    : "unchanged");
	jsonw_text_or_null(w, "why", k->why);
	jsonw_uint(w, "bytes", k->bytes);
	jsonw_uint(w, "entries", k->entries);
	jsonw_uint(w, "left_out", k->left_out);
	jsonw_end_object(w);
}

void result_write(const struct result_facts *f, struct buf *out)
{
	const struct outcome *o = f->outcome;
	const struct backend *backend = backend_of(
		f->plan != NULL ? f->plan->backend : f->spec->backend);
	struct jsonw w = { .out = out };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "version", RESULT_VERSION);
	if (f->phase != NULL) {
		jsonw_text(&w, "name", f->phase);
		jsonw_bool(&w, "goes_on", f->goes_on);
	}
	write_verdict(&w, f->verdict);
	write_stream(&w, "stdout", o != NULL ? &o->out : NULL);
	write_stream(&w, "stderr", o != NULL ? &o->errs : NULL);
	jsonw_uint(&w, "duration_ms", o != NULL ? o->duration_ms : 0);
	write_command(&w, f->spec, f->plan);
	programs_write(&w, f->plan != NULL ? f->plan->programs : NULL,
		       f->plan != NULL ? f->plan->programs_len : 0);
	jsonw_text_or_null(&w, "traceId", f->trace_id);
	jsonw_text(&w, "backend", backend->name);
	jsonw_text(&w, "isolation_class", backend->isolation_class);
	if (f->verdict->signal > 0)
		jsonw_int(&w, "signal", f->verdict->signal);
	else
		jsonw_null(&w, "signal");
	enforced_write(&w, f->plan, o);
	write_usage(&w, o);
	met_write(&w, f->plan, o);
	write_violation(&w, f->verdict->status == CUPEL_FORBIDDEN_SYSCALL
				    ? &o->violation
				    : NULL);
	jsonw_text_or_null(&w, "spec_hash", f->spec_hash);
	jsonw_text_or_null(&w, "policy_hash",
			   f->plan != NULL ? f->plan->policy_hash : NULL);
	write_payload(&w, f->payload);
	write_artifacts(&w, f->artifacts);
	write_cache(&w, f->plan, f->kept);
	egress_write(&w, f->plan, o);
	trace_write(&w, f->plan, o);
	jsonw_end_object(&w);
}
