/* jobs_flag.c -- flags in: what is read, and what a bad line costs. */
#include "jobs/confirm/flag.h"

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
		  "\"flag_class\":\"index-oob\",\"extra\":1}",
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
		  "function:" },
		{ "{\"file\":\"a\",\"flag_class\":\"c\"}", "function:" },
		{ "{\"file\":\"a\",\"flag_class\":\"c\",\"line\":0}", "line:" },
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

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(reads_one_object_a_line),
		CASE(bad_lines_are_named_and_skipped), TAP_END });
}
