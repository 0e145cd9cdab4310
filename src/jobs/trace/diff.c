/* diff.c -- see diff.h. */
#include "jobs/trace/diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/plural.h"
#include "jobs/trace/happened.h"
#include "jobs/trace/normal.h"

/* The ports that the kernel chooses from when a program asks for none:
 * net.ipv4.ip_local_port_range. */
#define EPHEMERAL_MIN 32768

/* Everything that one run did, by kind and key. d->items is that of the later
 * run, until the items of the earlier run are removed from it. */

static int item_add(struct diff *d, enum diff_kind kind, const char *key,
		    const struct json_value *event)
{
	void *items = d->items;

	if (key == NULL ||
	    !array_grow(&items, d->len, &d->room, sizeof *d->items))
		return -ENOMEM;
	d->items = items;
	d->items[d->len++] = (struct diff_item){ kind, key, event };
	return 0;
}

/* --- keys ------------------------------------------------------------------- */

static const char *or_none(const char *text)
{
	return text != NULL ? text : "?";
}

/* The words of a command line, with paths normalised.  Each word follows its
 * length, so that a word with a line break is not taken for two.  The digest
 * stands for words that are not recorded. */
static const char *words_key(struct diff *d, const char *path,
			     const struct json_value *event)
{
	const struct json_text *word;
	const char *key = path;

	for (size_t i = 1; key != NULL; i++) {
		const char *text;

		word = happened_word(event, "argv", i);
		if (word == NULL)
			break;
		text = word->bytes[0] == '/'
			       ? normal_path(&d->arena, word->bytes)
			       : word->bytes;
		key = text != NULL ? arena_format(&d->arena, "%s\n%zu %s", key,
						  word->len, text)
				   : NULL;
	}
	if (key != NULL && happened_bool(event, "argv_cut"))
		key = arena_format(
			&d->arena, "%s\n...%s", key,
			or_none(happened_text(event, "argv_digest")));
	return key;
}

/* Whether path, or the name it was started under, is a shell's. */
static bool is_shell(const char *path, const struct json_value *event)
{
	const struct json_text *name = happened_word(event, "argv", 0);

	return normal_is_shell(path) ||
	       (name != NULL && normal_is_shell(name->bytes));
}

static int program_add(struct diff *d, const char *path,
		       const struct json_value *event)
{
	const char *key = normal_path(&d->arena, path);
	int r = item_add(d, DIFF_EXECUTABLE, key, event);

	if (r == 0 && is_shell(path, event))
		r = item_add(d, DIFF_SHELL, words_key(d, key, event), event);
	return r;
}

/* A failed try executed nothing. */
static int exec_add(struct diff *d, const struct json_value *event)
{
	const char *interpreter = happened_text(event, "interpreter");
	int r;

	if (happened_number(event, "result") != 0)
		return 0;
	d->claimed += !happened_bool(event, "verified");
	r = program_add(d, or_none(happened_text(event, "path")), event);
	if (r == 0 && interpreter != NULL)
		r = program_add(d, interpreter, event);
	return r;
}

static bool is_loopback(const char *address)
{
	return strncmp(address, "127.", 4) == 0 ||
	       strcmp(address, "::1") == 0 ||
	       strncmp(address, "::ffff:127.", 11) == 0;
}

/* The key of a host is its name, else its address.  For the vessel's own
 * servers, all ports that the kernel chose count as one. */
static const char *endpoint_key(struct diff *d, const struct json_value *event)
{
	const char *host = happened_text(event, "host");
	const char *address = happened_text(event, "address");
	unsigned long long port = happened_number(event, "port");

	if (host == NULL && address == NULL)
		return NULL;
	if (host == NULL && is_loopback(address) && port >= EPHEMERAL_MIN)
		return arena_format(&d->arena, "%s:ephemeral", address);
	return arena_format(&d->arena, "%s:%llu", host != NULL ? host : address,
			    port);
}

/* AF_UNSPEC ends a connection; families without an address are a word. */
static int connect_add(struct diff *d, const struct json_value *event)
{
	const char *family = or_none(happened_text(event, "family"));
	const char *path = happened_text(event, "path");
	const char *key;

	if (strcmp(family, "unspec") == 0)
		return 0;
	if (path != NULL)
		path = normal_path(&d->arena, path);
	if (strcmp(family, "unix") == 0 || strcmp(family, "other") == 0)
		key = arena_format(&d->arena, "%s:%s", family, or_none(path));
	else
		key = endpoint_key(d, event);
	return item_add(d, DIFF_ENDPOINT, key, event);
}

/* --- all of a run ------------------------------------------------------------ */

static int event_add(struct diff *d, const struct json_value *event)
{
	const char *kind = or_none(happened_text(event, "kind"));

	return strcmp(kind, "exec") == 0 ? exec_add(d, event)
					 : connect_add(d, event);
}

/* A host that was refused by name was never connected to; only the relay
 * reports it. */
static int reached_add(struct diff *d, const struct json_value *egress)
{
	int r = 0;

	for (size_t i = 0; r == 0 && egress != NULL && i < egress->u.array.len;
	     i++) {
		const struct json_value *entry = &egress->u.array.items[i];
		const char *key = endpoint_key(d, entry);

		if (key != NULL)
			r = item_add(d, DIFF_ENDPOINT, key, entry);
	}
	return r;
}

