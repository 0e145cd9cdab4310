/* worker_request.c -- a requester may ask only for what is in a list, and the
 * list agrees with the schema. */
#include "worker/request.h"

#include <stdlib.h>

#include "base/buf.h"
#include "spec/field.h"
#include "spec/schemas.h"
#include "tap.h"
#include "worker/worker.h"

static int read_text(const char *text, struct worker_request *q,
		     struct worker_why *why)
{
	*q = (struct worker_request){ 0 };
	*why = (struct worker_why){ 0 };
	return worker_request_read(text, strlen(text), q, why);
}

/* Why a request that asks for this key of a spec is refused; NULL: it is not
 * refused. */
static const char *code_of(const char *key, const char *value)
{
	owned_buf struct buf text = { 0 };
	struct worker_request q;
	struct worker_why why;

	buf_format(&text,
		   "{\"id\":\"a\",\"kind\":\"run\",\"spec\":{\"%s\":%s}}", key,
		   value);
	(void)read_text(text.bytes, &q, &why);
	worker_request_done(&q);
	return why.code;
}

static const struct json_value *schema_keys(struct arena *arena)
{
	static struct json_value v;
	const struct data_text *t = schema_text_find("worker-request");
	struct json_error e;

	ok_int(json_parse(t->bytes, t->len, NULL, arena, &v, &e), 0);
	return json_find(json_find(json_find(&v, "$defs"), "spec"),
			 "properties");
}

static void the_list_and_the_schema_are_one(void)
{
	struct arena arena = { 0 };
	const struct json_value *known = schema_keys(&arena);

	ok_int(known->u.object.len, 28);
	for (size_t i = 0; i < known->u.object.len; i++) {
		const char *key = known->u.object.members[i].name.bytes;
		const char *code = code_of(key, "{}");

		/* A wrong value, but not a forbidden key. */
		ok(code == NULL || strcmp(code, "key") != 0);
	}
	arena_done(&arena);
}

static void every_other_option_is_refused(void)
{
	struct arena arena = { 0 };
	const struct json_value *known = schema_keys(&arena);
	unsigned refused = 0;

	for (size_t i = 0; i < fields_len; i++) {
		char key[64] = { 0 };
		const char *code;

		(void)snprintf(key, sizeof key, "%s", fields[i].name);
		for (char *p = key; *p != '\0'; p++)
			*p = *p == '-' ? '_' : *p;
		if (json_find(known, key) != NULL)
			continue;
		code = code_of(key, "\"x\"");
		ok(code != NULL && strcmp(code, "key") == 0);
		refused++;
	}
	ok(refused >= 18);
	arena_done(&arena);
}

static void a_request_is_read(void)
{
	struct worker_request q;
	struct worker_why why;

	ok_int(read_text("{\"id\":\"one\",\"kind\":\"gather\",\"source\":"
			 "{\"path\":\"/x\"}}",
			 &q, &why),
	       0);
	ok_has(q.id.bytes, "one");
	ok_int(q.kind, WORKER_GATHER);
	ok_int(strlen(q.key), 32);
	worker_request_done(&q);
}

static void a_refusal_knows_whose_it_is(void)
{
	struct worker_request q;
	struct worker_why why;

	ok(read_text("{\"id\":\"one\",\"kind\":\"run\",\"spec\":{\"ro\":[]}}",
		     &q, &why) < 0);
	ok_has(q.id.bytes, "one");
	ok_has(why.text, "'ro'");
	worker_request_done(&q);
	/* It is whole except for the id, without which nobody can be
	 * answered. */
	ok(read_text("{\"id\":\"a\\u0000b\",\"kind\":\"run\",\"spec\":{"
		     "\"command\":[\"true\"]}}",
		     &q, &why) < 0);
	ok_int(q.id.len, 0);
	ok_has(why.text, "/id");
	worker_request_done(&q);
	ok(read_text("[1]", &q, &why) < 0);
	ok_has(why.code, "wrong_schema");
	worker_request_done(&q);
}

static void one_too_large_is_not_looked_at(void)
{
	size_t n = WORKER_REQUEST_BYTES + 1;
	char *text = malloc(n);
	struct worker_request q = { 0 };
	struct worker_why why = { 0 };

	memset(text, ' ', n);
	ok(worker_request_read(text, n, &q, &why) < 0);
	ok_has(why.code, "too_large");
	worker_request_done(&q);
	free(text);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_request_is_read),
		CASE(a_refusal_knows_whose_it_is),
		CASE(the_list_and_the_schema_are_one),
		CASE(every_other_option_is_refused),
		CASE(one_too_large_is_not_looked_at),
		TAP_END,
	});
}
