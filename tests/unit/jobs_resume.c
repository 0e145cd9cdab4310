/* jobs_resume.c -- what of a log counts as a record of a flag. */
#include "jobs/confirm/resume.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "jobs/common/log.h"
#include "jobs/confirm/verdict.h"
#include "tap.h"

/* ' is " here, and HASH the hash of a.py. */
static char dir[64], hash[BLAKE3_TEXT_BYTES];
static struct resume_counts counts;
static const uint8_t key[BLAKE3_KEY_BYTES] = "the key of whoever runs this";
static struct seal seal;

/* As the log would have them: each object on a line of its own is sealed. */
static void lines_seal(const char *at, size_t left, struct buf *out)
{
	while (left > 0) {
		const char *eol = memchr(at, '\n', left);
		size_t n = eol != NULL ? (size_t)(eol + 1 - at) : left;
		owned_buf struct buf line = { 0 };

		buf_add(&line, at, n);
		if (eol != NULL && n > 2 && at[0] == '{' && at[n - 2] == '}')
			seal_write(&seal, &line);
		buf_add(out, line.bytes, line.len);
		at += n;
		left -= n;
	}
}

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "w");
	(void)fputs(text, f);
	(void)fclose(f);
}

static void quotes(char *text)
{
	for (; *text != '\0'; text++)
		if (*text == '\'')
			*text = '"';
}

static void text_expand(const char *text, struct buf *out)
{
	const char *at;

	while ((at = strstr(text, "HASH")) != NULL) {
		buf_add(out, text, (size_t)(at - text));
		buf_text(out, hash);
		text = at + 4;
	}
	buf_text(out, text);
	quotes(out->bytes);
}

static void enter(void)
{
	strcpy(dir, "/tmp/cupel-resume.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	put("a.py", "print()\n");
	blake3_hex_text("print()\n", 8, hash);
	seal_init(&seal, key, &(struct seal_subject){ "1", dir, 7 });
}

static void leave(void)
{
	static const char *const names[] = { "a.py", "log", "link.py" };
	char path[128];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		(void)snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		(void)unlink(path);
	}
	(void)rmdir(dir);
}

static char statuses[400]; /* of the flags that are recorded */

/* What a flag's record says, and that the log has it there. */
static void note_record(const struct flag *f, const char *log)
{
	size_t n = strlen(statuses);

	ok(f->record.len > 0 && log[f->record.at] == '{' &&
	   log[f->record.at + (off_t)f->record.len] == '\n');
	(void)snprintf(
		statuses + n, sizeof statuses - n, "%s ",
		confirm_status_name((enum confirm_status)f->record.status));
}

/* One letter a flag: R = recorded. */
static const char *mark(const char *flags, const char *log, size_t log_len)
{
	static char got[64];
	struct resume_from from = { .repo = dir, .seal = &seal };
	struct cupel_error err = { 0 };
	struct flags f = { 0 };
	struct buf text = { 0 };
	char path[128];

	text_expand(flags, &text);
	ok_int(flags_read(text.bytes, text.len, &f), 0);
	ok_int((intmax_t)f.faults_all, 0);
	(void)snprintf(path, sizeof path, "%s/log", dir);
	from.log_fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	ok(write(from.log_fd, log, log_len) == (ssize_t)log_len);
	from.repo_fd = open(dir, O_PATH);
	ok_int(resume_mark(&from, &f, &counts, &err), 0);
	statuses[0] = '\0';
	for (size_t i = 0; i < f.len && i < sizeof got - 1; i++) {
		got[i] = f.items[i].is_recorded ? 'R' : '-';
		got[i + 1] = '\0';
		if (f.items[i].is_recorded)
			note_record(&f.items[i], log);
	}
	close(from.log_fd);
	close(from.repo_fd);
	flags_done(&f);
	buf_done(&text);
	return got;
}

static void marks(const char *flags, const char *log, const char *want)
{
	struct buf plain = { 0 }, text = { 0 };
	const char *got;

	text_expand(log, &plain);
	lines_seal(plain.bytes, plain.len, &text);
	buf_done(&plain);
	got = mark(flags, text.bytes, text.len);
	ok(strcmp(got, want) == 0);
	if (strcmp(got, want) != 0)
		fprintf(stderr, "# %s, not %s: %s\n", got, want, log);
	buf_done(&text);
}

#define REF(file, function, class, line)                                       \
	"{'flag_ref':{'file':" file ",'function':" function                    \
	",'flag_class':" class ",'line':" line
#define HASH(h) "},'status':'no-bug-found','file_blake3':" h "}\n"
#define FLAG(f) "{'file':'a.py','function':'" f "','flag_class':'c'}\n"
#define RECORD(function, status)                                               \
	REF("'a.py'", "'" function "'", "'c'", "null")                         \
	",'hints_blake3':null},'status':'" status "','file_blake3':'HASH'}\n"
#define END "},'status':'no-bug-found','file_blake3':'HASH'}\n"

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
		CASE(what_is_no_record_is_counted_and_passed_over),
		CASE(only_a_record_with_its_seal_is_believed),
		CASE(a_hostile_log_is_only_slow),
		CASE(as_many_lines_as_flags_take_no_longer_than_to_read),
		TAP_END });
}
