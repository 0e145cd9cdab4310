/* uri.h -- resolves references to schemas as in RFC 3986, section 5.2. */
#ifndef CUPEL_BOUNDARY_URI_H
#define CUPEL_BOUNDARY_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* uri_resolve -- ref against base (which may be "": then ref as it is).
 * Returns text in the arena, fragment included, or NULL without memory. */
char *uri_resolve(struct arena *arena, const char *base, const char *ref);

/* uri_has_form -- only characters that a reference may have (RFC 3986, section
 * 2), and whole %XX. */
bool uri_has_form(const char *uri);

/* uri_cut_fragment -- end uri at its '#', in place.  Returns what followed the
 * '#', or NULL when there was none. */
char *uri_cut_fragment(char *uri);

/* uri_decode -- undo %XX in place.  Returns the length, or -1 when an escape is
 * broken or the result is not UTF-8. */
ptrdiff_t uri_decode(char *text);

#endif
