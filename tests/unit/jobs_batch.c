/* jobs_batch.c -- lines, what is known and the outbox of a batch. */
#include "jobs/batch/known.h"
#include "jobs/batch/lines.h"
#include "jobs/batch/outbox.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "spec/spec.h"
#include "tap.h"

static void write_all(int fd, const char *bytes, size_t n)
{
	ok_int(write(fd, bytes, n), (intmax_t)n);
}

/* The next line of a pipe whose writer has written everything. */
static bool line_next(struct batch_lines *l, struct batch_text *ret)
{
	struct cupel_error err = { 0 };

	while (!batch_lines_next(l, ret)) {
		if (l->is_over || batch_lines_fill(l, &err) < 0)
			return false;
	}
	return true;
}

static void gives_lines_and_the_last_without_its_newline(void)
{
	static const char text[] = "one\n\ntw\0o\nlast";
	struct batch_text t;
	struct batch_lines l = { 0 };
	int ends[2];

	ok_int(pipe(ends), 0);
	write_all(ends[1], text, sizeof text - 1);
	close(ends[1]);
	l.fd = ends[0];
	ok(line_next(&l, &t) && t.len == 3 && t.number == 1);
	ok(line_next(&l, &t) && t.len == 0 && t.number == 2);
	ok(line_next(&l, &t) && t.len == 4 && memcmp(t.bytes, "tw\0o", 4) == 0);
	ok(line_next(&l, &t) && t.len == 4 && t.number == 4);
	ok(!line_next(&l, &t));
	batch_lines_done(&l);
	close(ends[0]);
}

static void passes_a_huge_line_in_bounded_memory(void)
{
	char *path = strdup("/tmp/cupel-batch.XXXXXX");
	struct cupel_error err = { 0 };
	struct batch_lines l = { 0 };
	struct batch_text t;
	size_t most = 0;
	int fd = mkstemp(path);

	ok(fd >= 0);
	ok_int(ftruncate(fd, 40 << 20), 0);
	ok_int(lseek(fd, 0, SEEK_END), 40 << 20);
	write_all(fd, "\nnext\n", 6);
	ok_int(lseek(fd, 0, SEEK_SET), 0);
	l.fd = fd;
	while (!batch_lines_next(&l, &t)) {
		ok(batch_lines_fill(&l, &err) == 0);
		most = l.held.room > most ? l.held.room : most;
	}
	ok(t.is_too_long && t.len == 0 && t.number == 1);
	ok(most <= 4 * SPEC_DOCUMENT_BYTES);
	ok(line_next(&l, &t) && !t.is_too_long && t.number == 2 && t.len == 4);
	batch_lines_done(&l);
	close(fd);
	unlink(path);
	free(path);
}

static void knows_what_was_added_and_nothing_else(void)
{
	struct batch_known k = { 0 };
	char id[32];
	int added = 0, found = 0, strange = 0;

	for (int i = 0; i < 5000; i++) {
		int n = snprintf(id, sizeof id, "id-%d", i);
		struct batch_key key = batch_key_id(id, (size_t)n);

		added += batch_known_add(&k, &key, false) == 1;
		added += batch_known_add(&k, &key, true) == 0 ? 0 : 9999;
	}
	for (int i = 0; i < 10000; i++) {
		int n = snprintf(id, sizeof id, "id-%d", i);
		struct batch_key key = batch_key_id(id, (size_t)n);
		struct batch_key answer =
			batch_key_answer(id, (size_t)n, 1, "blake3:");

		found += batch_known_find(&k, &key) == BATCH_KNOWN_BAD;
		strange += batch_known_find(&k, &answer) != BATCH_UNKNOWN;
	}
	ok_int(added, 5000);
	ok_int(found, 5000);
	ok_int(strange, 0);
	batch_known_done(&k);
}

static void an_answer_is_known_by_id_and_hash_or_by_number(void)
{
	struct batch_key a = batch_key_answer("x", 1, 1, "h");
	struct batch_key same = batch_key_answer("x", 1, 2, "h");
	struct batch_key other = batch_key_answer("x", 1, 1, "i");
	struct batch_key null = batch_key_answer(NULL, 0, 1, "h");
	struct batch_key null2 = batch_key_answer(NULL, 0, 2, "h");

	ok(memcmp(&a, &same, sizeof a) == 0);
	ok(memcmp(&a, &other, sizeof a) != 0);
	ok(memcmp(&a, &null, sizeof a) != 0);
	ok(memcmp(&null, &null2, sizeof a) != 0);
}

static int put(struct batch_outbox *o, uint64_t place, const char *text)
{
	struct cupel_error err = { 0 };
	owned_buf struct buf line = { 0 };

	buf_text(&line, text);
	return batch_outbox_put(o, place, &line, &err);
}

static void keeps_the_order_of_lines(void)
{
	owned_mem struct batch_outbox *o = calloc(1, sizeof *o);
	struct cupel_error err = { 0 };
	char got[64] = "";
	int ends[2];

	ok_int(pipe(ends), 0);
	o->fd = ends[1];
	o->is_ordered = true;
	batch_outbox_init(o);
	for (uint64_t i = 0; i < 3; i++)
		ok_int((intmax_t)batch_outbox_begin(o), (intmax_t)i);
	ok_int(put(o, 2, "c\n"), 0);
	ok_int(put(o, 1, "b\n"), 0);
	ok(!batch_outbox_is_waiting(o));
	ok_int(put(o, 0, "a\n"), 0);
	ok(batch_outbox_is_waiting(o));
	ok_int(batch_outbox_send(o, &err), 0);
	ok_int(read(ends[0], got, sizeof got - 1), 6);
	ok(strcmp(got, "a\nb\nc\n") == 0);
	for (unsigned i = 0; i < BATCH_WINDOW; i++)
		(void)batch_outbox_begin(o);
	ok(!batch_outbox_has_room(o));
	batch_outbox_done(o);
	close(ends[0]);
	close(ends[1]);
}

static void never_waits_for_a_reader(void)
{
	owned_mem struct batch_outbox *o = calloc(1, sizeof *o);
	owned_mem char *text = malloc(((size_t)1 << 20) + 1);
	struct cupel_error err = { 0 };
	int ends[2];
	size_t n = 0;

	memset(text, 'x', (size_t)1 << 20);
	text[(size_t)1 << 20] = '\0';
	ok_int(pipe(ends), 0);
	o->fd = ends[1];
	batch_outbox_init(o);
	while (batch_outbox_has_room(o) && n < 100) {
		ok_int(put(o, batch_outbox_begin(o), text), 0);
		ok_int(batch_outbox_send(o, &err), 0);
		n++;
	}
	ok_int((intmax_t)n, 9); /* a part of the first is in the pipe */
	close(ends[0]);
	ok_int(batch_outbox_send(o, &err), -EPIPE);
	batch_outbox_done(o);
	close(ends[1]);
}

int main(void)
{
	(void)signal(SIGPIPE, SIG_IGN);
	return tap_run((struct tap_case[]){
		CASE(gives_lines_and_the_last_without_its_newline),
		CASE(passes_a_huge_line_in_bounded_memory),
		CASE(knows_what_was_added_and_nothing_else),
		CASE(an_answer_is_known_by_id_and_hash_or_by_number),
		CASE(keeps_the_order_of_lines), CASE(never_waits_for_a_reader),
		TAP_END });
}
