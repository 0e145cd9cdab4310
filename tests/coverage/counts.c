/* counts.c -- counters of a coverage build that outlive their process.
 *
 * clang adds __llvm_profile_counter_bias to the address of each counter.  Here
 * it is made to point into a file that is mapped and shared: by every process
 * of one image, by what it forks, and by what is killed.  Each image has a part
 * of the file, by the names of its functions (report.py finds it by the same).
 *
 * Linked into everything, cupel-init too: no libc, not instrumented.  Where the
 * file is out of reach, it may have been given (given.c); else the process
 * counts in its own memory, for nobody. */
#include "coverage/counts.h"

#include <asm/stat.h>
#include <stdint.h>

#include "launch/native/sys.h"

#define HIDDEN     extern __attribute__((visibility("hidden")))
#define READ_WRITE 3 /* PROT_READ | PROT_WRITE */
#define SHARED     1 /* MAP_SHARED */

HIDDEN int64_t __llvm_profile_counter_bias;
HIDDEN uint64_t __start___llvm_prf_cnts[], __stop___llvm_prf_cnts[];
HIDDEN const unsigned char __start___llvm_prf_names[];
HIDDEN const unsigned char __stop___llvm_prf_names[];

/* FNV-1a over the names of all functions, and the counters' number. */
static uint64_t image_key(size_t counts_bytes)
{
	uint64_t key = UINT64_C(0xcbf29ce484222325) ^ counts_bytes;

	for (const unsigned char *at = __start___llvm_prf_names;
	     at < __stop___llvm_prf_names; at++)
		key = (key ^ *at) * UINT64_C(0x100000001b3);
	return key;
}

int counts_open(void)
{
	return (int)sys_raw(SYS_openat, -100 /* AT_FDCWD */,
			    sys_arg(COUNTS_FILE), 02000002 /* CLOEXEC, RDWR */,
			    0, 0, 0);
}

static void counts_map(int fd, size_t bytes)
{
	uint64_t part = image_key(bytes) % COUNTS_PARTS;
	long at = sys_raw(SYS_mmap, 0, (long)bytes, READ_WRITE, SHARED, fd,
			  (long)(part * COUNTS_PART_BYTES));

	if (at < 0 && at >= -4095)
		return;
	/* What ran already. */
	for (size_t i = 0; i < bytes / sizeof(uint64_t); i++)
		((uint64_t *)at)[i] += __start___llvm_prf_cnts[i];
	__llvm_profile_counter_bias =
		at - (int64_t)(intptr_t)__start___llvm_prf_cnts;
}

int counts_is_file(int fd)
{
	struct stat st;

	return sys_raw(SYS_fstat, fd, sys_arg(&st), 0, 0, 0, 0) == 0 &&
	       (uint64_t)st.st_size == COUNTS_PARTS * COUNTS_PART_BYTES;
}

void counts_start(int given_fd)
{
	size_t bytes = (size_t)((char *)__stop___llvm_prf_cnts -
				(char *)__start___llvm_prf_cnts);
	int fd;

	if (__llvm_profile_counter_bias != 0)
		return;
	fd = counts_open();
	if (fd < 0 && given_fd >= 0 && counts_is_file(given_fd))
		fd = given_fd;
	if (fd < 0)
		return;
	counts_map(fd, bytes);
	(void)sys_raw(SYS_close, fd, 0, 0, 0, 0, 0);
}
