/* html_change.c -- see html_change.h. */
#include "jobs/gate/show/html_change.h"

#include <string.h>

#include "base/buf.h"
#include "base/plural.h"
#include "jobs/gate/show/story.h"
#include "jobs/gate/show/story_change.h"
#include "jobs/gate/show/story_line.h"

#define ROWS_MAX 500U /* of one list; others are counted */

static size_t list_len(const struct json_value *change, const char *member)
{
	const struct json_value *v = json_find(change, member);

	return v != NULL && v->type == JSON_ARRAY ? v->u.array.len : 0;
}

static void cell(struct buf *out, const char *class, const char *text)
{
	buf_text(out, "<td");
	if (class != NULL)
		buf_format(out, " class=\"%s\"", class);
	buf_char(out, '>');
	story_line_escape(text, strlen(text), out);
	buf_text(out, "</td>");
}

static void more_write(size_t len, struct buf *out)
{
	if (len > ROWS_MAX)
		buf_format(out, "<p>and %zu more, see change.json</p>\n",
			   len - ROWS_MAX);
}

/* --- packages --------------------------------------------------------------- */

static void package_row(const struct json_value *p, struct buf *out)
{
	const char *what = story_text(p, "what");
	bool is_removed = strcmp(what, "removed") == 0;

	buf_text(out, "<tr>");
	cell(out, NULL, story_text(p, "name"));
	cell(out, is_removed ? "soft" : NULL, what);
	cell(out, NULL, story_text(p, "before"));
	cell(out, NULL, story_text(p, "now"));
	cell(out, "soft", story_text(p, "ecosystem"));
	cell(out, "soft", story_text(p, "source"));
	buf_text(out, "</tr>\n");
}

static void packages_write(const struct json_value *change, struct buf *out)
{
	size_t len = list_len(change, "packages");
	const struct json_value *p;

	if (len == 0)
		return;
	buf_text(out, "<div class=\"wide\"><table><tr><th>package</th>"
		      "<th></th><th>before</th><th>now</th><th>of</th>"
		      "<th>in</th></tr>\n");
	for (size_t i = 0;
	     i < ROWS_MAX && (p = story_item(change, "packages", i)) != NULL;
	     i++)
		package_row(p, out);
	buf_text(out, "</table></div>\n");
	more_write(len, out);
}

/* --- the other lists --------------------------------------------------------- */

/* "what" may be a number, as for packages without a hash. */
static void item_write(const struct json_value *item, bool is_bad,
		       struct buf *out)
{
	const struct json_value *what = json_find(item, "what");
	const char *source = story_text(item, "source");
	owned_buf struct buf text = { 0 };

	if (what != NULL && what->type == JSON_STRING)
		buf_add(&text, what->u.string.bytes, what->u.string.len);
	else if (what != NULL)
		json_write(what, &text);
	buf_format(out, "<span%s>", is_bad ? " class=\"bad\"" : "");
	story_line_escape(text.bytes != NULL ? text.bytes : "", text.len, out);
	buf_text(out, "</span>");
	if (source[0] != '\0') {
		buf_text(out, " <span class=\"soft\">");
		story_line_escape(source, strlen(source), out);
		buf_text(out, "</span>");
	}
	buf_text(out, "<br>\n");
}

static void lists_write(const struct json_value *change, struct buf *out)
{
	const struct json_value *item;

	for (size_t l = 0; l < STORY_LISTS; l++) {
		const struct story_list *list = &story_lists[l];
		size_t len = list_len(change, list->member);

		if (len == 0)
			continue;
		buf_format(out, "<dl><dt>%s</dt>\n<dd>", list->title);
		for (size_t i = 0;
		     i < ROWS_MAX &&
		     (item = story_item(change, list->member, i)) != NULL;
		     i++)
			item_write(item, list->is_bad, out);
		buf_text(out, "</dd></dl>\n");
		more_write(len, out);
	}
}

void html_change_write(const struct json_value *change, struct buf *out)
{
	size_t len = list_len(change, "packages");
	size_t counts[3] = { 0 };
	const struct json_value *p;

	for (size_t l = 0; l < STORY_LISTS; l++)
		len += list_len(change, story_lists[l].member);
	if (len == 0)
		return;
	for (size_t i = 0; (p = story_item(change, "packages", i)) != NULL;
	     i++) {
		const char *what = story_text(p, "what");

		counts[strcmp(what, "added") == 0     ? 0
		       : strcmp(what, "removed") == 0 ? 1
						      : 2]++;
	}
	buf_format(out,
		   "<details open><summary>what changed: %zu package%s added, "
		   "%zu removed, %zu changed</summary>\n",
		   counts[0], plural_s(counts[0]), counts[1], counts[2]);
	packages_write(change, out);
	lists_write(change, out);
	buf_text(out, "</details>\n");
}
