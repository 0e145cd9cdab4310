/* progress.h -- how far a gather or a confirm has come, on stderr. */
#ifndef CUPEL_CLI_PROGRESS_H
#define CUPEL_CLI_PROGRESS_H

#include "jobs/gather/task.h"

/* Zero is valid: nothing is shown. */
struct progress {
	enum { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_REDRAW } how;
	unsigned columns; /* of the terminal */
	bool has_line;    /* one is drawn and has no newline yet */
	size_t done, all;
};

/* progress_init -- a line that is drawn again on a terminal, plain lines
 * elsewhere, nothing when quiet. */
void progress_init(struct progress *p, bool is_quiet);

/* progress_show -- a probe has started or finished. */
void progress_show(struct progress *p, const struct gather_progress *now);

/* progress_tell -- something is done: text says what. */
void progress_tell(struct progress *p, size_t done, size_t all,
		   const char *text);

/* progress_end -- take the line away. */
void progress_end(struct progress *p);

#endif
