/* relay_dns.c -- questions and answers, and what is wrong with them. */
#include "relay/dns.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "tap.h"

/* A message that is written down piece by piece. */
struct text {
	uint8_t bytes[4096];
	size_t len;
};

static void put(struct text *t, const char *bytes, size_t n)
{
	memcpy(t->bytes + t->len, bytes, n);
	t->len += n;
}
#define PUT(t, literal) put(t, literal, sizeof literal - 1)

#define HEAD "\x12\x34\x01\x00\x00\x01\0\0\0\0\0\0"
#define A_IN "\0\x01\0\x01"

static int question(const char *bytes, size_t n, struct dns_question *q)
{
	uint8_t *copy = calloc(1, n > 0 ? n : 1); /* for ASan */
	int r;

	memcpy(copy, bytes, n);
	r = dns_question_read(copy, n, q);
	free(copy);
	return r;
}
#define QUESTION(literal, q) question(literal, sizeof literal - 1, q)

static void reads_a_question(void)
{
	struct dns_question q;

	ok_int(QUESTION(HEAD "\x03wWw\x07"
			     "Example\x04test\0" A_IN,
			&q),
	       0);
	ok(strcmp(q.name, "www.example.test") == 0);
	ok_int(q.id, 0x1234);
	ok_int(q.type, DNS_A);
	ok(q.is_host);
	ok_int(QUESTION(HEAD "\x01"
			     "a\0" A_IN "what stands behind it",
			&q),
	       0);
	ok_int(q.len, 12 + 3 + 4);
}

static void what_no_host_has_is_shown_and_refused(void)
{
	struct dns_question q;

	ok_int(QUESTION(HEAD "\x05"
			     "a.b\x1b["
			     "\x04test\0" A_IN,
			&q),
	       0);
	ok(strcmp(q.name, "a?b??.test") == 0);
	ok(!q.is_host);
	ok_int(QUESTION(HEAD "\0" A_IN, &q), 0);
	ok(!q.is_host);
	ok_int(QUESTION(HEAD "\x01"
			     "a\0\0\x01\0\x03",
			&q),
	       0);
	ok(!q.is_host); /* of class CHAOS */
	ok_int(QUESTION(HEAD "\x01"
			     "1\x01"
			     "2\0" A_IN,
			&q),
	       0);
	ok(!q.is_host);
}

static void refuses_broken_questions(void)
{
	struct dns_question q;
	struct text t = { .len = 0 };

	ok_int(QUESTION("", &q), -EBADMSG);
	ok_int(QUESTION("\x12\x34\x01\0\0\x01\0\0\0\0\0", &q), -EBADMSG);
	ok_int(QUESTION("\x12\x34\x80\0\0\x01\0\0\0\0\0\0", &q), -EBADMSG);
	ok_int(QUESTION("\x12\x34\x28\0\0\x01\0\0\0\0\0\0", &q), DNS_NOTIMP);
	ok_int(QUESTION(HEAD, &q), DNS_FORMERR);
	ok_int(QUESTION(HEAD "\x03"
			     "ab",
			&q),
	       DNS_FORMERR);
	ok_int(QUESTION(HEAD "\x02"
			     "ab",
			&q),
	       DNS_FORMERR);
	ok_int(QUESTION(HEAD "\x02"
			     "ab\0\0\x01\0",
			&q),
	       DNS_FORMERR);
	ok_int(QUESTION(HEAD "\xc0\x0c" A_IN, &q), DNS_FORMERR);
	ok_int(QUESTION(HEAD "\x40" A_IN, &q), DNS_FORMERR);
	ok_int(QUESTION("\x12\x34\x01\0\0\x02\0\0\0\0\0\0\0" A_IN, &q),
	       DNS_FORMERR);
	PUT(&t, HEAD);
	for (int i = 0; i < 5; i++) { /* 5 times 63 and a length: too long */
		t.bytes[t.len++] = 63;
		memset(t.bytes + t.len, 'a', 63);
		t.len += 63;
	}
	PUT(&t, "\0" A_IN);
	ok_int(dns_question_read(t.bytes, t.len, &q), DNS_FORMERR);
}

