/* request.h -- reads a request, which an attacker may have written. */
#ifndef CUPEL_WORKER_REQUEST_H
#define CUPEL_WORKER_REQUEST_H

#include <stddef.h>

#include "base/blake3.h"
#include "boundary/json.h"
#include "worker/metrics.h"

#define WORKER_KEY_BYTES 33

/* Why there is no result: a code of the schema, and one printable line. */
struct worker_why {
	const char *code; /* NULL: there is none */
	char text[320];
};

struct worker_request {
	struct arena arena; /* owns all below; worker_request_done() frees it */
	struct json_value value;
	struct json_text id; /* len 0: there is no readable id */
	enum worker_kind kind;
	char hash[BLAKE3_TEXT_BYTES];
	/* 32 digits of the hash of the id, which may be any text; without an
	 * id, of the bytes */
	char key[WORKER_KEY_BYTES];
};

/* worker_request_read -- check the bytes against the schema, and the keys of
 * the spec against those that are allowed.
 *
 * @ret		zeroed; filled as far as the bytes can be read
 * Returns 0, or -EINVAL with *why, or -ENOMEM. */
int worker_request_read(const char *bytes, size_t n, struct worker_request *ret,
			struct worker_why *why);
void worker_request_done(struct worker_request *r);

/* worker_why_set -- fill *why, printable; returns -EINVAL. */
int worker_why_set(struct worker_why *why, const char *code, const char *fmt,
		   ...) __attribute__((format(printf, 3, 4)));

#endif
