/* results.c -- see results.h.  An answer is as long as its result, so no more
 * than its beginning is kept. */
#include "jobs/batch/results.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/outfile.h"
#include "boundary/json.h"
#include "jobs/common/lock.h"

#define CHUNK ((size_t)256 << 10)
/* An id has up to 256 bytes, and each of them takes at most six ("\u0000"). */
#define HEAD_BYTES 2048U
/* A killed process is gone soon after; one that lives would keep the lock for
 * long. */
#define LOCK_WAIT_MS 5000

struct reader {
	const char *path;
	struct batch_known *known;
	char head[HEAD_BYTES + 2]; /* of the line that is being read */
	size_t head_len;
	off_t line_at; /* where it begins */
	off_t line_len;
	char last; /* its last byte so far */
	uint64_t number;
};

static int refuse(const struct reader *r, const char *why,
		  struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "%s: line %llu %s; nothing was changed", r->path,
			  (unsigned long long)r->number, why);
}

static int fail(const char *path, int e, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(-e), -e,
			  "%s: cannot be read: %s", path, strerror(-e));
}

/* Find where the head ends.  A quote inside an id has a backslash before it, so
 * the first of these is the member. */
static char *head_end(char *head)
{
	char *result = strstr(head, ",\"result\":{");
	char *error = strstr(head, ",\"error\":{");

	if (result == NULL || (error != NULL && error < result))
		return error;
	return result;
}

static bool key_read(const struct json_value *v, struct batch_key *ret)
{
	const struct json_value *id = json_find(v, "id");
	const struct json_value *line = json_find(v, "line");
	const struct json_value *hash = json_find(v, "hash");
	bool has_id = id != NULL && id->type == JSON_STRING;
	uint64_t number;

	if (id == NULL || (!has_id && id->type != JSON_NULL) || line == NULL ||
	    json_read_u64(line, &number) < 0 || hash == NULL ||
	    hash->type != JSON_STRING)
		return false;
	*ret = batch_key_answer(has_id ? id->u.string.bytes : NULL,
				has_id ? id->u.string.len : 0, number,
				hash->u.string.bytes);
	return true;
}

/* What an answer says about its line.  If the host failed to run it, it is run
 * again, because one run too many is the cheaper mistake. */
enum said { SAID_OK, SAID_BAD, SAID_AGAIN };

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static enum said said_read(const char *member)
{
	static const char status[] = "\"status\":\"";
	const char *at;

	if (begins(member, ",\"error\":{\"cause\":\"caller\""))
		return SAID_BAD;
	if (begins(member, ",\"error\":"))
		return SAID_AGAIN;
	at = strstr(member, status); /* the second member of a result */
	if (at == NULL || begins(at, "\"status\":\"INTERNAL_ERROR\""))
		return SAID_AGAIN;
	return begins(at, "\"status\":\"OK\"") ? SAID_OK : SAID_BAD;
}

/* Read the members before the result as an object of their own. */
static bool head_read(struct reader *r, struct batch_key *ret,
		      enum said *ret_said)
{
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error e;
	bool is_good;
	char *end;

	r->head[r->head_len] = '\0';
	end = head_end(r->head);
	if (end == NULL || r->last != '}')
		return false;
	*ret_said = said_read(end);
	end[0] = '}';
	is_good = json_parse(r->head, (size_t)(end - r->head) + 1, NULL, &arena,
			     &v, &e) == 0 &&
		  key_read(&v, ret);
	arena_done(&arena);
	return is_good;
}

static int line_end(struct reader *r, struct cupel_error *err)
{
	struct batch_key key;
	enum said said;
	int e;

	if (!head_read(r, &key, &said))
		return refuse(r, "is not an answer of cupel batch", err);
	if (said == SAID_AGAIN)
		return 0;
	e = batch_known_add(r->known, &key, said == SAID_BAD);
	return e < 0 ? fail(r->path, e, err) : 0;
}

static int bytes_take(struct reader *r, const char *bytes, size_t n,
		      struct cupel_error *err)
{
	while (n > 0) {
		const char *eol = memchr(bytes, '\n', n);
		size_t len = eol != NULL ? (size_t)(eol - bytes) : n;
		size_t room = HEAD_BYTES - r->head_len;
		int e;

		r->number += r->line_len == 0;
		memcpy(r->head + r->head_len, bytes, len < room ? len : room);
		r->head_len += len < room ? len : room;
		r->line_len += (off_t)len + (eol != NULL);
		if (len > 0)
			r->last = bytes[len - 1];
		bytes += len + (eol != NULL);
		n -= len + (eol != NULL);
		if (eol == NULL)
			break;
		e = line_end(r, err);
		if (e < 0)
			return e;
		r->line_at += r->line_len;
		r->line_len = 0;
		r->head_len = 0;
		r->last = '\0';
	}
	return 0;
}

