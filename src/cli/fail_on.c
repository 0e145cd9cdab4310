/* fail_on.c -- see fail_on.h. */
#include "cli/fail_on.h"

#include <string.h>

#include "cli/cli.h"

static const struct {
	const char *word;
	enum confirm_status status;
} words[] = {
	{ "confirmed", CONFIRM_CONFIRMED },
	{ "timeout", CONFIRM_TIMEOUT },
	{ "sandbox-error", CONFIRM_SANDBOX_ERROR },
	{ "synth-failed", CONFIRM_SYNTH_FAILED },
	{ "unsupported", CONFIRM_UNSUPPORTED },
};
#define WORDS (sizeof words / sizeof *words)

/* Take one word; false for an unknown one. */
static bool word_take(const char *word, size_t n, struct fail_on *f)
{
	bool is_any = n == 3 && memcmp(word, "any", 3) == 0, is_known = is_any;

	for (size_t i = 0; i < WORDS; i++)
		if (is_any || (strlen(words[i].word) == n &&
			       memcmp(words[i].word, word, n) == 0)) {
			f->of[words[i].status] = true;
			is_known = true;
		}
	f->faults = f->faults || is_any;
	return is_known;
}

int fail_on_read(const struct option_value *v, struct fail_on *ret)
{
	for (size_t i = 0; i < v->count; i++) {
		const char *at = v->texts[i];

		for (;;) {
			size_t n = strcspn(at, ",");

			if (!word_take(at, n, ret))
				return cli_usage(
					"--fail-on: '%.*s' is not one of "
					"confirmed, timeout, sandbox-error, "
					"synth-failed, unsupported, any",
					(int)(n < 80 ? n : 80), at);
			if (at[n] == '\0')
				break;
			at += n + 1;
		}
	}
	return 0;
}

bool fail_on_has(const struct fail_on *f, const struct confirm_counts *c)
{
	for (int s = 0; s < CONFIRM_STATUS_MAX_; s++)
		if (f->of[s] && c->of[s] + c->recorded_of[s] > 0)
			return true;
	return f->faults && c->faults > 0;
}
