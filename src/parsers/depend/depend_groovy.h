/* depend_groovy.h -- the lines of Gradle's files, in Groovy and in Kotlin; private to
 * the probe dependencies. */
#ifndef CUPEL_PARSERS_DEPEND_GROOVY_H
#define CUPEL_PARSERS_DEPEND_GROOVY_H

#include <stdbool.h>

#include "parsers/depend/depend.h"

/* --- depend_notation.c --- */

bool depend_groovy_is_name_byte(char c);

/* depend_groovy_named_take -- take `name : "group:name:1"` and `x.name = "1.2"`,
 * which other lines and files use by its name. */
void depend_groovy_named_take(struct depend *d, struct depend_file *f,
			      struct json_text line);

/* depend_groovy_reference_cut -- cut "libraries.guava" off, the name of something
 * that stands elsewhere. */
struct json_text depend_groovy_reference_cut(struct json_text *rest);

/* depend_groovy_texts_take -- take all notations in t, each as a dependency like
 * that one.  Returns whether there was a text at all. */
bool depend_groovy_texts_take(struct depend *d, const struct depend_wish *like,
			      struct json_text t);

/* --- depend_catalogue.c --- */

/* depend_groovy_aliases_take -- take each `libs.a.b` in t, each as a dependency like
 * that one.  Returns whether the catalogue knows one of them. */
bool depend_groovy_aliases_take(struct depend *d,
				const struct depend_wish *like,
				struct json_text t);

/* --- depend_groovy_line.c --- */

/* depend_groovy_quote_after -- which quotes the byte behind c is in, if c is in
 * those of quote; '\0': in none. */
char depend_groovy_quote_after(char quote, char c);

/* depend_groovy_statement_cut -- cut the next statement off *rest, which ends at one
 * of "{};" outside of quotes. */
struct json_text depend_groovy_statement_cut(struct json_text *rest);

/* depend_groovy_remark_cut -- cut a comment off, which begins with "//" behind a
 * blank.  What is behind it in the line, *rest, belongs to it. */
struct json_text depend_groovy_remark_cut(struct json_text t,
					  struct json_text *rest);

/* depend_groovy_brackets -- how many brackets t leaves open. */
long depend_groovy_brackets(struct json_text t);

/* depend_groovy_is_comment -- whether the line is one of a comment. */
bool depend_groovy_is_comment(struct json_text line);

/* depend_groovy_is_repository -- whether the line names a repository or has an
 * address, or half of one, as it is written.
 *
 * @code	the line without a remark: depend_groovy_code_of() */
bool depend_groovy_is_repository(struct json_text line, struct json_text code,
				 bool is_kotlin);

/* --- depend_groovy_code.c --- */

/* Where the next line begins. */
struct groovy_place {
	bool is_kotlin;
	size_t comments; /* that are open; Kotlin's may stand in each other */
	char quote;   /* of the three that a text began with; '\0': in none */
	bool is_lost; /* that is not known any more */
};

/* depend_groovy_code_of -- the line without the remark behind "//".  It stays where
 * it is not certain that it is one.  Call it for every line, in order. */
struct json_text depend_groovy_code_of(struct groovy_place *p,
				       struct json_text line);

/* --- depend_gradle_home.c --- */

/* A call of include, which may have several lines.  Zero is outside of one. */
struct groovy_include {
	bool goes_on;
	long open; /* brackets */
};

/* depend_groovy_is_settings -- whether it is a settings.gradle by its name. */
bool depend_groovy_is_settings(const struct parse_input *in);

/* depend_groovy_include_take -- add the directories that a line of settings.gradle
 * includes. */
void depend_groovy_include_take(struct groovy_include *g, struct depend *d,
				const struct depend_file *f,
				struct json_text line);

#endif
