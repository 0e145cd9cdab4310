/* progress.h -- shows the progress of a gather or a confirm on stderr. */
#ifndef CUPEL_CLI_PROGRESS_H
#define CUPEL_CLI_PROGRESS_H

#include "jobs/gather/task.h"

/* Zero is valid: nothing is shown. */
struct progress {
	enum { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_REDRAW } how;
	unsigned columns; /* of the terminal */
	bool has_line;    /* a line is drawn and still without a newline */
	size_t done, all;
};

/* progress_init -- on a terminal one line that is redrawn, elsewhere plain
 * lines, and nothing when quiet. */
void progress_init(struct progress *p, bool is_quiet);

/* progress_show -- show that a probe has started or finished. */
void progress_show(struct progress *p, const struct gather_progress *now);

/* progress_tell -- show that something is done, which text names. */
void progress_tell(struct progress *p, size_t done, size_t all,
		   const char *text);

/* progress_end -- remove the line. */
void progress_end(struct progress *p);

#endif
