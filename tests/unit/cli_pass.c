/* cli_pass.c -- a command's output on its way to a terminal, a pipe or a
 * file. */
#include "cli/pass.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"

static void escapes(const char *in, size_t n, const char *want)
{
	owned_buf struct buf out = { 0 };

	ok(pass_escape(in, n, true, &out) == n);
	if (out.bytes == NULL || strcmp(out.bytes, want) != 0)
		fprintf(stderr, "# got %s, wanted %s\n",
			out.bytes != NULL ? out.bytes : "nothing", want);
	ok(out.bytes != NULL && strcmp(out.bytes, want) == 0);
}

static void shows_control_characters(void)
{
	escapes("a\033[31mb", 7, "a\\x1b[31mb");
	escapes("\a\b\0\x7f", 4, "\\x07\\x08\\x00\\x7f");
	/* U+009B, a CSI by itself, and its raw byte */
	escapes("\xc2\x9b", 2, "\\xc2\\x9b");
	escapes("\x9b"
		"31m",
		4, "\\x9b31m");
}

static void lets_text_through(void)
{
	escapes("a\tb\r\n", 5, "a\tb\r\n");
	escapes("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9,
		"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	escapes("\xc2\xa0", 2, "\xc2\xa0");
}

static void shows_what_is_not_utf8(void)
{
	escapes("\xff", 1, "\\xff");
	escapes("\xc3", 1, "\\xc3");
	escapes("\xed\xa0\x80", 3, "\\xed\\xa0\\x80");
	escapes("\xe2\x82x", 3, "\\xe2\\x82x");
}

/* The text is cut in two at every place, then into bytes: the output is always
 * the same. */
static void does_not_depend_on_chunks(void)
{
	static const char text[] =
		"x\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x1b\xc2"
		"\x9b\xff\xe2\x82y\xf0\x9f";
	static const char want[] = "x\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\\x1b"
				   "\\xc2\\x9b\\xff\\xe2\\x82y\\xf0\\x9f";
	size_t n = sizeof text - 1;

	for (size_t step = 1; step <= n; step++) {
		char got[128] = { 0 };
		struct pass p;
		int ends[2];

		ok(pipe(ends) == 0);
		pass_init(&p, ends[1], false);
		p.is_escaped = true;
		for (size_t i = 0; i < n; i += step)
			pass_add(&p, text + i, n - i < step ? n - i : step);
		pass_flush(&p);
		ok(read(ends[0], got, sizeof got - 1) ==
		   (ssize_t)(sizeof want - 1));
		ok(strcmp(got, want) == 0);
		pass_done(&p);
		(void)close(ends[0]);
		(void)close(ends[1]);
	}
}

static void never_waits_for_a_slow_reader(void)
{
	enum { BYTES = 1 << 20 };
	char *big = calloc(1, BYTES);
	char *back = calloc(1, BYTES);
	size_t got = 0;
	struct pass p;
	int ends[2];

	ok(big != NULL && back != NULL && pipe(ends) == 0);
	(void)alarm(20); /* a blocked write would end the test */
	for (size_t i = 0; i < BYTES; i++)
		big[i] = (char)(i * 31 >> 3);
	pass_init(&p, ends[1], true);
	pass_add(&p, big, BYTES);
	ok(pass_has_bytes(&p));
	while (got < BYTES) {
		ssize_t r = read(ends[0], back + got, BYTES - got);

		if (r <= 0)
			break;
		got += (size_t)r;
		pass_step(&p);
	}
	ok(got == BYTES);
	ok(memcmp(big, back, BYTES) == 0);
	ok(!pass_has_bytes(&p));
	(void)alarm(0);
	pass_done(&p);
	(void)close(ends[0]);
	(void)close(ends[1]);
	free(big);
	free(back);
}

static void drops_bytes_when_the_reader_is_gone(void)
{
	struct pass p;
	int ends[2];

	ok(pipe(ends) == 0);
	(void)close(ends[0]);
	pass_init(&p, ends[1], true);
	pass_add(&p, "x", 1);
	ok(p.is_broken);
	ok_int(p.error, 0);
	pass_add(&p, "y", 1);
	pass_flush(&p);
	ok(!pass_has_bytes(&p));
	pass_done(&p);
	(void)close(ends[1]);
}

static void tells_a_full_disk(void)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct pass p;

	if (fd < 0)
		skip("no /dev/full");
	pass_init(&p, fd, true);
	pass_add(&p, "x", 1);
	pass_flush(&p);
	ok_int(p.error, -ENOSPC);
	pass_done(&p);
	(void)close(fd);
}

int main(void)
{
	(void)signal(SIGPIPE, SIG_IGN);
	return tap_run((struct tap_case[]){
		CASE(shows_control_characters), CASE(lets_text_through),
		CASE(shows_what_is_not_utf8), CASE(does_not_depend_on_chunks),
		CASE(never_waits_for_a_slow_reader),
		CASE(drops_bytes_when_the_reader_is_gone),
		CASE(tells_a_full_disk), TAP_END });
}
