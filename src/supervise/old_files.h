/* old_files.h -- remembers the files that an earlier phase of a run left.
 *
 * They lie where the next phase's report or artifacts are looked for, but they
 * belong to the next phase only if it has written to them (docs/copies.md). */
#ifndef CUPEL_SUPERVISE_OLD_FILES_H
#define CUPEL_SUPERVISE_OLD_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct old_file;

/* How many names of every kind are looked at: a phase can make up as many as
 * its scratch has inodes. */
#define OLD_FILES_MAX 65536

/* Zero is valid: there are none. */
struct old_files {
	struct old_file *items; /* owned */
	size_t len, room;
	size_t seen;     /* names, of files or of anything else */
	bool is_unknown; /* too many, unreadable, or no memory: all files are old */
};

/* old_files_mark -- before a phase begins: note the file at a place, or all
 * files below it.  No process of an earlier phase lives any more.
 *
 * @ret		zeroed, or what was noted before; old_files_done() frees it
 * @tmpfs_fd	of the run's scratch, see artifact.h
 * @path	absolute, as inside */
void old_files_mark(struct old_files *ret, int tmpfs_fd, const char *path);

/* old_files_has -- whether the open file fd was there and nobody has written to
 * it since; also true if that cannot be found out.  old may be NULL: there are
 * none. */
bool old_files_has(const struct old_files *old, int fd);

void old_files_done(struct old_files *old);

#endif
