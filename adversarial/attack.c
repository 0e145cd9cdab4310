/* attack.c -- finds the attack that was named, and the words for verdicts. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const struct attack *const groups[] = {
	attacks_calls,  attacks_channel, attacks_files,  attacks_life,
	attacks_egress, attacks_hello,   attacks_limits, attacks_memory,
	attacks_net,    attacks_options, attacks_peer,   attacks_proc,
	attacks_queues, attacks_see,     attacks_self,   attacks_tell,
	attacks_trace,  attacks_tree,    attacks_vanish,
};

void say(const char *word, const char *fmt, ...)
{
	char line[4096];
	va_list ap;
	int n;

	n = snprintf(line, sizeof line, "VERDICT %s ", word);
	va_start(ap, fmt);
	n += vsnprintf(line + n, sizeof line - (size_t)n - 1, fmt, ap);
	va_end(ap);
	if (n > (int)sizeof line - 2)
		n = (int)sizeof line - 2;
	line[n++] = '\n';
	if (write(STDOUT_FILENO, line, (size_t)n) != n)
		_exit(3);
	_exit(0);
}

const char *errno_name(int err)
{
	const char *name = strerrorname_np(err);

	return name ? name : "E?";
}

void say_errno(long ret, const char *what)
{
	if (ret >= 0)
		say("won", "%s gave %ld", what, ret);
	say(errno_name(errno), "%s", what);
}

const char *arg(char **args, int n)
{
	for (int i = 0; i <= n; i++)
		if (!args[i])
			exit(2);
	return args[n];
}

uint64_t arg_u64(char **args, int n)
{
	return strtoull(arg(args, n), NULL, 0);
}

long file_read(const char *path, char *buf, size_t n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t len = 0;

	if (fd < 0)
		return -1;
	while (len < n - 1) {
		ssize_t got = read(fd, buf + len, n - 1 - len);
		int err = errno;

		if (got < 0) {
			(void)close(fd);
			errno = err;
			return -1;
		}
		if (got == 0)
			break;
		len += (size_t)got;
	}
	(void)close(fd);
	buf[len] = '\0';
	return (long)len;
}

int file_write(const char *path, int flags, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | flags, 0600);
	size_t n = strlen(text);
	int err;

	if (fd < 0)
		return -1;
	if (write(fd, text, n) == (ssize_t)n)
		return close(fd);
	err = errno;
	(void)close(fd);
	errno = err;
	return -1;
}

int has_text(const char *path, const char *text)
{
	static char buf[1 << 20];
	long n = file_read(path, buf, sizeof buf);

	if (n < 0)
		return -1;
	return memmem(buf, (size_t)n, text, strlen(text)) != NULL;
}

int filter_add(long number, uint32_t answer, unsigned flags)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, answer),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { .len = sizeof insns / sizeof *insns,
					    .filter = insns };

	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags,
			    &program);
}

void pause_ms(unsigned ms)
{
	struct timespec left = { ms / 1000, (long)(ms % 1000) * 1000000 };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

static uint64_t cpu_now_ms(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) < 0)
		exit(3);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void burn_ms(unsigned ms)
{
	uint64_t end = cpu_now_ms() + ms;

	while (cpu_now_ms() < end)
		for (volatile int i = 0; i < 100000; i++)
			;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "attack NAME [ARG...]\n");
		return 2;
	}
	for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
		for (const struct attack *a = groups[g]; a->name; a++)
			if (strcmp(a->name, argv[1]) == 0) {
				a->run(argv + 2);
				return 0;
			}
	fprintf(stderr, "attack: no attack is named %s\n", argv[1]);
	return 2;
}
