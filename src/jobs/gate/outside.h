/* outside.h -- kinds of signals that other people make: a manifest, and a
 * program that is run in a vessel of its own.  See docs/gate.md.
 *
 * The manifest, its program and the schema of its answer are the operator's.
 * The catalogue names the manifest by its BLAKE3, the manifest names the
 * program in the same way, and none of them lies in the work tree.  The
 * program's input comes from inside the vessels, so its answer is checked
 * against the schema like any other. */
#ifndef CUPEL_JOBS_GATE_OUTSIDE_H
#define CUPEL_JOBS_GATE_OUTSIDE_H

#include "jobs/gate/attempt_run.h"
#include "jobs/gate/catalogue_private.h"

#define OUTSIDE_INPUTS_MAX 16U
#define OUTSIDE_WORDS_MAX  64U

/* One artifact that the program is given, as the manifest names it. */
struct outside_input {
	size_t phase; /* of the gate */
	const char *phase_name, *artifact;
};

/* A kind's manifest.  The catalogue owns all that it points to. */
struct gate_outside {
	struct gate_kind *kind; /* the row that is made from it */
	const char *version, *hash;
	const char *command[OUTSIDE_WORDS_MAX + 1];
	const char *program; /* bytes, or NULL: none */
	size_t program_len;
	const char *schema; /* of the whole answer */
	size_t schema_len;
	struct outside_input inputs[OUTSIDE_INPUTS_MAX];
	size_t inputs_len;
	char wall[24], cpu[24], mem[24]; /* options of its vessel; "" = none */
};

/* outside_read -- read the manifest that ask's parameters name, and set
 * ask->kind and ask->outside.
 *
 * @g		its phases have been read
 * Returns 0 or -errno; cause caller: *err is one line with file and place. */
int outside_read(const struct catalogue_source *s, const struct gate *g,
		 struct gate_ask *ask, struct cupel_error *err);

/* outside_is_closed -- whether every value that fits the schema has only
 * members that the schema names, none of which tells how sure somebody is.
 * Returns NULL, or what is wrong: static words. */
const char *outside_is_closed(const struct json_value *schema);

/* What a program said.  Zero is valid: nothing, because the kind is built
 * in. */
struct gate_answer {
	const char *problem; /* a word, or NULL: it answered */
	const char *why;     /* hostile, or NULL */
	const struct json_value *found;
	bool passed, is_unreached;
	const struct gate_file *files[OUTSIDE_INPUTS_MAX];
	size_t files_len;
};

struct vessel;

/* outside_answer_read -- when the program's vessel has ended, take its answer
 * through the boundary.
 *
 * @o		whose details the answer is checked against
 * @a		its arena owns what answer points to; lost is set if the host
 *		could not run the program
 * Returns 0, also when there is no answer: answer->problem says why; or
 * -ENOMEM. */
int outside_answer_read(const struct gate_outside *o, const struct vessel *v,
			struct gate_attempt *a, struct gate_answer *answer,
			struct cupel_error *err);

/* outside_run -- fill a->answers, one for each kind of the gate: run the
 * programs, each in a vessel without network and work tree, and take their
 * answers through the boundary.
 *
 * If the host cannot run them, the attempt is lost.
 * Returns 0; -EINTR when stop_fd was readable; or -errno: no memory, or a
 * bug. */
int outside_run(const struct gate_attempt_request *req, struct gate_attempt *a,
		struct cupel_error *err);

#endif
