/* launch_scope.c -- what a bus may answer: whatever it is, it is read within
 * its bounds. tests/live/scope.t shows that a real bus understands us. */
#include "tap.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "launch/native/scope.h"

#define UNIT "cupel-1-2.scope"

/* A message as a bus sends it: its type, its fields unchanged, and a body. */
struct made {
	unsigned char bytes[1024];
	size_t len;
};

static void add(struct made *m, const void *bytes, size_t n)
{
	memcpy(m->bytes + m->len, bytes, n);
	m->len += n;
}

static void align(struct made *m, size_t to)
{
	while (m->len % to != 0)
		m->bytes[m->len++] = 0;
}

static void u32(struct made *m, uint32_t v)
{
	align(m, 4);
	add(m, &v, 4);
}

static void text(struct made *m, const char *s)
{
	u32(m, (uint32_t)strlen(s));
	add(m, s, strlen(s) + 1);
}

static void field(struct made *m, int code, const char *type, const char *s)
{
	const unsigned char head[] = { (unsigned char)code, 1,
				       (unsigned char)*type, 0 };

	align(m, 8);
	add(m, head, 4);
	if (*type == 'u')
		u32(m, 3);
	else if (*type != 'g')
		text(m, s);
	else {
		m->bytes[m->len++] = (unsigned char)strlen(s);
		add(m, s, strlen(s) + 1);
	}
}

static struct made job_removed(const char *unit, const char *result)
{
	static const unsigned char head[] = { 'l', 4, 1, 1 };
	struct made m = { .len = 0 };
	uint32_t n;
	size_t body;

	add(&m, head, 4);
	u32(&m, 0);
	u32(&m, 77);
	u32(&m, 0);
	field(&m, 1, "o", "/org/freedesktop/systemd1");
	field(&m, 2, "s", "org.freedesktop.systemd1.Manager");
	field(&m, 3, "s", "JobRemoved");
	field(&m, 7, "s", ":1.2");
	field(&m, 8, "g", "uoss");
	n = (uint32_t)m.len - 16;
	memcpy(m.bytes + 12, &n, 4);
	align(&m, 8);
	body = m.len;
	u32(&m, 9);
	text(&m, "/org/freedesktop/systemd1/job/9");
	text(&m, unit);
	text(&m, result);
	n = (uint32_t)(m.len - body);
	memcpy(m.bytes + 4, &n, 4);
	return m;
}

/* The message lies in memory of exactly its size, so that a sanitizer sees a
 * read beyond it. */
static int read_copy(const struct made *m, size_t n)
{
	unsigned char *copy = malloc(n > 0 ? n : 1);
	int r;

	if (copy == NULL)
		abort();
	memcpy(copy, m->bytes, n);
	r = scope_read_message(copy, n, UNIT);
	free(copy);
	return r;
}

static void the_end_of_our_job_is_told(void)
{
	struct made m = job_removed(UNIT, "done");

	ok_int(scope_message_len(m.bytes), m.len);
	ok_int(read_copy(&m, m.len), 1);
	m = job_removed(UNIT, "failed");
	ok_int(read_copy(&m, m.len), -EIO);
	m = job_removed("cupel-1-3.scope", "done");
	ok_int(read_copy(&m, m.len), 0);
	m = job_removed(UNIT, "done");
	m.bytes[1] = 3; /* an error */
	ok_int(read_copy(&m, m.len), -EIO);
	m.bytes[1] = 2; /* a reply */
	ok_int(read_copy(&m, m.len), 0);
}

static void a_part_of_a_message_is_none(void)
{
	struct made m = job_removed(UNIT, "done");

	for (size_t n = 0; n < m.len; n++)
		ok_int(read_copy(&m, n), -EPROTO);
}

/* One byte of it is changed in every way.  Nothing crashes, and the unit's name
 * and the result, which follow the job's, are taken only if all their bytes are
 * right. */
static void no_byte_breaks_it(void)
{
	struct made good = job_removed(UNIT, "done");
	size_t tail = good.len - sizeof "done" - 4 - sizeof UNIT - 4;
	unsigned taken = 0, wrong = 0;

	for (size_t at = 0; at < good.len; at++)
		for (unsigned v = 0; v < 256; v++) {
			struct made m = good;
			bool is_one;

			m.bytes[at] = (unsigned char)v;
			is_one = read_copy(&m, m.len) == 1;
			taken += is_one;
			wrong += is_one && at >= tail && v != good.bytes[at];
		}
	ok(taken > good.len);
	ok_int(wrong, 0);
}

static void lengths_beyond_all_bounds_are_none(void)
{
	static const uint32_t odd[] = { 65537,          1U << 24,
					INT32_MAX,      1U << 31,
					UINT32_MAX,     UINT32_MAX - 6,
					UINT32_MAX - 7, UINT32_MAX - 15 };
	struct made m = job_removed(UNIT, "done");

	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
		for (size_t at = 4; at < m.len; at += 4) {
			struct made bad = m;

			memcpy(bad.bytes + at, &odd[i], 4);
			ok(at == 8 || at == 4 || at == 12 ||
			   read_copy(&bad, bad.len) <= 1);
			if (at == 4 || at == 12)
				ok_int(scope_message_len(bad.bytes), 0);
		}
	m.bytes[0] = 'B';
	ok_int(scope_message_len(m.bytes), 0);
	m.bytes[0] = 'l';
	m.bytes[3] = 2;
	ok_int(scope_message_len(m.bytes), 0);
}

static void three_calls_stand_one_behind_the_other(void)
{
	struct buf out = { 0 };
	size_t at = 0, calls = 0;

	scope_write_request(&out, UNIT);
	ok(!buf_has_failed(&out));
	while (at < out.len && calls < 9) {
		size_t n = scope_message_len((const unsigned char *)out.bytes +
					     at);

		ok(n > 0 && n <= out.len - at);
		ok_int(scope_read_message((const unsigned char *)out.bytes + at,
					  n, UNIT),
		       0);
		at += n > 0 ? n : out.len;
		calls++;
	}
	ok_int(calls, 3);
	ok_int(at, out.len);
	buf_done(&out);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_end_of_our_job_is_told),
		CASE(a_part_of_a_message_is_none),
		CASE(no_byte_breaks_it),
		CASE(lengths_beyond_all_bounds_are_none),
		CASE(three_calls_stand_one_behind_the_other),
		TAP_END,
	});
}
