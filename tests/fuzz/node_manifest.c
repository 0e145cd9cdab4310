/* node_manifest.c -- fuzz: bytes as a small repository.
 *
 * A line "== NAME" begins a file, whose text goes up to the next such line;
 * "=- NAME" is a file declared by its name. */
#include "node_probe.h"

#define FILES_MAX 16

static const char *head_find(const char *at, const char *end)
{
	for (; at < end; at++) {
		if (end - at >= 3 && at[0] == '=' &&
		    (at[1] == '=' || at[1] == '-') && at[2] == ' ')
			return at;
		at = memchr(at, '\n', (size_t)(end - at));
		if (at == NULL)
			break;
	}
	return end;
}

static int is_new(const struct parse_input *items, size_t len,
		  const struct parse_input *in)
{
	for (size_t i = 0; i < len; i++)
		if (name_compare(&items[i], in) == 0)
			return 0;
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *at = (const char *)bytes, *end = at + n;
	struct parse_input items[FILES_MAX];
	size_t len = 0;

	at = n > 0 ? head_find(at, end) : end;
	while (at < end && len < FILES_MAX) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		struct parse_input *in = &items[len];
		const char *next;

		if (eol == NULL)
			break;
		next = head_find(eol + 1, end);
		*in = (struct parse_input){
			.name = at + 3,
			.name_len = (size_t)(eol - at) - 3,
			.bytes = eol + 1,
			.len = (size_t)(next - eol) - 1,
			.is_name_only = at[1] == '-',
		};
		if (in->is_name_only)
			in->len = 0;
		len += in->name_len > 0 && is_new(items, len, in);
		at = next;
	}
	probe_hold(items, len);
	return 0;
}
