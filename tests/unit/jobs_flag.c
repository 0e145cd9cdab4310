/* jobs_flag.c -- reading flags: what is taken, and what happens to a bad
 * line. */
#include "jobs/confirm/flag.h"

#include <stddef.h>

#include "base/buf.h"
#include "tap.h"

static void read_text(const char *text, struct flags *f)
{
	ok_int(flags_read(text, strlen(text), f), 0);
}

static void reads_one_object_a_line(void)
{
	struct flags f = { 0 };

	read_text("{\"file\":\"a.py\",\"function\":\"f\",\"flag_class\":"
		  "\"div-zero\",\"line\":3,\"witness_hints\":{\"x\":0}}\r\n"
		  "\n"
		  "{\"file\":\"b.py\",\"function\":null,\"line\":7,"
		  "\"flag_class\":\"index-oob\",\"extra\":1,"
		  "\"argument\":\"x\"}",
		  &f);
	ok_int((intmax_t)f.len, 2);
	ok_int((intmax_t)f.faults_len, 0);
	if (f.len == 2) {
		ok(strcmp(f.items[0].file, "a.py") == 0);
		ok(strcmp(f.items[0].function, "f") == 0);
		ok_int((intmax_t)f.items[0].line, 3);
		ok(f.items[0].hints != NULL);
		ok(f.items[1].function == NULL);
		ok_int((intmax_t)f.items[1].number, 3);
		ok_int((intmax_t)f.items[1].line, 7);
		ok(f.items[0].argument == NULL);
		ok(strcmp(f.items[1].argument, "x") == 0);
	}
	flags_done(&f);
}

static void bad_lines_are_named_and_skipped(void)
{
	static const struct {
		const char *line, *message;
	} bad[] = {
		{ "nonsense", "syntax" },
		{ "{\"file\":\"a\"", "syntax" },
		{ "{\"a\":1,\"a\":2}", "duplicate_name" },
		{ "[]", "expected an object" },
		{ "{\"flag_class\":\"c\",\"function\":\"f\"}",
		  "file is missing" },
		{ "{\"file\":7,\"flag_class\":\"c\",\"function\":\"f\"}",
		  "file: expected a path" },
		{ "{\"file\":\"\",\"flag_class\":\"c\",\"function\":\"f\"}",
		  "file:" },
		{ "{\"file\":\"a\\u0000b\",\"flag_class\":\"c\","
		  "\"function\":\"f\"}",
		  "file:" },
		{ "{\"file\":\"a\",\"function\":\"f\"}",
		  "flag_class is missing" },
		{ "{\"file\":\"a\",\"function\":\"f\",\"flag_class\":null}",
		  "flag_class is missing" },
		{ "{\"file\":\"a\",\"function\":\"f\",\"flag_class\":[]}",
		  "flag_class: expected a name" },
		{ "{\"file\":\"a\",\"flag_class\":\"c\",\"function\":1}",
		  "function: expected a name" },
		{ "{\"file\":\"a\",\"flag_class\":\"c\"}",
		  "function and line are missing" },
		{ "{\"file\":\"a\",\"flag_class\":\"c\",\"line\":0}", "line:" },
		{ "{\"file\":\"a\",\"flag_class\":\"c\",\"line\":1,"
		  "\"argument\":[]}",
		  "argument: expected the name" },
		{ "{\"file\":\"a\",\"flag_class\":\"c\",\"line\":1,"
		  "\"argument\":\"\"}",
		  "argument:" },
		{ "{\"file\":\"a\",\"flag_class\":\"c\",\"line\":\"x\"}",
		  "line:" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct flags f = { 0 };
		char text[400];

		(void)snprintf(text, sizeof text,
			       "%s\n{\"file\":\"a\",\"flag_class\":\"c\","
			       "\"function\":\"f\"}\n",
			       bad[i].line);
		read_text(text, &f);
		ok_int((intmax_t)f.len, 1);
		ok_int((intmax_t)f.faults_len, 1);
		if (f.faults_len == 1) {
			ok_int((intmax_t)f.faults[0].number, 1);
			ok_has(f.faults[0].message, bad[i].message);
		}
		flags_done(&f);
	}
}

/* Each text of a flag has its cap, and the fault names the text. */
static void a_text_over_its_cap_is_named(void)
{
	static const struct {
		const char *key;
		size_t at, most;
	} rows[] = {
		{ "function", offsetof(struct flag, function),
		  FLAG_NAME_BYTES },
		{ "flag_class", offsetof(struct flag, flag_class),
		  FLAG_NAME_BYTES },
		{ "rule", offsetof(struct flag, rule), FLAG_NAME_BYTES },
		{ "argument", offsetof(struct flag, argument),
		  FLAG_NAME_BYTES },
		{ "file", offsetof(struct flag, file), FLAG_FILE_BYTES },
	};
	static char text[FLAG_FILE_BYTES + 2];

	for (size_t i = 0; i < 2 * (sizeof rows / sizeof *rows); i++) {
		const char *key = rows[i / 2].key;
		struct flag flag = {
			.number = 1, .file = "a", .flag_class = "c", .line = 1
		};
		struct flags f = { 0 };
		const char *over = text;
		char want[64];

		memset(text, 'x', sizeof text);
		text[rows[i / 2].most + i % 2] = '\0';
		memcpy((char *)&flag + rows[i / 2].at, &over, sizeof over);
		(void)snprintf(want, sizeof want, "%s: expected at most %zu",
			       key, rows[i / 2].most);
		ok_int(flags_add(&f, &flag), 0);
		ok_int((intmax_t)f.len, i % 2 == 0);
		ok_int((intmax_t)f.faults_len, i % 2);
		if (f.faults_len == 1)
			ok_has(f.faults[0].message, want);
		flags_done(&f);
	}
}

/* Beyond the faults that are kept, lines that are not JSON cost no memory. */
static void bad_lines_beyond_a_number_are_counted(void)
{
	static const size_t lines[] = { FLAG_FAULTS_MAX, 20 * FLAG_FAULTS_MAX };
	size_t used[2];

	for (size_t i = 0; i < 2; i++) {
		owned_buf struct buf text = { 0 };
		struct flags f = { 0 };

		for (size_t k = 0; k < lines[i]; k++)
			buf_text(&text, "x\n");
		buf_text(&text, "{\"file\":\"a.py\",\"line\":3,"
				"\"flag_class\":\"div-zero\"}");
		ok_int(flags_read(text.bytes, text.len, &f), 0);
		ok_int((intmax_t)f.len, 1);
		ok_int((intmax_t)f.faults_all, (intmax_t)lines[i]);
		ok_int((intmax_t)f.faults_len, FLAG_FAULTS_MAX);
		used[i] = f.arena.used;
		flags_done(&f);
	}
	ok(used[0] > FLAG_FAULTS_MAX * sizeof "syntax at column 1");
	ok_int((intmax_t)used[1], (intmax_t)used[0]);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(reads_one_object_a_line),
		CASE(bad_lines_are_named_and_skipped),
		CASE(a_text_over_its_cap_is_named),
		CASE(bad_lines_beyond_a_number_are_counted), TAP_END });
}
