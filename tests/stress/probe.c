/* probe.c -- how long a few ordinary things take on the host, again and again. */
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS   8192
#define PAUSE_MS 5

static uint32_t word;
static const char *file;

static int64_t now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void open_read(void)
{
	char c;
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);

	(void)!read(fd, &c, 1);
	(void)close(fd);
}

static void fork_exit(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	(void)waitpid(pid, NULL, 0);
}

/* The other thread answers: 1 is a question, 2 is to end. */
static void *answer(void *unused)
{
	for (;;) {
		while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == 0)
			(void)syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
		if (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == 2)
			return unused;
		__atomic_store_n(&word, 0, __ATOMIC_RELEASE);
		(void)syscall(SYS_futex, &word, FUTEX_WAKE, 1);
	}
}

static void futex_wake(void)
{
	__atomic_store_n(&word, 1, __ATOMIC_RELEASE);
	(void)syscall(SYS_futex, &word, FUTEX_WAKE, 1);
	while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) != 0)
		(void)syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL);
}

static void sync_file(void)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	(void)!write(fd, "x", 1);
	(void)fdatasync(fd);
	(void)close(fd);
}

static const struct {
	const char *name;
	void (*run)(void);
	unsigned every; /* of so many rounds one */
} things[] = {
	{ "open", open_read, 1 },
	{ "fork", fork_exit, 1 },
	{ "futex", futex_wake, 1 },
	{ "sync", sync_file, 8 },
};

#define THINGS (sizeof things / sizeof *things)

static int64_t took[THINGS][ROUNDS];
static size_t counts[THINGS];

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void round_run(unsigned n)
{
	for (size_t i = 0; i < THINGS; i++) {
		int64_t began = now_us();

		if (n % things[i].every != 0)
			continue;
		things[i].run();
		took[i][counts[i]++] = now_us() - began;
	}
}

/* usage: probe FILE -- until its standard input ends.  Prints for each thing how
 * many microseconds the middle one, one of 100 and the slowest took. */
int main(int argc, char **argv)
{
	struct pollfd in = { .fd = 0, .events = POLLIN };
	pthread_t t;

	if (argc != 2 || pthread_create(&t, NULL, answer, NULL) != 0)
		return 2;
	file = argv[1];
	for (unsigned n = 0; n < ROUNDS && poll(&in, 1, PAUSE_MS) == 0; n++)
		round_run(n);
	for (size_t i = 0; i < THINGS; i++) {
		size_t c = counts[i];

		qsort(took[i], c, sizeof **took, compare);
		if (c > 0)
			printf("%s %lld %lld %lld\n", things[i].name,
			       (long long)took[i][c / 2],
			       (long long)took[i][c * 99 / 100],
			       (long long)took[i][c - 1]);
	}
	__atomic_store_n(&word, 2, __ATOMIC_RELEASE);
	(void)syscall(SYS_futex, &word, FUTEX_WAKE, 1);
	return 0;
}
