/* plan_backend.c -- the rows of the backends agree with one another and with
 * the words of --backend. */
#include <string.h>

#include "plan/backend.h"
#include "spec/field.h"
#include "tap.h"

#define WALLS_ALL (WALL_BIT(WALL_MAX_) - 1)

static void every_word_of_the_option_has_its_row(void)
{
	const struct field_word *words = field_find("backend")->words;
	unsigned i = 0;

	for (; !words[i].is_later && words[i].name != NULL; i++) {
		const char *name = backend_of((enum spec_backend)i)->name;

		if (i == BACKEND_AUTO)
			continue;
		ok(strcmp(words[i].name, name) == 0);
		ok_int(backend_of((enum spec_backend)i)->which, i);
	}
	ok_int(i, BACKEND_MAX_);
	/* A backend that is announced is a word that is refused, and has no
	 * row. */
	ok_has(words[i].name, "oci");
	ok_has(words[i + 1].name, "microvm");
}

static void auto_and_nonsense_are_the_strongest(void)
{
	ok(backend_of(BACKEND_AUTO) == backend_of(BACKEND_NAMESPACES));
	ok(backend_of(BACKEND_MAX_) == backend_of(BACKEND_NAMESPACES));
	ok(backend_of((enum spec_backend) ~0U) ==
	   backend_of(BACKEND_NAMESPACES));
	ok(backend_of(BACKEND_NAMESPACES)->has == WALLS_ALL);
	ok(backend_of(BACKEND_NAMESPACES)->never == 0);
}

static void traces_and_scopes_need_namespaces(void)
{
	ok(backend_has(BACKEND_NAMESPACES, WALL_TRACE));
	ok(!backend_has(BACKEND_LANDLOCK, WALL_TRACE));
	ok(!backend_has(BACKEND_RLIMITS, WALL_TRACE));
	ok(!backend_has(BACKEND_LANDLOCK, WALL_NETNS));
	ok(backend_has(BACKEND_RLIMITS, WALL_RLIMIT_NPROC));
}

static void no_wall_both_stands_and_never_does(void)
{
	for (unsigned i = 0; i < BACKEND_MAX_; i++) {
		const struct backend *b = backend_of((enum spec_backend)i);

		ok((b->has & b->never) == 0);
		ok(((b->has | b->never) & ~WALLS_ALL) == 0);
		ok((b->needs & ~b->has) == 0);
		/* A backend without a namespace is without its walls. */
		ok((b->clone_flags != 0) ==
		   ((b->has & WALL_BIT(WALL_PIDNS)) != 0));
	}
}

static void each_falls_to_one_that_has_less(void)
{
	unsigned seen = 1;
	enum spec_backend at = BACKEND_NAMESPACES;
	enum spec_backend next;

	for (; (next = backend_of(at)->lesser) != BACKEND_AUTO; at = next) {
		const struct backend *more = backend_of(at);
		const struct backend *less = backend_of(next);

		ok((less->has & ~more->has) == 0 && less->has != more->has);
		ok((more->never & ~less->never) == 0);
		if (++seen == BACKEND_MAX_)
			break;
	}
	ok_int(seen,
	       BACKEND_MAX_ - 1); /* all of them, then the end of the list */
	ok(backend_is_there(at, false)); /* the last one works on every host */
}

static void landlock_is_not_there_without_landlock(void)
{
	ok(backend_is_there(BACKEND_LANDLOCK, true));
	ok(!backend_is_there(BACKEND_LANDLOCK, false));
	ok(backend_is_there(BACKEND_NAMESPACES, false));
	ok(backend_is_there(BACKEND_RLIMITS, false));
	ok(!backend_has(BACKEND_RLIMITS, WALL_LANDLOCK));
	ok(backend_has(BACKEND_RLIMITS, WALL_LANDLOCK_SCOPE));
	/* This holds with and without a repository. */
	ok((backend_of(BACKEND_RLIMITS)->never &
	    WALL_BIT(WALL_REPO_READONLY)) != 0);
	ok(backend_has(BACKEND_LANDLOCK, WALL_REPO_READONLY));
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_word_of_the_option_has_its_row),
		CASE(auto_and_nonsense_are_the_strongest),
		CASE(traces_and_scopes_need_namespaces),
		CASE(no_wall_both_stands_and_never_does),
		CASE(each_falls_to_one_that_has_less),
		CASE(landlock_is_not_there_without_landlock),
		TAP_END,
	});
}
