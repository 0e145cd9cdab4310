/* depend_probe.c -- the probe dependencies: reads every file of a package
 * manager. */
#include <errno.h>
#include <stdlib.h>

#include "parsers/depend/depend.h"
#include "parsers/node/node.h"

/* "composer.json-dist" is there to be copied to composer.json, which counts if it
 * is there as well. */
static bool is_copied(const struct depend *d, const struct parse_input *in)
{
	struct json_text base;

	base.bytes = input_base(in, &base.len);
	return text_begins(base, "composer.json") && text_ends(base, "dist") &&
	       input_find(d->inputs, in->name, input_dir_len(in),
			  "composer.json") != NULL;
}

static int files_find(struct depend *d)
{
	d->files = calloc(DEPEND_FILES_MAX, sizeof *d->files);
	d->homes.items = calloc(DEPEND_HOMES_MAX, sizeof *d->homes.items);
	if (d->files == NULL || d->homes.items == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < d->inputs->len; i++) {
		const struct parse_input *in = &d->inputs->items[i];
		const struct depend_format *format = depend_format_find(in);

		if (format == NULL || in->is_name_only ||
		    input_is_installed(in) || is_copied(d, in))
			continue;
		if (d->files_len == DEPEND_FILES_MAX) {
			report_note(&d->report->warnings, "truncated", in, -1,
				    "more than 4000 manifests and lockfiles; "
				    "the rest is left out");
			break;
		}
		d->files[d->files_len++] =
			(struct depend_file){ .in = in, .format = format };
	}
	return 0;
}

/* A broken file that is not the project's own casts no doubt on the rest, so
 * its errors become warnings. */
static void file_read(struct depend *d, struct depend_file *f)
{
	const struct json_text path = { f->in->name, f->in->name_len };
	struct parse_report others;
	struct parse_report *report = d->report;

	if (f->format->read == NULL)
		return;
	depend_file_begin(d, f);
	f->role = role_of(path, ROLE_OF_MANIFEST, NULL);
	if (f->role.kind == ROLE_OWN) {
		f->is_bad = f->format->read(d, f) < 0;
		return;
	}
	parse_report_init(&others);
	others.errors.of_others = NULL; /* they are counted */
	d->report = &others;
	f->is_bad = f->format->read(d, f) < 0;
	d->report = report;
	if (f->is_bad)
		report_note(&report->warnings, "not_own_unread", f->in, -1,
			    "could not be read; it is not one of the project's "
			    "own files");
	else if (others.errors.total > 0)
		report_note(&report->warnings, "not_own_partly", f->in, -1,
			    "some of it was not read; it is not one of the "
			    "project's own files");
	parse_report_done(&others);
}

static void roles_decide(struct depend *d)
{
	role_homes_sort(&d->homes);
	for (size_t i = 0; i < d->files_len; i++) {
		struct depend_file *f = &d->files[i];

		f->role = role_of(
			(struct json_text){ f->in->name, f->in->name_len },
			ROLE_OF_MANIFEST, &d->homes);
	}
}

int dependencies_run(const struct parse_inputs *in, struct parse_report *r)
{
	struct depend d = { .inputs = in,
			    .report = r,
			    .facts = { .cap_bytes = DEPEND_FACTS_BYTES } };
	struct node n = { .has_choices = true };
	int e = node_manifest_read(in, r, &n);

	if (e == 0) {
		d.inputs = n.project.inputs;
		r->version = "2.0";
		e = files_find(&d);
	}
	if (e == 0) {
		depend_npm_read(&d, &n);
		for (size_t i = 0; i < d.files_len; i++)
			file_read(&d, &d.files[i]);
		depend_files_end(&d);
		depend_named_fill(&d);
		depend_managed_fill(&d);
		depend_clean(&d);
		roles_decide(&d);
		depend_resolve(&d);
		depend_write(&d);
	}
	node_manifest_done(&n);
	arena_done(&d.facts);
	free(d.files);
	free(d.homes.items);
	free(d.wishes);
	free(d.pins);
	free(d.named);
	free(d.registries);
	return e;
}
