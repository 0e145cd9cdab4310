/* report_facts.c -- see report_facts.h. */
#include "jobs/gather/report_facts.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/plural.h"
#include "jobs/gather/model.h"
#include "jobs/gather/report_text.h"

#define LANGUAGES_SHOWN 8U
#define SCRIPTS_SHOWN   12U
#define FLOWS_SHOWN     12U
#define NAMES_SHOWN     10U
#define WORDS_SHOWN     6U /* of one line */

static const char none[] = "\nNothing of this kind was found.\n";

/* "- Label: value" when there is one. */
static bool line_put(struct buf *out, const char *label,
		     const struct json_value *v)
{
	owned_buf struct buf value = { 0 };

	if (!value_put(&value, v))
		return false;
	buf_format(out, "- %s: ", label);
	buf_add(out, value.bytes, value.len);
	buf_char(out, '\n');
	return true;
}

static const struct json_value *find(const struct json_value *v,
				     const char *key)
{
	return v != NULL ? json_find(v, key) : NULL;
}

/* The string of an item that is one, or of the first member that says it. */
static const struct json_value *word_of(const struct json_value *item)
{
	static const char *const keys[] = { "name",  "command",   "id",
					    "event", "reference", "source" };

	if (item->type == JSON_STRING)
		return item;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct json_value *v = json_find(item, keys[i]);

		if (v != NULL && v->type == JSON_STRING)
			return v;
	}
	return NULL;
}

/* "; triggers `a`, `b`" of a list within an item. */
static void words_put(struct buf *out, const struct json_value *item,
		      const char *key, const char *label)
{
	const struct json_value *list = json_find(item, key);
	size_t len = items_len(item, key), shown = 0;

	for (size_t i = 0; i < len && shown < WORDS_SHOWN; i++) {
		const struct json_value *w = word_of(&list->u.array.items[i]);

		if (w == NULL)
			continue;
		buf_format(out, "%s", shown++ == 0 ? "; " : ", ");
		buf_format(out, "%s%s", shown == 1 ? label : "",
			   shown == 1 ? " " : "");
		(void)value_put(out, w);
	}
	if (shown > 0 && len > shown)
		buf_format(out, " and %zu more", len - shown);
}

static void languages_write(const struct json_value *s, struct buf *out)
{
	static const struct report_list languages = {
		"Languages, by files", "languages",     "name",
		{ "files" },           LANGUAGES_SHOWN,
	};
	static const struct report_list dockerfiles = {
		"Dockerfiles", "dockerfiles", "source", { NULL }, NAMES_SHOWN,
	};
	const struct json_value *primary = find(s, "primary");

	buf_text(out, "\n## What it is\n\n");
	if (s == NULL) {
		buf_text(out, "The languages are not known.\n");
		return;
	}
	if (!line_put(out, "Written mostly in", primary))
		buf_text(out, "- No language was recognised.\n");
	names_put(out, s, &languages);
	buf_format(out, "- Monorepo: %s\n",
		   is_true(s, "monorepo") ? "yes" : "no");
	names_put(out, s, &dockerfiles);
}

static void manager_write(const struct json_value *s, struct buf *out)
{
	const struct json_value *m = find(s, "package_manager");
	const struct json_value *source = find(m, "source");
	const struct json_value *version = find(m, "version");

	if (m == NULL || m->type != JSON_OBJECT)
		return;
	buf_text(out, "- Package manager: ");
	if (!value_put(out, json_find(m, "name")))
		buf_text(out, "(unnamed)");
	if (version != NULL && version->type == JSON_STRING) {
		buf_char(out, ' ');
		(void)value_put(out, version);
	}
	if (is_true(m, "inferred"))
		buf_text(out, " (nothing names one; npm comes with Node)");
	if (source != NULL) {
		buf_text(out, " in ");
		(void)value_put(out, source);
	}
	buf_char(out, '\n');
}

