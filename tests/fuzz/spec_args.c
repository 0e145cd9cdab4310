/* spec_args.c -- fuzz: words of a command line, one a line, into a request.
 *
 * What must hold: no crash, no leak, a refusal has a message, and a request
 * that is accepted has a canonical form that is strict JSON. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/json.h"
#include "spec/canonical.h"
#include "spec/profile.h"

#define WORDS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

/* The same two files for every input: a spec and a profile. */
static int load(void *ctx, const char *path, struct buf *out,
		struct cupel_error *err)
{
	(void)ctx;
	if (strchr(path, 'x') != NULL)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, 2,
				  "no such file");
	buf_text(out, strchr(path, '/') ? "{\"nofile\":9,\"etc\":[\"a\"]}"
					: "{\"nofile\":7,\"profile\":\"test\","
					  "\"env\":[\"A=1\"]}");
	return 0;
}

static void hold_accepted(struct spec *s)
{
	struct cupel_error err = { 0 };
	struct json_error e = { 0 };
	struct json_value v;
	struct arena arena = { 0 };
	struct buf text = { 0 }, again = { 0 };
	const struct json_caps caps = { .text_bytes = (size_t)1 << 26,
					.string_bytes = (size_t)1 << 26 };

	must(spec_write_canonical(s, &text, &err) == 0);
	must(json_parse(text.bytes, text.len, &caps, &arena, &v, &e) == 0);
	must(json_write_canonical(&v, &again) == 0);
	must(again.len == text.len &&
	     memcmp(again.bytes, text.bytes, text.len) == 0);
	buf_done(&text);
	buf_done(&again);
	arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct cupel_error err = { 0 };
	struct spec s = { 0 };
	char *copy = malloc(n + 1);
	char *argv[WORDS_MAX + 1] = { NULL };
	int argc = 0, rest = -1, r;

	must(copy != NULL);
	memcpy(copy, bytes, n);
	copy[n] = '\0';
	argv[argc++] = copy + n;
	for (char *at = copy; at != NULL && argc < WORDS_MAX;) {
		argv[argc++] = at;
		at = strchr(at, '\n');
		if (at != NULL)
			*at++ = '\0';
	}
	must(spec_init(&s, &err) == 0);
	s.load = load;
	r = spec_read_args(argc, argv, &s, &rest, &err);
	if (r == 0)
		must(rest >= 1 && rest <= argc);
	if (r == 0)
		r = spec_set_command(&s, (const char *const *)argv + rest,
				     (size_t)(argc - rest), &err);
	if (r == 0)
		r = spec_check(&s, &err);
	must((r < 0) == (err.what[0] != '\0'));
	if (r == 0)
		hold_accepted(&s);
	spec_done(&s);
	free(copy);
	return 0;
}
