/* test_hooks.h -- what only a test can ask of a run: walls that are taken down,
 * for the controls of attacks, and a system call that fails.
 *
 * Only in builds with CUPEL_TEST_HOOKS, which are never installed, by way of
 * base/hooks.h.  In all other builds none of these names exists: no plan, order
 * or record has room for them and no code checks for them.  tests/lint/hooks checks that, and
 * tests/unit/launch_hooks.c checks that the installed init understands none of
 * them (docs/vessel.md).
 */
#ifndef CUPEL_TESTS_HOOKS_TEST_HOOKS_H
#define CUPEL_TESTS_HOOKS_TEST_HOOKS_H

#include <assert.h>
#include <stdint.h>

#include "plan/wall.h"

/* Finer than the keys of "enforced"; both share a wall_set. */
enum drop_bit {
	DROP_DISPOSITIONS = 47, /* of signals that the caller ignores */
	DROP_UMASK,
	DROP_DUMPABLE, /* init lets itself be traced */
	DROP_LIFELINE, /* init outlives its supervisor */
	DROP_PINS,     /* a source is whatever its name leads to now */
	DROP_KEEPER,   /* nobody keeps the count of forbidden calls */
	DROP_EARLY,    /* the policy is not loaded before the root is built */
	DROP_COUNTS,   /* kernel counts of the namespaces stay as they are */
	DROP_IPV6,     /* init finds a kernel without it */
	DROP_READY,    /* the holder takes a minute to make the files */
	DROP_ANSWER,   /* it answers a second after a vessel was made */
	DROP_ATTEST,   /* the root of phases, or of copies, is writable */
	/* Without a PID namespace these processes do nothing until init has
	 * ended. */
	DROP_TURN_COMMAND,
	DROP_TURN_KEEPER,
	/* A copy has in common with its template what else is dropped, and so
	 * with the copies before and after it. */
	DROP_SHARED,
	DROP_ATTEST_BIND,   /* so is what copies see in /usr */
	DROP_ATTEST_DEVICE, /* and their /dev/null is another device */
};
static_assert((int)DROP_ATTEST_DEVICE < 64, "bits of a wall_set");
static_assert((int)WALL_MAX_ <= (int)DROP_DISPOSITIONS,
	      "walls and finer bits must not meet");

/* Processes whose system calls are counted. */
enum test_side { TEST_PARENT, TEST_INIT, TEST_CHILD, TEST_SIDES_ };

/* The call of that number, from 1, fails with sys; 0 = none does. */
struct test_fault {
	uint32_t call;
	int32_t sys;
};

struct test_hooks {
	wall_set dropped; /* walls, and enum drop_bit */
	struct test_fault faults[TEST_SIDES_];
};

/* test_drops -- whether a test took this down: a wall, or an enum drop_bit. */
#define test_drops(hooks, wall) (((hooks).dropped & WALL_BIT(wall)) != 0)

#endif
