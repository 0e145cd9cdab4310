/* resumed.c -- see resumed.h. */
#include "jobs/confirm/resumed.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/confirm/source.h"

/* The file of the previous flag, because most flags share it. */
struct last {
	const char *file; /* as the flag has it; NULL = none */
	char *name;       /* by source_name() */
	struct buf source;
};

static void last_done(struct last *l)
{
	free(l->name);
	buf_done(&l->source);
	*l = (struct last){ 0 };
}

static int last_take(struct last *l, const struct resume_from *from,
		     const char *file)
{
	char hash[BLAKE3_TEXT_BYTES];

	if (l->file != NULL && strcmp(l->file, file) == 0)
		return 0;
	last_done(l);
	l->name = source_name(from->repo, file);
	if (l->name == NULL)
		return -ENOMEM;
	l->file = file;
	if (source_read(from->repo_fd, l->name, &l->source, hash) != NULL)
		buf_done(&l->source);
	return 0;
}

/* Read the bytes of a record that resume_mark() has seen. */
static int line_read(int fd, const struct flag_record *r, struct buf *out)
{
	char *at = buf_reserve(out, r->len);

	if (at == NULL)
		return -ENOMEM;
	while (out->len < r->len) {
		ssize_t n = pread(fd, at + out->len, r->len - out->len,
				  r->at + (off_t)out->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		out->len += (size_t)n;
	}
	return 0;
}

static int result_put(const struct resume_from *from, const struct flag *flag,
		      struct last *last, struct sarif_out *sarif,
		      struct cupel_error *err)
{
	owned_buf struct buf line = { 0 };
	int e = line_read(from->log_fd, &flag->record, &line);

	if (e == 0)
		e = last_take(last, from, flag->file);
	if (e < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(-e), -e,
				  "--resume: a record cannot be read again: %s",
				  strerror(-e));
	return sarif_out_add(
		sarif,
		&(struct json_text){ .bytes = line.bytes, .len = line.len },
		last->name, &last->source, err);
}

int resumed_take(const struct resume_from *from, const struct flags *f,
		 size_t ret_of[CONFIRM_STATUS_MAX_], struct sarif_out *sarif,
		 struct cupel_error *err)
{
	struct last last = { 0 };
	int e = 0;

	for (size_t i = 0; i < f->len && e == 0; i++) {
		const struct flag *flag = &f->items[i];

		if (!flag->is_recorded || flag->has_no_class)
			continue;
		ret_of[flag->record.status]++;
		if (sarif->path != NULL)
			e = result_put(from, flag, &last, sarif, err);
	}
	last_done(&last);
	return e;
}
