/* pass.c -- queues, escapes and sends a command's output. */
#include "cli/pass.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"

/* A pipe that polls writable takes this much without blocking (pipe(7)). */
#define CHUNK_BYTES 4096

void pass_init(struct pass *p, int fd, bool is_raw)
{
	struct stat st;

	*p = (struct pass){ .fd = fd };
	p->is_pipe = fstat(fd, &st) < 0 || !S_ISREG(st.st_mode);
	p->is_escaped = !is_raw && fd >= 0 && isatty(fd) == 1;
}

/* Whether the bytes may be the start of a well-formed sequence. */
static bool can_grow(const char *s, size_t n)
{
	unsigned char c = (unsigned char)s[0];
	size_t want = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;

	if (n >= want)
		return false;
	for (size_t i = 1; i < n; i++)
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return false;
	return true;
}

static bool is_control(uint32_t code)
{
	if (code == '\n' || code == '\t' || code == '\r')
		return false;
	return utf8_is_control(code) != 0;
}

size_t pass_escape(const char *bytes, size_t n, bool is_last, struct buf *out)
{
	size_t i = 0;

	while (i < n) {
		uint32_t code = 0;
		size_t len = utf8_read(bytes + i, n - i, &code);

		if (len == 0 && !is_last && can_grow(bytes + i, n - i))
			break;
		if (len != 0 && !is_control(code)) {
			buf_add(out, bytes + i, len);
			i += len;
			continue;
		}
		for (size_t end = i + (len != 0 ? len : 1); i < end; i++)
			buf_format(out, "\\x%02x", (unsigned char)bytes[i]);
	}
	return i;
}

static void queue_escaped(struct pass *p, const char *bytes, size_t n)
{
	size_t taken;

	/* at most 3 bytes are held; complete that sequence first */
	while (p->held_len > 0 && n > 0) {
		p->held[p->held_len++] = *bytes++;
		n--;
		taken = pass_escape(p->held, p->held_len, false, &p->queue);
		memmove(p->held, p->held + taken, p->held_len - taken);
		p->held_len -= taken;
	}
	if (n == 0)
		return;
	taken = pass_escape(bytes, n, false, &p->queue);
	memcpy(p->held, bytes + taken, n - taken);
	p->held_len = n - taken;
}

void pass_add(struct pass *p, const char *bytes, size_t n)
{
	if (p->fd < 0 || p->is_broken)
		return;
	if (p->is_escaped)
		queue_escaped(p, bytes, n);
	else
		buf_add(&p->queue, bytes, n);
	pass_step(p);
}

/* No more bytes come, so release what was held back. */
static void pass_end(struct pass *p)
{
	if (p->held_len > 0 && !p->is_broken)
		(void)pass_escape(p->held, p->held_len, true, &p->queue);
	p->held_len = 0;
}

bool pass_has_bytes(const struct pass *p)
{
	return p->fd >= 0 && !p->is_broken && p->done < p->queue.len;
}

static void give_up(struct pass *p, int error)
{
	p->is_broken = true;
	if (error != EPIPE)
		p->error = -error;
	buf_done(&p->queue);
	p->done = 0;
}

/* Write once.  Returns whether to go on. */
static bool send_some(struct pass *p, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = p->fd, .events = POLLOUT };
	size_t n = p->queue.len - p->done;
	ssize_t r;

	if (p->is_pipe) {
		r = poll(&poll_fd, 1, timeout_ms);
		if (r <= 0)
			return r < 0 && timeout_ms != 0;
		if (n > CHUNK_BYTES)
			n = CHUNK_BYTES;
	}
	r = write(p->fd, p->queue.bytes + p->done, n);
	if (r < 0 && (errno == EINTR || errno == EAGAIN))
		return timeout_ms != 0;
	if (r < 0) {
		give_up(p, errno);
		return false;
	}
	p->done += (size_t)r;
	return true;
}

static void send_all(struct pass *p, int timeout_ms)
{
	if (buf_has_failed(&p->queue))
		give_up(p, ENOMEM);
	while (pass_has_bytes(p) && send_some(p, timeout_ms))
		;
	if (p->done == p->queue.len) {
		p->queue.len = 0;
		p->done = 0;
	}
}

void pass_step(struct pass *p)
{
	send_all(p, 0);
}

void pass_flush(struct pass *p)
{
	pass_end(p);
	send_all(p, -1);
}

void pass_done(struct pass *p)
{
	buf_done(&p->queue);
	p->fd = -1;
}
