/* suite_junit_told.c -- see suite_junit.h. */
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/suite/suite_junit.h"

const char *suite_junit_attribute(const char **atts, const char *name)
{
	for (size_t i = 0; atts[i] != NULL; i += 2)
		if (strcmp(atts[i], name) == 0)
			return atts[i + 1];
	return NULL;
}

/* The first line "E ..." of a text, as pytest writes it; `other` if there is
 * none. */
static struct json_text error_line(struct json_text text,
				   struct json_text other)
{
	while (text.bytes != NULL) {
		struct json_text line = text_cut(text, '\n', &text);

		if (text_begins(line, "E   "))
			return text_from(line, 4);
	}
	return other;
}

/* A place in the text of the failure is better than the one in the
 * attributes. */
void suite_junit_open(struct junit_told *t, const char **atts)
{
	const char *file = suite_junit_attribute(atts, "file");
	const char *line = suite_junit_attribute(atts, "line");
	const char *time = suite_junit_attribute(atts, "time");

	t->failures = 0;
	t->message.len = 0;
	t->body.len = 0;
	t->file.len = 0;
	buf_text(&t->file, file != NULL ? file : "");
	t->line = line != NULL ? suite_number_of((struct json_text){
					 line, strlen(line) })
			       : -1;
	t->duration_ms =
		time != NULL
			? suite_ms_of((struct json_text){ time, strlen(time) })
			: -1;
}

bool suite_junit_mark(struct junit_told *t, const char **atts)
{
	const char *message = suite_junit_attribute(atts, "message");

	t->is_in_body = t->failures++ == 0;
	if (t->is_in_body && message != NULL)
		buf_text(&t->message, message);
	return t->is_in_body;
}

void suite_junit_text(struct junit_told *t, const char *text, size_t n)
{
	size_t room = PARSE_STRING_BYTES - t->body.len;

	if (t->is_in_body)
		buf_add(&t->body, text, n < room ? n : room);
}

void suite_junit_close(const struct junit_told *t, struct suite *s)
{
	struct suite_test *test = &s->tests[s->len - 1];
	struct json_text message = { t->message.bytes, t->message.len };
	struct json_text body = { t->body.bytes, t->body.len };
	struct json_text file = { t->file.bytes, t->file.len };
	int64_t line = t->line;

	/* when pytest could not collect, the reason is in the text */
	if (text_is(message, "collection failure"))
		message = error_line(body, message);
	suite_say_message(s, test, message);
	suite_say_message(s, test, body);
	if (t->body.len < PARSE_STRING_BYTES)
		(void)suite_place_of(body, &file, &line);
	suite_say_place(s, test, file, line);
	suite_say_duration(s, test, t->duration_ms);
}

void suite_junit_done(struct junit_told *t)
{
	buf_done(&t->message);
	buf_done(&t->body);
	buf_done(&t->file);
}
