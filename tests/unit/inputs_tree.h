/* inputs_tree.h -- a repository to take declared inputs from, and what was
 * taken. */
#ifndef CUPEL_TESTS_INPUTS_TREE_H
#define CUPEL_TESTS_INPUTS_TREE_H

#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "jobs/probe/inputs.h"
#include "temp_tree.h"

static struct cupel_error err;
static struct walk walk;
static struct inputs_sum sum;

static void enter(void)
{
	/* in memory if possible, because there are many small files */
	tree_enter(access("/dev/shm", W_OK | X_OK) == 0
			   ? "/dev/shm/cupel-inputs.XXXXXX"
			   : "/tmp/cupel-inputs.XXXXXX");
}

static void take_all(const struct probe *const *these, size_t n,
		     struct probe_inputs *in)
{
	const struct walk_request w = { .root_fd = root_fd };
	const struct inputs_request req = { .root_fd = root_fd,
					    .walk = &walk,
					    .probes = these,
					    .probes_len = n,
					    .stop_fd = -1 };

	memset(&walk, 0, sizeof walk);
	memset(in, 0, n * sizeof *in);
	ok_int(walk_run(&w, &walk, &err), 0);
	ok_int(inputs_read(&req, in, &sum, &err), 0);
}

static void drop(struct probe_inputs *in)
{
	inputs_done(in);
	walk_done(&walk);
}

/* A file of 100 bytes, and one of 101. */
static void sizes_put(void)
{
	char big[102];

	memset(big, 'x', 101);
	big[101] = '\0';
	ok_int(mkdirat(root_fd, "big", 0755), 0);
	ok_int(mkdirat(root_fd, "fits", 0755), 0);
	put("big/x.json", big);
	put("fits/x.json", big + 1);
}

#endif
