/* resume_log.h -- a repository, flags and sealed logs for jobs_resume.c. */
#ifndef CUPEL_TEST_RESUME_LOG_H
#define CUPEL_TEST_RESUME_LOG_H

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

#endif
