/* sarif_result.c -- see sarif_result.h. */
#include "jobs/confirm/sarif_result.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/blake3.h"
#include "base/jsonw.h"
#include "base/utf8.h"
#include "jobs/confirm/finding.h"
#include "jobs/confirm/sarif_text.h"
#include "jobs/confirm/verdict.h"

/* A record, split into its parts. */
struct parts {
	const struct sarif_fact *fact;
	enum confirm_status status;
	const char *flag_class; /* the narrower one, if there is one */
	const char *function, *reason, *error_class, *traceback;
	const struct json_value *ref, *witness;
	uint64_t line, raised_at; /* 0 = none */
};

static const struct {
	const char *kind, *level;
} kinds[] = {
	[CONFIRM_SYNTH_FAILED] = { "open", "none" },
	[CONFIRM_NO_BUG] = { "pass", "none" },
	[CONFIRM_SANDBOX_ERROR] = { "open", "none" },
	[CONFIRM_TIMEOUT] = { "review", "none" },
	[CONFIRM_UNSUPPORTED] = { "open", "none" },
	[CONFIRM_CONFIRMED] = { "fail", "error" },
};
static_assert(sizeof kinds / sizeof *kinds == CONFIRM_STATUS_MAX_,
	      "a row for every status");

static bool status_find(const char *name, enum confirm_status *ret)
{
	for (int s = 0; name != NULL && s < CONFIRM_STATUS_MAX_; s++)
		if (strcmp(confirm_status_name((enum confirm_status)s), name) ==
		    0) {
			*ret = (enum confirm_status)s;
			return true;
		}
	return false;
}

/* The line in the traceback's last frame that is in file. */
static uint64_t raise_line_find(const char *traceback, const char *file)
{
	static const char mark[] = "\", line ";
	size_t len = strlen(file);
	uint64_t found = 0;

	for (const char *at = traceback; at != NULL && *at != '\0'; at++) {
		uint64_t line = 0;

		at = strchr(at, '"');
		if (at == NULL)
			break;
		if (strncmp(at + 1, file, len) != 0 ||
		    strncmp(at + 1 + len, mark, sizeof mark - 1) != 0)
			continue;
		at += len + sizeof mark - 1;
		while (at[1] >= '0' && at[1] <= '9' && line <= FLAG_LINE_MAX)
			line = line * 10 + (uint64_t)(*++at - '0');
		if (line > 0 && line <= FLAG_LINE_MAX)
			found = line;
	}
	return found;
}

static int parts_read(const struct sarif_fact *fact, struct parts *ret)
{
	const struct json_value *r = fact->record;
	struct parts p = { .fact = fact };
	const struct json_value *line;

	p.ref = json_find(r, "flag_ref");
	line = p.ref != NULL ? json_find(p.ref, "line") : NULL;
	p.flag_class = finding_text(r, "class");
	if (p.flag_class == NULL)
		p.flag_class = finding_text(p.ref, "flag_class");
	if (!status_find(finding_text(r, "status"), &p.status) ||
	    p.flag_class == NULL)
		return -EINVAL;
	p.function = finding_text(p.ref, "function");
	p.reason = finding_text(r, "reason");
	p.error_class = finding_text(r, "error_class");
	p.traceback = finding_text(r, "traceback_head");
	p.witness = json_find(r, "witness");
	if (line != NULL &&
	    (json_read_u64(line, &p.line) < 0 || p.line > FLAG_LINE_MAX))
		p.line = 0;
	p.raised_at = p.status == CONFIRM_CONFIRMED && p.traceback != NULL
			      ? raise_line_find(p.traceback, fact->file)
			      : 0;
	*ret = p;
	return 0;
}

static void message_write(const struct parts *p, struct jsonw *w)
{
	owned_buf struct buf text = { 0 };

	buf_format(&text, "%s: ", p->flag_class);
	if (p->status == CONFIRM_CONFIRMED) {
		buf_format(&text,
			   "%s raised %s; the witness is in the code "
			   "flow",
			   p->function ? p->function : "the function",
			   p->error_class ? p->error_class : "an error");
	} else {
		buf_format(&text, "%s%s%s", confirm_status_name(p->status),
			   p->reason ? ", " : "", p->reason ? p->reason : "");
	}
	jsonw_object(w, "message");
	sarif_text_write(w, "text", buf_has_failed(&text) ? "" : text.bytes);
	jsonw_end_object(w);
}

/* 3.28: the place; line 0 stands for the whole file. */
static void location_write(const struct parts *p, struct jsonw *w,
			   uint64_t line)
{
	owned_buf struct buf uri = { 0 };

	sarif_uri_build(p->fact->file, &uri);
	jsonw_object(w, "physicalLocation");
	jsonw_object(w, "artifactLocation");
	jsonw_bytes(w, "uri", uri.bytes ? uri.bytes : "", uri.len);
	if (p->fact->file[0] != '/')
		jsonw_text(w, "uriBaseId", "SRCROOT");
	jsonw_end_object(w);
	if (line > 0) {
		jsonw_object(w, "region");
		jsonw_uint(w, "startLine", line);
		jsonw_end_object(w);
	}
	jsonw_end_object(w);
	if (p->function == NULL)
		return;
	jsonw_array(w, "logicalLocations");
	jsonw_object(w, NULL);
	sarif_text_write(w, "fullyQualifiedName", p->function);
	jsonw_text(w, "kind", "function");
	jsonw_end_object(w);
	jsonw_end_array(w);
}

/* Whether an argument before index `at` has that name. */
static bool is_taken(const struct json_value *list, size_t at, const char *name)
{
	for (size_t i = 0; i < at; i++) {
		const char *other =
			finding_text(&list->u.array.items[i], "name");

		if (other != NULL && strcmp(other, name) == 0)
			return true;
	}
	return false;
}

