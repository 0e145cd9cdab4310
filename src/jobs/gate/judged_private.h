/* judged_private.h -- what the files of judged.h share. */
#ifndef CUPEL_JOBS_GATE_JUDGED_PRIVATE_H
#define CUPEL_JOBS_GATE_JUDGED_PRIVATE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "jobs/gate/judged.h"

/* A name of a directory that is being read. */
struct judged_name {
	size_t at; /* of its text in the directory's names */
	struct stat st;
};

/* A directory on the way to where the reading is. */
struct judged_dir {
	struct buf texts;          /* its names, each with a NUL */
	struct judged_name *names; /* sorted */
	size_t len, room, at;      /* at: the next one */
	size_t path_len;           /* of its own path in struct judging's */
	struct buf git;            /* its entries, as git's tree has them */
};

/* The reading of a tree. */
struct judging {
	int root_fd, stop_fd;
	const struct judged *before;
	struct judged *out;
	struct judged_dir *dirs; /* from the top down */
	size_t dirs_len, dirs_room;
	char path
		[PATH_MAX]; /* of what is being read, without a '/' at its end */
	struct blake3 hash;
	char *chunk;    /* of a file */
	uint64_t bytes; /* that were read */
	char *changed;  /* judged_read()'s */
	bool is_git;    /* the id is wanted */
	struct cupel_error *err;
};

/* What a record says about a name. */
struct judged_record {
	char type; /* f, d, l; o: neither; m: mounted here; u: unreadable */
	char hash[BLAKE3_TEXT_BYTES]; /* of the content; "": none */
	uint8_t git[SHA1_BYTES];      /* of git's blob */
	struct stat st;
};

/* judged_file_read, judged_link_read -- read the content of j->path, the last
 * component of which was that type when its directory was listed.
 *
 * @r		type and st are filled by the caller; content that cannot be
 *		read changes the type
 * Returns 0, -EINTR or -errno with j->err filled. */
int judged_file_read(struct judging *j, struct judged_record *r);
int judged_link_read(struct judging *j, struct judged_record *r);

/* judged_git_add -- add a name with its id to its directory's entries. */
void judged_git_add(struct judged_dir *d, const char *name, const char *mode,
		    const uint8_t id[SHA1_BYTES]);

/* judged_git_end -- the id of a directory from its entries. */
void judged_git_end(const struct judged_dir *d, uint8_t id[SHA1_BYTES]);

#endif
