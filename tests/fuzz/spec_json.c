/* spec_json.c -- fuzz: bytes as a spec document and as a profile file.
 *
 * What must hold: no crash, no leak, a refusal has a message; a profile that
 * is accepted is written out as one that reads back the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "spec/canonical.h"
#include "spec/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void try_spec(const char *bytes, size_t n)
{
	struct cupel_error err = { 0 };
	char hash[BLAKE3_TEXT_BYTES];
	struct spec s = { 0 };
	int r;

	must(spec_init(&s, &err) == 0);
	r = spec_read_json(&s, bytes, n, "spec", &err);
	if (r == 0)
		r = spec_check(&s, &err);
	must((r < 0) == (err.what[0] != '\0'));
	if (r == 0)
		must(spec_hash(&s, hash, &err) == 0);
	spec_done(&s);
}

static void try_profile(const char *bytes, size_t n)
{
	struct cupel_error err = { 0 };
	struct buf one = { 0 }, two = { 0 };
	struct spec s = { 0 }, again = { 0 };

	must(spec_init(&s, &err) == 0 && spec_init(&again, &err) == 0);
	if (spec_read_profile(&s, bytes, n, "profile", &err) == 0) {
		profile_write_json(&s, &one);
		must(spec_read_profile(&again, one.bytes, one.len, "again",
				       &err) == 0);
		profile_write_json(&again, &two);
		must(strcmp(one.bytes, two.bytes) == 0);
	} else {
		must(err.what[0] != '\0');
	}
	buf_done(&one);
	buf_done(&two);
	spec_done(&s);
	spec_done(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	try_spec((const char *)bytes, n);
	try_profile((const char *)bytes, n);
	return 0;
}
