/* Batches of the library: what is put in, what comes out, and when. */
#include "lib_batch.h"

#include <stddef.h>
#include <sys/mman.h>

static void ends_come_in_the_order_in_which_they_come(void)
{
	struct cupel_batch *b = batch_of(3, 0);

	put(b, 7, "sleep 0.9; echo slow");
	put(b, 8, "echo quick");
	put(b, 9, "sleep 0.4; echo middle");
	out_is(b, 8, CUPEL_OK, "quick\n");
	out_is(b, 9, CUPEL_OK, "middle\n");
	out_is(b, 7, CUPEL_OK, "slow\n");
	is_empty(b);
	cupel_batch_free(b);
}

static void nothing_is_started_but_by_a_step_and_a_step_never_waits(void)
{
	struct cupel_batch *b = batch_of(2, 0);
	struct pollfd p = { .fd = cupel_batch_fd(b), .events = POLLIN };
	struct cupel_error err = { 0 };
	double begun = now(), longest = 0;
	int turns = 0, left;

	ok_int(poll(&p, 1, 0), 0);
	put(b, 1, "sleep 0.5; echo one");
	put(b, 2, "sleep 1.5; echo two");
	ok_int(children_signal(0), 0);
	ok_int(cupel_batch_step(b, &err), 1);
	ok_int(children_signal(0), 1); /* one start in a step */
	do {
		double at_start;

		ok_int(poll(&p, 1, 10000), 1);
		at_start = now();
		left = cupel_batch_step(b, &err);
		if (now() - at_start > longest)
			longest = now() - at_start;
	} while (left == 1 && turns++ < 400);
	ok_int(left, 0);
	ok(longest < 0.25);
	ok(turns < 200);
	ok(now() - begun >= 0.5);
	ok_int(poll(&p, 1, 0), 0); /* ends to take are no work */
	out_is(b, 1, CUPEL_OK, "one\n");
	out_is(b, 2, CUPEL_OK, "two\n");
	is_empty(b);
	cupel_batch_free(b);
}

static void no_more_run_than_there_are_places(void)
{
	struct cupel_batch *b = batch_of(2, 6);
	double begun = now();
	bool has[6] = { false };

	for (uint64_t i = 0; i < 6; i++)
		put(b, i, "sleep 0.3");
	for (int i = 0; i < 6; i++) {
		struct out o;

		ok(out_next(b, &o) && o.end.id < 6 && !has[o.end.id]);
		has[o.end.id % 6] = true;
		ok_int(o.end.status, CUPEL_OK);
		out_done(&o);
	}
	ok(now() - begun >= 0.9);
	is_empty(b);
	cupel_batch_free(b);
}

static void a_full_batch_says_so_until_an_end_is_taken(void)
{
	struct cupel_batch *b = batch_of(1, 2);
	struct cupel_spec *s = spec_of(NULL, SH("exit 0"));
	struct cupel_error err = { 0 };

	put(b, 1, "echo 1");
	put(b, 2, "echo 2");
	ok_int(cupel_batch_put(b, s, NULL, 3, &err), -EAGAIN);
	ok_int(err.cause, CUPEL_CAUSE_BUSY);
	ok_has(err.what, "full");
	while (cupel_batch_step(b, &err) > 0) {
		struct pollfd p = { .fd = cupel_batch_fd(b), .events = POLLIN };

		(void)poll(&p, 1, 10000);
	}
	/* both have ended, and neither end was taken */
	ok_int(cupel_batch_put(b, s, NULL, 3, &err), -EAGAIN);
	out_is(b, 1, CUPEL_OK, "1\n");
	ok_int(cupel_batch_put(b, s, NULL, 2, &err), -EEXIST);
	ok_int(err.cause, CUPEL_CAUSE_CALLER);
	ok_int(cupel_batch_put(b, s, NULL, 1, &err), 0);
	out_is(b, 2, CUPEL_OK, "2\n");
	out_is(b, 1, CUPEL_OK, "");
	is_empty(b);
	cupel_spec_free(s);
	cupel_batch_free(b);
}

