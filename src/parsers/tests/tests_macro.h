/* tests_macro.h -- macros of a file of C or C++ that stand for marks of tests: behind
 * "#define PIPE_TEST(name, func) g_test_add_func(...)" each PIPE_TEST( is a test.
 * Private to tests_marks.c. */
#ifndef CUPEL_PARSERS_TESTS_MACRO_H
#define CUPEL_PARSERS_TESTS_MACRO_H

#include "parsers/tests/tests_marked.h"

#define MACROS_MAX      16U /* of one file; others are not known */
#define MACRO_TESTS_MAX 64U /* that one use of a macro makes */

struct macro {
	struct json_text name;   /* in the input */
	const struct mark *mark; /* the first one in its body; NULL: none */
	size_t tests;            /* marks in its body */
	/* Tests that its definition would be taken for, line by line; they count
	 * where nothing in the file uses it. */
	size_t body;
	bool is_used;
};

struct macros {
	struct macro items[MACROS_MAX];
	size_t len;
	struct macro *open; /* the one that is being defined; NULL: none */
	bool goes_on;       /* its definition goes on in the next line */
	bool is_again;      /* the name had a definition before */
	size_t rest;        /* tests in definitions of macros without marks */
};

/* tests_macro_take -- read a line of a definition.
 *
 * @line	trimmed
 * Returns the macro that it defines or goes on with, until the next call; NULL
 * if it is another line, or there are too many macros. */
struct macro *tests_macro_take(struct macros *s, struct json_text line,
			       const struct marked *m);

/* tests_macro_count -- how many tests the macros make that the line uses.
 *
 * @ret_mark	what one of them stands for; left alone if there is none */
size_t tests_macro_count(struct macros *s, struct json_text line,
			 const struct mark **ret_mark);

/* tests_macro_sum -- the tests in definitions, at the end of the file. */
size_t tests_macro_sum(const struct macros *s);

#endif
