/* lines.c -- see lines.h. */
#include "parsers/common/lines.h"

#include <string.h>

bool lines_next(struct lines *l, struct line *ret)
{
	const size_t cap = l->cap_bytes ? l->cap_bytes : LINE_BYTES;
	const char *from, *end;
	size_t len;

	if (l->at >= l->len)
		return false;
	from = l->bytes + l->at;
	end = memchr(from, '\n', l->len - l->at);
	len = end != NULL ? (size_t)(end - from) : l->len - l->at;
	*ret = (struct line){
		.bytes = from,
		.len = len,
		.offset = l->at,
		.number = ++l->number,
	};
	l->at += len + (end != NULL);
	if (ret->len > 0 && from[ret->len - 1] == '\r')
		ret->len--;
	ret->is_cut = ret->len > cap;
	if (ret->is_cut)
		ret->len = cap;
	return true;
}
