/* osv.h -- reads a directory of OSV records, and finds the tree's packages in
 * them. */
#ifndef CUPEL_JOBS_GATE_VULN_OSV_H
#define CUPEL_JOBS_GATE_VULN_OSV_H

#include "base/blake3.h"
#include "jobs/gate/vuln/vulns.h"

struct cupel_error;

/* npm and PyPI together had 300,000 records in 2026, most of them short. */
#define OSV_FILES_MAX  600000U
#define OSV_FILE_BYTES ((size_t)8 << 20)
#define OSV_BYTES      ((size_t)4 << 30) /* of all files */
#define OSV_KEPT_BYTES ((size_t)1 << 30) /* of what is kept of them */
#define OSV_DEPTH      2U                /* DIR/npm/ID.json */

/* What a record says about one package. */
struct osv_entry {
	const char *package; /* vulns_purl_build()'s */
	const char *id;
	const char *severity; /* as the record says it, or NULL */
	const char *affected; /* JSON: schema of OSV, "affected[]" */
};

/* Zero is valid: no records. */
struct osv {
	struct arena arena;
	struct osv_entry *entries; /* sorted by package */
	size_t len, room;
	char hash[BLAKE3_TEXT_BYTES]; /* of the sorted names and digests */
};

/* osv_read -- read every record of the directory and of the directories in it.
 * Files whose name does not end with ".json" are skipped.
 *
 * @worktree_fd	a directory or file inside of it is refused, by identity
 * @ret		zeroed by the caller; osv_done() frees it, on failure too
 * Returns 0 or -errno; cause caller: *err names the file.  A record that cannot
 * be read is an error, because it could be the one that matters. */
int osv_read(const char *path, int worktree_fd, struct osv *ret,
	     struct cupel_error *err);

/* osv_entries_read -- add one record's text to o; "withdrawn" ones are left
 * out.
 * Returns 0, -ENOMEM, or -EINVAL: it is no record. */
int osv_entries_read(struct osv *o, const char *bytes, size_t n);

/* osv_sort -- sort the entries, after the last record and before
 * osv_match(). */
void osv_sort(struct osv *o);

/* osv_match -- add what is known about the project's own npm and PyPI packages
 * in a gathered context.  A version that cannot be compared counts as
 * affected. */
void osv_match(const struct osv *o, const struct json_value *context,
	       struct vulns *ret);

/* osv_is_affected -- whether a version is one of those of affected[].
 * @type	"npm" or "pypi" */
bool osv_is_affected(const struct json_value *affected, const char *type,
		     const char *version);

void osv_done(struct osv *o);

#endif
