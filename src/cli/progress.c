/* progress.c -- see progress.h. */
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "cli/cli.h"

#define COLUMNS_DEFAULT 80
#define COLUMNS_MAX     400

static const char erase[] = "\r\x1b[K";

void progress_init(struct progress *p, bool is_quiet)
{
	const char *term = getenv("TERM");
	struct winsize size = { 0 };
	bool is_terminal = isatty(STDERR_FILENO) && term != NULL &&
			   strcmp(term, "dumb") != 0;

	*p = (struct progress){ .columns = COLUMNS_DEFAULT };
	if (is_quiet)
		return;
	p->how = is_terminal ? PROGRESS_REDRAW : PROGRESS_LINES;
	if (is_terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col > 0)
		p->columns =
			size.ws_col < COLUMNS_MAX ? size.ws_col : COLUMNS_MAX;
}

static void finished_write(const struct gather_probe *f, struct buf *out)
{
	buf_format(out, "%s: ", f->probe->name);
	if (f->failure != NULL)
		buf_format(out, "failed, %s", f->failure);
	else if (f->cache_hit)
		buf_text(out, "unchanged, taken from the cache");
	else
		buf_format(out, "done in %llu ms",
			   (unsigned long long)f->wall_ms);
}

static void line_draw(struct progress *p, struct buf *line)
{
	owned_buf struct buf out = { 0 };

	if (buf_has_failed(line) || line->bytes == NULL)
		return;
	utf8_make_line(line->bytes);
	buf_text(&out, erase);
	/* not in the last column: some terminals then go on to the next line */
	buf_add(&out, line->bytes,
		utf8_cut(line->bytes, strlen(line->bytes), p->columns - 1));
	if (!buf_has_failed(&out))
		(void)cli_write(STDERR_FILENO, out.bytes, out.len);
	p->has_line = true;
}

void progress_tell(struct progress *p, size_t done, size_t all,
		   const char *text)
{
	owned_buf struct buf line = { 0 };

	p->done = done;
	p->all = all;
	if (p->how == PROGRESS_NONE)
		return;
	buf_format(&line, "%zu/%zu %s", done, all, text);
	if (p->how == PROGRESS_REDRAW)
		line_draw(p, &line);
	else if (!buf_has_failed(&line))
		cli_complain("%s", line.bytes);
}

void progress_show(struct progress *p, const struct gather_progress *now)
{
	owned_buf struct buf text = { 0 };

	p->done = now->done;
	p->all = now->all;
	if (p->how == PROGRESS_LINES && now->finished == NULL)
		return;
	if (now->finished != NULL)
		finished_write(now->finished, &text);
	else
		buf_format(&text, "%s: running", now->started);
	if (!buf_has_failed(&text))
		progress_tell(p, now->done, now->all, text.bytes);
}

void progress_end(struct progress *p)
{
	if (p->has_line)
		(void)cli_write(STDERR_FILENO, erase, sizeof erase - 1);
	p->has_line = false;
}
