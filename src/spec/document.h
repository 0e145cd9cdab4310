/* document.h -- reads a request or a profile from JSON. */
#ifndef CUPEL_SPEC_DOCUMENT_H
#define CUPEL_SPEC_DOCUMENT_H

#include "boundary/json.h"
#include "spec/put.h"

/* Which keys a document may have. */
struct document_kind {
	enum spec_rank rank;
	const char *name; /* "spec", "profile" */
	bool is_part; /* of another document: "origin.key", not "origin: key" */
	bool (*allows)(const struct field *f);
	/* Takes the keys that are not rows of the table.  Returns 0,
	 * DOCUMENT_OTHER (not one of its keys) or -errno.  NULL when there are
	 * no such keys. */
	int (*put_other)(const struct put *p, const struct json_member *m,
			 struct cupel_error *err);
};

/* document_parse -- bytes[0..n-1] as one object, into the arena. */
int document_parse(const char *bytes, size_t n, const char *origin,
		   struct arena *arena, struct json_value *ret,
		   struct cupel_error *err);

/* document_put_all -- put every member of root, an object, into *s. */
int document_put_all(struct spec *s, const struct document_kind *kind,
		     const struct json_value *root, const char *origin,
		     struct cupel_error *err);

/* document_read -- read bytes[0..n-1] as a document of that kind into *s. */
int document_read(struct spec *s, const struct document_kind *kind,
		  const char *bytes, size_t n, const char *origin,
		  struct cupel_error *err);

/* document_load -- read the file at path with s->load, then give it to read.
 * Every message begins with the place that named the file. */
typedef int document_reader(struct spec *s, const char *bytes, size_t n,
			    const char *origin, struct cupel_error *err);
int document_load(const struct put *p, const char *path, document_reader *read,
		  struct cupel_error *err);

/* document_put_command -- a put_other that takes "command". */
int document_put_command(const struct put *p, const struct json_member *m,
			 struct cupel_error *err);

#define DOCUMENT_OTHER 1 /* put_other: not one of its keys */

/* document_text -- the string of v, which may not contain NUL.  For anything
 * else NULL with *err filled. */
const char *document_text(const struct put *p, const struct json_value *v,
			  struct cupel_error *err);

#endif
