/* pattern.c -- fuzz: the first line is an ECMA-262 pattern, the rest a text.
 *
 * What must hold: a refusal has a reason; a match ends within its budget and
 * gives one of three answers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "boundary/pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *text = (const char *)bytes;
	const char *end = n > 0 ? memchr(text, '\n', n) : NULL;
	size_t len = end != NULL ? (size_t)(end - text) : n;
	char why[200] = "";
	uint64_t budget = 2000000;
	struct pattern *p;

	if (!utf8_is_valid(text, n))
		return 0;
	p = pattern_new(text, len, why, sizeof why);
	if (p == NULL && why[0] == '\0')
		abort();
	if (p != NULL) {
		const char *subject = end != NULL ? end + 1 : text;
		size_t left = end != NULL ? n - len - 1 : n;
		enum pattern_result r =
			pattern_match(p, subject, left, &budget);

		if ((unsigned)r > PATTERN_LIMIT || budget > 2000000)
			abort();
	}
	pattern_free(p);
	return 0;
}