static void replies_repeat_the_question(void)
{
	static const uint8_t address[4] = { 198, 18, 1, 1 };
	uint8_t out[DNS_UDP_BYTES];
	struct dns_question q;
	size_t len;

	ok_int(QUESTION(HEAD "\x01"
			     "A\0" A_IN,
			&q),
	       0);
	len = dns_reply_write(&q, DNS_NOERROR, address, out);
	ok_int(len, 12 + 7 + 16);
	ok(memcmp(out, "\x12\x34\x81\x80\0\x01\0\x01\0\0\0\0", 12) == 0);
	ok(memcmp(out + 12,
		  "\x01"
		  "A\0" A_IN,
		  7) == 0);
	ok(memcmp(out + len - 4, address, 4) == 0);
	len = dns_reply_write(&q, DNS_NXDOMAIN, address, out);
	ok_int(len, 12 + 7);
	ok_int(out[3] & 15, DNS_NXDOMAIN);
	ok_int(QUESTION(HEAD "\x41", &q), DNS_FORMERR);
	len = dns_reply_write(&q, DNS_FORMERR, NULL, out);
	ok_int(len, 12);
	ok_int(out[5], 0); /* there is no question in it */
}

static const struct dns_query asked = { .id = 0x1234,
					.type = DNS_A,
					.name = "a.test" };
#define ANSWER_HEAD(count)                                                     \
	"\x12\x34\x81\x80\0\x01\0" count "\0\0\0\0"                            \
	"\x01"                                                                 \
	"a\x04test\0" A_IN
#define ADDRESS "\xc0\x0c" A_IN "\0\0\0\x3c\0\x04\x5d\xb8\xd8\x22"

static int answer(const char *bytes, size_t n, struct dns_answer *a)
{
	uint8_t *copy = malloc(n);
	int r;

	memcpy(copy, bytes, n);
	r = dns_answer_read(copy, n, &asked, a);
	free(copy);
	return r;
}
#define ANSWER(literal, a) answer(literal, sizeof literal - 1, a)

static void reads_an_answer(void)
{
	struct dns_answer a;

	ok_int(ANSWER(ANSWER_HEAD("\x01") ADDRESS, &a), 0);
	ok_int(a.len, 1);
	ok_int(a.ttl_s, 60);
	ok_int(a.addresses[0].family, AF_INET);
	ok_int(a.addresses[0].bytes[0], 93);
	ok_int(ANSWER(ANSWER_HEAD("\0"), &a), 0);
	ok_int(a.len, 0);
	ok_int(a.ttl_s, 0);
}

static void follows_aliases_in_any_order(void)
{
	struct dns_answer a;

	/* a.test is b.test is c (at 0x2d), which has an address and stands
	 * first. */
	ok_int(ANSWER(ANSWER_HEAD("\x03") "\x01"
					  "c\0" A_IN
					  "\0\0\0\x09\0\x04\x01\x02\x03\x04"
					  "\xc0\x0c\0\x05\0\x01\0\0\0\x05\0\x08"
					  "\x01"
					  "b\x04test\0"
					  "\x01"
					  "B\x04TEST\0\0\x05\0\x01\0\0\0\x07\0"
					  "\x03\x01"
					  "C\0",
		      &a),
	       0);
	ok_int(a.len, 1);
	ok_int(a.ttl_s, 5);
	ok_int(a.addresses[0].bytes[3], 4);
}

static void aliases_that_lead_in_a_circle_end(void)
{
	struct dns_answer a;

	ok_int(ANSWER(ANSWER_HEAD("\x01") "\xc0\x0c\0\x05\0\x01\0\0\0\x05\0"
					  "\x02\xc0\x0c",
		      &a),
	       0);
	ok_int(a.len, 0);
}

static void addresses_of_others_are_left_out(void)
{
	struct dns_answer a;

	ok_int(ANSWER(ANSWER_HEAD("\x01") "\x01"
					  "b\x04test\0" A_IN
					  "\0\0\0\x09\0\x04\x01\x02\x03\x04",
		      &a),
	       0);
	ok_int(a.len, 0);
}

