/* gate_show.c -- what a gate with hostile names looks like on a terminal and in
 * its page, held to files: control characters, direction marks, tags, quotes.
 * The records are gate/records.json.  UPDATE_GOLDEN=1 writes the files anew.
 */
#include "tap.h"

#include "base/buf.h"
#include "golden/golden.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"
#include "jobs/gate/show/html.h"
#include "jobs/gate/show/story.h"

#define COLUMNS 80

struct made {
	struct ledger_book book;
	struct story story;
	struct state state;
};

/* No evidence is there: the page says what it can without. */
static bool made_read(struct made *m)
{
	owned_buf struct buf text = { 0 };
	struct json_value all;
	struct json_error err;

	*m = (struct made){ .state = STATE_NONE };
	(void)snprintf(m->state.path, sizeof m->state.path, "/state");
	if (!golden_read("gate/records.json", &text) ||
	    json_parse(text.bytes, text.len, NULL, &m->book.arena, &all, &err) <
		    0 ||
	    all.type != JSON_ARRAY)
		return false;
	m->book.records = all.u.array.items;
	m->book.len = all.u.array.len;
	return story_read(&m->book, 0, &m->story);
}

static void made_done(struct made *m)
{
	arena_done(&m->book.arena);
}

/* Of text: no byte and no letter that a terminal acts on, and none that turns
 * others or ends a line. */
static bool is_plain(const struct buf *text)
{
	static const char *const hidden[] = { "\xe2\x80\xae", "\xe2\x80\xa8",
					      "\xc2\x9b" };

	for (size_t i = 0; i < text->len; i++)
		if ((unsigned char)text->bytes[i] < ' ' &&
		    text->bytes[i] != '\n')
			return false;
	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
		if (memmem(text->bytes, text->len, hidden[i],
			   strlen(hidden[i])) != NULL)
			return false;
	return true;
}

/* The letters of the longest line. */
static size_t columns_of(const struct buf *text)
{
	size_t column = 0, longest = 0;

	for (size_t i = 0; i < text->len; i++) {
		if (text->bytes[i] == '\n')
			column = 0;
		else if (((unsigned char)text->bytes[i] & 0xc0) != 0x80)
			column++;
		longest = column > longest ? column : longest;
	}
	return longest;
}

static bool has(const struct buf *text, const char *part)
{
	return memmem(text->bytes, text->len, part, strlen(part)) != NULL;
}

static void a_terminal_is_as_written_down(void)
{
	owned_buf struct buf text = { 0 };
	struct made m;

	ok(made_read(&m));
	story_write_text(&m.story, &m.state, &text);
	ok(is_plain(&text));
	ok(!has(&text, "\nattempt 9") && !has(&text, "\n  attempt 9"));
	ok(columns_of(&text) <= COLUMNS);
	ok(golden_is("gate/show.txt", &text));
	made_done(&m);
}

static void a_page_is_as_written_down(void)
{
	owned_buf struct buf page = { 0 };
	struct made m;

	ok(made_read(&m));
	html_write(&m.story, &m.state, &page);
	ok(is_plain(&page));
	ok(!has(&page, "<script") && !has(&page, "<img"));
	ok(has(&page, "&lt;script&gt;"));
	ok(golden_is("gate/show.html", &page));
	made_done(&m);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_terminal_is_as_written_down),
		CASE(a_page_is_as_written_down),
		TAP_END,
	});
}