/* 3.38.8: each argument as a variable with a value. */
static void state_write(struct jsonw *w, const struct json_value *list,
			const char *prefix)
{
	size_t n = list != NULL && list->type == JSON_ARRAY ? list->u.array.len
							    : 0;

	for (size_t i = 0; i < n && i < SARIF_STATE_MAX; i++) {
		const struct json_value *a = &list->u.array.items[i];
		const char *name = finding_text(a, "name");
		owned_buf struct buf key = { 0 };

		if (name != NULL && strlen(name) < SARIF_VALUE_BYTES &&
		    !is_taken(list, i, name))
			buf_format(&key, "%s%s", prefix, name);
		else
			buf_format(&key, "%s#%zu", prefix, i + 1);
		if (buf_has_failed(&key)) {
			w->out->failed = true;
			return;
		}
		utf8_make_line(key.bytes);
		jsonw_object(w, key.bytes);
		sarif_value_write(w, "text", json_find(a, "value"));
		jsonw_end_object(w);
	}
}

/* 3.38: begin a step of the code flow. */
static void step_begin(const struct parts *p, struct jsonw *w, uint64_t line,
		       const char *message)
{
	jsonw_object(w, NULL);
	jsonw_object(w, "location");
	location_write(p, w, line);
	jsonw_object(w, "message");
	sarif_text_write(w, "text", message);
	jsonw_end_object(w);
	jsonw_end_object(w);
	jsonw_text(w, "importance", "essential");
}

static void steps_write(const struct parts *p, struct jsonw *w)
{
	owned_buf struct buf words = { 0 };

	step_begin(p, w, p->line, "called with this witness");
	jsonw_array(w, "kinds");
	jsonw_text(w, NULL, "call");
	jsonw_end_array(w);
	jsonw_object(w, "state");
	state_write(w, json_find(p->witness, "receiver"), "receiver.");
	state_write(w, json_find(p->witness, "arguments"), "");
	jsonw_end_object(w);
	jsonw_end_object(w);
	if (p->raised_at == 0)
		return;
	buf_format(&words, "%s is raised",
		   p->error_class ? p->error_class : "an error");
	step_begin(p, w, p->raised_at,
		   buf_has_failed(&words) ? "" : words.bytes);
	jsonw_end_object(w);
}

/* 3.27.18 */
static void flow_write(const struct parts *p, struct jsonw *w)
{
	if (p->witness == NULL || p->witness->type != JSON_OBJECT)
		return;
	jsonw_array(w, "codeFlows");
	jsonw_object(w, NULL);
	jsonw_array(w, "threadFlows");
	jsonw_object(w, NULL);
	jsonw_array(w, "locations");
	steps_write(p, w);
	jsonw_end_array(w);
	jsonw_end_object(w);
	jsonw_end_array(w);
	jsonw_end_object(w);
	jsonw_end_array(w);
}

/* 3.27.17: stays the same as long as the file's name, the class, the function
 * and the text of the flagged line do.  Lines added or removed above do not
 * matter. */
static void fingerprint_write(const struct parts *p, struct jsonw *w)
{
	char hash[BLAKE3_TEXT_BYTES];
	owned_buf struct buf text = { 0 };

	buf_format(&text, "1\n%s\n%s\n%s\n", p->fact->file,
		   finding_text(p->ref, "flag_class")
			   ? finding_text(p->ref, "flag_class")
			   : p->flag_class,
		   p->function ? p->function : "");
	sarif_line_build(p->fact->source, p->line, &text);
	if (buf_has_failed(&text)) {
		w->out->failed = true;
		return;
	}
	blake3_hex_text(text.bytes, text.len, hash);
	jsonw_object(w, "partialFingerprints");
	jsonw_text(w, "cupelConfirm/v1", hash);
	jsonw_end_object(w);
}

/* 3.8: what SARIF has no place for, under the names that it has in the log. */
static void properties_write(const struct parts *p, struct jsonw *w)
{
	static const char *const texts[] = { "reason", "detail", "error_class",
					     "traceback_head", "backend" };
	const struct json_value *number = json_find(p->ref, "number");
	uint64_t n = 0;

	jsonw_object(w, "properties");
	jsonw_text(w, "status", confirm_status_name(p->status));
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *text = finding_text(p->fact->record, texts[i]);

		if (text != NULL)
			sarif_block_write(w, texts[i], text);
	}
	if (finding_text(p->ref, "tool") != NULL &&
	    finding_text(p->ref, "rule") != NULL) {
		sarif_block_write(w, "tool", finding_text(p->ref, "tool"));
		sarif_block_write(w, "rule", finding_text(p->ref, "rule"));
	}
	if (number != NULL && json_read_u64(number, &n) == 0)
		jsonw_uint(w, "number", n);
	jsonw_end_object(w);
}

int sarif_result_write(const struct sarif_fact *f, struct buf *out)
{
	struct jsonw w = { .out = out };
	struct parts p;
	int e = parts_read(f, &p);

	if (e < 0)
		return e;
	jsonw_object(&w, NULL);
	sarif_text_write(&w, "ruleId", p.flag_class);
	jsonw_text(&w, "kind", kinds[p.status].kind);
	jsonw_text(&w, "level", kinds[p.status].level);
	message_write(&p, &w);
	jsonw_array(&w, "locations");
	jsonw_object(&w, NULL);
	location_write(&p, &w, p.line > 0 ? p.line : p.raised_at);
	jsonw_end_object(&w);
	jsonw_end_array(&w);
	flow_write(&p, &w);
	fingerprint_write(&p, &w);
	properties_write(&p, &w);
	jsonw_end_object(&w);
	return 0;
}
