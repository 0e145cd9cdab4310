/* settings.c -- creates the streams and the consumer, or says what differs. */
#include "worker/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/jsonw.h"
#include "boundary/json.h"
#include "worker/link.h"

#define S_NS       1000000000ULL
#define DAY_NS     (24 * 3600 * S_NS)
#define NOT_FOUND  "10059" /* a stream */
#define NO_CONSUME "10014"
/* An answer with nothing but a reason always fits, because its texts are
 * bounded. */
#define MESSAGE_LEAST   8192
#define TABLE_BYTES_MAX ((size_t)1 << 20)

static const struct stream_row {
	const char *word, *retention;
	uint64_t max_age_ns;    /* 0: until they are done */
	uint64_t duplicates_ns; /* how long an id is known */
} streams[WORKER_STREAM_MAX_] = {
	[WORKER_REQUESTS] = { "requests", "workqueue", 0, 600 * S_NS },
	[WORKER_ANSWERS] = { "answers", "limits", 7 * DAY_NS, 600 * S_NS },
	[WORKER_FAILED_ONES] = { "failed", "limits", 30 * DAY_NS, 600 * S_NS },
};

/* How many requests of the whole fleet may be taken and not yet answered, and
 * how many slots may wait. */
#define ACK_PENDING_MAX 65536U
#define WAITING_MAX     16384U

void worker_stream_name(const struct worker_link *l, enum worker_stream s,
			char ret[WORKER_SUBJECT_BYTES])
{
	(void)snprintf(ret, WORKER_SUBJECT_BYTES, "%s-%s", l->stream,
		       streams[s].word);
}

void worker_subject(const struct worker_link *l, enum worker_stream s,
		    const char *last, char ret[WORKER_SUBJECT_BYTES])
{
	(void)snprintf(ret, WORKER_SUBJECT_BYTES, "%s.%s.%s", l->stream,
		       streams[s].word, last);
}

static void stream_write(const struct worker_link *l, enum worker_stream s,
			 struct jsonw *w)
{
	char name[WORKER_SUBJECT_BYTES], subject[WORKER_SUBJECT_BYTES];

	worker_stream_name(l, s, name);
	worker_subject(l, s, s == WORKER_REQUESTS ? ">" : "*", subject);
	jsonw_object(w, NULL);
	jsonw_text(w, "name", name);
	jsonw_array(w, "subjects");
	jsonw_text(w, NULL, subject);
	jsonw_end_array(w);
	jsonw_text(w, "retention", streams[s].retention);
	jsonw_text(w, "storage", "file");
	jsonw_text(w, "discard", "new");
	jsonw_uint(w, "max_age", streams[s].max_age_ns);
	jsonw_uint(w, "duplicate_window", streams[s].duplicates_ns);
	jsonw_end_object(w);
}

/* The server's limit of deliveries (max_deliver) is not used: it would drop a
 * request without telling anybody, and count the deaths of workers against
 * it. */
static void consumer_write(uint64_t ack_wait_ms, struct jsonw *w)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "durable_name", WORKER_CONSUMER);
	jsonw_text(w, "deliver_policy", "all");
	jsonw_text(w, "ack_policy", "explicit");
	jsonw_text(w, "replay_policy", "instant");
	jsonw_uint(w, "ack_wait", ack_wait_ms * (S_NS / 1000));
	jsonw_int(w, "max_deliver", -1);
	jsonw_uint(w, "max_ack_pending", ACK_PENDING_MAX);
	jsonw_uint(w, "max_waiting", WAITING_MAX);
	jsonw_end_object(w);
}

/* --- asking the server ----------------------------------------------------- */

/* Send body to that subject.  Returns 0 with the reply's tree, or -errno with
 * *err. */
static int ask(struct worker_link *l, const char *subject, const char *body,
	       struct arena *arena, struct json_value *ret,
	       struct cupel_error *err)
{
	const struct json_caps caps = { .text_bytes = TABLE_BYTES_MAX };
	struct json_error why = { 0 };
	natsMsg *reply = NULL;
	char *bytes;
	natsStatus s = natsConnection_RequestString(&reply, l->nc, subject,
						    body, WORKER_REPLY_MS);
	int r;

