/* build_system.c -- the probe node_build_system: how the repository is built. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "parsers/builds/build_system.h"
#include "parsers/common/address_clean.h"

#define WORKSPACES_BYTES ((size_t)160 << 10) /* of the slice */
#define SLACK_BYTES      ((size_t)4 << 10)

static const char *const role_names[] = {
	[MANIFEST_ROOT] = "root",
	[MANIFEST_WORKSPACE] = "workspace",
	[MANIFEST_STANDALONE] = "standalone",
};
static_assert(sizeof role_names / sizeof *role_names == MANIFEST_ROLE_MAX_,
	      "a name for every role");

static const char *const list_keys[] = {
	[BUILD_NODES] = "node_constraints",  [BUILD_SCRIPTS] = "scripts",
	[BUILD_BUNDLERS] = "bundlers",       [BUILD_TYPESCRIPT] = "typescript",
	[BUILD_MONOREPO] = "monorepo_tools",
};
static_assert(sizeof list_keys / sizeof *list_keys == BUILD_LISTS_MAX_,
	      "a key for every list");

static void script_put(struct build *b, const struct manifest *m,
		       const struct json_member *script)
{
	struct json_text command = parse_text(&script->value, m->in, b->report);
	struct jsonw *w;

	if (script->name.len > PARSE_STRING_BYTES ||
	    (command.bytes == NULL && script->value.type == JSON_STRING)) {
		report_note(&b->report->errors, "string_too_long", m->in,
			    (int64_t)script->value.offset,
			    "a script over 64 KiB");
		return;
	}
	if (command.bytes == NULL)
		report_note(&b->report->warnings, "bad_script", m->in,
			    (int64_t)script->value.offset,
			    "expected a command in quotes");
	w = slice_item(&b->lists[BUILD_SCRIPTS]);
	jsonw_bytes(w, "name", script->name.bytes, script->name.len);
	address_put(w, "command", command, ADDRESS_COMMAND);
	if (input_is_own(m->in))
		jsonw_text(w, "role", role_names[m->role]);
	source_write(w, "source", m->in);
	slice_item_end(&b->lists[BUILD_SCRIPTS]);
}

static void scripts_read(struct build *b, const struct manifest *m)
{
	const struct json_value *v = json_find(&m->tree, "scripts");

	if (v == NULL)
		return;
	if (v->type != JSON_OBJECT) {
		report_note(&b->report->warnings, "bad_scripts", m->in,
			    (int64_t)v->offset,
			    "expected an object of names and commands");
		return;
	}
	for (size_t i = 0; i < v->u.object.len; i++)
		script_put(b, m, &v->u.object.members[i]);
}

static void slice_write(struct build *b)
{
	struct jsonw w = { .out = &b->report->slice };
	const struct claim *decided = build_manager_decided(b);
	size_t used;

	jsonw_object(&w, NULL);
	build_manager_write(b, &w);
	build_workspaces_write(&b->project, decided ? decided->manager : NULL,
			       WORKSPACES_BYTES, &w);
	used = b->report->slice.len + SLACK_BYTES;
	slice_lists_write(b->lists, BUILD_LISTS_MAX_,
			  used < PARSE_SLICE_BYTES ? PARSE_SLICE_BYTES - used
						   : 0,
			  &w, b->report);
	jsonw_end_object(&w);
}

int node_build_system_run(const struct parse_inputs *in, struct parse_report *r)
{
	struct build *b = calloc(1, sizeof *b);
	int e;

	if (b == NULL)
		return -ENOMEM;
	b->report = r;
	for (size_t i = 0; i < BUILD_LISTS_MAX_; i++)
		b->lists[i].key = list_keys[i];
	e = project_read(in, r, &b->project);
	if (e == 0) {
		build_claims_read(b);
		for (const struct manifest *m =
			     project_manifest_next(&b->project, NULL);
		     m != NULL; m = project_manifest_next(&b->project, m)) {
			build_nodes_read_manifest(b, m);
			scripts_read(b, m);
		}
		build_nodes_read_rush(b);
		build_nodes_read_files(b);
		build_bundlers_read(b);
		build_monorepo_read(b);
		e = build_typescript_read(b);
	}
	if (e == 0)
		slice_write(b);
	slice_lists_done(b->lists, BUILD_LISTS_MAX_);
	project_done(&b->project);
	free(b);
	return e;
}
