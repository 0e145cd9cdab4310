/* jobs_resume.c -- what of a log counts as a record of a flag. */
#include "resume_log.h"

static void the_whole_key_counts(void)
{
	static const char flags[] =
		"{'file':'a.py','function':'f','flag_class':'c','line':1}\n"
		"{'file':'a.py','function':'f','flag_class':'c'}\n"
		"{'file':'a.py','flag_class':'c','line':1}\n"
		"{'file':'a.py','function':'g','flag_class':'c','line':1}\n"
		"{'file':'a.py','function':'f','flag_class':'d','line':1}\n"
		"{'file':'./a.py','function':'f','flag_class':'c','line':1}\n"
		"{'file':'a.py','function':'f','flag_class':'c','line':1}\n";

	enter();
	marks(flags, "", "-------");
	marks(flags, REF("'a.py'", "'f'", "'c'", "1") END, "R-----R");
	ok_int((intmax_t)counts.recorded, 2);
	marks(flags, REF("'a.py'", "'f'", "'c'", "null") END, "-R-----");
	marks(flags, REF("'a.py'", "null", "'c'", "1") END, "--R----");
	marks(flags, REF("'a.py'", "'g'", "'c'", "1") END, "---R---");
	marks(flags, REF("'a.py'", "'f'", "'d'", "1") END, "----R--");
	marks(flags, REF("'./a.py'", "'f'", "'c'", "1") END, "-----R-");
	marks(flags, REF("'b.py'", "'f'", "'c'", "1") END, "-------");
	marks(flags, "{'flag_ref':{'file':'a.py','flag_class':'c','line':1" END,
	      "--R----");
	marks(flags,
	      REF("'a.py'", "'g'", "'c'", "1")
		      END REF("'a.py'", "'f'", "'d'", "1") END,
	      "---RR--");
	leave();
}

static void only_the_file_as_it_is_counts(void)
{
	static const char flags[] =
		"{'file':'a.py','function':'f','flag_class':'c'}\n"
		"{'file':'gone.py','function':'f','flag_class':'c'}\n"
		"{'file':'link.py','function':'f','flag_class':'c'}\n";
	char from[96], to[96];

	enter();
	(void)snprintf(from, sizeof from, "%s/a.py", dir);
	(void)snprintf(to, sizeof to, "%s/link.py", dir);
	ok_int(symlink(from, to), 0);
	marks(flags,
	      REF("'a.py'", "'f'", "'c'", "null")
		      END REF("'gone.py'", "'f'", "'c'", "null")
			      END REF("'link.py'", "'f'", "'c'", "null") END,
	      "R--");
	marks(flags,
	      REF("'a.py'", "'f'", "'c'", "null") HASH("'blake3:00'")
		      REF("'gone.py'", "'f'", "'c'", "null") HASH("''")
			      REF("'gone.py'", "'f'", "'c'", "null")
				      HASH("null"),
	      "---");
	marks(flags, RECORD("f", "x"), "---");
	marks(flags, RECORD("f", "platform-unsupported"), "---");
	leave();
}

/* A record without --resume may come after one, and say more or less. */
static void the_highest_status_counts(void)
{
	static const char log[] = RECORD("f", "no-bug-found")
		RECORD("g", "sandbox-error") RECORD("f", "confirmed-bug")
			RECORD("f", "input-synthesis-failed");

	enter();
	marks(FLAG("f") FLAG("f") FLAG("g"), log, "RRR");
	ok(strcmp(statuses, "confirmed-bug confirmed-bug sandbox-error ") == 0);
	leave();
}

