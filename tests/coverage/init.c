/* init.c -- what has no constructors: cupel-init starts with its main, and a
 * template, which makes sure that it shares no memory, with its plan.  By the
 * linker: --wrap. */
#include "coverage/counts.h"

struct init;

int __real_init_main(void);
int __wrap_init_main(void);
int __real_image_map_from(struct init *in, int fd);
int __wrap_image_map_from(struct init *in, int fd);

int __wrap_init_main(void)
{
	counts_start(-1);
	return __real_init_main();
}

int __wrap_image_map_from(struct init *in, int fd)
{
	counts_start(GIVEN_TO_TEMPLATE);
	return __real_image_map_from(in, fd);
}