static void refuses_broken_answers(void)
{
	static const char good[] = ANSWER_HEAD("\x01") ADDRESS;
	struct dns_answer a;

	for (size_t n = 0; n + 1 < sizeof good - 1; n++)
		ok_int(answer(good, n > 0 ? n : 1, &a), -EBADMSG);
	ok_int(ANSWER(ANSWER_HEAD("\x02") ADDRESS, &a), -EBADMSG);
	/* an address of a wrong length; a record that is longer than the
	 * message */
	ok_int(ANSWER(ANSWER_HEAD("\x01") "\xc0\x0c" A_IN
					  "\0\0\0\x3c\0\x03\x5d\xb8\xd8",
		      &a),
	       -EBADMSG);
	ok_int(ANSWER(ANSWER_HEAD("\x01") "\xc0\x0c" A_IN
					  "\0\0\0\x3c\xff\xff\x5d\xb8\xd8\x22",
		      &a),
	       -EBADMSG);
	/* a pointer to itself, and one forward */
	ok_int(ANSWER(ANSWER_HEAD("\x01") "\xc0\x18" A_IN
					  "\0\0\0\x3c\0\x04\x5d\xb8\xd8\x22",
		      &a),
	       -EBADMSG);
	ok_int(ANSWER(ANSWER_HEAD("\x01") "\xc0\x19" A_IN
					  "\0\0\0\x3c\0\x04\x5d\xb8\xd8\x22",
		      &a),
	       -EBADMSG);
}

static void answers_to_others_are_none(void)
{
	static const struct {
		size_t at;
		char byte;
	} rows[] = {
		{ 0, '\x13' },  /* another id */
		{ 2, '\x01' },  /* a question */
		{ 5, '\x02' },  /* two questions */
		{ 13, 'b' },    /* another name */
		{ 21, '\x1c' }, /* another type */
		{ 23, '\x03' }, /* another class */
	};
	struct dns_answer a;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char bytes[] = ANSWER_HEAD("\x01") ADDRESS;

		bytes[rows[i].at] = rows[i].byte;
		ok_int(answer(bytes, sizeof bytes - 1, &a), -EBADMSG);
	}
}

static void codes_and_cuts_are_told(void)
{
	char bytes[] = ANSWER_HEAD("\0");
	struct dns_answer a;

	bytes[3] = '\x83';
	ok_int(answer(bytes, sizeof bytes - 1, &a), 0);
	ok_int(a.code, DNS_NXDOMAIN);
	bytes[3] = '\x85'; /* refused */
	ok_int(answer(bytes, sizeof bytes - 1, &a), 0);
	ok_int(a.code, DNS_SERVFAIL);
	bytes[3] = '\x80';
	bytes[2] = '\x83';
	ok_int(answer(bytes, sizeof bytes - 1, &a), 0);
	ok(a.is_cut);
}

static void many_addresses_are_capped(void)
{
	struct text t = { .len = 0 };
	struct dns_answer a;

	PUT(&t, ANSWER_HEAD("\x40"));
	for (int i = 0; i < 64; i++)
		PUT(&t, ADDRESS);
	ok_int(dns_answer_read(t.bytes, t.len, &asked, &a), 0);
	ok_int(a.len, DNS_ADDRESSES_MAX);
}

static void what_is_asked_is_what_is_read(void)
{
	struct dns_query q = { .id = 7, .type = DNS_AAAA, .name = "x.a.test" };
	uint8_t bytes[DNS_QUESTION_BYTES];
	struct dns_question back;

	ok_int(dns_question_read(bytes, dns_query_write(&q, bytes), &back), 0);
	ok(strcmp(back.name, q.name) == 0);
	ok_int(back.type, DNS_AAAA);
	ok_int(back.id, 7);
	q.name = "not a host";
	ok_int(dns_query_write(&q, bytes), 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(reads_a_question),
		CASE(what_no_host_has_is_shown_and_refused),
		CASE(refuses_broken_questions),
		CASE(replies_repeat_the_question), CASE(reads_an_answer),
		CASE(follows_aliases_in_any_order),
		CASE(aliases_that_lead_in_a_circle_end),
		CASE(addresses_of_others_are_left_out),
		CASE(refuses_broken_answers), CASE(answers_to_others_are_none),
		CASE(codes_and_cuts_are_told), CASE(many_addresses_are_capped),
		CASE(what_is_asked_is_what_is_read), TAP_END });
}