static void an_id_may_be_a_pointer(void)
{
	struct cupel_batch *b = batch_of(1, 0);
	int mine = 0;
	struct out o;

	put(b, (uintptr_t)&mine, "exit 3");
	ok(out_next(b, &o));
	*(int *)(uintptr_t)o.end.id = o.end.rc;
	ok_int(mine, 3);
	out_done(&o);
	put(b, UINT64_MAX, "exit 0");
	put(b, 0, "exit 0");
	out_is(b, UINT64_MAX, CUPEL_OK, NULL);
	out_is(b, 0, CUPEL_OK, NULL);
	cupel_batch_free(b);
}

static void a_spec_counts_as_it_was_when_it_was_put(void)
{
	struct cupel_batch *b = batch_of(1, 0);
	struct cupel_error err = { 0 };
	struct cupel_spec *s = spec_of(OPTIONS("env", "A=1"), SH("echo $A$B"));

	ok_int(cupel_batch_put(b, s, NULL, 1, &err), 0);
	ok_int(cupel_spec_set(s, "env", "B=2", &err), 0);
	ok_int(cupel_spec_set(s, "env", "A=3", &err), 0);
	ok_int(cupel_batch_put(b, s, NULL, 2, &err), 0);
	ok_int(cupel_spec_set_command(s, SH("echo $B; exit 4"), &err), 0);
	ok_int(cupel_batch_put(b, s, NULL, 3, &err), 0);
	cupel_spec_free(s);
	out_is(b, 1, CUPEL_OK, "1\n");
	out_is(b, 2, CUPEL_OK, "32\n");
	out_is(b, 3, CUPEL_FAILED, "2\n");
	cupel_batch_free(b);
}

static void refused(struct cupel_batch *b, const char *name, const char *value,
		    const char *why)
{
	struct cupel_spec *s = spec_of(OPTIONS(name, value), SH("exit 0"));
	struct cupel_error err = { 0 };

	ok_int(cupel_batch_put(b, s, NULL, 1, &err), -EINVAL);
	ok_int(err.cause, CUPEL_CAUSE_CALLER);
	ok_has(err.what, why);
	cupel_spec_free(s);
}

static void what_is_wrong_is_refused_or_is_an_end(void)
{
	struct cupel_batch *b = batch_of(1, 0);
	struct cupel_hooks hooks = { .size = 3, .stdin_fd = -1 };
	struct cupel_error err = { 0 };
	struct cupel_spec *s = NULL;
	int fd = memfd_create("schema", MFD_CLOEXEC);
	char schema[64];
	struct out o;

	refused(b, "stdout", "/tmp/x", "--stdout");
	refused(b, "stdin", "-", "--stdin");
	ok_int(cupel_spec_new(&s, &err), 0);
	ok_int(cupel_batch_put(b, s, NULL, 1, &err), -EINVAL);
	ok_has(err.what, "COMMAND");
	ok_int(cupel_spec_set_command(s, SH("exit 0"), &err), 0);
	ok_int(cupel_batch_put(b, s, &hooks, 1, &err), -EINVAL);
	ok_has(err.what, "size 3");
	cupel_spec_free(s);
	is_empty(b);
	put_spec(b, 1, spec_of(OPTIONS("ro", "/nonexistent/ro"), SH("exit 0")),
		 NULL);
	put_spec(b, 2, spec_of(OPTIONS("stdin", "/proc/self/fd/0"), SH("cat")),
		 NULL);
	(void)snprintf(schema, sizeof schema, "/proc/self/fd/%d", fd);
	ok_int(pwrite(fd, "{}", 2, 0), 2);
	put_spec(b, 3, spec_of(OPTIONS("result-schema", schema), SH("exit 0")),
		 NULL);
	put(b, 4, "echo here");
	for (uint64_t id = 1; id < 4; id++) {
		ok(out_next(b, &o));
		ok_int(o.end.id, id);
		ok(o.end.result == NULL);
		ok_int(o.end.status, CUPEL_INTERNAL_ERROR);
		ok_int(o.end.error.cause, CUPEL_CAUSE_CALLER);
		ok_has(o.end.error.what, id == 1   ? "/nonexistent/ro"
					 : id == 2 ? "/proc/self/fd/0"
						   : schema);
		out_done(&o);
	}
	(void)close(fd);
	out_is(b, 4, CUPEL_OK, "here\n");
	cupel_batch_free(b);
}

