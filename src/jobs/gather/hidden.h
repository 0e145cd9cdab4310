/* hidden.h -- characters that a person does not see, or sees out of order. */
#ifndef CUPEL_JOBS_GATHER_HIDDEN_H
#define CUPEL_JOBS_GATHER_HIDDEN_H

#include <stdbool.h>
#include <stdint.h>

/* code_is_hidden -- controls, line and paragraph separators, invisible and
 * zero-width characters, marks that turn the direction of text, tags, private
 * use and noncharacters.
 * Source: Unicode's general categories Cc, Cf, Cn, Co, Zl, Zp. */
bool code_is_hidden(uint32_t code);

#endif
