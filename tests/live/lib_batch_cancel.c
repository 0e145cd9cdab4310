/* Batches of the library may be cancelled and freed at any time, without leaks. */
#include "lib_batch.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define ANY_TIME 40 /* moments at which something is cancelled */

static void step_for(struct cupel_batch *b, double s)
{
	const double late = now() + s;
	struct cupel_error err = { 0 };

	while (now() < late) {
		struct pollfd p = { .fd = cupel_batch_fd(b), .events = POLLIN };

		(void)poll(&p, 1, 10);
		ok(cupel_batch_step(b, &err) >= 0);
	}
}

static void is_cancelled_before_its_start(struct cupel_batch *b, uint64_t id)
{
	struct out o;

	ok(out_next(b, &o));
	ok_int(o.end.id, id);
	ok(o.end.result == NULL);
	ok_int(o.end.error.sys, ECANCELED);
	ok_int(o.end.error.cause, CUPEL_CAUSE_CALLER);
	ok_has(o.end.error.what, "cancelled");
	out_done(&o);
}

static void one_is_cancelled_and_no_other(void)
{
	struct cupel_batch *b = batch_of(2, 4);
	double begun = now();
	struct out o;

	put(b, 1, "sleep 20");
	put(b, 2, "sleep 1.5; echo whole");
	put(b, 3, "echo never");
	step_for(b, 0.4);
	cupel_batch_cancel(b, 3, SIGTERM);
	cupel_batch_cancel(b, 77, 0); /* no spec has this id */
	is_cancelled_before_its_start(b, 3);
	cupel_batch_cancel(b, 1, SIGTERM);
	ok(out_next(b, &o));
	ok_int(o.end.id, 1);
	ok_int(o.end.status, CUPEL_KILLED_TERM);
	ok_int(o.end.rc, 143);
	ok_has(text_at(&o.json, "reason"), "cancelled");
	out_done(&o);
	tap_within(now() - begun, 1.4);
	out_is(b, 2, CUPEL_OK, "whole\n");
	is_empty(b);
	cupel_batch_free(b);
}

/* The last of the signals is valid, as it is for cupel_run_cancel(). */
static void the_last_signal_is_passed_on(void)
{
	struct cupel_batch *b = batch_of(1, 0);

	put(b, 1, "trap 'exit 7' 64; while :; do sleep 0.05; done");
	step_for(b, 0.6);
	cupel_batch_cancel(b, 1, 64);
	out_is(b, 1, CUPEL_FAILED, NULL);
	cupel_batch_free(b);
}

static void a_second_call_kills(void)
{
	struct cupel_batch *b = batch_of(1, 0);
	double begun = now();

	put_spec(b, 1,
		 spec_of(OPTIONS("kill-after-s", "15"),
			 SH("trap '' TERM; sleep 20; sleep 20")),
		 NULL);
	step_for(b, 0.4);
	cupel_batch_cancel(b, 1, SIGTERM);
	step_for(b, 0.4);
	cupel_batch_cancel(b, 1, SIGTERM);
	out_is(b, 1, CUPEL_KILLED_TERM, NULL);
	tap_within(now() - begun, 8);
	put(b, 1, "sleep 20");
	step_for(b, 0.3);
	cupel_batch_cancel(b, 1, 0);
	out_is(b, 1, CUPEL_KILLED_TERM, NULL);
	tap_within(now() - begun, 12);
	cupel_batch_free(b);
}

/* A cancel after the end has no effect on the next spec with this id. */
static void a_late_cancel_meets_nobody_else(void)
{
	struct cupel_batch *b = batch_of(1, 1);
	struct cupel_error err = { 0 };

	put(b, 5, "echo first");
	ok_int(cupel_batch_wait(b, &err), 1);
	cupel_batch_cancel(b, 5, 0);
	cupel_batch_cancel_all(b, SIGTERM);
	out_is(b, 5, CUPEL_OK, "first\n");
	put(b, 5, "echo second");
	out_is(b, 5, CUPEL_OK, "second\n");
	cupel_batch_free(b);
}

static void all_are_cancelled(void)
{
	struct cupel_batch *b = batch_of(2, 6);
	double begun = now();
	int ran = 0;

	for (uint64_t i = 0; i < 6; i++)
		put(b, i, "sleep 20");
	step_for(b, 0.5);
	cupel_batch_cancel_all(b, SIGINT);
	for (int i = 0; i < 6; i++) {
		struct out o;

		ok(out_next(b, &o));
		ran += o.end.result != NULL;
		ok_int(o.end.result != NULL ? o.end.rc : 130, 130);
		out_done(&o);
	}
	ok_int(ran, 2);
	tap_within(now() - begun, 8);
	is_empty(b);
	put(b, 1, "echo again");
	out_is(b, 1, CUPEL_OK, "again\n");
	cupel_batch_free(b);
}

static struct cupel_batch *volatile alarmed;

static void on_alarm(int sig)
{
	(void)sig;
	cupel_batch_cancel(alarmed, 1, SIGTERM);
}

