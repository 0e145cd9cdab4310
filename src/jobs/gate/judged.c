/* judged.c -- see judged.h.  Depth first; a directory is listed, sorted and
 * closed before anything in it is read, so few descriptors are open however deep
 * the tree is. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/jsonw.h"
#include "jobs/common/beneath.h"
#include "jobs/gate/judged_private.h"

static int no_memory(const struct judging *j)
{
	return cupel_fail(j->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the work tree");
}

/* --- records ------------------------------------------------------------------ */

/* A number for all that a record says, and for the times at which the kernel saw
 * the name change.  The time of a file that has several names counts only if its
 * content changed: package managers make and remove such names elsewhere. */
static uint64_t mark_of(const struct judged_record *r, const struct buf *text)
{
	const struct stat *st = &r->st;
	bool has_ctime = S_ISDIR(st->st_mode) || st->st_nlink == 1;
	const uint64_t seen[] = {
		(uint64_t)st->st_ino,
		(uint64_t)st->st_mtim.tv_sec,
		(uint64_t)st->st_mtim.tv_nsec,
		has_ctime ? (uint64_t)st->st_ctim.tv_sec : 0,
		has_ctime ? (uint64_t)st->st_ctim.tv_nsec : 0,
	};
	struct blake3 b;
	uint64_t mark;

	blake3_init(&b);
	blake3_update(&b, seen, sizeof seen);
	if (text->len > 0)
		blake3_update(&b, text->bytes, text->len);
	blake3_final(&b, &mark, sizeof mark);
	return mark;
}

static void change_note(struct judging *j, const char *path)
{
	if (j->before != NULL && j->changed[0] == '\0')
		(void)snprintf(j->changed, JUDGED_PATH_BYTES, "%.255s",
			       path[0] != '\0' ? path : ".");
}

static int record_add(struct judging *j, const struct judged_record *r)
{
	owned_buf struct buf text = { 0 };
	struct judged *out = j->out;
	uint64_t mark;

	if (out->marks_len > JUDGED_NAMES_MAX)
		return cupel_fail(j->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  E2BIG,
				  "the work tree has more than %u names: it "
				  "cannot be bound to a verdict",
				  JUDGED_NAMES_MAX);
	if (j->path[0] != '\0') {
		buf_format(&text, "%c %04o %s %s", r->type,
			   (unsigned)r->st.st_mode & 07777,
			   r->hash[0] != '\0' ? r->hash : "-", j->path);
		buf_char(&text, '\0');
	}
	if (buf_has_failed(&text) ||
	    !array_grow((void **)&out->marks, out->marks_len, &out->marks_room,
			sizeof *out->marks))
		return no_memory(j);
	if (text.len > 0)
		blake3_update(&j->hash, text.bytes, text.len);
	mark = mark_of(r, &text);
	if (j->before != NULL && (out->marks_len >= j->before->marks_len ||
				  j->before->marks[out->marks_len] != mark))
		change_note(j, j->path);
	out->marks[out->marks_len++] = mark;
	return 0;
}

/* --- directories --------------------------------------------------------------- */

/* By the bytes that follow in the whole path: a directory's next is '/'. */
static int name_compare(const void *a, const void *b, void *texts)
{
	const struct judged_name *x = a, *y = b;
	const unsigned char *s = (const unsigned char *)texts + x->at;
	const unsigned char *t = (const unsigned char *)texts + y->at;
	int c, d;

	while (*s != '\0' && *s == *t) {
		s++;
		t++;
	}
	c = *s == '\0' && S_ISDIR(x->st.st_mode) ? '/' : *s;
	d = *t == '\0' && S_ISDIR(y->st.st_mode) ? '/' : *t;
	return (c > d) - (c < d);
}

/* .git at the top is git's own account of the tree, no part of it; further down it
 * makes its directory a repository within. */
static bool is_left_out(struct judging *j, const char *name)
{
	if (strcmp(name, ".git") != 0)
		return false;
	j->is_git = j->dirs_len == 1;
	return j->dirs_len == 1;
}

static int name_add(struct judging *j, int dir_fd, const char *name)
{
	struct judged_dir *d = &j->dirs[j->dirs_len - 1];
	struct judged_name n = { .at = d->texts.len };

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    is_left_out(j, name))
		return 0;
	if (fstatat(dir_fd, name, &n.st, AT_SYMLINK_NOFOLLOW) < 0)
		n.st = (struct stat){ 0 }; /* gone again, or not to be seen */
	buf_add(&d->texts, name, strlen(name) + 1);
	if (buf_has_failed(&d->texts) || d->len > JUDGED_NAMES_MAX ||
	    !array_grow((void **)&d->names, d->len, &d->room, sizeof *d->names))
		return no_memory(j);
	d->names[d->len++] = n;
	return 0;
}

static int names_read(struct judging *j, int fd)
{
	struct judged_dir *d = &j->dirs[j->dirs_len - 1];
	DIR *dir = fdopendir(fd);
	const struct dirent *e;
	int r = 0;

	if (dir == NULL) {
		cleanup_fd(&fd);
		return no_memory(j);
	}
	while (r == 0 && (e = readdir(dir)) != NULL)
		r = name_add(j, fd, e->d_name);
	(void)closedir(dir);
	if (r == 0 && d->len > 1)
		qsort_r(d->names, d->len, sizeof *d->names, name_compare,
			d->texts.bytes);
	return r;
}

