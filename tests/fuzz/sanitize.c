/* sanitize.c -- fuzz: bytes as a payload to be sanitized.
 *
 * What must hold: what passes once passes again unchanged, has no field that
 * is named like a credential, and its objects find their members. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/payload.h"
#include "boundary/sanitize.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const char *const roots[] = { "/repo", "/home/u/", "/a b", NULL };

static void must(int holds)
{
	if (!holds)
		abort();
}

static void look(const struct json_value *v)
{
	for (size_t i = 0; v->type == JSON_ARRAY && i < v->u.array.len; i++)
		look(&v->u.array.items[i]);
	for (size_t i = 0; v->type == JSON_OBJECT && i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];

		must(!sanitize_is_credential(m->name.bytes, m->name.len));
		must(json_find_bytes(v, m->name.bytes, m->name.len) ==
		     &m->value);
		look(&m->value);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const struct payload_limits limits = { .roots = roots };
	const struct sanitize_limits again = { .roots = roots };
	struct sanitize_report report;
	struct buf one = { 0 };
	struct buf two = { 0 };
	struct payload p;

	payload_read((const char *)bytes, n, n, NULL, &limits, &p);
	if (p.status == PAYLOAD_VALID) {
		look(&p.value);
		json_write(&p.value, &one);
		must(sanitize_value(&p.value, &again, &p.arena, &report) == 0);
		json_write(&p.value, &two);
		must(report.paths == 0);
		must(report.markers == p.injection_markers);
		must(one.len == two.len &&
		     memcmp(one.bytes, two.bytes, one.len) == 0);
	} else {
		must((p.error.code == NULL) == (p.status == PAYLOAD_ABSENT));
	}
	buf_done(&one);
	buf_done(&two);
	payload_done(&p);
	return 0;
}
