/* here_document.h -- where a here-document of a shell or a Dockerfile begins and ends.
 *
 * The end is a line with nothing but the word, and the blanks around it that the kind
 * allows. */
#ifndef CUPEL_PARSERS_HERE_DOCUMENT_H
#define CUPEL_PARSERS_HERE_DOCUMENT_H

#include <stdbool.h>

#include "boundary/json.h"

enum here_blanks {
	HERE_NO_BLANKS, /* <<WORD */
	HERE_TABS,      /* <<-WORD: tabs before it */
	/* Any around it: a script in YAML or Groovy is indented with the text
	 * that it stands in. */
	HERE_ALL_BLANKS,
	HERE_BLANKS_MAX_
};

/* here_word_cut -- cut *rest behind the word of the next document that it begins:
 * "<<WORD", "<<-'A WORD'", "<< WORD".
 *
 * @ret_before	what stands before the "<<"
 * Returns the word without its quotes; bytes are NULL when there is none. */
struct json_text here_word_cut(struct json_text *rest,
			       struct json_text *ret_before,
			       bool *ret_has_tabs);

/* here_is_end -- whether line (without its end, but for a \r) is word. */
bool here_is_end(struct json_text line, struct json_text word,
		 enum here_blanks blanks);

/* here_end_find -- behind the first line of bytes at..end that is word, or NULL.
 * Linear in the bytes. */
const char *here_end_find(const char *at, const char *end,
			  struct json_text word, enum here_blanks blanks);

#endif
