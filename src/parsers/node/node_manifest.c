/* node_manifest.c -- the probe: packages, lockfiles, natives, mismatches. */
#include <stdlib.h>

#include "parsers/common/address_clean.h"
#include "parsers/node/node.h"

const struct node_section node_sections[NODE_SECTIONS] = {
	{ "dependencies", "runtime" },
	{ "devDependencies", "dev" },
	{ "peerDependencies", "peer" },
	{ "optionalDependencies", "optional" },
};

void node_mismatch_write(struct node *n, const struct node_mismatch *m)
{
	struct slice_list *list = &n->lists[NODE_MISMATCH];
	struct jsonw *w = slice_item(list);

	address_put(w, "name", m->name, ADDRESS_NAME);
	address_put(w, "version", m->version, ADDRESS_TEXT);
	jsonw_text(w, "reason", m->reason);
	address_put(w, "expected", m->expected, ADDRESS_TEXT);
	address_put(w, "found", m->found, ADDRESS_TEXT);
	source_write(w, "source", m->in);
	slice_item_end(list);
}

static void slice_write(struct node *n)
{
	struct jsonw w = { .out = &n->report->slice };

	jsonw_object(&w, NULL);
	slice_lists_write(n->lists, NODE_LISTS_MAX_, NODE_SLICE_BYTES, &w,
			  n->report);
	jsonw_end_object(&w);
}

void node_manifest_done(struct node *n)
{
	slice_lists_done(n->lists, NODE_LISTS_MAX_);
	project_done(&n->project);
	free(n->packages);
	free(n->pins);
	free(n->choices);
	free(n->natives);
	node_catalogue_done(n);
	arena_done(&n->facts);
}

int node_manifest_read(const struct parse_inputs *in, struct parse_report *r,
		       struct node *n)
{
	int e;

	*n = (struct node){
		.inputs = in,
		.report = r,
		.has_choices = n->has_choices,
		.facts = { .cap_bytes = NODE_FACTS_BYTES },
		.lists = { [NODE_PACKAGES] = { .key = "packages" },
			   [NODE_LOCKFILES] = { .key = "lockfiles" },
			   [NODE_NATIVES] = { .key = "native_modules" },
			   [NODE_MISMATCH] = { .key = "integrity_mismatch" },
			   [NODE_INSTALLED] = { .key = "installed" } },
	};
	e = node_packages_read(n);
	if (e < 0)
		return e;
	node_catalogue_read(n);
	node_locks_read(n);
	node_choices_sort(n);
	return 0;
}

int node_manifest_run(const struct parse_inputs *in, struct parse_report *r)
{
	struct node n = { 0 };
	int e = node_manifest_read(in, r, &n);

	if (e == 0) {
		node_packages_write(&n);
		node_pins_sort(&n);
		node_natives_read_packages(&n);
		node_installed_read(&n);
		node_natives_write(&n);
		node_pins_write(&n);
		slice_write(&n);
	}
	node_manifest_done(&n);
	return e;
}
