/* hear.c -- takes answers when they are published, and looks for those that
 * were missed. */
#include "worker/submit.h"

#include <string.h>

#include "base/cleanup.h"
#include "cli/cli.h"
#include "worker/child.h"
#include "worker/do.h"
#include "worker/settings.h"

/* The message that tells of an answer may be lost, so the answer is also asked
 * for from time to time. */
#define SWEEP_MS   1000
#define SWEEP_MANY 64

static const char *text_of(const struct json_value *v, const char *name)
{
	const struct json_value *t = json_find(v, name);

	return t != NULL && t->type == JSON_STRING ? t->u.string.bytes : "";
}

static void print(struct worker_submit *s, const struct json_value *v)
{
	owned_buf struct buf out = { 0 };

	json_write(v, &out);
	buf_char(&out, '\n');
	if (cli_print(&out) != CLI_OK)
		s->status = CLI_FAILED;
}

static void take_answer(struct worker_submit *s, struct worker_awaited *a,
			natsMsg *msg)
{
	struct arena arena = { 0 };
	struct json_value v = { 0 };
	struct worker_why why = { 0 };

	if (!worker_answer_check(s->answers, natsMsg_GetData(msg),
				 (size_t)natsMsg_GetDataLength(msg), &arena, &v,
				 &why)) {
		cli_complain("%s: the answer does not fit its schema: %s",
			     natsMsg_GetSubject(msg), why.text);
		s->bad++;
	} else if (strcmp(text_of(&v, "request"), a->hash) != 0) {
		cli_complain(
			"id '%.80s': the answer is that of an earlier request "
			"with this id, which asked for something else",
			text_of(&v, "id"));
		s->bad++;
	} else {
		print(s, &v);
		s->answered++;
		s->bad += strcmp(text_of(&v, "outcome"), "done") != 0;
	}
	worker_pending_drop(&s->pending, a);
	arena_done(&arena);
}

bool worker_submit_find(struct worker_submit *s, struct worker_awaited *a)
{
	char subject[WORKER_SUBJECT_BYTES];
	natsMsg *msg = NULL;
	bool is_there;

	worker_subject(&s->link, WORKER_ANSWERS, a->key, subject);
	is_there = worker_link_find(&s->link, subject, &msg) == 1;
	if (is_there)
		take_answer(s, a, msg);
	natsMsg_Destroy(msg);
	return is_there;
}

void worker_submit_hear(struct worker_submit *s, int ms)
{
	natsMsg *msg = NULL;
	natsStatus r;

	while (s->status == 0 && !worker_submit_is_late(s)) {
		const char *key;
		struct worker_awaited *a;

		r = natsSubscription_NextMsg(&msg, s->sub, ms);
		ms = 0;
		if (r != NATS_OK && r != NATS_SLOW_CONSUMER)
			return;
		if (msg == NULL)
			continue;
		key = strrchr(natsMsg_GetSubject(msg), '.') + 1;
		a = worker_pending_find(&s->pending, key);
		if (a != NULL)
			(void)worker_submit_find(s, a);
		natsMsg_Destroy(msg);
		msg = NULL;
	}
}

void worker_submit_sweep(struct worker_submit *s)
{
	if (worker_now_ms() < s->sweep_ms)
		return;
	for (unsigned i = 0;
	     i < SWEEP_MANY && s->status == 0 && !worker_submit_is_late(s);
	     i++) {
		struct worker_awaited *a = worker_pending_next(&s->pending);

		if (a == NULL)
			break;
		(void)worker_submit_find(s, a);
	}
	s->sweep_ms = worker_now_ms() + SWEEP_MS;
}
