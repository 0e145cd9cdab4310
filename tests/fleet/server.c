/* server.c -- what requests and answers cost a JetStream server, without any
 * worker.
 *
 * usage: server URL SLOTS CYCLES REQUEST_BYTES ANSWER_BYTES
 *
 * Publishes CYCLES requests, then has SLOTS threads do what a slot of
 * cupel-worker(1) does of each, but for the work: fetch one, store an answer
 * under a subject of its own, acknowledge, and wait until that is confirmed.
 * Prints seconds of publishing and seconds of the cycles, as two words.
 */
#include <nats/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLOTS_MAX 256
#define FETCH_MS  1000
#define REPLY_MS  10000

struct bench {
	natsConnection *nc;
	jsCtx *js;
	char *request, *answer;
	long request_bytes, answer_bytes, cycles, slots;
	_Atomic long done, failed, number;
};

struct slot {
	struct bench *b;
	natsSubscription *sub;
	pthread_t thread;
};

static double now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(const char *what, natsStatus s)
{
	(void)fprintf(stderr, "server: %s: %s\n", what, natsStatus_GetText(s));
	exit(1);
}

/* As cupel-worker(1) makes them: on disk, each kind of message with its time. */
static void stream_make(struct bench *b, const char *name, const char *subject,
			jsRetentionPolicy retention)
{
	const char *subjects[] = { subject };
	jsStreamConfig c;
	natsStatus s = jsStreamConfig_Init(&c);

	c.Name = name;
	c.Subjects = subjects;
	c.SubjectsLen = 1;
	c.Retention = retention;
	c.Storage = js_FileStorage;
	c.Discard = js_DiscardNew;
	c.Duplicates = 600LL * 1000000000LL;
	if (s == NATS_OK)
		s = js_AddStream(NULL, b->js, &c, NULL, NULL);
	if (s != NATS_OK)
		fail(name, s);
}

static void consumer_make(struct bench *b)
{
	jsConsumerConfig c;
	natsStatus s = jsConsumerConfig_Init(&c);

	c.Durable = "workers";
	c.AckPolicy = js_AckExplicit;
	c.AckWait = 60LL * 1000000000LL;
	c.MaxAckPending = 65536;
	c.MaxWaiting = 16384;
	if (s == NATS_OK)
		s = js_AddConsumer(NULL, b->js, "requests", &c, NULL, NULL);
	if (s != NATS_OK)
		fail("consumer", s);
}

/* All are sent before the first confirmation is waited for, as by submitters
 * that do not wait for each other. */
static void publish_all(struct bench *b)
{
	char id[32];
	natsStatus s = NATS_OK;

	for (long i = 0; i < b->cycles && s == NATS_OK; i++) {
		jsPubOptions o;

		s = jsPubOptions_Init(&o);
		(void)snprintf(id, sizeof id, "r%ld", i);
		o.MsgId = id;
		if (s == NATS_OK)
			s = js_PublishAsync(b->js, "requests.gather",
					    b->request, (int)b->request_bytes,
					    &o);
	}
	if (s == NATS_OK)
		s = js_PublishAsyncComplete(b->js, NULL);
	if (s != NATS_OK)
		fail("publish", s);
}

static bool answer_put(struct bench *b, long number)
{
	char subject[64], id[32];
	jsPubOptions o;
	natsStatus s = jsPubOptions_Init(&o);

	(void)snprintf(subject, sizeof subject, "answers.%ld", number);
	(void)snprintf(id, sizeof id, "a%ld", number);
	o.MsgId = id;
	o.MaxWait = REPLY_MS;
	o.ExpectNoMessage = true;
	if (s == NATS_OK)
		s = js_Publish(NULL, b->js, subject, b->answer,
			       (int)b->answer_bytes, &o, NULL);
	return s == NATS_OK;
}

static void *slot_run(void *ctx)
{
	struct slot *slot = ctx;
	struct bench *b = slot->b;

	while (atomic_load(&b->done) < b->cycles) {
		natsMsgList list = { 0 };

		if (natsSubscription_Fetch(&list, slot->sub, 1, FETCH_MS,
					   NULL) == NATS_OK &&
		    list.Count == 1) {
			long number = atomic_fetch_add(&b->number, 1);

			if (!answer_put(b, number) ||
			    natsMsg_AckSync(list.Msgs[0], NULL, NULL) !=
				    NATS_OK)
				atomic_fetch_add(&b->failed, 1);
			atomic_fetch_add(&b->done, 1);
		}
		natsMsgList_Destroy(&list);
	}
	nats_ReleaseThreadMemory();
	return NULL;
}

static void cycles_run(struct bench *b)
{
	static struct slot slots[SLOTS_MAX];

	for (long i = 0; i < b->slots; i++) {
		jsSubOptions o;
		natsStatus s = jsSubOptions_Init(&o);

		slots[i].b = b;
		o.Stream = "requests";
		o.Consumer = "workers";
		if (s == NATS_OK)
			s = js_PullSubscribe(&slots[i].sub, b->js, "",
					     "workers", NULL, &o, NULL);
		if (s != NATS_OK)
			fail("subscribe", s);
		if (pthread_create(&slots[i].thread, NULL, slot_run,
				   &slots[i]) != 0)
			fail("thread", NATS_ERR);
	}
	for (long i = 0; i < b->slots; i++) {
		(void)pthread_join(slots[i].thread, NULL);
		natsSubscription_Destroy(slots[i].sub);
	}
}

static void connect_to(struct bench *b, const char *url)
{
	natsStatus s = natsConnection_ConnectTo(&b->nc, url);

	if (s == NATS_OK)
		s = natsConnection_JetStream(&b->js, b->nc, NULL);
	if (s != NATS_OK)
		fail(url, s);
	stream_make(b, "requests", "requests.>", js_WorkQueuePolicy);
	stream_make(b, "answers", "answers.*", js_LimitsPolicy);
	consumer_make(b);
}

static long number(const char *text, long max)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (*end != '\0' || n < 1 || n > max) {
		(void)fprintf(stderr, "server: '%s' is outside 1..%ld\n", text,
			      max);
		exit(2);
	}
	return n;
}

static char *filled(long bytes)
{
	char *p = malloc((size_t)bytes);

	if (p == NULL)
		fail("memory", NATS_NO_MEMORY);
	memset(p, 'x', (size_t)bytes);
	return p;
}

int main(int argc, char *argv[])
{
	struct bench b = { 0 };
	double began, published, ended;

	if (argc != 6) {
		(void)fprintf(stderr, "usage: server URL SLOTS CYCLES "
				      "REQUEST_BYTES ANSWER_BYTES\n");
		return 2;
	}
	b.slots = number(argv[2], SLOTS_MAX);
	b.cycles = number(argv[3], 10000000);
	b.request_bytes = number(argv[4], 1000000);
	b.answer_bytes = number(argv[5], 1000000);
	b.request = filled(b.request_bytes);
	b.answer = filled(b.answer_bytes);
	connect_to(&b, argv[1]);
	began = now_s();
	publish_all(&b);
	published = now_s();
	cycles_run(&b);
	ended = now_s();
	(void)printf("%.6f %.6f\n", published - began, ended - published);
	jsCtx_Destroy(b.js);
	natsConnection_Destroy(b.nc);
	nats_Close();
	free(b.request);
	free(b.answer);
	return b.failed > 0;
}
