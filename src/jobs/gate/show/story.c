/* story.c -- see story.h. */
#include "jobs/gate/show/story.h"

#include <string.h>

#include "base/buf.h"
#include "jobs/gate/ledger/ledger.h"

#define FACTS_MAX 40U /* of one member of the details; others are counted */

bool story_is(const struct json_value *record, const char *kind)
{
	return json_is_text(json_find(record, "kind"), kind);
}

const char *story_text(const struct json_value *v, const char *name)
{
	const struct json_value *text = json_find(v, name);

	return text != NULL && text->type == JSON_STRING ? text->u.string.bytes
							 : "";
}

uint64_t story_number(const struct json_value *v, const char *name)
{
	const struct json_value *number = json_find(v, name);
	uint64_t n = 0;

	return number != NULL && json_read_u64(number, &n) == 0 ? n : 0;
}

bool story_bool(const struct json_value *v, const char *name)
{
	const struct json_value *truth = json_find(v, name);

	return truth != NULL && truth->type == JSON_BOOL && truth->u.boolean;
}

const struct json_value *story_item(const struct json_value *v,
				    const char *name, size_t i)
{
	const struct json_value *list = json_find(v, name);

	return list != NULL && list->type == JSON_ARRAY && i < list->u.array.len
		       ? &list->u.array.items[i]
		       : NULL;
}

static void record_read(struct story *s, size_t i)
{
	const struct json_value *r = &s->book->records[i];
	struct story_attempt *a =
		s->attempts_len > 0 ? &s->attempts[s->attempts_len - 1] : NULL;

	if (story_is(r, "attempt.begun") &&
	    s->attempts_len < STORY_ATTEMPTS_MAX) {
		a = &s->attempts[s->attempts_len++];
		a->number = story_number(r, "attempt");
		a->first = i;
	}
	if (a == NULL)
		return;
	a->last = i + 1;
	if (story_is(r, "attempt.ended"))
		a->ended = r;
	else if (story_is(r, "replan"))
		a->replan = r;
}

bool story_read(const struct ledger_book *b, size_t first, struct story *ret)
{
	if (first >= b->len || !story_is(&b->records[first], "gate.begun"))
		return false;
	*ret = (struct story){ .book = b,
			       .first = first,
			       .begun = &b->records[first] };
	for (size_t i = first + 1; i < b->len && ret->ended == NULL; i++) {
		if (story_is(&b->records[i], "gate.begun"))
			break;
		if (story_is(&b->records[i], "gate.ended"))
			ret->ended = &b->records[i];
		else
			record_read(ret, i);
	}
	return true;
}

long story_find(const struct ledger_book *b, size_t n)
{
	long found = -1;
	size_t seen = 0;

	for (size_t i = 0; i < b->len; i++)
		if (story_is(&b->records[i], "gate.begun") &&
		    (++seen == n || n == 0))
			found = (long)i;
	return found;
}

static int class_order(const char *class)
{
	static const char *const order[] = { "shared_kernel", "user_kernel",
					     "microvm" };
	int i = 0;

	while (i < 3 && strcmp(order[i], class) != 0)
		i++;
	return i % 3; /* an unknown one counts as the least */
}

const char *story_isolation(const struct story *s)
{
	const struct story_attempt *a;
	const char *least = NULL;

	if (s->attempts_len == 0)
		return NULL;
	a = &s->attempts[s->attempts_len - 1];
	for (size_t i = a->first; i < a->last; i++) {
		const struct json_value *r = &s->book->records[i];
		const char *class = story_text(r, "isolation_class");

		if (story_is(r, "run.ended") && class[0] != '\0' &&
		    (least == NULL || class_order(class) < class_order(least)))
			least = class;
	}
	return least;
}

bool story_is_loose(const struct story *s)
{
	return strcmp(story_text(s->begun, "catalogue"), "loose") == 0;
}

/* --- details ---------------------------------------------------------------- */

/* Write a value on one line: text as it is, members as name=value. */
static void value_write(const struct json_value *v, struct buf *out)
{
	if (v->type == JSON_STRING) {
		buf_add(out, v->u.string.bytes, v->u.string.len);
		return;
	}
	if (v->type != JSON_OBJECT) {
		json_write(v, out);
		return;
	}
	for (size_t i = 0; i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];

		if (m->value.type == JSON_NULL)
			continue;
		buf_text(out, out->len > 0 ? " " : "");
		buf_add(out, m->name.bytes, m->name.len);
		buf_char(out, '=');
		if (m->value.type == JSON_STRING)
			value_write(&m->value, out);
		else
			json_write(&m->value, out);
	}
}

static void value_tell(const char *name, const struct json_value *v,
		       story_fact *fact, void *data)
{
	owned_buf struct buf text = { 0 };

	value_write(v, &text);
	if (!buf_has_failed(&text) && text.len > 0)
		fact(data, name, text.bytes, text.len);
}

void story_facts(const struct json_value *details, story_fact *fact, void *data)
{
	if (details == NULL || details->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < details->u.object.len; i++) {
		const struct json_member *m = &details->u.object.members[i];
		const struct json_value *v = &m->value;
		size_t n = v->type == JSON_ARRAY ? v->u.array.len : 0;

		if (v->type == JSON_NULL)
			continue;
		if (v->type != JSON_ARRAY) {
			value_tell(m->name.bytes, v, fact, data);
			continue;
		}
		for (size_t k = 0; k < n && k < FACTS_MAX; k++)
			value_tell(m->name.bytes, &v->u.array.items[k], fact,
				   data);
		if (n > FACTS_MAX)
			fact(data, m->name.bytes, "and more, see --json", 20);
	}
}
