/* inputs.h -- the declared inputs of the probes, hashed and sealed. */
#ifndef CUPEL_JOBS_PROBE_INPUTS_H
#define CUPEL_JOBS_PROBE_INPUTS_H

#include "base/arena.h"
#include "base/blake3.h"
#include "base/buf.h"
#include "jobs/probe/catalogue.h"
#include "jobs/probe/model.h"
#include "jobs/probe/walk.h"

struct cupel_error;

/* What a skipped input does to the probe's confidence. */
enum skip_weight {
	SKIP_NAME,  /* nothing: only its name was wanted */
	SKIP_FILE,  /* a warning: "medium" */
	SKIP_ERROR, /* an error: "low" */
};

struct probe_skip {
	const char *code; /* static: "symlink", "too_large", ... */
	const char *name; /* bytes; NULL = about the whole walk */
	enum skip_weight weight;
	/* Of a file that is too large, by its path alone; one that is not the
	 * project's own weighs nothing, as what a probe says of others. */
	enum role_kind role;
	struct path_text role_dir;
};

/* The names that fit a rule of names only, as far as they have come. */
struct probe_names;

/* Of one probe.  Names live in the walk and in the probe's rules. */
struct probe_inputs {
	const struct probe *probe;
	struct gather_input *items; /* sorted by the bytes of name; malloc'd */
	size_t len, room;
	struct probe_skip *skips; /* malloc'd; in the order of the names */
	size_t skips_len, skips_room;
	uint64_t bytes;  /* of the files */
	struct buf list; /* for each name NAME NUL SIZE NUL; "-" for a size
			  * where only the name is declared */
	int bytes_fd;    /* sealed; the bytes of all files, back to back; or -1:
			  * inputs_seal() has to be called */
	struct path_role_last large; /* the last file that was too large */
	bool has_changed;            /* since it was hashed: a skip says what */
	struct probe_names *names;   /* one for each rule; NULL when read */
};

struct inputs_request {
	int root_fd;
	const struct walk *walk; /* outlives the inputs */
	const struct probe *const *probes;
	size_t probes_len;      /* at most PROBES_MAX */
	bool with_node_modules; /* PROBE_MODULES_BYTES for each */
	bool hash_only;         /* bytes are kept by inputs_seal() */
	int stop_fd;            /* readable: give up; -1 = never */
};

/* Every file that some probe declared, each once. */
struct inputs_sum {
	char digest[BLAKE3_TEXT_BYTES]; /* of what was read, as gather_run's */
	uint64_t files, bytes;
};

/* inputs_read -- read what the probes' rules name.
 *
 * Each file is opened and read once, into the hash and (unless hash_only) into
 * the memory file of each probe that declares it, so the bytes that are hashed
 * are the bytes that are parsed.  After hash_only, inputs_seal() reads the
 * files a second time.
 *
 * @ret		one for each probe, zeroed by the caller; inputs_done() frees
 *		each, on failure too
 * Returns 0 or -errno; -EINTR when stop_fd became readable. */
int inputs_read(const struct inputs_request *req, struct probe_inputs *ret,
		struct inputs_sum *ret_sum, struct cupel_error *err);

/* inputs_seal -- after hash_only: the bytes of one probe's files, read again.
 *
 * A file that no longer has the hashed bytes becomes a skip ("vanished") and
 * sets has_changed, so the hashed bytes are always the parsed ones.  Does
 * nothing when bytes_fd is already open.
 *
 * @req		that of inputs_read()
 * Returns 0 or -errno; -EINTR when stop_fd became readable. */
int inputs_seal(const struct inputs_request *req, struct probe_inputs *in,
		struct cupel_error *err);
void inputs_done(struct probe_inputs *in);

#endif
