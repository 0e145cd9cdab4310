/* parse_input.c -- the names of inputs, and the input of a name.  See parse.h. */
#include <string.h>

#include "parsers/common/parse.h"
#include "parsers/common/role.h"
#include "parsers/common/text_piece.h"

const char *input_base(const struct parse_input *in, size_t *ret_len)
{
	const char *slash =
		in->name_len ? memrchr(in->name, '/', in->name_len) : NULL;
	const char *base = slash ? slash + 1 : in->name;

	*ret_len = in->name_len - (size_t)(base - in->name);
	return base;
}

size_t input_dir_len(const struct parse_input *in)
{
	size_t len;
	const char *base = input_base(in, &len);

	return base == in->name ? 0 : (size_t)(base - in->name) - 1;
}

int input_base_is(const struct parse_input *in, const char *base)
{
	size_t len;
	const char *b = input_base(in, &len);

	return len == strlen(base) && memcmp(b, base, len) == 0;
}

bool input_is_own(const struct parse_input *in)
{
	return in->role == NULL || in->role->kind == ROLE_OWN;
}

bool input_is_installed(const struct parse_input *in)
{
	static const char mark[] = "node_modules/";
	const char *at = in->name, *end = in->name + in->name_len;

	while ((at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1)) !=
	       NULL) {
		if (at == in->name || at[-1] == '/')
			return true;
		at += sizeof mark - 1;
	}
	return false;
}

size_t input_bom_note(const struct parse_input *in, struct parse_report *r)
{
	size_t n = text_bom((struct json_text){ in->bytes, in->len });

	if (n > 0)
		report_note(&r->warnings, "bom", in, 0,
			    "starts with a byte order mark");
	return n;
}

static int name_compare(const struct parse_input *in, const struct buf *name)
{
	size_t len = in->name_len < name->len ? in->name_len : name->len;
	int c = memcmp(in->name, name->bytes, len);

	return c != 0 ? c : (in->name_len > len) - (name->len > len);
}

const struct parse_input *input_find(const struct parse_inputs *in,
				     const char *dir, size_t dir_len,
				     const char *base)
{
	owned_buf struct buf name = { 0 };
	size_t from = 0, to = in->len;

	buf_add(&name, dir, dir_len);
	if (dir_len > 0)
		buf_char(&name, '/');
	buf_text(&name, base);
	while (!buf_has_failed(&name) && from < to) {
		size_t mid = from + (to - from) / 2;
		int c = name_compare(&in->items[mid], &name);

		if (c == 0)
			return &in->items[mid];
		if (c < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return NULL;
}