static void hints_count_where_they_are_told(void)
{
	static const char flags[] =
		"{'file':'a.py','function':'f','flag_class':'c'}\n"
		"{'file':'a.py','function':'f','flag_class':'c',"
		"'witness_hints':{'x': 0}}\n";
	char log[400], of_hints[BLAKE3_TEXT_BYTES];

	enter();
	blake3_hex_text("{\"x\":0}", 7, of_hints);
	marks(flags, REF("'a.py'", "'f'", "'c'", "null") END, "RR");
	marks(flags,
	      REF("'a.py'", "'f'", "'c'", "null") ",'hints_blake3':null" END,
	      "R-");
	(void)snprintf(log, sizeof log, "%s,'hints_blake3':'%s'%s",
		       REF("'a.py'", "'f'", "'c'", "null"), of_hints, END);
	marks(flags, log, "-R");
	marks(flags,
	      REF("'a.py'", "'f'", "'c'", "null") ",'hints_blake3':7" END,
	      "--");
	leave();
}

static void the_argument_is_part_of_the_key(void)
{
	static const char flags[] =
		"{'file':'a.py','function':'f','flag_class':'c'}\n"
		"{'file':'a.py','function':'f','flag_class':'c',"
		"'argument':'a'}\n"
		"{'file':'a.py','function':'f','flag_class':'c',"
		"'argument':'a','witness_hints':{'x': 0}}\n";
	char log[400], of_hints[BLAKE3_TEXT_BYTES];

	enter();
	blake3_hex_text("{\"x\":0}", 7, of_hints);
	marks(flags,
	      REF("'a.py'", "'f'", "'c'", "null") ",'hints_blake3':null" END,
	      "R--");
	marks(flags,
	      REF("'a.py'", "'f'", "'c'",
		  "null") ",'hints_blake3':null,'argument':'a'" END,
	      "-R-");
	marks(flags,
	      REF("'a.py'", "'f'", "'c'",
		  "null") ",'hints_blake3':null,'argument':''" END,
	      "---");
	marks(flags,
	      REF("'a.py'", "'f'", "'c'",
		  "null") ",'hints_blake3':null,'argument':7" END,
	      "---");
	/* The hash is that of the hints alone. */
	(void)snprintf(log, sizeof log,
		       "%s,'hints_blake3':'%s','argument':'a'%s",
		       REF("'a.py'", "'f'", "'c'", "null"), of_hints, END);
	marks(flags, log, "--R");
	leave();
}

static void what_is_no_record_is_counted_and_passed_over(void)
{
	static const char flags[] =
		"{'file':'a.py','function':'f','flag_class':'c'}\n";
	static const char good[] = REF("'a.py'", "'f'", "'c'", "null") END;
	static const struct {
		const char *line;
		size_t bad;
	} rows[] = {
		{ "", 0 },
		{ "nonsense", 1 },
		{ "[]", 1 },
		{ "7", 1 },
		{ "{}", 1 },
		{ "{'flag_ref':{},'status':'x'}", 1 },
		{ "{'flag_ref':7,'status':'x'}", 1 },
		{ "{'flag_ref':'mine','status':'x'}", 0 },
		{ "{'flag_ref':{'file':'a','flag_class':'c','line':-1},"
		  "'status':'x'}",
		  1 },
		{ "{'flag_ref':{'file':'a\\u0000','flag_class':'c'},"
		  "'status':'x'}",
		  1 },
		{ "{'a':1,'a':2}", 1 },
		{ "\xff\xfe", 1 },
		{ "{'flag_ref':{'file':'a'", 1 },
	};

	enter();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char log[1000];

		(void)snprintf(log, sizeof log, "%s\n%s", rows[i].line, good);
		marks(flags, log, "R");
		ok_int((intmax_t)counts.bad, (intmax_t)rows[i].bad);
	}
	leave();
}

