/* gate_ledger.h -- a ledger in a directory of its own, for the tests of ledgers. */
#ifndef CUPEL_TESTS_UNIT_GATE_LEDGER_H
#define CUPEL_TESTS_UNIT_GATE_LEDGER_H

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/ledger_private.h"
#include "tap.h"

static char dir[64];
static int dir_fd;
static struct cupel_error err;

static inline void enter(void)
{
	strcpy(dir, "/tmp/cupel-ledger.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok(dir_fd >= 0);
}

static inline void leave(void)
{
	(void)unlinkat(dir_fd, LEDGER_FILE, 0);
	(void)unlinkat(dir_fd, LEDGER_HEAD, 0);
	(void)rmdir(dir);
	close(dir_fd);
}

static inline int put(struct ledger *l, const char *kind, unsigned n)
{
	struct ledger_record r;

	ledger_begin(l, kind, &r);
	jsonw_uint(&r.w, "n", n);
	return ledger_put(l, &r, &err);
}

/* A ledger with len records more. */
static inline int grow(const char *chain_head, unsigned len)
{
	struct ledger_book b = { 0 };
	struct ledger l = LEDGER_NONE;
	int e = ledger_open(dir_fd, chain_head, &l, &b, &err);

	for (unsigned i = 0; e == 0 && i < len; i++)
		e = put(&l, "signal", i);
	ledger_close(&l);
	ledger_book_done(&b);
	return e;
}

/* What reading says; *records how many. */
static inline int reads(const char *chain_head, size_t *records)
{
	struct ledger_book b = { 0 };
	int e = ledger_read(dir_fd, chain_head, &b, &err);

	if (records != NULL)
		*records = b.len;
	ledger_book_done(&b);
	return e;
}

#endif
