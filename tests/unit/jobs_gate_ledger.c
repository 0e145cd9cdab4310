/* jobs_gate_ledger.c -- a ledger is whole or refused, whatever happens to it. */
#include "jobs/gate/ledger/ledger.h"

#include <errno.h>
#include <sys/resource.h>

#include "gate_ledger.h"

#define ZEROS                                                                  \
	"blake3:"                                                              \
	"00000000000000000000000000000000000000000000000000000000000000ff"

/* A text that is returned is valid until the fourth call after it. */
static char *slurp(const char *name, size_t *ret_n)
{
	static char text[4][65536];
	static int turn;
	char *to = text[turn++ % 4];
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, to, 65535);

	*ret_n = n > 0 ? (size_t)n : 0;
	to[*ret_n] = '\0';
	close(fd);
	return to;
}

static void spit(const char *name, const char *bytes, size_t n)
{
	int fd = openat(dir_fd, name, O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC,
			0600);

	ok_int((long)write(fd, bytes, n), (long)n);
	close(fd);
}

static void a_record_is_a_line_with_its_hash(void)
{
	char hash[BLAKE3_TEXT_BYTES], *text, *first_end, *key;
	struct stat st = { 0 };
	size_t n, records = 0;

	enter();
	ok_int(grow(NULL, 3), 0);
	text = slurp(LEDGER_FILE, &n);
	ok_has(text, "{\"seq\":1,\"kind\":\"signal\",\"at\":\"20");
	ok_has(text, "\"prev\":null,\"n\":0,\"hash\":\"blake3:");
	first_end = strchr(text, '\n');
	key = strstr(text, ",\"hash\":\"");
	ok(first_end != NULL && key != NULL);
	key[0] = '}';
	blake3_hex_text(text, (size_t)(key + 1 - text), hash);
	ok_int(memcmp(key + 9, hash, 71), 0);
	ok_has(first_end, hash); /* the second one's prev */
	ok_int(reads(NULL, &records), 0);
	ok_int((long)records, 3);
	ok_int(fstatat(dir_fd, LEDGER_FILE, &st, 0), 0);
	ok_int(st.st_mode & 07777, 0600);
	ok_int(fstatat(dir_fd, LEDGER_HEAD, &st, 0), 0);
	ok_int(st.st_mode & 07777, 0600);
	ok_int(grow(NULL, 2), 0);
	ok_int(reads(NULL, &records), 0);
	ok_int((long)records, 5);
	leave();
}

static void every_byte_that_is_changed_is_found(void)
{
	const char *names[] = { LEDGER_FILE, LEDGER_HEAD };
	char line[32];

	enter();
	ok_int(grow(NULL, 4), 0);
	for (int f = 0; f < 2; f++) {
		size_t n, at_line = 1;
		char *text = slurp(names[f], &n);

		for (size_t i = 0; i < n; i++) {
			char was = text[i];

			for (int bit = 0; bit < 8; bit++) {
				text[i] = (char)(was ^ 1 << bit);
				spit(names[f], text, n);
				err.what[0] = '\0';
				ok_int(reads(NULL, NULL), LEDGER_BROKEN);
				(void)snprintf(line, sizeof line,
					       "line %zu:", at_line);
				if (f == 0 && was != '\n')
					ok_has(err.what, line);
			}
			text[i] = was;
			at_line += was == '\n';
		}
		spit(names[f], text, n);
	}
	ok_int(reads(NULL, NULL), 0);
	leave();
}

/* The text's lines, in the order of a string of digits, "1224". */
static void lines_spit(const char *text, const char *order)
{
	const char *begin[8] = { text };
	char out[65536];
	size_t n = 0;

	for (int i = 1; i < 8 && begin[i - 1] != NULL; i++) {
		begin[i] = strchr(begin[i - 1], '\n');
		if (begin[i] != NULL)
			begin[i]++;
	}
	for (; *order != '\0'; order++) {
		int i = *order - '1';
		size_t len = (size_t)(begin[i + 1] - begin[i]);

		memcpy(out + n, begin[i], len);
		n += len;
	}
	spit(LEDGER_FILE, out, n);
}

static void lines_that_are_moved_are_named(void)
{
	static const struct {
		const char *order, *says;
	} rows[] = {
		{ "1234", NULL },
		{ "234", "line 1: has the wrong seq" },
		{ "134", "line 2: has the wrong seq" },
		{ "123", "line 4: is missing" },
		{ "", "line 1: is missing" },
		{ "1324", "line 2: has the wrong seq" },
		{ "11234", "line 2: has the wrong seq" },
		{ "12344", "line 5: has the wrong seq" },
	};
	char text[8192];
	size_t n;

	enter();
	ok_int(grow(NULL, 4), 0);
	(void)snprintf(text, sizeof text, "%s", slurp(LEDGER_FILE, &n));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t before, after;
		char *was, *is;

		lines_spit(text, rows[i].order);
		was = slurp(LEDGER_FILE, &before);
		if (rows[i].says == NULL) {
			ok_int(reads(NULL, NULL), 0);
			continue;
		}
		ok_int(grow(NULL, 1), LEDGER_BROKEN);
		ok_has(err.what, rows[i].says);
		is = slurp(LEDGER_FILE, &after);
		ok(before == after && memcmp(was, is, after) == 0);
	}
	leave();
}

