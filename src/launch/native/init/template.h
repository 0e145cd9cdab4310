/* template.h -- what template.c and copy.c share. */
#ifndef CUPEL_LAUNCH_INIT_TEMPLATE_H
#define CUPEL_LAUNCH_INIT_TEMPLATE_H

#include "launch/native/init/init.h"

#define INIT_STACK_BYTES 65536
#define JUMP_WORDS       5 /* of __builtin_setjmp() */

struct fd_list {
	int fds[COPY_FDS + COPY_INPUTS_MAX];
	size_t len;
};

struct template_range {
	uint64_t start, len; /* bytes, of whole pages */
};

struct template
{
	int socket_fd;
	struct init in; /* as it is at the start of each copy */
	int (*fork)(void);
	const struct template_range *ranges; /* that a copy writes to */
	size_t ranges_len;
	struct fd_list given;
	struct order_copy order;
	void *jump[JUMP_WORDS]; /* the template's stack, for the command */
	_Alignas(16) char stack[INIT_STACK_BYTES];
};

/* copy_main -- init of a copy, and then its command: the first process of the
 * new namespaces, on t->stack.  Does not return: init ends, and the command
 * continues at t->jump. */
int copy_main(void *t);

#endif
