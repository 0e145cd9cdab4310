/* slice_list.h -- lists of facts that share the slice's 1 MiB.
 *
 * Each list is written as if it were alone; when they are put together, the
 * longest ones are cut between two items so that all of them fit, and each cut
 * is a warning ("truncated").  So a repository of any size gives facts. */
#ifndef CUPEL_PARSERS_SLICE_LIST_H
#define CUPEL_PARSERS_SLICE_LIST_H

#include <stdbool.h>

#include "parsers/common/parse.h"

#define SLICE_LISTS_MAX 16U

/* One list; begin with everything zero except key and cap. */
struct slice_list {
	const char *key;
	size_t cap; /* items to keep, 0 = no cap but the slice's */
	struct buf text;
	struct jsonw out;
	size_t len;
	size_t mark; /* where the open item began */
	bool had_items;
	bool is_cut; /* an item was left out */
};

/* slice_item -- begin one object of the list; members go to the writer that is
 * returned.  slice_item_end() closes it, or takes it back whole when the list
 * is full. */
struct jsonw *slice_item(struct slice_list *l);
void slice_item_end(struct slice_list *l);

/* slice_is_full -- whether another item would be left out.  The loss is noted,
 * so the caller may stop reading. */
bool slice_is_full(struct slice_list *l);

/* slice_lists_write -- the lists as members of the open object w, cut to fit in
 * budget bytes together; a list that was cut is noted in r. */
void slice_lists_write(struct slice_list *lists, size_t len, size_t budget,
		       struct jsonw *w, struct parse_report *r);
void slice_lists_done(struct slice_list *lists, size_t len);

#endif
