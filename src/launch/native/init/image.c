/* image.c -- maps what the supervisor wrote and checks it. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "launch/native/init/init.h"

static void offsets_resolve(struct init *in, struct image_list list)
{
	uint64_t *at = image_at(in, list);

	for (uint32_t i = 0; i < list.len; i++)
		at[i] += (uint64_t)(uintptr_t)in->im;
}

int image_map_from(struct init *in, int fd)
{
	struct stat st;
	long at;
	long r = sys2(&in->k, SYS_fstat, fd, &st);

	if (r < 0)
		return init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-r,
				 "init: fstat of its image", NULL);
	at = sys_call(&in->k, SYS_mmap, 0, st.st_size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (at < 0 && at > -4096)
		return init_fail(in, CUPEL_STAGE_NAMESPACE, (int)-at,
				 "init: mapping its image", NULL);
	in->im = (struct image *)at; // NOLINT(performance-no-int-to-ptr)
	if (in->im->magic != IMAGE_MAGIC || in->im->bytes > st.st_size)
		return init_fail(in, CUPEL_STAGE_NAMESPACE, EPROTO,
				 "init: the image is from another build", NULL);
	sys_close(fd);
	offsets_resolve(in, in->im->argv);
	offsets_resolve(in, in->im->envp);
	return 0;
}

int image_map(struct init *in)
{
	return image_map_from(in, IMAGE_FD);
}