static void build_write(const struct json_value *s, struct buf *out)
{
	static const struct report_list lists[] = {
		{ "Node",
		  "node_constraints",
		  "constraint",
		  { "kind" },
		  NAMES_SHOWN },
		{ "Bundlers", "bundlers", "name", { NULL }, NAMES_SHOWN },
		{ "TypeScript", "typescript", "path", { NULL }, WORDS_SHOWN },
		{ "Monorepo tools",
		  "monorepo_tools",
		  "name",
		  { "version" },
		  NAMES_SHOWN },
	};
	static const struct report_list scripts = {
		"Scripts", "scripts", "name", { "command" }, SCRIPTS_SHOWN,
	};
	const struct json_value *w = find(s, "workspaces");
	size_t before;

	buf_text(out, "\n## How it is built\n");
	if (s == NULL) {
		buf_text(out, none);
		return;
	}
	buf_char(out, '\n');
	before = out->len;
	manager_write(s, out);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		names_put(out, s, &lists[i]);
	if (w != NULL && w->type == JSON_OBJECT) {
		buf_format(out, "- Workspaces: %zu package%s",
			   items_len(w, "packages"),
			   plural_s(items_len(w, "packages")));
		words_put(out, w, "globs", "patterns");
		buf_char(out, '\n');
	}
	list_put(out, s, &scripts);
	if (out->len == before)
		buf_text(out, "No build system for JavaScript was found; "
			      "others are not looked for.\n");
}

/* A line for each ecosystem, the primary one first. */
static void ecosystems_write(const struct json_value *s, struct buf *out)
{
	const struct json_value *list = find(s, "ecosystems");
	const struct json_value *primary = find(s, "primary");

	for (size_t round = 0; round < 2; round++) {
		for (size_t i = 0; i < items_len(s, "ecosystems"); i++) {
			const struct json_value *e = &list->u.array.items[i];
			const struct json_value *name = json_find(e, "name");
			uint64_t files = number_of(e, "manifests") +
					 number_of(e, "lockfiles");

			if (name == NULL ||
			    json_equal(name, primary ? primary : name) !=
				    (round == 0))
				continue;
			buf_text(out, "- ");
			(void)value_put(out, name);
			buf_format(out,
				   ": %" PRIu64
				   " dependenc%s declared, %" PRIu64
				   " package%s pinned, in %" PRIu64 " file%s\n",
				   number_of(e, "dependencies"),
				   plural_y(number_of(e, "dependencies")),
				   number_of(e, "packages"),
				   plural_s(number_of(e, "packages")), files,
				   plural_s(files));
		}
	}
}

/* Where that probe was left out, what node_manifest says. */
static void declared_write(const struct json_value *s, struct buf *out)
{
	const struct json_value *p = json_find(s, "packages");
	size_t dependencies = 0;

	for (size_t i = 0; i < p->u.array.len; i++)
		dependencies += items_len(&p->u.array.items[i], "dependencies");
	buf_format(out, "%zu package%s %zu dependenc%s.\n", p->u.array.len,
		   p->u.array.len == 1 ? " declares" : "s declare",
		   dependencies, plural_y(dependencies));
}

static void dependencies_write(const struct json_value *all,
			       const struct json_value *s, struct buf *out)
{
	static const struct report_list files = {
		"Manifests and lockfiles", "files",     "source",
		{ "ecosystem", "role" },   NAMES_SHOWN,
	};
	static const struct report_list lists[] = {
		{ "Packages", "packages", "name", { "version" }, NAMES_SHOWN },
		{ "Lockfiles",
		  "lockfiles",
		  "source",
		  { "kind", "lockfile_version", "entries" },
		  NAMES_SHOWN },
		{ "Native modules",
		  "native_modules",
		  "name",
		  { "version", "reason" },
		  NAMES_SHOWN },
		{ "Packages whose integrity hashes differ",
		  "integrity_mismatch",
		  "name",
		  { "version", "reason" },
		  NAMES_SHOWN },
	};

	if (items_len(all, "ecosystems") == 0 && items_len(s, "packages") == 0)
		return;
	buf_text(out, "\n## What it depends on\n\n");
	if (items_len(all, "ecosystems") > 0)
		ecosystems_write(all, out);
	else
		declared_write(s, out);
	list_put(out, all, &files);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		list_put(out, s, &lists[i]);
}

static void coverage_put(struct buf *out, const char *what, uint64_t hit,
			 uint64_t found)
{
	if (found == 0)
		return;
	buf_format(out, "- Coverage: %" PRIu64 " of %" PRIu64 " %s (%u%%)\n",
		   hit, found, what,
		   hit >= found
			   ? 100U
			   : (unsigned)((double)hit * 100 / (double)found));
}