/* Record the directory j->path and go into it, if it can be listed. */
static int dir_begin(struct judging *j, struct judged_record *r)
{
	int fd = -1;
	enum beneath why = beneath_open_dir(j->root_fd, j->path, &fd);
	int e;

	r->type = why == BENEATH_OK ? 'd' : why == BENEATH_OTHER_FS ? 'm' : 'u';
	if (why == BENEATH_OK)
		(void)fstat(fd, &r->st);
	else
		j->is_git = false;
	e = record_add(j, r);
	if (e < 0 || why != BENEATH_OK) {
		cleanup_fd(&fd);
		return e;
	}
	if (!array_grow((void **)&j->dirs, j->dirs_len, &j->dirs_room,
			sizeof *j->dirs)) {
		cleanup_fd(&fd);
		return no_memory(j);
	}
	j->dirs[j->dirs_len++] =
		(struct judged_dir){ .path_len = strlen(j->path) };
	return names_read(j, fd);
}

static void dir_done(struct judged_dir *d)
{
	buf_done(&d->texts);
	buf_done(&d->git);
	free(d->names);
}

/* Leave the last directory: its id goes into the one above, or is the tree's. */
static int dir_end(struct judging *j)
{
	struct judged_dir *d = &j->dirs[--j->dirs_len];
	struct judged_dir *above = j->dirs_len > 0 ? d - 1 : NULL;
	bool has_failed = buf_has_failed(&d->git);
	bool has_entries = d->git.len > 0;
	uint8_t id[SHA1_BYTES];

	judged_git_end(d, id);
	dir_done(d);
	if (above == NULL && j->is_git)
		for (size_t i = 0; i < sizeof id; i++)
			(void)snprintf(j->out->git_tree + 2 * i, 3, "%02x",
				       id[i]);
	/* git has no empty directories */
	if (above != NULL && has_entries)
		judged_git_add(above,
			       above->texts.bytes +
				       above->names[above->at - 1].at,
			       "40000", id);
	return has_failed ? no_memory(j) : 0;
}

/* --- names --------------------------------------------------------------------- */

/* Read what is not a directory. */
static int leaf_take(struct judging *j, const char *name,
		     struct judged_record *r)
{
	struct judged_dir *d = &j->dirs[j->dirs_len - 1];
	int e = 0;

	if (r->type == 'f')
		e = judged_file_read(j, r);
	else if (r->type == 'l')
		e = judged_link_read(j, r);
	if (e < 0)
		return e;
	if (r->type == 'f')
		judged_git_add(d, name,
			       (r->st.st_mode & 0100) != 0 ? "100755"
							   : "100644",
			       r->git);
	else if (r->type == 'l')
		judged_git_add(d, name, "120000", r->git);
	else if (r->type != 'o')
		j->is_git = false;
	return record_add(j, r);
}

static int name_take(struct judging *j)
{
	struct judged_dir *d = &j->dirs[j->dirs_len - 1];
	const struct judged_name *n = &d->names[d->at++];
	const char *name = d->texts.bytes + n->at;
	struct judged_record r = { .st = n->st };
	size_t room = sizeof j->path - d->path_len;
	int len = snprintf(j->path + d->path_len, room, "%s%s",
			   d->path_len > 0 ? "/" : "", name);

	if (len < 0 || (size_t)len >= room)
		return cupel_fail(j->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  ENAMETOOLONG,
				  "the work tree: %.300s...: the path is "
				  "longer than %d bytes",
				  j->path, PATH_MAX);
	if (S_ISDIR(n->st.st_mode))
		return dir_begin(j, &r);
	r.type = S_ISREG(n->st.st_mode)   ? 'f'
		 : S_ISLNK(n->st.st_mode) ? 'l'
		 : n->st.st_mode == 0     ? 'u'
					  : 'o';
	return leaf_take(j, name, &r);
}

static int tree_read(struct judging *j)
{
	struct judged_record top = { 0 };
	int e = dir_begin(j, &top);

	if (e == 0 && j->dirs_len == 0)
		e = cupel_fail(j->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
			       EACCES, "the work tree cannot be read");
	while (e == 0 && j->dirs_len > 0) {
		const struct judged_dir *d = &j->dirs[j->dirs_len - 1];

		e = d->at < d->len ? name_take(j) : dir_end(j);
	}
	return e;
}

int judged_read(const char *worktree, int stop_fd, const struct judged *before,
		struct judged *ret, char changed[JUDGED_PATH_BYTES],
		struct cupel_error *err)
{
	owned_fd int root_fd = beneath_open_root(worktree);
	struct judging j = { .root_fd = root_fd,
			     .stop_fd = stop_fd,
			     .before = before,
			     .out = ret,
			     .changed = changed,
			     .err = err };
	uint8_t digest[BLAKE3_BYTES];
	int e;

	changed[0] = '\0';
	if (root_fd < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  -root_fd, "the work tree %.300s: %s",
				  worktree, strerror(-root_fd));
	blake3_init(&j.hash);
	e = tree_read(&j);
	if (e == 0 && before != NULL && ret->marks_len != before->marks_len)
		change_note(&j, "");
	blake3_final(&j.hash, digest, sizeof digest);
	blake3_hex(digest, ret->hash);
	while (j.dirs_len > 0)
		dir_done(&j.dirs[--j.dirs_len]);
	free(j.dirs);
	free(j.chunk);
	return e;
}

void judged_write(const struct judged *j, struct jsonw *w)
{
	if (j == NULL || j->hash[0] == '\0') {
		jsonw_null(w, "tree");
		return;
	}
	jsonw_object(w, "tree");
	jsonw_text(w, "blake3", j->hash);
	jsonw_text_or_null(w, "git_tree",
			   j->git_tree[0] != '\0' ? j->git_tree : NULL);
	jsonw_end_object(w);
}

void judged_done(struct judged *j)
{
	free(j->marks);
	*j = (struct judged){ 0 };
}
