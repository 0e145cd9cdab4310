/* document.h -- a request, or a profile, from JSON. */
#ifndef CUPEL_SPEC_DOCUMENT_H
#define CUPEL_SPEC_DOCUMENT_H

#include "boundary/json.h"
#include "spec/put.h"

/* Which keys a document may have. */
struct document_kind {
	enum spec_rank rank;
	const char *name; /* "spec", "profile" */
	bool is_part; /* of another: "origin.key", not "origin: key" */
	bool (*allows)(const struct field *f);
	/* keys that are no row of the table; returns 0, 1 (not mine), -errno.
	 * NULL when there are none. */
	int (*put_other)(const struct put *p, const struct json_member *m,
			 struct cupel_error *err);
};

/* document_read -- bytes[0..n-1] as a document of that kind into *s. */
int document_read(struct spec *s, const struct document_kind *kind,
		  const char *bytes, size_t n, const char *origin,
		  struct cupel_error *err);

/* document_load -- read the file at path by s->load, then with read; the place
 * that named it stands before every message. */
typedef int document_reader(struct spec *s, const char *bytes, size_t n,
			    const char *origin, struct cupel_error *err);
int document_load(const struct put *p, const char *path, document_reader *read,
		  struct cupel_error *err);

/* document_put_command -- a put_other: "command". */
int document_put_command(const struct put *p, const struct json_member *m,
			 struct cupel_error *err);

#define DOCUMENT_OTHER 1 /* put_other: no key of mine */

/* document_text -- the string of v, which may hold no NUL; NULL with *err
 * filled for anything else. */
const char *document_text(const struct put *p, const struct json_value *v,
			  struct cupel_error *err);

#endif
