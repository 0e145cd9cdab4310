/* flights.c -- see flights.h. */
#include "service/flights.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "service/file.h"
#include "service/flight.h"
#include "service/spec_handle.h"
#include "service/trees.h"

/* How often to look whether ended vessels are gone when nothing else happens. */
#define ENDING_LEFT_MS 1000

void flights_init(struct flights *f, size_t places)
{
	*f = (struct flights){ .places = places, .trees = trees_new(places) };
	for (size_t i = 0; i < places; i++)
		f->list[i].stdin_fd = -1;
}

/* --- ends ----------------------------------------------------------------- */

/* Free those that are gone; with is_all the others too, which waits. */
static void ending_free(struct flights *f, bool is_all)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->ending_len; i++)
		if (is_all || flight_has_gone(f->ending[i]))
			flight_free(f->ending[i]);
		else
			f->ending[kept++] = f->ending[i];
	f->ending_len = kept;
}

/* The kernel takes as long to end the namespaces of a vessel as to make them.
 * Nobody waits for that but the one who ends as many as there are places. */
static void ending_add(struct flights *f, struct cupel_run *run)
{
	size_t most =
		f->places < FLIGHTS_ENDING_MAX ? f->places : FLIGHTS_ENDING_MAX;

	flight_settle(run);
	if (f->ending_len == most)
		ending_free(f, false);
	if (f->ending_len == most) {
		flight_free(f->ending[0]);
		f->ending[0] = f->ending[--f->ending_len];
	}
	f->ending[f->ending_len++] = run;
}

void flights_leave(struct flights *f, size_t place)
{
	struct flights_place *p = &f->list[place];

	if (p->run != NULL)
		ending_add(f, p->run);
	p->run = NULL;
	cleanup_fd(&p->stdin_fd);
}

void flights_settle(struct flights *f)
{
	ending_free(f, false);
	if (f->trees != NULL)
		trees_tidy(f->trees);
}

/* A vessel that has ended keeps its template until it is freed, and a template
 * that waits is ended after a while. */
int flights_left_ms(const struct flights *f)
{
	int left_ms = f->trees != NULL ? trees_left_ms(f->trees) : -1;

	if (f->ending_len > 0 && (left_ms < 0 || left_ms > ENDING_LEFT_MS))
		return ENDING_LEFT_MS;
	return left_ms;
}

uint64_t flights_remade(const struct flights *f, const char **ret_why)
{
	*ret_why = "";
	return f->trees != NULL ? trees_remade(f->trees, ret_why) : 0;
}

void flights_done(struct flights *f)
{
	ending_free(f, true);
	trees_free(f->trees);
	f->trees = NULL;
}

/* --- a start -------------------------------------------------------------- */

/* What a request names as stdin.  Somebody else than the caller may have written
 * the request: see file_open_regular(). */
static int stdin_open(const struct cupel_spec *spec, int *ret,
		      struct cupel_error *err)
{
	const char *path = spec->fields.stdin_path;
	int fd;

	if (path == NULL)
		return 0;
	fd = file_open_regular(path);
	if (fd >= 0) {
		*ret = fd;
		return 0;
	}
	return cupel_fail(err, CUPEL_STAGE_SPEC, file_cause(-fd), -fd,
			  "stdin: %s: %s", path, file_why(-fd));
}

/* A copy that fails is made again from the beginning, and so must be what it has
 * read and what was heard of it.  And a copy is given no descriptors. */
static bool may_be_copy(const struct cupel_hooks *hooks)
{
	struct stat st;

	if (hooks->output != NULL || hooks->inputs_len > 0 ||
	    hooks->exec_fd > 0)
		return false;
	if (hooks->stdin_fd < 0)
		return true;
	return fstat(hooks->stdin_fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       lseek(hooks->stdin_fd, 0, SEEK_CUR) == 0;
}

int flights_start(struct flights *f, size_t place,
		  const struct cupel_spec *spec,
		  const struct cupel_hooks *hooks, struct cupel_error *err)
{
	struct flights_place *p = &f->list[place];
	struct cupel_hooks own = { .size = sizeof own, .stdin_fd = -1 };
	int r = 0;

	if (hooks != NULL)
		own = *hooks;
	if (own.stdin_fd < 0) {
		r = stdin_open(spec, &p->stdin_fd, err);
		own.stdin_fd = p->stdin_fd;
	}
	if (r == 0)
		r = flight_start_in(spec, &own,
				    may_be_copy(&own) ? f->trees : NULL,
				    &p->run, err);
	if (r < 0)
		cleanup_fd(&p->stdin_fd);
	return r;
}

struct cupel_run *flights_run(const struct flights *f, size_t place)
{
	return f->list[place].run;
}
