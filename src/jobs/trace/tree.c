/* tree.c -- see tree.h. */
#include "jobs/trace/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/plural.h"
#include "jobs/trace/happened.h"
#include "jobs/trace/line.h"

#define INDENT     2
#define INDENT_MAX 40 /* deeper ones stand there, too */
#define NONE       ((size_t)-1)

/* An event, below the last execution of the process that it is of, or that
 * started it. */
struct node {
	const struct json_value *event;
	unsigned long long pid;
	bool is_exec;
	size_t parent, first, last, next; /* of its children; NONE */
	size_t depth;
};

static bool is_exec(const struct json_value *event)
{
	const char *kind = happened_text(event, "kind");

	return kind != NULL && strcmp(kind, "exec") == 0;
}

/* The last execution by pid before node n. */
static size_t exec_find(const struct node nodes[], size_t n,
			unsigned long long pid)
{
	for (size_t i = n; i > 0; i--)
		if (nodes[i - 1].is_exec && nodes[i - 1].pid == pid)
			return i - 1;
	return NONE;
}

static void link_to(struct node nodes[], size_t i, size_t parent)
{
	struct node *p = &nodes[parent];

	nodes[i].parent = parent;
	nodes[i].depth = p->depth + 1;
	if (p->first == NONE)
		p->first = i;
	else
		nodes[p->last].next = i;
	p->last = i;
}

/* Node 0 is above all. */
static void nodes_fill(struct node nodes[], const struct json_value *events)
{
	nodes[0] = (struct node){ NULL, 0, false, NONE, NONE, NONE, NONE, 0 };
	for (size_t k = 0; k < events->u.array.len; k++) {
		const struct json_value *event = &events->u.array.items[k];
		size_t i = k + 1, parent;
		bool exec = is_exec(event);

		nodes[i] = (struct node){
			.event = event,
			.pid = happened_number(event, "pid"),
			.is_exec =
				exec && happened_number(event, "result") == 0,
			.first = NONE,
			.last = NONE,
			.next = NONE,
		};
		parent = exec ? exec_find(nodes, i,
					  happened_number(event, "ppid"))
			      : exec_find(nodes, i, nodes[i].pid);
		link_to(nodes, i, parent != NONE ? parent : 0);
	}
}

static void nodes_write(const struct node nodes[], struct buf *out)
{
	size_t at = nodes[0].first;

	while (at != NONE && at != 0) {
		size_t indent = (nodes[at].depth - 1) * INDENT;

		line_write(nodes[at].event, is_exec(nodes[at].event),
			   indent < INDENT_MAX ? indent : INDENT_MAX, out);
		if (nodes[at].first != NONE) {
			at = nodes[at].first;
			continue;
		}
		while (at != 0 && nodes[at].next == NONE)
			at = nodes[at].parent;
		if (at != 0)
			at = nodes[at].next;
	}
}

static void gaps_write(const struct happened *h, struct buf *out)
{
	const struct json_value *list = json_find(h->trace, "coverage");
	unsigned long long omitted =
		happened_number(h->trace, "events_omitted");
	unsigned long long lost = happened_number(h->trace, "lost");

	if (omitted > 0)
		buf_format(out, "%llu more event%s did not fit\n", omitted,
			   plural_s(omitted));
	if (lost > 0)
		buf_format(out, "lost: %llu event%s\n", lost, plural_s(lost));
	for (size_t i = 0; i < list->u.array.len && i < 3; i++) {
		const struct json_value *gap = &list->u.array.items[i];

		buf_format(out, "events may be missing: %s, %llu\n",
			   happened_text(gap, "cause"),
			   happened_number(gap, "count"));
	}
	if (!happened_bool(h->trace, "coverage_ok") &&
	    list->u.array.len + omitted + lost == 0)
		buf_text(out, "events may be missing\n");
}

int tree_write(const struct happened *h, struct buf *out)
{
	const struct json_value *events = json_find(h->trace, "events");
	struct node *nodes = calloc(events->u.array.len + 1, sizeof *nodes);

	if (nodes == NULL)
		return -ENOMEM;
	nodes_fill(nodes, events);
	nodes_write(nodes, out);
	gaps_write(h, out);
	free(nodes);
	return buf_has_failed(out) ? -ENOMEM : 0;
}
