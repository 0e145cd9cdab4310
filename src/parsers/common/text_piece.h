/* text_piece.h -- borrowed pieces of text: lines and words. */
#ifndef CUPEL_PARSERS_TEXT_PIECE_H
#define CUPEL_PARSERS_TEXT_PIECE_H

#include <stdbool.h>
#include <stddef.h>

#include "parsers/common/lines.h"
#include "parsers/common/parse.h"

#define TEXT_LINE_BYTES ((size_t)4096) /* of a line that are read */

/* A literal as a text. */
#define TEXT(s) ((struct json_text){ (s), sizeof(s) - 1 })

bool text_is(struct json_text t, const char *s);
bool text_begins(struct json_text t, const char *s);
bool text_ends(struct json_text t, const char *s);
/* text_has -- whether s stands somewhere in t. */
bool text_has(struct json_text t, const char *s);

/* text_is_word_byte -- a letter of ASCII, a digit or '_'. */
bool text_is_word_byte(char c);

/* text_trim -- without spaces, tabs and carriage returns at both ends. */
struct json_text text_trim(struct json_text t);

/* text_trim_lines -- the same, and without the ends of lines there. */
struct json_text text_trim_lines(struct json_text t);

/* text_unquote -- without one pair of equal quotes (' or ") around it. */
struct json_text text_unquote(struct json_text t);

/* text_from -- the bytes from at on; empty when there are none. */
struct json_text text_from(struct json_text t, size_t at);

/* text_first -- the first n bytes; there must be as many. */
struct json_text text_first(struct json_text t, size_t n);

/* text_length_before -- the number of bytes before the first one of any; all of
 * them when there is none. */
size_t text_length_before(struct json_text t, const char *any);

/* text_cut -- the text before the first c; all of t when there is none.
 *
 * @ret_rest	the text behind it; bytes NULL if there is none; may be NULL */
struct json_text text_cut(struct json_text t, char c,
			  struct json_text *ret_rest);

/* text_word -- cut the first word (of anything but spaces and tabs) off *rest.
 * Empty when there is none left. */
struct json_text text_word(struct json_text *rest);

/* text_in -- whether t is one of the words of list, which spaces part. */
bool text_in(struct json_text t, const char *list);

/* text_put -- "key": t, or null when t.bytes is NULL. */
void text_put(struct jsonw *w, const char *key, struct json_text t);

/* text_bom -- how many bytes of a byte order mark stand at the beginning: 3 or
 * 0. */
size_t text_bom(struct json_text t);

/* text_order -- by bytes, like strcmp(3). */
int text_order(struct json_text a, struct json_text b);

/* text_place -- the index of the first item whose text is not before t.
 *
 * @items	each is size bytes, and begins with its text; in text_order() */
size_t text_place(const void *items, size_t len, size_t size,
		  struct json_text t);

/* lines_of -- a walk over the lines of an input; NULL has none. */
struct lines lines_of(const struct parse_input *in);

/* line_next -- the next line without its end (\n or \r\n), of any length.
 *
 * @ret_offset	of its first byte in the input
 * Returns false when there is none left. */
bool line_next(struct lines *l, struct json_text *ret, size_t *ret_offset);

#endif
