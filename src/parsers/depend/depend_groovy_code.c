/* depend_groovy_code.c -- what of a line of Gradle's files is code, and what a remark
 * behind it.
 *
 * A text that is taken for a remark could hide where packages come from.  So from the
 * first place on where it is not certain what is a text, nothing is cut off any more.
 * Source: groovy-lang.org, "Syntax"; the grammar of Kotlin's lexer. */
#include <string.h>

#include "parsers/depend/depend.h"
#include "parsers/depend/depend_groovy.h"

/* Each step gets the rest of a line and returns how many bytes of it it has passed, at
 * least one. */

/* rest begins with "${".  What is computed in a text may have texts in it. */
static size_t template_step(struct groovy_place *p, struct json_text rest)
{
	const size_t n = 2 + text_length_before(text_from(rest, 2), "{}\"'`/");

	if (n < rest.len && rest.bytes[n] == '}')
		return n + 1;
	p->is_lost = true;
	return rest.len;
}

static size_t comment_step(struct groovy_place *p, struct json_text rest)
{
	if (text_begins(rest, "*/")) {
		p->comments--;
		return 2;
	}
	if (text_begins(rest, "/*")) {
		p->comments += p->is_kotlin;
		return 2;
	}
	return 1 + text_length_before(text_from(rest, 1), "*/");
}

/* How often the first byte stands there one after the other. */
static size_t run_length(struct json_text rest)
{
	size_t n = 1;

	while (n < rest.len && rest.bytes[n] == rest.bytes[0])
		n++;
	return n;
}

/* In a text between three quotes.  Kotlin's may end with more than three. */
static size_t long_text_step(struct groovy_place *p, struct json_text rest)
{
	if (p->quote == '"' && text_begins(rest, "${"))
		return template_step(p, rest);
	if (rest.bytes[0] == '\\' && !p->is_kotlin)
		return 2;
	if (rest.bytes[0] == p->quote) {
		const size_t n = run_length(rest);

		if (n >= 3)
			p->quote = '\0';
		p->is_lost |= n > 3 && !p->is_kotlin;
		return n;
	}
	return 1 + text_length_before(text_from(rest, 1), "\"'\\$");
}

/* rest begins with the quote of a text that ends in this line. */
static size_t short_text_step(struct groovy_place *p, struct json_text rest)
{
	const char quote = rest.bytes[0];
	size_t n = 1;

	while (n < rest.len && !p->is_lost) {
		if (rest.bytes[n] == quote)
			return n + 1;
		if (quote == '"' && text_begins(text_from(rest, n), "${"))
			n += template_step(p, text_from(rest, n));
		else
			n += rest.bytes[n] == '\\' && quote != '`' ? 2 : 1;
	}
	p->is_lost = true;
	return rest.len;
}

static size_t code_step(struct groovy_place *p, struct json_text rest)
{
	const char c = rest.bytes[0];

	if (text_begins(rest, "/*")) {
		p->comments = 1;
		return 2;
	}
	/* Groovy's texts may stand between slashes. */
	p->is_lost |= c == '/' && !p->is_kotlin;
	if (text_begins(rest, "\"\"\"") ||
	    (text_begins(rest, "'''") && !p->is_kotlin)) {
		p->quote = c;
		return 3;
	}
	if (c == '"' || c == '\'' || c == '`')
		return short_text_step(p, rest);
	return 1 + text_length_before(text_from(rest, 1), "\"'`/");
}

struct json_text depend_groovy_code_of(struct groovy_place *p,
				       struct json_text line)
{
	size_t n = 0;

	/* In Groovy that may be the end of a text, of a remark or of a line. */
	p->is_lost |= !p->is_kotlin && text_has(line, "\\u");
	while (n < line.len && !p->is_lost) {
		const struct json_text rest = text_from(line, n);

		if (p->comments > 0)
			n += comment_step(p, rest);
		else if (p->quote != '\0')
			n += long_text_step(p, rest);
		else if (text_begins(rest, "//"))
			return text_trim(text_first(line, n));
		else
			n += code_step(p, rest);
	}
	return line;
}
