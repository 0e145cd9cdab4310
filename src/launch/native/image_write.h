/* image_write.h -- the parent's part of image.h. */
#ifndef CUPEL_LAUNCH_IMAGE_WRITE_H
#define CUPEL_LAUNCH_IMAGE_WRITE_H

#include <stddef.h>

struct buf;
struct plan;

/* Descriptors, with the numbers that they have in init. */
struct image_fds {
	int stdio[4];     /* stdin, stdout, stderr, result */
	int exec_fd;      /* -1 = none */
	const int *trees; /* one for each source; -1 = opened by path inside */
	const int *inputs;
	size_t inputs_len;
};

/* image_build -- write the image into *out, which is empty.  buf_has_failed()
 * tells when the plan is too large or memory is lacking. */
void image_build(const struct plan *p, const struct image_fds *fds,
		 struct buf *out);

#endif
