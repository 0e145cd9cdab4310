/* deploy_shell.h -- words of a Dockerfile's line with quotes and escapes in them, as
 * BuildKit cuts them to find here-documents; private to the probe deployment.
 *
 * Source: the Dockerfile reference, "Here-Documents" and "Environment
 * replacement". */
#ifndef CUPEL_PARSERS_DEPLOY_SHELL_H
#define CUPEL_PARSERS_DEPLOY_SHELL_H

#include <stdbool.h>

#include "base/buf.h"
#include "boundary/json.h"

struct here_words {
	const char *at, *end;
};

/* deploy_here_words_of -- begin at the words of line.  A line with a quote or a brace
 * that does not end has no here-document. */
struct here_words deploy_here_words_of(struct json_text line);

/* deploy_here_words_next -- the name of the next document, without its quotes, into
 * name (emptied); false at the end.
 *
 * @ret_has_tabs	"<<-": tabs may stand before its last line */
bool deploy_here_words_next(struct here_words *w, struct buf *name,
			    bool *ret_has_tabs);

/* deploy_flag_next -- cut the next "--flag" off *at, without its quotes and escapes,
 * into flag (emptied); false when something else follows. */
bool deploy_flag_next(const char **at, const char *end, struct buf *flag);

#endif
