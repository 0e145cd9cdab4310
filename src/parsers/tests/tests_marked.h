/* tests_marked.h -- the table of languages whose frameworks mark their tests;
 * private to tests_marks.c. */
#ifndef CUPEL_PARSERS_TESTS_MARKED_H
#define CUPEL_PARSERS_TESTS_MARKED_H

#include "parsers/tests/tests.h"

#define MARKS_MAX 30U

enum mark_kind {
	MARK_NONE_,
	MARK_TEST,       /* the line is a test */
	MARK_ANNOTATION, /* a test; the method after it is the same one */
	MARK_METHOD,     /* a test, unless an annotation comes before it */
	MARK_BARE,       /* the same, but with parameters it is none */
	MARK_OTHER,      /* a method: an annotation before it was for it */
	MARK_NO_TEST,    /* what is annotated is something else */
	MARK_SKIP,       /* what is annotated is skipped */
	MARK_IMPORT,     /* it shows the framework */
	MARK_BASE,       /* a class that runs no test itself */
	MARK_CLASS,      /* another class */
	MARK_SHARED,     /* tests that stand elsewhere */
	/* for C only */
	/* Those with _OF count in a file that imports their framework.  A
	 * declaration, which ends with a semicolon, is none. */
	MARK_TEST_OF,     /* a test */
	MARK_SKIPPED_OF,  /* a test that is skipped */
	MARK_FUNCTION_OF, /* a test, if it is a function without parameters */
	MARK_CLAR,  /* "void test_SUITE__NAME(void)", if nothing was imported */
	MARK_EACH,  /* a test for every place where it stands in the line */
	MARK_TABLE, /* the definition of an array; its entries are tests */
	MARK_ENTRY, /* an entry of such an array */
};

struct mark {
	enum mark_kind kind;
	const char *text; /* the beginning of the line */
	/* The one that it shows.  Where it is not imported it is only a hint:
	 * what is imported comes first.  0: none. */
	enum framework framework;
};

struct marked {
	const char *ends;  /* of file names, without the dot */
	const char *heads; /* what the name without its end begins with, */
	const char *tails; /* or ends with; "" for any */
	const char *dirs;  /* below which the name does not matter */
	enum framework usual;
	struct mark marks[MARKS_MAX]; /* of those that fit, the first counts */
};

extern const struct marked tests_marked[];
extern const size_t tests_marked_len;

#endif
