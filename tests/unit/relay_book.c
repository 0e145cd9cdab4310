/* relay_book.c -- which entries about reached destinations are kept, and which
 * messages the supervisor may send. */
#include "relay/book.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "relay/message.h"
#include "relay/name.h"
#include "tap.h"

static struct relay_record record(uint16_t verdict, const char *name)
{
	struct relay_record r = { .kind = RELAY_CONNECTION,
				  .verdict = verdict,
				  .port = 443,
				  .count = 1,
				  .bytes_in = 10 };

	memcpy(r.name, name, strlen(name));
	return r;
}

static enum book_news note(struct book *b, uint16_t verdict, const char *name)
{
	struct relay_record r = record(verdict, name), *e;

	return book_note(b, &r, &e);
}

static void the_same_is_counted(void)
{
	static struct book b;
	struct relay_record r = record(RELAY_ALLOWED, "a.test"), *e;

	ok_int(book_note(&b, &r, &e), BOOK_NEW);
	ok_int(book_note(&b, &r, &e), BOOK_COUNTED);
	ok_int(e->count, 2);
	ok_int(e->bytes_in, 20);
	r.port = 80;
	ok_int(book_note(&b, &r, &e), BOOK_NEW);
	r.verdict = RELAY_SNI_MISMATCH;
	ok_int(book_note(&b, &r, &e), BOOK_NEW);
	r.name[0] = '\0';
	ok_int(book_note(&b, &r, &e), BOOK_NEW);
	r.address.family = AF_INET;
	r.address.bytes[0] = 1;
	ok_int(book_note(&b, &r, &e), BOOK_NEW);
	ok_int(b.len, 5);
}

static void junk_does_not_hide_what_was_reached(void)
{
	static struct book b;
	char name[32];
	size_t junk = 0;

	for (int i = 0; i < 1000; i++) {
		(void)snprintf(name, sizeof name, "x%d.test", i);
		ok_int(note(&b, RELAY_NO_RULE, name),
		       i < RELAY_BOOK_MAX ? BOOK_NEW : BOOK_OMITTED);
	}
	ok_int(b.omitted, 1000 - RELAY_BOOK_MAX);
	ok_int(note(&b, RELAY_ADDRESS_RANGE, "rebound.test"), BOOK_NEW);
	ok_int(note(&b, RELAY_ALLOWED, "a.test"), BOOK_NEW);
	ok_int(note(&b, RELAY_ALLOWED, "a.test"), BOOK_COUNTED);
	ok_int(note(&b, RELAY_ADDRESS_RANGE, "rebound.test"), BOOK_COUNTED);
	ok_int(b.omitted, 1000 - RELAY_BOOK_MAX + 2);
	for (size_t i = 0; i < b.len; i++)
		junk += b.entries[i].verdict == RELAY_NO_RULE;
	ok_int(junk, RELAY_BOOK_MAX - 2);
	/* The earliest entries stay. */
	ok(strcmp(b.entries[0].name, "x0.test") == 0);
}

/* Entries that have left the book are counted by their connections. */
static void what_is_displaced_counts_with_all_of_its_own(void)
{
	static struct book b;
	char name[32];

	for (int i = 0; i < RELAY_BOOK_MAX; i++) {
		(void)snprintf(name, sizeof name, "x%d.test", i);
		ok_int(note(&b, RELAY_NO_RULE, name), BOOK_NEW);
	}
	for (int i = 0; i < 9; i++) /* the last of those that say least */
		ok_int(note(&b, RELAY_NO_RULE, name), BOOK_COUNTED);
	ok_int(note(&b, RELAY_ALLOWED, "a.test"), BOOK_NEW);
	ok_int(b.omitted, 10);
	b.omitted = UINT32_MAX - 1;
	ok_int(note(&b, RELAY_NO_RULE, "x.test"), BOOK_OMITTED);
	ok_int(note(&b, RELAY_NO_RULE, "x.test"), BOOK_OMITTED);
	ok_int(b.omitted, UINT32_MAX);
}

