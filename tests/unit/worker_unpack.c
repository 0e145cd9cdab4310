/* worker_unpack.c -- a commit's files are made from git's own objects, and from
 * nothing else. */
#include "worker/unpack.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/folder.h"
#include "tap.h"
#include "worker/place.h"

#define HASH_BYTES 20

/* What a vessel prints: the objects' hashes are right, whatever is in the
 * objects. */
struct stream {
	struct buf out;
	char commit[41];
};

static void hash_of(const char *type, const char *bytes, size_t n,
		    uint8_t ret[HASH_BYTES])
{
	struct buf all = { 0 };

	buf_format(&all, "%s %zu", type, n);
	buf_char(&all, '\0');
	buf_add(&all, bytes, n);
	ok_int(EVP_Digest(all.bytes, all.len, ret, NULL, EVP_sha1(), NULL), 1);
	buf_done(&all);
}

static void hex(const uint8_t *hash, char ret[41])
{
	for (unsigned i = 0; i < HASH_BYTES; i++)
		(void)snprintf(ret + 2 * i, 3, "%02x", hash[i]);
}

static void object(struct stream *s, const char *type, const char *bytes,
		   size_t n)
{
	uint8_t hash[HASH_BYTES];
	char text[41];

	hash_of(type, bytes, n, hash);
	hex(hash, text);
	buf_format(&s->out, "%s %s %zu\n", text, type, n);
	buf_add(&s->out, bytes, n);
	buf_char(&s->out, '\n');
}

/* An entry of a tree. */
static void entry(struct buf *tree, const char *mode, const char *name,
		  const char *type, const struct buf *of)
{
	uint8_t hash[HASH_BYTES];

	hash_of(type, of->bytes, of->len, hash);
	buf_format(tree, "%s %s", mode, name);
	buf_char(tree, '\0');
	buf_add(tree, hash, sizeof hash);
}

static void text_set(struct buf *b, const char *text)
{
	buf_text(b, text);
}

/* The commit of a tree, and the tree. */
static void begin(struct stream *s, const struct buf *tree)
{
	owned_buf struct buf commit = { 0 };
	uint8_t hash[HASH_BYTES];
	char text[41];

	hash_of("tree", tree->bytes, tree->len, hash);
	hex(hash, text);
	buf_format(&commit, "tree %s\nauthor a <a> 0 +0000\n\nall\n", text);
	hash_of("commit", commit.bytes, commit.len, hash);
	hex(hash, s->commit);
	object(s, "commit", commit.bytes, commit.len);
	object(s, "tree", tree->bytes, tree->len);
}

static char place[64];
static int place_fd = -1;

