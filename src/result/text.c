/* text.c -- cut, count and quote what a command wrote. */
#include "result/text.h"

#include "base/buf.h"
#include "base/jsonw.h"
#include "base/utf8.h"

/* The number of bytes of a UTF-8 sequence that starts with c; 1 when no
 * sequence starts with it. */
static size_t sequence_bytes(unsigned char c)
{
	if (c >= 0xc2 && c <= 0xdf)
		return 2;
	if (c >= 0xe0 && c <= 0xef)
		return 3;
	if (c >= 0xf0 && c <= 0xf4)
		return 4;
	return 1;
}

size_t text_find_end(const char *s, size_t n)
{
	for (size_t back = 1; back <= 3 && back <= n; back++) {
		unsigned char c = (unsigned char)s[n - back];

		if (c >= 0x80 && c < 0xc0)
			continue; /* the inside of a sequence */
		return sequence_bytes(c) > back ? n - back : n;
	}
	return n;
}

uint64_t text_count_bad(const char *s, size_t n)
{
	uint64_t bad = 0;

	for (size_t i = 0; i < n;) {
		size_t len = (unsigned char)s[i] < 0x80
				     ? 1
				     : utf8_read(s + i, n - i, NULL);

		bad += len == 0;
		i += len > 0 ? len : 1;
	}
	return bad;
}

uint64_t text_quote(struct buf *out, const char *s, size_t n, bool truncated)
{
	if (s == NULL)
		s = "";
	if (truncated)
		n = text_find_end(s, n);
	jsonw_quote(out, s, n);
	if (truncated && !buf_has_failed(out)) {
		out->len--; /* the closing quote */
		buf_text(out, "\\n[TRUNCATED]\\n\"");
	}
	return text_count_bad(s, n);
}
