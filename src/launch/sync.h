/* sync.h -- bring to the disk what was written, in a process of its own: nothing
 * interrupts whoever waits for the disk, and a disk may take for ever. */
#ifndef CUPEL_LAUNCH_SYNC_H
#define CUPEL_LAUNCH_SYNC_H

#include "launch/native/helper.h"

enum sync_what {
	SYNC_FILE,      /* fsync(2): a file, or the names in a directory */
	SYNC_FILESYSTEM /* syncfs(2): all that its file system holds back */
};

/* sync_begin -- start cupel-sync, which does it.
 *
 * @fd		borrowed until this returns
 * @ret		its control_fd becomes readable when it is over: a byte, which is 0
 *		when everything is on the disk; or its end.  helper_close() ends
 *		it at any time, and waits for no disk
 *
 * Returns 0 with *ret the caller's, or -errno with nothing left behind. */
int sync_begin(int fd, enum sync_what what, struct helper *ret);

#endif