/* --- a last line without its end ------------------------------------------------- */

/* Whose text it is, by its beginning. */
enum beginning { NOT_OURS, ENDS_EARLY, OURS };

/* The rest of a text that is being compared. */
struct rest {
	const char *at, *end;
};

static enum beginning word_take(struct rest *r, const char *word)
{
	for (; *word != '\0'; word++, r->at++) {
		if (r->at == r->end)
			return ENDS_EARLY;
		if (*r->at != *word)
			return NOT_OURS;
	}
	return OURS;
}

static enum beginning id_take(struct rest *r)
{
	enum beginning b;

	if (r->at < r->end && *r->at == 'n')
		return word_take(r, "null");
	b = word_take(r, "\"");
	if (b != OURS)
		return b;
	while (r->at < r->end && *r->at != '"')
		r->at += *r->at == '\\' && r->at + 1 < r->end ? 2 : 1;
	return word_take(r, "\"");
}

static enum beginning some_take(struct rest *r, const char *of)
{
	while (r->at < r->end && strchr(of, *r->at) != NULL && *r->at != '\0')
		r->at++;
	return r->at == r->end ? ENDS_EARLY : OURS;
}

/* Whether a text of n bytes begins as an answer does. */
static enum beginning answer_begins(const char *text, size_t n)
{
	struct rest r = { text, text + n };
	enum beginning b = word_take(&r, "{\"id\":");

	if (b == OURS)
		b = id_take(&r);
	if (b == OURS)
		b = word_take(&r, ",\"line\":");
	if (b == OURS)
		b = some_take(&r, "0123456789");
	if (b == OURS)
		b = word_take(&r, ",\"hash\":\"blake3:");
	if (b == OURS)
		b = some_take(&r, "0123456789abcdef");
	if (b == OURS)
		b = word_take(&r, "\",\"");
	if (b != OURS)
		return b;
	return word_take(&r, r.at < r.end && *r.at == 'r' ? "result\":{"
							  : "error\":{");
}

/* A line in which a batch was killed begins like our lines, as far as it goes.
 * If it is the only one in the file, it must be long enough to be certainly
 * ours. */
static int tail_mend(struct reader *r, int fd, struct cupel_error *err)
{
	enum beginning b;

	if (r->line_len == 0)
		return 0;
	b = answer_begins(r->head, r->head_len);
	if (b == NOT_OURS || (b == ENDS_EARLY && r->line_at == 0))
		return refuse(r,
			      "has no newline at its end, and is not an answer "
			      "of cupel batch",
			      err);
	return ftruncate(fd, r->line_at) < 0 ? fail(r->path, -errno, err) : 0;
}

static int answers_read(int fd, const char *path, struct batch_known *known,
			struct cupel_error *err)
{
	owned_mem char *bytes = malloc(CHUNK);
	struct reader r = { .path = path, .known = known };
	off_t at = 0;
	int e = bytes == NULL ? fail(path, -ENOMEM, err) : 0;

	while (e == 0) {
		ssize_t n = pread(fd, bytes, CHUNK, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(path, -errno, err);
		if (n == 0)
			return tail_mend(&r, fd, err);
		at += n;
		e = bytes_take(&r, bytes, (size_t)n, err);
	}
	return e;
}

static int must_be_empty(int fd, const char *path, struct cupel_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return fail(path, -errno, err);
	if (st.st_size == 0)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EEXIST,
			  "%s: is not empty; to continue after its answers, "
			  "give --resume",
			  path);
}

int batch_results_open(const char *path, bool resume, int stop_fd,
		       struct batch_known *known, struct cupel_error *err)
{
	char name[NAME_MAX + 1];
	owned_fd int dir = outfile_open_dir(path, 0, name, err);
	owned_fd int fd =
		dir < 0 ? dir : outfile_open_log(dir, name, path, err);
	int e;

	if (fd < 0)
		return fd;
	e = lock_take(fd, LOCK_EX, LOCK_WAIT_MS, stop_fd);
	if (e == -EBUSY)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EBUSY, "%s: another batch is writing to it",
				  path);
	if (e == -EINTR)
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      EINTR, "stopped");
	/* the file system has no locks; O_APPEND is enough */
	e = resume ? answers_read(fd, path, known, err)
		   : must_be_empty(fd, path, err);
	return e < 0 ? e : take_fd(&fd);
}