static int run_read(struct diff *d, const struct happened *h)
{
	const struct json_value *events = json_find(h->trace, "events");
	int r = 0;

	for (size_t i = 0; r == 0 && i < events->u.array.len; i++)
		r = event_add(d, &events->u.array.items[i]);
	return r == 0 ? reached_add(d, h->egress) : r;
}

static int compare(const void *a, const void *b)
{
	const struct diff_item *x = a, *y = b;
	int r = x->kind < y->kind ? -1 : x->kind > y->kind;

	if (r == 0)
		r = strcmp(x->key, y->key);
	if (r == 0)
		r = x->event->offset < y->event->offset   ? -1
		    : x->event->offset > y->event->offset ? 1
							  : 0;
	return r;
}

static bool is_same(const struct diff_item *a, const struct diff_item *b)
{
	return a->kind == b->kind && strcmp(a->key, b->key) == 0;
}

static void sort(struct diff *d)
{
	if (d->len > 0)
		qsort(d->items, d->len, sizeof *d->items, compare);
}

/* When the words of a shell were cut and nothing is known of the rest, several
 * shells may look alike. */
static bool is_cut(const struct diff_item *item)
{
	return item->kind == DIFF_SHELL &&
	       happened_bool(item->event, "argv_cut") &&
	       happened_text(item->event, "argv_digest") == NULL;
}

/* Both are sorted.  Remove items that base has, and duplicates.  Of a shell that
 * is_cut nobody can say that base has it. */
static void subtract(struct diff *d, const struct diff *base)
{
	size_t kept = 0, at = 0;

	for (size_t i = 0; i < d->len; i++) {
		const struct diff_item *item = &d->items[i];

		while (at < base->len &&
		       (base->items[at].kind < item->kind ||
			(base->items[at].kind == item->kind &&
			 strcmp(base->items[at].key, item->key) < 0)))
			at++;
		d->cut += is_cut(item);
		if ((at < base->len && is_same(&base->items[at], item) &&
		     !is_cut(item)) ||
		    (kept > 0 && is_same(&d->items[kept - 1], item)))
			continue;
		d->items[kept++] = *item;
	}
	d->len = kept;
}

/* --- what may be missing -------------------------------------------------------- */

static void missing_add(struct diff *d, const char *sentence)
{
	if (d->missing_len < sizeof d->missing / sizeof *d->missing)
		d->missing[d->missing_len++] =
			sentence != NULL ? sentence : "no memory to say what";
}

static void gaps_read(struct diff *d, const char *which,
		      const struct json_value *trace)
{
	const struct json_value *list = json_find(trace, "coverage");

	for (size_t i = 0; i < list->u.array.len && i < 3; i++)
		missing_add(
			d,
			arena_format(&d->arena,
				     "%s: events may be missing, "
				     "%s %llu",
				     which,
				     or_none(happened_text(
					     &list->u.array.items[i], "cause")),
				     happened_number(&list->u.array.items[i],
						     "count")));
	if (list->u.array.len == 0 && !happened_bool(trace, "coverage_ok"))
		missing_add(d,
			    arena_format(&d->arena, "%s: events may be missing",
					 which));
}

/* A program that may not be read has the name that its caller gave. */
static void doubts_read(struct diff *d, const char *which,
			const struct diff *of)
{
	if (of->claimed > 0)
		missing_add(d, arena_format(&d->arena,
					    "%s: %zu program%s %s known only "
					    "from what a process said",
					    which, of->claimed,
					    plural_s(of->claimed),
					    of->claimed == 1 ? "is" : "are"));
	if (of->cut > 0)
		missing_add(d, arena_format(&d->arena,
					    "%s: %zu shell%s had more words "
					    "than are recorded%s",
					    which, of->cut, plural_s(of->cut),
					    strcmp(which, "BASE") == 0
						    ? "; record it again"
						    : ""));
}

static void missing_read(struct diff *d, const char *which,
			 const struct happened *h)
{
	unsigned long long omitted =
		happened_number(h->trace, "events_omitted");
	unsigned long long reached =
		happened_number(&h->root, "egress_omitted");

	if (!h->exec)
		missing_add(d, arena_format(&d->arena,
					    "%s: exec was not traced", which));
	if (!h->connect)
		missing_add(d,
			    arena_format(&d->arena,
					 "%s: connect was not traced", which));
	if (omitted > 0)
		missing_add(d, arena_format(&d->arena,
					    "%s: %llu event%s did not fit",
					    which, omitted, plural_s(omitted)));
	if (reached > 0)
		missing_add(d, arena_format(&d->arena,
					    "%s: %llu connection%s did not fit",
					    which, reached, plural_s(reached)));
	gaps_read(d, which, h->trace);
}

int diff_build(const struct happened *base, const struct happened *next,
	       struct diff *ret)
{
	struct diff before = { 0 };
	int r = run_read(&before, base);

	if (r == 0)
		r = run_read(ret, next);
	if (r == 0) {
		for (size_t i = 0; i < before.len; i++)
			before.cut += is_cut(&before.items[i]);
		sort(&before);
		sort(ret);
		subtract(ret, &before);
		missing_read(ret, "BASE", base);
		doubts_read(ret, "BASE", &before);
		missing_read(ret, "NEW", next);
		doubts_read(ret, "NEW", ret);
	}
	diff_done(&before);
	return r;
}

void diff_done(struct diff *d)
{
	free(d->items);
	arena_done(&d->arena);
	*d = (struct diff){ 0 };
}
