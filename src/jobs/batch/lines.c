/* lines.c -- see lines.h. */
#include "jobs/batch/lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "spec/spec.h"

#define CHUNK ((size_t)64 << 10)

static bool line_give(struct batch_lines *l, size_t n, bool has_newline,
		      struct batch_text *ret)
{
	*ret = (struct batch_text){ .bytes = l->held.bytes + l->at,
				    .len = n,
				    .number = ++l->number,
				    .is_too_long = l->is_skipping ||
						   n > SPEC_DOCUMENT_BYTES };
	if (ret->is_too_long)
		ret->len = 0;
	l->is_skipping = false;
	l->at += n + has_newline;
	return true;
}

bool batch_lines_next(struct batch_lines *l, struct batch_text *ret)
{
	size_t left = l->held.len - l->at;
	const char *from = l->held.bytes + l->at;
	const char *eol = left > 0 ? memchr(from, '\n', left) : NULL;

	if (eol != NULL)
		return line_give(l, (size_t)(eol - from), true, ret);
	if (l->is_over && (left > 0 || l->is_skipping))
		return line_give(l, left, false, ret);
	if (left > SPEC_DOCUMENT_BYTES || l->is_skipping) {
		l->is_skipping = true;
		l->at = l->held.len;
	}
	return false;
}

bool batch_lines_has(const struct batch_lines *l)
{
	size_t left = l->held.len - l->at;

	return (left > 0 && (l->is_over || memchr(l->held.bytes + l->at, '\n',
						  left) != NULL)) ||
	       (l->is_over && l->is_skipping);
}

int batch_lines_fill(struct batch_lines *l, struct cupel_error *err)
{
	char *to;
	ssize_t n;

	if (l->at > 0 && l->at < l->held.len)
		memmove(l->held.bytes, l->held.bytes + l->at,
			l->held.len - l->at);
	l->held.len -= l->at;
	l->at = 0;
	to = buf_reserve(&l->held, CHUNK);
	if (to == NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  ENOMEM, "%s: no memory for a line", l->shown);
	n = read(l->fd, to, CHUNK);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  errno, "%s: cannot be read: %s", l->shown,
				  strerror(errno));
	l->held.len += (size_t)n;
	l->is_over = n == 0;
	return 0;
}

void batch_lines_done(struct batch_lines *l)
{
	buf_done(&l->held);
}
