/* chain_verify.c -- the whole chain, record by record.  See chain.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/name.h"
#include "jobs/common/chain.h"
#include "jobs/common/chain_private.h"

struct names {
	char (*items)[CHAIN_NAME_BYTES];
	size_t len, room;
};

struct verify {
	int dir_fd;
	struct buf *out;
	size_t wrong; /* all lines, including those not shown */
	/* the record that the next one must follow; position 0: none yet */
	uint64_t position;
	char hash[BLAKE3_TEXT_BYTES]; /* "": not known, it was no record */
	char file[CHAIN_NAME_BYTES];
};

static void tell(struct verify *v, const char *name, const char *fmt,
		 const char *a)
{
	owned_buf struct buf shown = { .cap_bytes = 1200 };

	if (++v->wrong > CHAIN_LINES_MAX)
		return;
	name_write(&shown, name, strlen(name));
	buf_add(v->out, shown.bytes ? shown.bytes : "?", shown.len);
	buf_text(v->out, ": ");
	for (; *fmt != '\0'; fmt++)
		if (*fmt == '@')
			name_write(v->out, a, strlen(a));
		else
			buf_char(v->out, *fmt);
	buf_char(v->out, '\n');
}

static int name_order(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int names_add(struct names *n, const char *name)
{
	if (n->len == n->room) {
		size_t room = n->room > 0 ? n->room * 2 : 256;
		void *more = reallocarray(n->items, room, CHAIN_NAME_BYTES);

		if (more == NULL)
			return -ENOMEM;
		n->items = more;
		n->room = room;
	}
	memcpy(n->items[n->len++], name, strlen(name) + 1);
	return 0;
}

static bool is_ours(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	       strcmp(name, CHAIN_HEAD) == 0 ||
	       strcmp(name, CHAIN_PENDING) == 0 ||
	       strcmp(name, CHAIN_HEAD_NEW) == 0;
}

/* The names of records, sorted; a line for each other name. */
static int names_read(struct verify *v, struct names *n)
{
	int fd = openat(v->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *d;
	size_t seen = 0;
	int e = 0;

	if (dir == NULL) {
		e = -errno;
		cleanup_fd(&fd);
		return e;
	}
	while (e == 0 && (d = readdir(dir)) != NULL) {
		if (seen++ == CHAIN_NAMES_MAX)
			e = -E2BIG;
		else if (chain_is_name(d->d_name))
			e = names_add(n, d->d_name);
		else if (!is_ours(d->d_name))
			tell(v, d->d_name, "is not a run record", NULL);
	}
	closedir(dir);
	if (n->len > 0)
		qsort(n->items, n->len, sizeof *n->items, name_order);
	return e;
}

/* Say what is wrong with the place of a record. */
static void link_check(struct verify *v, const char *name,
		       const struct chain_link *link)
{
	if (link->broken[0] != '\0')
		tell(v, name, "begins a new chain: @ could not be continued",
		     link->broken);
	else if (v->position == 0 && link->position != 1)
		tell(v, name, "the record before it, @, is missing",
		     link->previous_file);
	else if (v->position == 0)
		return;
	else if (link->position == 1)
		tell(v, name, "begins a second chain after @", v->file);
	else if (strcmp(link->previous_file, v->file) != 0)
		tell(v, name, "follows @, which is not the record before it",
		     link->previous_file);
	else if (v->hash[0] != '\0' && strcmp(link->previous, v->hash) != 0)
		tell(v, name, "does not have the hash of @", v->file);
	else if (link->position != v->position + 1)
		tell(v, name, "has the wrong position after @", v->file);
}

static void record_check(struct verify *v, const char *name)
{
	struct chain_link link = { 0 };
	char hash[BLAKE3_TEXT_BYTES] = "";
	const char *why = chain_read(v->dir_fd, name, &link, hash);

	if (why != NULL)
		tell(v, name, why, NULL);
	else
		link_check(v, name, &link);
	/* Each fault is reported once: the following record is then checked
	 * against what really stands there, as far as that is known. */
	v->position = why == NULL ? link.position : v->position + 1;
	(void)snprintf(v->hash, sizeof v->hash, "%s", why == NULL ? hash : "");
	(void)snprintf(v->file, sizeof v->file, "%s", name);
}

static void head_check(struct verify *v)
{
	struct chain_head head;
	char hash[BLAKE3_TEXT_BYTES];
	const char *why = chain_head_read(v->dir_fd, &head);

	if (why != NULL)
		tell(v, CHAIN_HEAD, why, NULL);
	else if (head.file[0] == '\0' && v->position > 0)
		tell(v, CHAIN_HEAD, "is not there", NULL);
	if (why != NULL || head.file[0] == '\0')
		return;
	if (strcmp(head.file, v->file) == 0) {
		if (v->hash[0] != '\0' && (strcmp(head.hash, v->hash) != 0 ||
					   head.position != v->position))
			tell(v, CHAIN_HEAD, "does not have the hash of @",
			     v->file);
		return;
	}
	/* The record of a gather that was killed; the next gather gives it its
	 * name. */
	if (strcmp(head.file, v->file) > 0 &&
	    head.position == v->position + 1 &&
	    chain_hash(v->dir_fd, CHAIN_PENDING, hash) == NULL &&
	    strcmp(hash, head.hash) == 0)
		return;
	tell(v, head.file, "the newest record, which HEAD names, is missing",
	     NULL);
}

int chain_verify(int runs_fd, struct buf *lines, size_t *ret_records,
		 struct cupel_error *err)
{
	struct names names = { 0 };
	struct verify v = { .dir_fd = -1, .out = lines };
	int e;

	v.dir_fd = chain_lock(runs_fd, true, err);
	if (v.dir_fd < 0)
		return v.dir_fd;
	e = names_read(&v, &names);
	for (size_t i = 0; e == 0 && i < names.len; i++)
		record_check(&v, names.items[i]);
	if (e == 0)
		head_check(&v);
	if (v.wrong > CHAIN_LINES_MAX)
		buf_format(lines, "and %zu more\n", v.wrong - CHAIN_LINES_MAX);
	*ret_records = names.len;
	free(names.items);
	cleanup_fd(&v.dir_fd);
	if (e == -E2BIG)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  E2BIG, "the run records: more than %u names",
				  CHAIN_NAMES_MAX);
	if (e < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(-e), -e,
				  "the run records: %s", strerror(-e));
	return v.wrong > 0;
}