static void place_begin(void)
{
	(void)snprintf(place, sizeof place, "/tmp/unpack.XXXXXX");
	ok(mkdtemp(place) != NULL);
	place_fd = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void place_end(void)
{
	int tmp = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	ok_int(folder_end(tmp, strrchr(place, '/') + 1, NULL, NULL), 0);
	(void)close(tmp);
	(void)close(place_fd);
}

/* Feed it some bytes at a time.  Returns what is wrong, or "". */
static const char *feed(const struct stream *s, size_t step)
{
	struct worker_unpack *u = worker_unpack_new(place_fd, s->commit);
	const char *why;

	for (size_t at = 0; at < s->out.len; at += step) {
		size_t n = s->out.len - at < step ? s->out.len - at : step;

		if (worker_unpack_take(u, s->out.bytes + at, n) != 0)
			break;
	}
	why = worker_unpack_why(u);
	worker_unpack_free(u);
	return why != NULL ? why : "";
}

static bool file_is(const char *name, const char *text, mode_t mode)
{
	char bytes[256] = { 0 };
	struct stat st;
	int fd = openat(place_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	bool good = fd >= 0 && fstat(fd, &st) == 0 &&
		    (st.st_mode & 07777) == mode &&
		    read(fd, bytes, sizeof bytes - 1) >= 0 &&
		    strcmp(bytes, text) == 0;

	if (fd >= 0)
		(void)close(fd);
	return good;
}

/* README, dir/run (a program), dir/link, and an empty file. */
static void whole(struct stream *s)
{
	owned_buf struct buf readme = { 0 }, run = { 0 }, link = { 0 },
			     none = { 0 }, dir = { 0 }, top = { 0 };

	text_set(&readme, "read me\n");
	text_set(&run, "#!/bin/sh\n");
	text_set(&link, "../../../etc/passwd");
	text_set(&none, "");
	entry(&dir, "120000", "link", "blob", &link);
	entry(&dir, "100755", "run", "blob", &run);
	entry(&top, "100644", "README", "blob", &readme);
	entry(&top, "40000", "dir", "tree", &dir);
	entry(&top, "100644", "empty", "blob", &none);
	begin(s, &top);
	object(s, "blob", readme.bytes, readme.len);
	object(s, "tree", dir.bytes, dir.len);
	object(s, "blob", link.bytes, link.len);
	object(s, "blob", run.bytes, run.len);
	object(s, "blob", "", 0);
}

static void files_are_made(void)
{
	static const size_t steps[] = { 1, 7, 1 << 20 };

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct stream s = { 0 };
		char to[64] = { 0 };

		place_begin();
		whole(&s);
		ok(strcmp(feed(&s, steps[i]), "") == 0);
		ok(file_is("README", "read me\n", 0644));
		ok(file_is("dir/run", "#!/bin/sh\n", 0755));
		ok(file_is("empty", "", 0644));
		ok(readlinkat(place_fd, "dir/link", to, sizeof to - 1) > 0);
		ok_has(to, "../../../etc/passwd");
		place_end();
		buf_done(&s.out);
	}
}

static void a_changed_byte_is_seen(void)
{
	struct stream s = { 0 };
	unsigned seen = 0;

	whole(&s);
	/* The last byte is the newline after the empty file. */
	for (size_t at = 60; at + 1 < s.out.len; at += 3) {
		struct stream t = { 0 };

		place_begin();
		buf_add(&t.out, s.out.bytes, s.out.len);
		memcpy(t.commit, s.commit, sizeof t.commit);
		t.out.bytes[at] = (char)(t.out.bytes[at] ^ 1);
		/* The printed hash of an object is ignored: if only that is
		 * changed, the files are right. */
		if (strcmp(feed(&t, 1 << 20), "") == 0)
			ok(file_is("README", "read me\n", 0644) &&
			   file_is("dir/run", "#!/bin/sh\n", 0755) &&
			   file_is("empty", "", 0644));
		else
			seen++;
		place_end();
		buf_done(&t.out);
	}
	ok(seen > 100);
	buf_done(&s.out);
}

/* A tree of one entry, of that mode and name, with a blob. */
static const char *one(const char *mode, const char *name)
{
	owned_buf struct buf blob = { 0 }, top = { 0 };
	struct stream s = { 0 };
	const char *why;

	text_set(&blob, "x\n");
	entry(&top, mode, name, "blob", &blob);
	begin(&s, &top);
	object(&s, "blob", blob.bytes, blob.len);
	place_begin();
	why = feed(&s, 1 << 20);
	place_end();
	buf_done(&s.out);
	return why;
}

static void names_that_lead_elsewhere_are_refused(void)
{
	static const char *const names[] = { "",     ".",    "..",   "a/b",
					     "/etc", ".git", ".GIT", "../x" };

	ok(strcmp(one("100644", "fine"), "") == 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ok_has(one("100644", names[i]), "wrong entry");
	ok_has(one("104755", "fine"), "unknown kind");
	ok_has(one("20666", "fine"), "unknown kind");
}

static void a_name_comes_once(void)
{
	owned_buf struct buf link = { 0 }, dir = { 0 }, blob = { 0 },
			     top = { 0 };
	struct stream s = { 0 };

	/* A link, and then a directory of the same name to write through. */
	text_set(&link, "/tmp");
	text_set(&blob, "x\n");
	entry(&dir, "100644", "f", "blob", &blob);
	entry(&top, "120000", "a", "blob", &link);
	entry(&top, "40000", "a", "tree", &dir);
	begin(&s, &top);
	object(&s, "blob", link.bytes, link.len);
	object(&s, "tree", dir.bytes, dir.len);
	object(&s, "blob", blob.bytes, blob.len);
	place_begin();
	ok_has(feed(&s, 1 << 20), "a name comes twice");
	place_end();
	buf_done(&s.out);
}

static void other_commits_are_refused(void)
{
	struct stream s = { 0 };

	place_begin();
	whole(&s);
	s.commit[0] = s.commit[0] == '0' ? '1' : '0';
	ok_has(feed(&s, 1 << 20), "not what its hash says");
	place_end();
	buf_done(&s.out);
}

static void sizes_are_bounded(void)
{
	struct stream s = { 0 };

	memset(s.commit, '0', 40);
	buf_format(&s.out, "%s commit 99999999999\n", s.commit);
	place_begin();
	ok_has(feed(&s, 1 << 20), "too large");
	s.out.len = 0;
	for (unsigned i = 0; i < 200; i++)
		buf_text(&s.out, "a");
	ok_has(feed(&s, 1 << 20), "no head");
	s.out.len = 0;
	buf_format(&s.out, "%s missing\n", s.commit);
	ok_has(feed(&s, 1 << 20), "did not come");
	place_end();
	buf_done(&s.out);
}

static void what_is_missing_is_told(void)
{
	struct stream s = { 0 };

	place_begin();
	whole(&s);
	s.out.len -= 60;
	ok(strcmp(feed(&s, 1 << 20), "") != 0);
	place_end();
	buf_done(&s.out);
	place_begin();
	whole(&s);
	buf_text(&s.out, "x");
	ok_has(feed(&s, 1 << 20), "after the last file");
	place_end();
	buf_done(&s.out);
}

/* What git itself prints, with hashes that nothing here has computed. */
static void objects_of_git_are_known(void)
{
	static const char tree[] = "100644 a\0"
				   "\xce\x01\x36\x25\x03\x0b\xa8\xdb\xa9\x06"
				   "\xf7\x56\x96\x7f\x9e\x9c\xa3\x94\x46\x4a";
	struct stream s = {
		.commit = "504157c2e6da6431145839f1eca3ffc6169830ca"
	};

	place_begin();
	buf_text(&s.out, "504157c2e6da6431145839f1eca3ffc6169830ca commit 120\n"
			 "tree 0976950c1fdbcb52435a433913017bf044b3a58f\n"
			 "author A <a@example.org> 0 +0000\n"
			 "committer A <a@example.org> 0 +0000\n\none\n\n"
			 "0976950c1fdbcb52435a433913017bf044b3a58f tree 29\n");
	ok_int(sizeof tree - 1, 29);
	buf_add(&s.out, tree, sizeof tree - 1);
	buf_text(&s.out, "\nce013625030ba8dba906f756967f9e9ca394464a blob 6\n"
			 "hello\n\n");
	ok_int(strlen(feed(&s, 1)), 0);
	ok(file_is("a", "hello\n", 0644));
	buf_done(&s.out);
	place_end();
}

/* As on a host whose policy leaves SHA-1 out; that must not count as a failure
 * of the request. */
static void without_sha1_there_is_none(void)
{
	static const char commit[] = "0123456789abcdef0123456789abcdef01234567";
	struct worker_unpack *u;

	ok_int(EVP_set_default_properties(NULL, "provider=none"), 1);
	u = worker_unpack_new(-1, commit);
	ok(u == NULL);
	worker_unpack_free(u);
	ok_int(EVP_set_default_properties(NULL, ""), 1);
	u = worker_unpack_new(-1, commit);
	ok(u != NULL);
	worker_unpack_free(u);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(objects_of_git_are_known),
		CASE(files_are_made),
		CASE(a_changed_byte_is_seen),
		CASE(names_that_lead_elsewhere_are_refused),
		CASE(a_name_comes_once),
		CASE(other_commits_are_refused),
		CASE(sizes_are_bounded),
		CASE(what_is_missing_is_told),
		CASE(without_sha1_there_is_none),
		TAP_END,
	});
}