	if (s == NATS_NO_RESPONDERS)
		return cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_HOST,
				  ENOTSUP,
				  "%s: the server has no JetStream: start it "
				  "with -js",
				  l->shown);
	if (s != NATS_OK)
		return cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_HOST,
				  EIO, "%s: %s: %s", l->shown, subject,
				  natsStatus_GetText(s));
	bytes = arena_copy(arena, natsMsg_GetData(reply),
			   (size_t)natsMsg_GetDataLength(reply));
	r = bytes == NULL
		    ? -ENOMEM
		    : json_parse(bytes, (size_t)natsMsg_GetDataLength(reply),
				 &caps, arena, ret, &why);
	natsMsg_Destroy(reply);
	return r == 0 ? 0
		      : cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_HOST,
				   -r,
				   "%s: %s: the server's answer is not JSON",
				   l->shown, subject);
}

/* The code of the server's error; "" if the reply has no error. */
static void error_read(const struct json_value *reply, char ret_code[16],
		       const char **ret_why)
{
	const struct json_value *e = json_find(reply, "error");
	const struct json_value *code = json_find(e, "err_code");
	const struct json_value *text = json_find(e, "description");

	ret_code[0] = '\0';
	*ret_why = "no reason given";
	if (code != NULL && code->type == JSON_NUMBER)
		(void)snprintf(ret_code, 16, "%s", code->u.number.bytes);
	else if (e != NULL)
		(void)snprintf(ret_code, 16, "unknown");
	if (text != NULL && text->type == JSON_STRING)
		*ret_why = text->u.string.bytes;
}

/* --- one thing of the table ------------------------------------------------ */

struct thing {
	const char *what;          /* "stream cupel-requests" */
	const char *info, *create; /* subjects of the server's API */
	const char *absent;        /* the code of "it is absent" */
	const char *config;        /* as JSON */
	const char *body;          /* what create is sent */
};

static int differ_fail(const struct thing *t, const struct json_member *want,
		       const struct json_value *has, struct cupel_error *err)
{
	owned_buf struct buf a = { .cap_bytes = 100 };
	owned_buf struct buf b = { .cap_bytes = 100 };

	json_write(&want->value, &a);
	if (has != NULL)
		json_write(has, &b);
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EEXIST,
			  "%s: %s is %s, expected %s; it was not changed",
			  t->what, want->name.bytes,
			  b.bytes != NULL ? b.bytes : "absent",
			  a.bytes != NULL ? a.bytes : "?");
}

/* The operator may choose the size of the largest message, as long as a reason
 * fits. */
static int least_check(const struct thing *t, const struct json_value *has,
		       struct cupel_error *err)
{
	const struct json_value *max =
		has != NULL ? json_find(has, "max_msg_size") : NULL;
	long long n = max != NULL && max->type == JSON_NUMBER
			      ? strtoll(max->u.number.bytes, NULL, 10)
			      : -1;

	if (n == -1 || n >= MESSAGE_LEAST)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EEXIST,
			  "%s: max_msg_size is %lld, expected at least %d; it "
			  "was not changed",
			  t->what, n, MESSAGE_LEAST);
}

static int compare(const struct thing *t, const struct json_value *reply,
		   struct arena *arena, struct cupel_error *err)
{
	const struct json_value *has = json_find(reply, "config");
	struct json_value want = { 0 };
	struct json_error why = { 0 };
	int r = json_parse(t->config, strlen(t->config), NULL, arena, &want,
			   &why);

	if (r < 0)
		return cupel_fail(
			err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUG, -r,
			"%s: the settings to compare with are not JSON",
			t->what);
	for (size_t i = 0; i < want.u.object.len; i++) {
		const struct json_member *m = &want.u.object.members[i];
		const struct json_value *v =
			has != NULL ? json_find(has, m->name.bytes) : NULL;

		if (v == NULL || !json_equal(v, &m->value))
			return differ_fail(t, m, v, err);
	}
	return least_check(t, has, err);
}

