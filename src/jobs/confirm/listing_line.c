/* listing_line.c -- see listing_line.h. */
#include "jobs/confirm/listing_line.h"

#include <errno.h>
#include <string.h>

bool line_take(const char **text, size_t *n, const char **ret, size_t *ret_len)
{
	const char *eol;
	size_t len;

	if (*n == 0)
		return false;
	eol = memchr(*text, '\n', *n);
	len = eol != NULL ? (size_t)(eol - *text) : *n;
	*ret = *text;
	*text += len + (eol != NULL);
	*n -= len + (eol != NULL);
	while (len > 0 && ((*ret)[len - 1] == '\r' || (*ret)[len - 1] == ' ' ||
			   (*ret)[len - 1] == '\t'))
		len--;
	*ret_len = len;
	return true;
}

bool line_has_start(const char *line, size_t n, const char *with)
{
	size_t len = strlen(with);

	return n >= len && memcmp(line, with, len) == 0;
}

size_t line_number_read(const char *s, size_t n, uint64_t *ret)
{
	uint64_t value = 0;
	size_t i = 0;

	for (; i < n && s[i] >= '0' && s[i] <= '9'; i++)
		value = i < 9 ? value * 10 + (uint64_t)(s[i] - '0') : value;
	*ret = value;
	return i <= 9 ? i : 0;
}

int line_message_add(struct line_reading *r, const struct line_message *m,
		     const char *text, size_t n)
{
	struct flag flag = { .number = r->number, .line = m->line };
	struct finding_rule rule = { .message = NULL };
	struct arena scratch = { 0 };
	char *path;
	int e = -ENOMEM;

	if (m->line < 1 || m->line > FLAG_LINE_MAX)
		return flags_fault(r->findings.flags, r->number,
				   "line: expected a whole number from 1");
	path = arena_copy(&scratch, r->line, m->path_len);
	rule.names[0] = arena_copy(&scratch, m->code, m->code_len);
	rule.message = arena_copy(&scratch, text, n);
	flag.file =
		path != NULL ? findings_keep_file(&r->findings, path) : NULL;
	if (flag.file != NULL && rule.names[0] != NULL && rule.message != NULL)
		e = findings_add(&r->findings, &flag, &rule);
	arena_done(&scratch);
	return e;
}