static void a_signal_handler_may_cancel(void)
{
	void (*before)(int) = signal(SIGALRM, on_alarm);
	struct cupel_error err = { 0 };

	alarmed = batch_of(1, 0);
	put(alarmed, 1, "sleep 20");
	(void)alarm(1);
	ok_int(cupel_batch_wait(alarmed, &err), 1);
	out_is(alarmed, 1, CUPEL_KILLED_TERM, NULL);
	(void)signal(SIGALRM, before);
	cupel_batch_free(alarmed);
}

/* Cancels every id again and again while the other thread puts and takes. */
static void *cancel_often(void *data)
{
	const struct timespec t = { 0, 2000000 };

	for (uint64_t i = 0; i < 200; i++) {
		cupel_batch_cancel(data, i % 8, (i & 1) != 0 ? SIGTERM : 0);
		(void)nanosleep(&t, NULL);
	}
	return NULL;
}

static void another_thread_may_cancel(void)
{
	struct cupel_batch *b = batch_of(2, 8);
	int ended[8] = { 0 }, n = 0;
	pthread_t t;

	for (uint64_t i = 0; i < 8; i++)
		put(b, i, "sleep 20");
	ok_int(pthread_create(&t, NULL, cancel_often, b), 0);
	for (; n < 60; n++) {
		struct out o;

		if (!out_next(b, &o))
			break;
		ok(o.end.id < 8);
		ended[o.end.id % 8]++;
		out_done(&o);
		if (n < 52)
			put(b, o.end.id, n < 40 ? "sleep 20" : "exit 0");
	}
	(void)pthread_join(t, NULL);
	cupel_batch_cancel_all(b, 0);
	for (struct out o; n < 60 && out_next(b, &o); n++) {
		ended[o.end.id % 8]++;
		out_done(&o);
	}
	ok_int(n, 60);
	n = 0;
	for (int i = 0; i < 8; i++)
		n += ended[i];
	ok_int(n, 60);
	is_empty(b);
	cupel_batch_free(b);
}

static void each_ends_once_whenever_one_is_cancelled(void)
{
	struct cupel_batch *b = batch_of(2, 6);

	for (int k = 0; k < ANY_TIME; k++) {
		struct cupel_error err = { 0 };
		int ended[6] = { 0 };

		for (uint64_t i = 0; i < 6; i++)
			put(b, i, "exit 0");
		for (int s = 0; s < k % 14; s++)
			ok(cupel_batch_step(b, &err) >= 0);
		(void)usleep((useconds_t)(k % 5) * 700);
		cupel_batch_cancel(b, (uint64_t)k % 6,
				   k % 3 == 0 ? 0 : SIGTERM);
		for (int i = 0; i < 6; i++) {
			struct out o;

			ok(out_next(b, &o));
			ended[o.end.id % 6]++;
			if (o.end.id != (uint64_t)k % 6)
				ok_int(o.end.status, CUPEL_OK);
			out_done(&o);
		}
		for (int i = 0; i < 6; i++)
			ok_int(ended[i], 1);
		is_empty(b);
	}
	cupel_batch_free(b);
}

static bool has_no_children(void)
{
	return waitpid(-1, NULL, WNOHANG | 0x40000000 /* __WALL */) < 0 &&
	       errno == ECHILD;
}

static void nothing_is_left_whenever_it_is_freed(void)
{
	int before = descriptors();

	for (int k = 0; k < 20; k++) {
		struct cupel_batch *b = batch_of(3, 9);
		struct cupel_error err = { 0 };

		for (uint64_t i = 0; i < 9; i++)
			put(b, i, i < 6 ? "exit 0" : "sleep 20");
		for (int s = 0; s < k * 4; s++) {
			struct pollfd p = { .fd = cupel_batch_fd(b),
					    .events = POLLIN };

			(void)poll(&p, 1, 20);
			ok(cupel_batch_step(b, &err) >= 0);
		}
		cupel_batch_free(b);
		ok(has_no_children());
		ok_int(descriptors(), before);
	}
}

/* A batch that lives long keeps nothing but its templates. */
static void nothing_grows(void)
{
	struct cupel_batch *b = batch_of(2, 8);
	int after_ten = 0, most = 0;
	struct rusage early, late;

	for (uint64_t i = 0; i < 300; i++) {
		struct out o;

		put(b, i, "exit 0");
		ok(out_next(b, &o) && o.end.id == i);
		out_done(&o);
		if (i == 100)
			(void)getrusage(RUSAGE_SELF, &early);
		if (i == 10)
			after_ten = descriptors();
		if (i > 10 && descriptors() > most)
			most = descriptors();
	}
	(void)getrusage(RUSAGE_SELF, &late);
	ok(most <= after_ten + 10);
#ifndef __SANITIZE_ADDRESS__ /* which keeps freed memory for a while */
	ok(late.ru_maxrss <= early.ru_maxrss + 1024);
#endif
	cupel_batch_free(b);
	ok(has_no_children());
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(one_is_cancelled_and_no_other),
		CASE(the_last_signal_is_passed_on),
		CASE(a_second_call_kills),
		CASE(a_late_cancel_meets_nobody_else),
		CASE(all_are_cancelled),
		CASE(a_signal_handler_may_cancel),
		CASE(another_thread_may_cancel),
		CASE(each_ends_once_whenever_one_is_cancelled),
		CASE(nothing_is_left_whenever_it_is_freed),
		CASE(nothing_grows),
		TAP_END,
	});
}