static void options_have_their_ranges_and_their_size(void)
{
	struct cupel_batch_options o = { sizeof o, 0, 0 };
	struct cupel_batch_end short_end = { .size = sizeof short_end - 8 };
	struct cupel_batch *b = NULL;
	struct cupel_error err = { 0 };

	o.places = CUPEL_BATCH_PLACES_MAX + 1;
	ok_int(cupel_batch_new(&o, &b, &err), -EINVAL);
	ok_has(err.what, "places: 257");
	o.places = 4;
	o.items = 3;
	ok_int(cupel_batch_new(&o, &b, &err), -EINVAL);
	ok_has(err.what, "items: 3");
	o.items = CUPEL_BATCH_ITEMS_MAX + 1;
	ok_int(cupel_batch_new(&o, &b, &err), -EINVAL);
	o.size = sizeof o + 8;
	ok_int(cupel_batch_new(&o, &b, &err), -EINVAL);
	ok_has(err.what, "size");
	ok(b == NULL);
	/* an older caller: nothing beyond its size is read */
	o.size = offsetof(struct cupel_batch_options, items);
	ok_int(cupel_batch_new(&o, &b, &err), 0);
	put(b, 1, "exit 0");
	out_is(b, 1, CUPEL_OK, NULL);
	cupel_batch_free(b);
	b = NULL;
	ok_int(cupel_batch_new(NULL, &b, &err), 0);
	put(b, 1, "exit 5");
	ok_int(cupel_batch_wait(b, &err), 1);
	ok_int(cupel_batch_take(b, &short_end, &err), -EINVAL);
	out_is(b, 1, CUPEL_FAILED, NULL);
	cupel_batch_free(b);
	cupel_batch_free(NULL);
}

static void a_spec_with_phases_is_one_of_them(void)
{
	static const char text[] =
		"{\"repo_mode\":\"none\",\"phases\":["
		"{\"name\":\"a\",\"command\":[\"sh\",\"-c\",\"echo x >f\"]},"
		"{\"name\":\"b\",\"command\":[\"cat\",\"f\"]}]}";
	struct cupel_batch *b = batch_of(2, 0);
	struct cupel_error err = { 0 };
	struct cupel_spec *s = NULL;
	struct out o;

	ok_int(cupel_spec_new(&s, &err), 0);
	ok_int(cupel_spec_read_json(s, text, sizeof text - 1, &err), 0);
	put_spec(b, 1, s, NULL);
	put(b, 2, "sleep 0.1");
	for (int i = 0; i < 2; i++) {
		ok(out_next(b, &o));
		ok_int(o.end.status, CUPEL_OK);
		if (o.end.id == 1)
			ok_int(at(&o.json, "phases")->u.array.len, 2);
		out_done(&o);
	}
	is_empty(b);
	cupel_batch_free(b);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(ends_come_in_the_order_in_which_they_come),
		CASE(nothing_is_started_but_by_a_step_and_a_step_never_waits),
		CASE(no_more_run_than_there_are_places),
		CASE(a_full_batch_says_so_until_an_end_is_taken),
		CASE(an_id_may_be_a_pointer),
		CASE(a_spec_counts_as_it_was_when_it_was_put),
		CASE(what_is_wrong_is_refused_or_is_an_end),
		CASE(options_have_their_ranges_and_their_size),
		CASE(a_spec_with_phases_is_one_of_them),
		TAP_END,
	});
}
