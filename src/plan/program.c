/* program.c -- see program.h. */
#include "plan/program.h"

#include <assert.h>

#include "base/jsonw.h"

static const char *const origins[] = {
	[PROGRAM_SYSTEM] = "system",
	[PROGRAM_PATH] = "path",
	[PROGRAM_SHIM] = "shim",
	[PROGRAM_RUNTIME] = "runtime",
	[PROGRAM_REPOSITORY] = "repository",
};
static_assert(sizeof origins / sizeof *origins == PROGRAM_ORIGIN_MAX_,
	      "a word for every origin");

void programs_write(struct jsonw *w, const struct program programs[],
		    size_t len)
{
	jsonw_array(w, "programs");
	for (size_t i = 0; i < len; i++) {
		const struct program *p = &programs[i];

		jsonw_object(w, NULL);
		jsonw_text(w, "name", p->name);
		jsonw_text(w, "found", p->found);
		jsonw_text(w, "taken", p->taken);
		jsonw_text(w, "origin", origins[p->origin]);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}