static void tests_write(const struct json_value *s, struct buf *out)
{
	static const struct report_list frameworks = {
		"Frameworks", "frameworks", "name", { "version" }, NAMES_SHOWN,
	};
	static const struct report_list commands = {
		"Test commands", "commands",    "name",
		{ "command" },   SCRIPTS_SHOWN,
	};
	const struct json_value *c = find(s, "coverage");

	buf_text(out, "\n## How it is tested\n");
	if (s == NULL) {
		buf_text(out, none);
		return;
	}
	buf_char(out, '\n');
	names_put(out, s, &frameworks);
	(void)line_put(out, "Mostly", find(s, "primary"));
	if (number_of(s, "unit_test_count") == 0 &&
	    items_len(s, "frameworks") == 0)
		buf_text(out, "- Unit tests: of no framework that is known\n");
	else if (find(s, "unit_test_count") != NULL)
		buf_format(out,
			   "- Unit tests: %" PRIu64
			   ", counted in the files without running them\n",
			   number_of(s, "unit_test_count"));
	coverage_put(out, "lines", number_of(c, "lines_hit"),
		     number_of(c, "lines_found"));
	coverage_put(out, "branches", number_of(c, "branches_hit"),
		     number_of(c, "branches_found"));
	list_put(out, s, &commands);
}

static void flow_put(struct buf *out, const struct json_value *flow)
{
	buf_text(out, "- ");
	if (!value_put(out, json_find(flow, "name")))
		buf_text(out, "(unnamed)");
	buf_text(out, " in ");
	if (!value_put(out, json_find(flow, "source")))
		buf_text(out, "(unknown)");
	words_put(out, flow, "triggers", "on");
	words_put(out, flow, "jobs", "jobs");
	words_put(out, flow, "test_commands", "tests");
	words_put(out, flow, "image_builds", "images");
	buf_char(out, '\n');
}

static void ci_write(const struct json_value *s, struct buf *out)
{
	static const struct report_list providers = {
		"Providers", "providers", NULL, { NULL }, NAMES_SHOWN,
	};
	static const struct report_list named = {
		"Providers", "providers", "name", { NULL }, NAMES_SHOWN,
	};
	const struct json_value *flows = find(s, "workflows");
	const struct json_value *list = find(s, "providers");
	size_t len = items_len(s, "workflows");

	buf_text(out, "\n## Continuous integration\n");
	if (len == 0 && items_len(s, "providers") == 0) {
		buf_text(out, none);
		return;
	}
	buf_char(out, '\n');
	if (items_len(s, "providers") > 0)
		names_put(out, s,
			  list->u.array.items[0].type == JSON_OBJECT
				  ? &named
				  : &providers);
	if (len > 0)
		buf_format(out, "\nWorkflows (%zu):\n\n", len);
	for (size_t i = 0; i < len && i < FLOWS_SHOWN; i++)
		flow_put(out, &flows->u.array.items[i]);
	if (len > FLOWS_SHOWN)
		buf_format(out, "- and %zu more\n", len - FLOWS_SHOWN);
}

static void deployment_write(const struct json_value *s, struct buf *out)
{
	static const struct report_list names[] = {
		{ "By", "styles", NULL, { NULL }, NAMES_SHOWN },
		{ "Images", "images", "reference", { NULL }, NAMES_SHOWN },
	};
	static const struct report_list lists[] = {
		{ "Charts", "charts", "name", { "version" }, NAMES_SHOWN },
		{ "Kustomizations",
		  "kustomizations",
		  "path",
		  { NULL },
		  NAMES_SHOWN },
		{ "Compose services",
		  "compose_services",
		  "name",
		  { "image" },
		  NAMES_SHOWN },
		{ "Terraform", "terraform", "source", { NULL }, WORDS_SHOWN },
	};
	static const struct {
		const char *key, *word;
	} counts[] = {
		{ "manifests", "manifest file" },
		{ "probes", "health probe" },
		{ "security_contexts", "security context" },
	};

	buf_text(out, "\n## Deployment\n");
	if (items_len(s, "styles") == 0) {
		buf_text(out, none);
		return;
	}
	buf_char(out, '\n');
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		names_put(out, s, &names[i]);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (items_len(s, counts[i].key) > 0)
			buf_format(out, "- %zu %s%s\n",
				   items_len(s, counts[i].key), counts[i].word,
				   plural_s(items_len(s, counts[i].key)));
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		list_put(out, s, &lists[i]);
}

void facts_write(const struct gather_run *run, struct buf *out)
{
	languages_write(slice_of(run, "language_detection"), out);
	build_write(slice_of(run, "node_build_system"), out);
	dependencies_write(slice_of(run, "dependencies"),
			   slice_of(run, "node_manifest"), out);
	tests_write(slice_of(run, "test_inventory"), out);
	ci_write(slice_of(run, "ci"), out);
	deployment_write(slice_of(run, "deployment"), out);
}