/* NULs, a line of 9 MiB, a hundred thousand brackets, no newline at the end. */
static void a_hostile_log_is_only_slow(void)
{
	static const char flags[] =
		"{'file':'a.py','function':'f','flag_class':'c'}\n";
	static char junk[9 << 20];
	struct buf log = { 0 };
	struct buf good = { 0 };

	enter();
	text_expand(REF("'a.py'", "'f'", "'c'", "null") END, &good);
	seal_write(&seal, &good);
	memset(junk, '[', sizeof junk);
	buf_add(&log, "\0\0\0\n", 4);
	buf_add(&log, junk, sizeof junk);
	buf_add(&log, "\n", 1);
	buf_add(&log, junk, 100000);
	buf_add(&log, "\n", 1);
	memset(junk, 'x', sizeof junk);
	buf_add(&log, junk, LOG_LINE_BYTES + 1);
	buf_add(&log, "\n", 1);
	buf_add(&log, good.bytes, good.len);
	buf_add(&log, good.bytes, good.len / 2);
	ok(strcmp(mark(flags, log.bytes, log.len), "R") == 0);
	ok_int((intmax_t)counts.bad, 5);
	buf_done(&log);
	buf_done(&good);
	leave();
}

/* Each line of the log is of every flag there is: looked at one by one, ten
 * thousand million steps. */
static void as_many_lines_as_flags_take_no_longer_than_to_read(void)
{
	static const char flag[] =
		"{'file':'a.py','function':'f','flag_class':'c'}\n";
	enum { MANY = 100000 };
	struct buf two = { 0 }, one = { 0 }, flags = { 0 }, log = { 0 };
	size_t plain;

	enter();
	text_expand(REF("'a.py'", "'f'", "'c'",
			"null") ",'hints_blake3':null" END REF("'a.py'", "'f'",
							       "'c'", "null")
			    END,
		    &two);
	lines_seal(two.bytes, two.len, &one);
	buf_done(&two);
	for (size_t i = 0; i < MANY; i++)
		buf_text(&flags, flag);
	for (size_t i = 0; i < MANY / 2; i++)
		buf_add(&log, one.bytes, one.len);
	plain = flags.len;
	buf_text(&flags, "{'file':'a.py','function':'f','flag_class':'d'}\n");
	alarm(60);
	ok(mark(flags.bytes, log.bytes, log.len)[0] == 'R');
	alarm(0);
	ok_int((intmax_t)counts.recorded, MANY);
	/* Of a file that has changed since, too. */
	put("a.py", "print(0)\n");
	alarm(60);
	flags.len = plain;
	flags.bytes[plain] = '\0';
	ok(mark(flags.bytes, log.bytes, log.len)[0] == '-');
	alarm(0);
	buf_done(&one);
	buf_done(&flags);
	buf_done(&log);
	leave();
}

static void only_a_record_with_its_seal_is_believed(void)
{
	static const char flags[] =
		"{'file':'a.py','function':'f','flag_class':'c'}\n";
	struct buf line = { 0 };
	struct seal ours;

	enter();
	text_expand(REF("'a.py'", "'f'", "'c'", "null") END, &line);
	ok(strcmp(mark(flags, line.bytes, line.len), "-") == 0);
	ok_int((intmax_t)counts.unsealed, 1);
	ok_int((intmax_t)counts.bad, 0);
	seal_write(&seal, &line);
	ok(strcmp(mark(flags, line.bytes, line.len), "R") == 0);
	ok_int((intmax_t)counts.unsealed, 0);
	/* Without a key, nothing is believed. */
	ours = seal;
	seal = (struct seal){ 0 };
	ok(strcmp(mark(flags, line.bytes, line.len), "-") == 0);
	ok_int((intmax_t)counts.unsealed, 1);
	seal = ours;
	buf_done(&line);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_whole_key_counts), CASE(only_the_file_as_it_is_counts),
		CASE(the_highest_status_counts),
		CASE(hints_count_where_they_are_told),
		CASE(the_argument_is_part_of_the_key),
		CASE(what_is_no_record_is_counted_and_passed_over),
		CASE(only_a_record_with_its_seal_is_believed),
		CASE(a_hostile_log_is_only_slow),
		CASE(as_many_lines_as_flags_take_no_longer_than_to_read),
		TAP_END });
}