/* Returns 0; 1 if it is absent and makes is false; or -errno with *err. */
static int thing_hold(struct worker_link *l, const struct thing *t, bool makes,
		      struct cupel_error *err)
{
	struct arena arena = { .cap_bytes = 16 * TABLE_BYTES_MAX };
	struct json_value reply = { 0 };
	char code[16];
	const char *why = "";
	int r = ask(l, t->info, "", &arena, &reply, err);

	if (r == 0) {
		error_read(&reply, code, &why);
		if (strcmp(code, t->absent) == 0 && !makes) {
			arena_done(&arena);
			return 1;
		}
		if (strcmp(code, t->absent) == 0) {
			r = ask(l, t->create, t->body, &arena, &reply, err);
			if (r == 0)
				error_read(&reply, code, &why);
		}
		if (r == 0 && code[0] != '\0')
			r = cupel_fail(err, CUPEL_STAGE_SOURCE,
				       CUPEL_CAUSE_HOST, EIO, "%s: %s: %.200s",
				       l->shown, t->what, why);
	}
	if (r == 0)
		r = compare(t, &reply, &arena, err);
	arena_done(&arena);
	return r;
}

static int stream_hold(struct worker_link *l, enum worker_stream s, bool makes,
		       struct cupel_error *err)
{
	owned_buf struct buf config = { 0 };
	struct jsonw w = { .out = &config };
	char name[WORKER_SUBJECT_BYTES], what[192], info[192], create[192];
	struct thing t = { .what = what,
			   .info = info,
			   .create = create,
			   .absent = NOT_FOUND };

	stream_write(l, s, &w);
	buf_char(&config, '\0');
	if (buf_has_failed(&config))
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for a stream's settings");
	t.config = t.body = config.bytes;
	worker_stream_name(l, s, name);
	(void)snprintf(what, sizeof what, "stream %s", name);
	(void)snprintf(info, sizeof info, "$JS.API.STREAM.INFO.%s", name);
	(void)snprintf(create, sizeof create, "$JS.API.STREAM.CREATE.%s", name);
	return thing_hold(l, &t, makes, err);
}

static int consumer_hold(struct worker_link *l, uint64_t ack_wait_ms,
			 bool makes, struct cupel_error *err)
{
	owned_buf struct buf config = { 0 }, body = { 0 };
	struct jsonw w = { .out = &config };
	char name[WORKER_SUBJECT_BYTES], what[192], info[192], create[256];
	struct thing t = { .what = what,
			   .info = info,
			   .create = create,
			   .absent = NO_CONSUME };

	consumer_write(ack_wait_ms, &w);
	buf_char(&config, '\0');
	worker_stream_name(l, WORKER_REQUESTS, name);
	buf_format(&body, "{\"stream_name\":\"%s\",\"config\":%s}", name,
		   config.bytes != NULL ? config.bytes : "{}");
	buf_char(&body, '\0');
	if (buf_has_failed(&config) || buf_has_failed(&body))
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				  ENOMEM,
				  "no memory for the consumer's settings");
	t.config = config.bytes;
	t.body = body.bytes;
	(void)snprintf(what, sizeof what, "consumer %s of stream %s",
		       WORKER_CONSUMER, name);
	(void)snprintf(info, sizeof info, "$JS.API.CONSUMER.INFO.%s.%s", name,
		       WORKER_CONSUMER);
	(void)snprintf(create, sizeof create,
		       "$JS.API.CONSUMER.DURABLE.CREATE.%s.%s", name,
		       WORKER_CONSUMER);
	return thing_hold(l, &t, makes, err);
}

int worker_settings_hold(struct worker_link *l, uint64_t ack_wait_ms,
			 bool makes, struct cupel_error *err)
{
	int absent = 0;
	int r = 0;

	for (enum worker_stream s = WORKER_REQUESTS;
	     r >= 0 && s < WORKER_STREAM_MAX_; s++) {
		r = stream_hold(l, s, makes, err);
		absent += r > 0;
	}
	/* A stream that is absent has no consumer. */
	if (absent > 0 && ack_wait_ms > 0)
		return r < 0 ? r : absent + 1;
	if (r >= 0 && ack_wait_ms > 0) {
		r = consumer_hold(l, ack_wait_ms, makes, err);
		absent += r > 0;
	}
	return r < 0 ? r : absent;
}
