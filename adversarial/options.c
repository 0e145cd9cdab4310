/* options.c -- options, advice and requests of calls that every program may make:
 * they take kernel memory that no process maps, tell something about the host, or
 * let two vessels talk.  Each takes little; with its wall down it could take more. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Numbers that older headers do not have. */
enum {
	OPTION_FUTEX_HASH = 78,
	SET_SLOTS = 1,
	OPTION_MEMORY_MERGE = 67,
	NR_landlock_create_ruleset = 444,
	NR_landlock_add_rule = 445,
	RULE_NET_PORT = 2,
};
#define GET_FSUUID  0x80111500U
#define FS_NET_BIND 1 /* LANDLOCK_ACCESS_NET_BIND_TCP */

#define SLOTS   (1U << 16) /* 4 MiB of kernel memory; 2^24 are possible */
#define BUFFER  (8 << 20)
#define RULES   2000
#define PAGE    4096
#define WAIT_MS 100
#define WAKES   40

/* Whether the kernel is older than a version; then there is nothing to try. */
static void need_kernel(unsigned major, unsigned minor)
{
	struct utsname u;
	unsigned a, b;

	if (uname(&u) == 0 && sscanf(u.release, "%u.%u", &a, &b) == 2 &&
	    (a < major || (a == major && b < minor)))
		say("absent", "Linux %u.%u is wanted", major, minor);
}

static void futex_hash(char **args)
{
	(void)args;
	need_kernel(6, 17);
	say_errno(prctl(OPTION_FUTEX_HASH, SET_SLOTS, SLOTS, 0, 0),
		  "slots of a futex hash");
}

/* How many bytes one end of a socket pair takes until it is full, with the
 * default buffer or with a large one. */
static long fill(bool is_large)
{
	static const char block[PAGE];
	int fds[2], size = BUFFER;
	long n = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) < 0)
		say(errno_name(errno), "socketpair");
	if (is_large &&
	    setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size) < 0)
		say(errno_name(errno), "SO_SNDBUF");
	while (n < BUFFER) {
		ssize_t done = write(fds[0], block, sizeof block);

		if (done <= 0)
			break;
		n += done;
	}
	return n;
}

static void send_buffer(char **args)
{
	long usual = fill(false), large = fill(true);

	(void)args;
	if (large > usual)
		say("won", "%ld bytes in a buffer of %ld", large, usual);
	say("same", "%ld bytes", large);
}

static void landlock_rules(char **args)
{
	struct {
		uint64_t fs, net;
	} all = { 0, FS_NET_BIND };
	struct {
		uint64_t access, port;
	} rule = { FS_NET_BIND, 0 };
	long fd;

	(void)args;
	need_kernel(6, 7);
	fd = syscall(NR_landlock_create_ruleset, &all, sizeof all, 0);
	if (fd < 0)
		say(errno_name(errno), "landlock_create_ruleset");
	for (; rule.port < RULES; rule.port++)
		if (syscall(NR_landlock_add_rule, fd, RULE_NET_PORT, &rule, 0) <
		    0)
			say(errno_name(errno), "rule %llu",
			    (unsigned long long)rule.port);
	say("won", "%d rules", RULES);
}

static void merge_pages(char **args)
{
	void *p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int by_advice, by_option, error;

	(void)args;
	by_advice = madvise(p, PAGE, MADV_MERGEABLE);
	error = errno;
	by_option = prctl(OPTION_MEMORY_MERGE, 1, 0, 0, 0);
	if (by_advice == 0 || by_option == 0)
		say("won", "madvise %d, prctl %d", by_advice, by_option);
	say(errno_name(error), "both");
}

static int open_arg(char **args)
{
	int fd = open(arg(args, 0), O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		say(errno_name(errno), "%s", args[0]);
	return fd;
}

/* Try each of the requests that identify the file system. */
static void file_system_id(char **args)
{
	struct {
		uint8_t len, uuid[16];
	} id = { 0 };

	say_errno(ioctl(open_arg(args), GET_FSUUID, &id), "FS_IOC_GETFSUUID");
}

/* Try to evict a page of a file from the host's page cache. The fixture checks
 * whether it is still there; a page that another processor holds for a moment
 * stays. */
static void evict(char **args)
{
	int fd = open_arg(args);
	int r = 0;

	for (int i = 0; i < WAKES && r == 0; i++, pause_ms(10))
		r = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	say(r == 0 ? "advised" : errno_name(r), "%s", args[0]);
}

static int *map_word(char **args)
{
	void *p = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, open_arg(args), 0);

	if (p == MAP_FAILED)
		say(errno_name(errno), "mmap");
	return p;
}

/* Wake every process that waits on a page of a file. The fixture checks whether
 * one of the host's woke up. */
static void futex_wake(char **args)
{
	int *word = map_word(args);
	long n = 0;

	for (int i = 0; i < WAKES; i++, pause_ms(10)) {
		long r = syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);

		if (r < 0)
			say(errno_name(errno), "FUTEX_WAKE");
		n += r;
	}
	say(n > 0 ? "won" : "nobody", "%ld woken", n);
}

/* Wait on a page of a file, to receive the host's wakes or to take them from
 * the process that they are for. */
static void futex_wait(char **args)
{
	struct timespec limit = { 0, WAIT_MS * 1000000L };
	int *word = map_word(args);
	long r = -1;

	for (int i = 0; i < WAKES && r < 0; i++) {
		r = syscall(SYS_futex, word, FUTEX_WAIT, *word, &limit, NULL,
			    0);
		if (r < 0 && errno != ETIMEDOUT)
			say(errno_name(errno), "FUTEX_WAIT");
	}
	say_errno(r, "a wake");
}

const struct attack attacks_options[] = {
	{ "futex-hash", futex_hash },
	{ "send-buffer", send_buffer },
	{ "landlock-rules", landlock_rules },
	{ "merge-pages", merge_pages },
	{ "fs-id", file_system_id },
	{ "evict", evict },
	{ "futex-wake", futex_wake },
	{ "futex-wait", futex_wait },
	{ 0 },
};
