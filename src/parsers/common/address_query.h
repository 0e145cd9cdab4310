/* address_query.h -- queries and fragments of addresses; private to address_*. */
#ifndef CUPEL_PARSERS_ADDRESS_QUERY_H
#define CUPEL_PARSERS_ADDRESS_QUERY_H

#include "base/buf.h"
#include "parsers/common/parse.h"

/* address_is_word_byte -- whether c may be in a scheme: letters, digits, "+-.". */
bool address_is_word_byte(char c);

/* address_pieces_put -- what of a query or a fragment says which files are meant.
 *
 * @t	begins with '?' or '#' */
void address_pieces_put(struct buf *out, struct json_text t);

/* address_secrets_drop -- copy a word of a command without the values of keys that
 * are called like secrets: "?token=x&a=1" is "?token=&a=1".  A value ends where
 * the shell's own begins, and the name of a variable is none. */
void address_secrets_drop(struct buf *out, struct json_text word);

#endif
