/* supervise_book.c -- what was reached stays in the book and what was executed
 * stays in the log, whatever fills them. */
#include "tap.h"

#include <sys/socket.h>

#include "supervise/egress_book.h"
#include "supervise/trace_log.h"

static struct egress_entry entry_of(const char *host, unsigned port,
				    bool is_allowed)
{
	struct egress_entry e = {
		.port = (uint16_t)port,
		.is_allowed = is_allowed,
		.reason = is_allowed ? EGRESS_REACHED : EGRESS_NO_RULE,
		.connections = 1,
		.bytes_in = 10,
		.bytes_out = 5,
		.first_ms = port,
	};

	(void)snprintf(e.host, sizeof e.host, "%s", host);
	return e;
}

static void one_entry_for_each_host_port_and_verdict(void)
{
	struct egress_book book = { 0 };
	struct egress_entry e = entry_of("a.example", 443, true);

	egress_book_add(&book, &e);
	e.first_ms = 7;
	egress_book_add(&book, &e);
	e.is_allowed = false;
	e.reason = EGRESS_CONNECT_FAILED;
	egress_book_add(&book, &e);
	e = entry_of("a.example", 80, true);
	egress_book_add(&book, &e);
	ok_int((intmax_t)book.len, 3);
	ok_int((intmax_t)book.entries[0].connections, 2);
	ok_int((intmax_t)book.entries[0].bytes_in, 20);
	ok_int((intmax_t)book.entries[0].first_ms, 7);
	egress_book_done(&book);
	ok_int((intmax_t)book.len, 0);
}

static void addresses_without_a_name_are_told_apart(void)
{
	struct egress_book book = { 0 };
	struct egress_entry e = entry_of("", 443, false);

	e.family = AF_INET;
	for (int i = 0; i < 6; i++) {
		e.address[3] = (uint8_t)(i % 3);
		egress_book_add(&book, &e);
	}
	ok_int((intmax_t)book.len, 3);
	egress_book_done(&book);
}

static void junk_does_not_hide_what_was_reached(void)
{
	struct egress_book book = { 0 };
	char name[64];
	size_t allowed = 0;

	for (int i = 0; i < 1000; i++) {
		struct egress_entry e;

		(void)snprintf(name, sizeof name, "junk-%d.example", i);
		e = entry_of(name, 443, false);
		egress_book_add(&book, &e);
	}
	for (int i = 0; i < 300; i++) {
		struct egress_entry e;

		(void)snprintf(name, sizeof name, "real-%d.example", i);
		e = entry_of(name, 443, true);
		egress_book_add(&book, &e);
	}
	ok_int((intmax_t)book.len, EGRESS_ENTRIES_MAX);
	for (size_t i = 0; i < book.len; i++)
		allowed += book.entries[i].is_allowed;
	ok_int((intmax_t)allowed, EGRESS_ENTRIES_MAX);
	ok_int((intmax_t)book.omitted, 1000 + 300 - EGRESS_ENTRIES_MAX);
	egress_book_done(&book);
	for (int i = 0; i < 300; i++) {
		struct egress_entry e;

		(void)snprintf(name, sizeof name, "down-%d.example", i);
		e = entry_of(name, 443, true);
		e.reason = EGRESS_CONNECT_FAILED;
		egress_book_add(&book, &e);
		if (i < 290)
			continue;
		e.reason = EGRESS_REACHED;
		egress_book_add(&book, &e);
	}
	allowed = 0;
	for (size_t i = 0; i < book.len; i++)
		allowed += book.entries[i].reason == EGRESS_REACHED;
	ok_int((intmax_t)allowed, 10);
	egress_book_done(&book);
}

static void the_first_name_of_an_address_counts(void)
{
	struct egress_book book = { 0 };
	uint8_t at[4] = { 198, 18, 1, 0 };

	ok(egress_book_find_name(&book, at) == NULL);
	egress_book_note_name(&book, at, "first.example");
	egress_book_note_name(&book, at, "second.example");
	ok_has(egress_book_find_name(&book, at), "first.example");
	for (int i = 0; i < 1000; i++) {
		at[2] = (uint8_t)(i / 250 + 2);
		at[3] = (uint8_t)(i % 250);
		egress_book_note_name(&book, at, "many.example");
	}
	ok_int((intmax_t)book.names_len, EGRESS_NAMES_MAX);
	egress_book_done(&book);
}

static void texts_of_events_are_cut(void)
{
	static char words[40 * 300];
	static char path[3 * TRACE_PATH_BYTES];
	struct trace_log log = { 0 };
	struct trace_event e = { .kind = TRACE_EVENT_EXEC };
	size_t nul = 0;

	memset(words, 'w', sizeof words);
	for (size_t i = 299; i < sizeof words; i += 300)
		words[i] = '\0';
	memset(path, 'p', sizeof path);
	e.path = (struct trace_text){ path, sizeof path };
	e.argv = (struct trace_text){ words, sizeof words };
	trace_log_add(&log, &e);
	ok_int((intmax_t)log.len, 1);
	ok_int((intmax_t)log.events[0].path.len, TRACE_PATH_BYTES);
	ok(log.events[0].argv_cut);
	for (size_t i = 0; i < log.events[0].argv.len; i++)
		nul += log.events[0].argv.bytes[i] == '\0';
	ok_int((intmax_t)nul, TRACE_ARGV_MAX);
	ok_int((intmax_t)log.events[0].argv.len,
	       TRACE_ARGV_MAX * (TRACE_WORD_BYTES + 1));
	ok(log.events[0].interpreter.bytes == NULL);
	e.argv = (struct trace_text){ "sh\0-c", 5 }; /* no NUL at its end */
	trace_log_add(&log, &e);
	ok(!log.events[1].argv_cut);
	ok_int((intmax_t)log.events[1].argv.len, 6);
	trace_log_done(&log);
}

static void more_events_are_counted(void)
{
	static char big[TRACE_PATH_BYTES];
	struct trace_log log = { 0 };
	struct trace_event e = { .kind = TRACE_EVENT_EXEC };

	for (int i = 0; i < TRACE_EVENTS_MAX + 10; i++)
		trace_log_add(&log, &e);
	ok_int((intmax_t)log.len, TRACE_EVENTS_MAX);
	ok_int((intmax_t)log.omitted, 10);
	ok_int((intmax_t)log.gaps[TRACE_GAP_LIMIT], 10);
	trace_log_done(&log);
	memset(big, 'x', sizeof big);
	e.path = (struct trace_text){ big, sizeof big };
	for (int i = 0; i < TRACE_EVENTS_MAX; i++)
		trace_log_add(&log, &e);
	ok((size_t)log.len * sizeof big <= TRACE_LOG_BYTES);
	ok_int((intmax_t)(log.len + log.omitted), TRACE_EVENTS_MAX);
	ok(log.omitted > 0);
	trace_log_done(&log);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(one_entry_for_each_host_port_and_verdict),
		CASE(addresses_without_a_name_are_told_apart),
		CASE(junk_does_not_hide_what_was_reached),
		CASE(the_first_name_of_an_address_counts),
		CASE(texts_of_events_are_cut),
		CASE(more_events_are_counted),
		TAP_END,
	});
}