static void a_last_line_that_was_cut_short_is_named(void)
{
	size_t n, m, records;
	char *text, *head;

	enter();
	ok_int(grow(NULL, 2), 0);
	head = slurp(LEDGER_HEAD, &m);
	ok_int(grow(NULL, 1), 0);
	text = slurp(LEDGER_FILE, &n);
	for (size_t cut = 1; cut < 40; cut++) {
		spit(LEDGER_FILE, text, n - cut);
		ok_int(reads(NULL, NULL), LEDGER_BROKEN);
		ok_has(err.what, "line 3: is cut short");
	}
	/* if HEAD names the record before it, the writer was killed in
	 * between */
	spit(LEDGER_HEAD, head, m);
	ok_int(reads(NULL, &records), 0);
	ok_int((long)records, 2);
	ok_int(grow(NULL, 1), 0);
	ok_int(reads(NULL, &records), 0);
	ok_int((long)records, 3);
	leave();
}

static void head_may_be_behind_and_not_gone(void)
{
	size_t n, records;
	char *head;

	enter();
	ok_int(grow(NULL, 1), 0);
	head = slurp(LEDGER_HEAD, &n);
	ok_int(grow(NULL, 3), 0);
	spit(LEDGER_HEAD, head, n);
	ok_int(reads(NULL, &records), 0);
	ok_int((long)records, 4);
	ok_int(grow(NULL, 1), 0);
	ok_int(reads(NULL, &records), 0);
	ok_int((long)records, 5);
	ok_int(unlinkat(dir_fd, LEDGER_HEAD, 0), 0);
	ok_int(reads(NULL, NULL), LEDGER_BROKEN);
	ok_has(err.what, "line 5: HEAD is missing");
	spit(LEDGER_HEAD, "", 0);
	ok_int(grow(NULL, 1), LEDGER_BROKEN);
	leave();
}

static void a_chain_goes_on_from_an_earlier_one(void)
{
	size_t n;

	enter();
	ok_int(grow(ZEROS, 0), 0);
	ok_int(grow(NULL, 2), 0);
	ok_has(slurp(LEDGER_FILE, &n), "\"prev\":\"" ZEROS "\"");
	ok_int(reads(ZEROS, NULL), 0);
	ok_int(reads(NULL, NULL), 0);
	ok_int(reads("blake3:12", NULL), LEDGER_BROKEN);
	ok_has(err.what, "line 1: does not follow");
	leave();
}

static void links_and_others_files_are_refused(void)
{
	char to[80];

	enter();
	(void)snprintf(to, sizeof to, "%s/elsewhere", dir);
	ok_int(symlinkat(to, dir_fd, LEDGER_FILE), 0);
	ok(grow(NULL, 1) < 0);
	ok_int(access(to, F_OK), -1);
	ok_int(unlinkat(dir_fd, LEDGER_FILE, 0), 0);
	ok_int(mkfifoat(dir_fd, LEDGER_FILE, 0600), 0);
	ok(grow(NULL, 1) < 0);
	ok_int(unlinkat(dir_fd, LEDGER_FILE, 0), 0);
	ok_int(symlinkat(to, dir_fd, LEDGER_HEAD), 0);
	ok(grow(NULL, 1) < 0);
	ok_int(access(to, F_OK), -1);
	leave();
}

/* Nothing is written beyond RLIMIT_FSIZE, or if a line is too long. */
static void without_room_the_ledger_stays_whole(void)
{
	struct rlimit was, now = { 700, 700 };
	struct ledger_book b = { 0 };
	struct ledger l = LEDGER_NONE;
	struct ledger_record r;
	size_t records = 0, n;
	int e = 0;

	enter();
	ok_int(getrlimit(RLIMIT_FSIZE, &was), 0);
	now.rlim_max = was.rlim_max;
	ok_int(ledger_open(dir_fd, NULL, &l, &b, &err), 0);
	ok_int(setrlimit(RLIMIT_FSIZE, &now), 0);
	for (unsigned i = 0; e == 0 && i < 9; i++)
		e = put(&l, "signal", i);
	ok_int(setrlimit(RLIMIT_FSIZE, &was), 0);
	ok_int(e, -EFBIG);
	ok_has(err.what, "a record could not be written");
	ok_int(reads(NULL, &records), 0);
	ok(records > 0 && records < 9);
	ok_int((long)records, (long)l.seq);
	ledger_begin(&l, "signal", &r);
	jsonw_text(&r.w, "long", slurp(LEDGER_FILE, &n));
	for (int i = 0; i < 2000; i++)
		jsonw_text(&r.w, "long", slurp(LEDGER_FILE, &n));
	ok_int(ledger_put(&l, &r, &err), -E2BIG);
	ok_int(put(&l, "signal", 7), 0); /* and it goes on */
	ok_int(ledger_reserve(&l, LEDGER_BYTES, &err), -EFBIG);
	ok_has(err.what, "--chain-head blake3:");
	ok_int(ledger_reserve(&l, (size_t)1 << 20, &err), 0);
	ledger_close(&l);
	ledger_book_done(&b);
	ok_int(reads(NULL, NULL), 0);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_record_is_a_line_with_its_hash),
		CASE(every_byte_that_is_changed_is_found),
		CASE(lines_that_are_moved_are_named),
		CASE(a_last_line_that_was_cut_short_is_named),
		CASE(head_may_be_behind_and_not_gone),
		CASE(a_chain_goes_on_from_an_earlier_one),
		CASE(links_and_others_files_are_refused),
		CASE(without_room_the_ledger_stays_whole), TAP_END });
}