static void what_was_allowed_is_not_displaced(void)
{
	static struct book b;
	char name[32];

	for (int i = 0; i < RELAY_BOOK_MAX; i++) {
		(void)snprintf(name, sizeof name, "x%d.test", i);
		ok_int(note(&b, RELAY_ALLOWED, name), BOOK_NEW);
	}
	ok_int(note(&b, RELAY_ALLOWED, "one.more.test"), BOOK_OMITTED);
	ok_int(note(&b, RELAY_CONNECT_FAILED, "other.test"), BOOK_OMITTED);
	ok_int(note(&b, RELAY_ALLOWED, "x7.test"), BOOK_COUNTED);
}

/* --- what the supervisor says ---------------------------------------------- */

static struct policy policy;

static int say(uint32_t kind, uint32_t count, const void *items, size_t bytes)
{
	struct relay_message head = { kind, count };
	uint8_t *copy = malloc(sizeof head + bytes);
	int r;

	memcpy(copy, &head, sizeof head);
	if (bytes > 0)
		memcpy(copy + sizeof head, items, bytes);
	r = message_read(&policy, copy, sizeof head + bytes);
	free(copy);
	return r;
}

static const struct relay_config good = {
	.connections_max = 10,
	.servers_len = 1,
	.servers = { { .family = AF_INET, .port = 53, .bytes = { 127 } } }
};

static void begin(void)
{
	memset(&policy, 0, sizeof policy);
	ok_int(say(RELAY_CONFIG, 1, &good, sizeof good), 0);
}

static void the_order_is_kept(void)
{
	struct relay_rule rule = { .kind = RELAY_RULE_CIDR4,
				   .low = 1,
				   .high = 2 };

	memset(&policy, 0, sizeof policy);
	ok_int(say(RELAY_CONFINE, 0, NULL, 0), -EINVAL);
	ok_int(say(RELAY_RULES, 1, &rule, sizeof rule), -EINVAL);
	begin();
	ok_int(say(RELAY_CONFIG, 1, &good, sizeof good), -EINVAL);
	ok_int(say(RELAY_RULES, 1, &rule, sizeof rule), 0);
	ok_int(say(RELAY_RULES, 2, &rule, sizeof rule), -EINVAL);
	ok_int(say(RELAY_RULES, 1, &rule, sizeof rule - 1), -EINVAL);
	ok_int(say(RELAY_RULES, UINT32_MAX, &rule, sizeof rule), -EINVAL);
	ok_int(say(RELAY_SOCKETS, 0, NULL, 0), -EINVAL);
	ok_int(say(99, 0, NULL, 0), -EINVAL);
	ok_int(say(RELAY_CONFINE, 0, &rule, 4), -EINVAL);
	ok_int(say(RELAY_CONFINE, 0, NULL, 0), 1);
	ok_int(message_read(&policy, (const uint8_t *)"abc", 3), -EINVAL);
}

static void a_configuration_is_checked(void)
{
	struct relay_config bad[6];

	for (size_t i = 0; i < 6; i++)
		bad[i] = good;
	bad[0].connections_max = 0;
	bad[1].connections_max = RELAY_CONNECTIONS_MAX + 1;
	bad[2].servers_len = RELAY_SERVERS_MAX + 1;
	bad[3].servers[0].family = 1;
	bad[4].servers[0].port = 0;
	bad[5].is_audit = 2;
	for (size_t i = 0; i < 6; i++) {
		memset(&policy, 0, sizeof policy);
		ok_int(say(RELAY_CONFIG, 1, &bad[i], sizeof bad[i]), -EINVAL);
	}
}

static int say_rule(uint16_t kind, uint16_t host, const char *name)
{
	struct relay_rule r = {
		.kind = kind, .host = host, .low = 1, .high = 9
	};

	memcpy(r.name, name, strlen(name));
	return say(RELAY_RULES, 1, &r, sizeof r);
}

