/* launch_hooks.c -- what init accepts as an order.  The installed init cannot
 * be told to leave out a wall or to let a call fail: it refuses an order that
 * has fields for that. */
#include <errno.h>
#include <linux/sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/native/image.h"
#include "launch/record.h"
#include "plan/backend.h"
#include "plan/plan.h"
#include "tap.h"

#define INSTALLED "cupel-init.bin"
#define TESTING   "cupel-init-testing.bin"

/* What the test hooks add to it comes last. */
#define ORDER_BYTES offsetof(struct order_begin, hooks)

/* How init ends if it has its order and nobody answers it. */
#define TAKEN   "init: the supervisor is gone"
#define REFUSED "init: waiting for its task"

static void become_init(const char *name, int control_fd)
{
	char path[4096];
	const char *build = getenv("BUILD");

	(void)snprintf(path, sizeof path, "%s/%s", build != NULL ? build : ".",
		       name);
	if (dup2(control_fd, CONTROL_FD) == CONTROL_FD)
		execl(path, "cupel-init", (char *)NULL);
	_exit(127);
}

/* What the init of that program answers to the first n bytes of the order. */
static void init_ask(const char *name, const struct order_begin *order,
		     size_t n, struct record *ret)
{
	int control[2] = { -1, -1 };
	pid_t pid;

	memset(ret, 0, sizeof *ret);
	ok_int(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control),
	       0);
	pid = fork();
	if (pid == 0)
		become_init(name, control[1]);
	ok(pid > 0);
	(void)close(control[1]);
	ok_int(send(control[0], order, n, MSG_NOSIGNAL), n);
	(void)shutdown(control[0], SHUT_WR);
	ok_int(recv(control[0], ret, sizeof *ret, 0), sizeof *ret);
	ok_int(ret->kind, RECORD_FAILED);
	(void)close(control[0]);
	ok_int(waitpid(pid, NULL, 0), pid);
}

static struct order_begin order_of(void)
{
	return (struct order_begin){
		.kind = ORDER_BEGIN,
		.backend = BACKEND_RLIMITS,
		.hooks = { .dropped = ~(wall_set)0,
			   /* the first after the order itself */
			   .faults[TEST_INIT] = { 2, EXDEV } },
	};
}

static void its_own_order_is_taken(void)
{
	const struct order_begin order = order_of();
	struct record record;

	init_ask(INSTALLED, &order, ORDER_BYTES, &record);
	ok_has(record.error.what, TAKEN);
}

static void an_order_with_hooks_is_refused(void)
{
	const struct order_begin order = order_of();
	struct record record;

	init_ask(INSTALLED, &order, sizeof order, &record);
	ok_has(record.error.what, REFUSED);
	for (size_t n = ORDER_BYTES + 1; n < sizeof order; n += 7) {
		init_ask(INSTALLED, &order, n, &record);
		ok_has(record.error.what, REFUSED);
	}
}

/* Namespaces that do not fit the backend are refused: init would mount in its
 * caller's namespace, or leave processes behind. */
static void an_order_against_the_row_is_refused(void)
{
	static const struct {
		enum spec_backend backend;
		uint64_t clone_flags;
	} rows[] = {
		{ BACKEND_NAMESPACES, 0 },
		{ BACKEND_AUTO, 0 },
		{ BACKEND_MAX_, 0 },
		{ BACKEND_NAMESPACES, PLAN_NAMESPACES & ~CLONE_NEWPID },
		{ BACKEND_NAMESPACES, PLAN_NAMESPACES & ~CLONE_NEWNS },
		{ BACKEND_RLIMITS, PLAN_NAMESPACES },
		{ BACKEND_LANDLOCK, CLONE_NEWNET },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct order_begin order = order_of();
		struct record record;

		order.backend = rows[i].backend;
		order.clone_flags = rows[i].clone_flags;
		init_ask(INSTALLED, &order, ORDER_BYTES, &record);
		ok_has(record.error.what, REFUSED);
	}
}

/* The control: the init with hooks does what the order says. */
static void the_init_of_tests_obeys_it(void)
{
	struct order_begin order = order_of();
	struct record record;

	order.hooks.dropped &= ~WALL_BIT(DROP_UMASK);
	init_ask(TESTING, &order, sizeof order, &record);
	ok_int(record.error.sys, EXDEV);
	ok_has(record.error.what, "umask");
	order.hooks.dropped |= WALL_BIT(DROP_UMASK);
	init_ask(TESTING, &order, sizeof order, &record);
	ok_int(record.error.sys, EXDEV);
	ok_has(record.error.what, "saying when it ends");
	order.hooks.faults[TEST_INIT].call = 0;
	init_ask(TESTING, &order, sizeof order, &record);
	ok_has(record.error.what, TAKEN);
	init_ask(TESTING, &order, ORDER_BYTES, &record);
	ok_has(record.error.what, REFUSED);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(its_own_order_is_taken),
		CASE(an_order_with_hooks_is_refused),
		CASE(an_order_against_the_row_is_refused),
		CASE(the_init_of_tests_obeys_it),
		TAP_END,
	});
}
