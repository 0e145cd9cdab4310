/* json.h -- strict JSON (RFC 8259) into a value tree of our own.
 *
 * Room: boundary.  The only room that turns bytes which came from inside a
 * vessel into values; also what spec and profiles are read with.
 *
 * Must:     refuse with a code of its own: anything after the value, comments,
 *           NaN, a BOM, invalid UTF-8, lone surrogate escapes, duplicate names
 *           (compared after unescaping), depth and size over the caps
 *           keep names with their length (NUL inside a name is a byte) and
 *           numbers as their text
 * Must not: open files, run anything, recurse without the depth cap
 */
#ifndef CUPEL_BOUNDARY_JSON_H
#define CUPEL_BOUNDARY_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct buf;

enum json_type {
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
	JSON_TYPE_MAX_
};

/* len bytes of UTF-8; bytes[len] is NUL, bytes before it may be too. */
struct json_text {
	const char *bytes;
	size_t len;
};

struct json_member;

/* One value.  Lives in the arena that it was parsed into. */
struct json_value {
	enum json_type type;
	size_t offset; /* of its first byte in the text, for messages */
	union {
		bool boolean;
		struct json_text number; /* as written: "-1.50e+3" */
		struct json_text string; /* unescaped */
		struct {
			struct json_value *items;
			size_t len;
		} array;
		struct {
			struct json_member *members; /* in order of the text */
			size_t len;
			void *index; /* private to json_find */
		} object;
	} u;
};

struct json_member {
	struct json_text name;
	struct json_value value;
};

/* What a text may cost.  Zero means the default of the same name. */
struct json_caps {
	size_t text_bytes;   /* JSON_TEXT_BYTES */
	size_t string_bytes; /* JSON_STRING_BYTES, unescaped, names too */
	unsigned depth;      /* JSON_DEPTH: containers within containers;
			      * never more than JSON_DEPTH_MAX */
	size_t memory_bytes; /* JSON_MEMORY_BYTES: of the value tree */
};

#define JSON_TEXT_BYTES   ((size_t)1 << 20) /* --result-bytes */
#define JSON_STRING_BYTES ((size_t)1 << 20)
#define JSON_DEPTH        128U               /* enough for real schemas */
#define JSON_MEMORY_BYTES ((size_t)96 << 20) /* 1 MiB of "[[],[],...": 48x */
/* Of a result, in which a payload of JSON_DEPTH lies deeper than by itself. */
#define JSON_DEPTH_RESULT (JSON_DEPTH + 8U)
/* No text may nest deeper, whatever the caller says: what walks a tree
 * (json_equal, the writers, the schema) recurses, and a thread may have little
 * stack. */
#define JSON_DEPTH_MAX 1024U

enum json_code {
	JSON_OK,
	JSON_EMPTY,       /* no value at all */
	JSON_SYNTAX,      /* not RFC 8259 */
	JSON_TRAILING,    /* something after the value */
	JSON_BOM,         /* starts with a byte order mark */
	JSON_BAD_UTF8,    /* not well-formed UTF-8 */
	JSON_BAD_UNICODE, /* a lone surrogate escape */
	JSON_DUPLICATE_NAME,
	JSON_TOO_DEEP,
	JSON_TOO_LARGE, /* the text, over text_bytes */
	JSON_STRING_TOO_LONG,
	JSON_NO_MEMORY,
	JSON_CODE_MAX_
};

struct json_error {
	enum json_code code;
	size_t offset;        /* byte at which it was noticed */
	size_t line, column;  /* from 1; column counts bytes */
	const char *expected; /* static words: "a ',' or ']'" */
};

/* json_parse -- bytes[0..n-1] as one JSON text.
 *
 * @caps	NULL for the defaults
 * @arena	receives the tree; it may hold rubbish after a failure
 * @ret		set on success only
 *
 * Returns 0 or -EINVAL with *err filled.  Source: RFC 8259, RFC 3629. */
int json_parse(const char *bytes, size_t n, const struct json_caps *caps,
	       struct arena *arena, struct json_value *ret,
	       struct json_error *err);

/* json_code_name -- "duplicate_name" and so on, as payload_error.code has it. */
const char *json_code_name(enum json_code code);

/* json_find -- the member's value, or NULL (also when v is not an object). */
const struct json_value *json_find(const struct json_value *v,
				   const char *name);
const struct json_value *json_find_bytes(const struct json_value *v,
					 const char *name, size_t len);

/* An object with more members than this has an index: its members by name. */
#define JSON_INDEX_FROM 8

/* json_index_build -- for code that builds an object: fill v's index, if it has
 * one (room for a pointer to each member).  Without an index a look-up reads all
 * members.
 *
 * Returns the first member whose name is a repeat, or NULL. */
const struct json_member *json_index_build(struct json_value *v);

/* json_is_text -- whether v is the string text (which holds no NUL). */
bool json_is_text(const struct json_value *v, const char *text);

/* json_read_u64 -- v as an unsigned integer, exactly: 5, 5.0 and 50e-1 are 5.
 * Returns 0, -EINVAL (no number, negative, or not whole), -ERANGE. */
int json_read_u64(const struct json_value *v, uint64_t *ret);

/* json_equal -- equality as JSON Schema has it: numbers by value, exactly;
 * objects without order.  Source: draft 2020-12 core, 4.2.2. */
bool json_equal(const struct json_value *a, const struct json_value *b);

/* json_write -- v as compact JSON, members in order, numbers as written. */
void json_write(const struct json_value *v, struct buf *out);

/* json_is_below -- whether what was read from text_bytes (0: not known) of JSON
 * is certain to be written in at most cap_bytes: no byte needs more than six
 * ("\u0000"). */
static inline bool json_is_below(size_t text_bytes, size_t cap_bytes)
{
	return text_bytes > 0 && text_bytes <= cap_bytes / 6;
}

/* json_write_canonical -- v as RFC 8785 has it (names sorted by UTF-16 code
 * units, numbers as ECMAScript prints them).
 * Returns 0, -ENOMEM, or -ERANGE for a number that a double would not keep: too
 * large, not 0 but too small, or a whole number that would become another one.
 * A fraction is rounded to the nearest double, as RFC 8785 does. */
int json_write_canonical(const struct json_value *v, struct buf *out);

#endif