static void rules_are_checked(void)
{
	struct relay_rule r = {
		.kind = RELAY_RULE_CIDR4, .bits = 33, .low = 1, .high = 9
	};

	begin();
	ok_int(say(RELAY_RULES, 1, &r, sizeof r), -EINVAL);
	r.kind = RELAY_RULE_CIDR6;
	r.bits = 129;
	ok_int(say(RELAY_RULES, 1, &r, sizeof r), -EINVAL);
	r.bits = 128;
	r.low = 0;
	ok_int(say(RELAY_RULES, 1, &r, sizeof r), -EINVAL);
	r.low = 10;
	ok_int(say(RELAY_RULES, 1, &r, sizeof r), -EINVAL);
	r = (struct relay_rule){ .kind = RELAY_RULE_SUFFIX,
				 .low = 1,
				 .high = 1 };
	memset(r.name, 'a', sizeof r.name); /* it does not end */
	ok_int(say(RELAY_RULES, 1, &r, sizeof r), -EINVAL);
	ok_int(say_rule(0, 0, "a.test"), -EINVAL);
	ok_int(say_rule(RELAY_RULE_MAX_, 0, "a.test"), -EINVAL);
	ok_int(say_rule(RELAY_RULE_SUFFIX, 0, "A.test"), -EINVAL);
	ok_int(say_rule(RELAY_RULE_SUFFIX, 0, "*.test"), -EINVAL);
	ok_int(say_rule(RELAY_RULE_SUFFIX, 1, "a.test"), -EINVAL);
	ok_int(say_rule(RELAY_RULE_SUFFIX, 0, "a.test"), 0);
}

static void names_have_numbers_without_gaps(void)
{
	static struct names names;
	struct relay_address a;

	begin();
	ok_int(say_rule(RELAY_RULE_NAME, 0, "a.test"), -EINVAL);
	ok_int(say_rule(RELAY_RULE_NAME, 2, "a.test"), -EINVAL);
	ok_int(say_rule(RELAY_RULE_NAME, 1, "a.test"), 0);
	ok_int(say_rule(RELAY_RULE_NAME, 1, "b.test"), -EINVAL);
	ok_int(say_rule(RELAY_RULE_NAME, 2, "a.test"), -EINVAL);
	ok_int(say_rule(RELAY_RULE_NAME, 1, "a.test"), 0);
	ok_int(say_rule(RELAY_RULE_NAME, 2, "b.test"), 0);
	names_init(&names, &policy);
	ok_int(names_find(&names, "b.test"), 2);
	ok_int(names_find(&names, "c.test"), 0);
	a = name_address(2);
	ok_int(names_find_address(&names, &a), 2);
	a = name_address(3);
	ok_int(names_find_address(&names, &a), 0);
	a.bytes[0] = 1;
	ok_int(names_find_address(&names, &a), -1);
	while (names_add(&names, "x.test") != 0)
		;
	ok_int(names.len, RELAY_NAMES_MAX);
	a = name_address(RELAY_NAMES_MAX);
	ok_int(a.bytes[2], 2);
	ok_int(a.bytes[3], 0);
	ok_int(names_find_address(&names, &a), RELAY_NAMES_MAX);
}

static void tables_have_ends(void)
{
	struct relay_host h = { .address = { .family = AF_INET },
				.name = "a.test" };
	struct relay_address a = { .family = AF_INET6 };

	begin();
	for (int i = 0; i < RELAY_RULES_MAX; i++)
		ok_int(say_rule(RELAY_RULE_SUFFIX, 0, "a.test"), 0);
	ok_int(say_rule(RELAY_RULE_SUFFIX, 0, "a.test"), -EINVAL);
	for (int i = 0; i < RELAY_HOSTS_MAX; i++)
		ok_int(say(RELAY_HOSTS, 1, &h, sizeof h), 0);
	ok_int(say(RELAY_HOSTS, 1, &h, sizeof h), -EINVAL);
	for (int i = 0; i < RELAY_OWN_MAX; i++)
		ok_int(say(RELAY_OWN, 1, &a, sizeof a), 0);
	ok_int(say(RELAY_OWN, 1, &a, sizeof a), -EINVAL);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_same_is_counted),
		CASE(junk_does_not_hide_what_was_reached),
		CASE(what_is_displaced_counts_with_all_of_its_own),
		CASE(what_was_allowed_is_not_displaced),
		CASE(the_order_is_kept), CASE(a_configuration_is_checked),
		CASE(rules_are_checked), CASE(names_have_numbers_without_gaps),
		CASE(tables_have_ends), TAP_END });
}
