/* cli.c -- complaints and whole writes. */
#include "cli/cli.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/utf8.h"

#define LINE_MAX_BYTES                                                         \
	1024 /* a path of PATH_MAX is cut, but the line appears */

static void complain(const char *fmt, va_list ap)
{
	static const char prefix[] = "cupel: ";
	char line[LINE_MAX_BYTES];
	size_t n = sizeof prefix - 1;

	memcpy(line, prefix, n);
	(void)vsnprintf(line + n, sizeof line - n - 1, fmt, ap);
	utf8_make_line(line);
	n = strlen(line);
	line[n++] = '\n';
	(void)cli_write(STDERR_FILENO, line, n);
}

void cli_complain(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(fmt, ap);
	va_end(ap);
}

int cli_usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(fmt, ap);
	va_end(ap);
	return CLI_USAGE;
}

int cli_fail(const struct cupel_error *err)
{
	cli_complain("%s", err->what);
	switch (err->cause) {
	case CUPEL_CAUSE_CALLER:
		return CLI_USAGE;
	case CUPEL_CAUSE_HOST:
		return CLI_HOST;
	case CUPEL_CAUSE_NONE:
	case CUPEL_CAUSE_BUSY:
	case CUPEL_CAUSE_BUG:
	case CUPEL_CAUSE_MAX_:
		break;
	}
	return CLI_FAILED;
}

int cli_write(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EAGAIN) {
			struct pollfd p = { .fd = fd, .events = POLLOUT };

			(void)poll(&p, 1, -1);
			continue;
		}
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		bytes += done;
		n -= (size_t)done;
	}
	return 0;
}

int cli_print(const struct buf *out)
{
	int r = buf_has_failed(out)
			? -ENOMEM
			: cli_write(STDOUT_FILENO, out->bytes, out->len);

	if (r < 0 && r != -EPIPE)
		cli_complain("stdout: %s", strerror(-r));
	return r < 0 ? CLI_FAILED : CLI_OK;
}
