/* parsers_project.c -- the probes that read projects agree on every repository.
 *
 * See docs/gather.md.  Each row is a repository with the packages that are its
 * workspaces; every package.json has a script, so that each probe names those
 * that it takes for the project's own. */
#include "probe_files.h"

#include <string.h>

#include "base/buf.h"
#include "jobs/probe/catalogue.h"
#include "project_rows.h"

static void same_text(const char *got, const char *want)
{
	ok(strcmp(got, want) == 0);
	if (strcmp(got, want) != 0)
		fprintf(stderr, "# \"%s\" is not \"%s\"\n", got, want);
}

/* What one probe says about one package.json. */
struct seen {
	char source[64], role[16];
};

struct answer {
	struct seen items[64];
	size_t len;
	char packages[512]; /* of the declaration that decides */
	char version[8];
};

static void text_copy(char *to, size_t room, const struct json_value *v)
{
	bool fits =
		v != NULL && v->type == JSON_STRING && v->u.string.len < room;

	to[0] = '\0';
	ok(v == NULL || fits);
	if (!fits)
		return;
	memcpy(to, v->u.string.bytes, v->u.string.len);
	to[v->u.string.len] = '\0';
}

static void packages_copy(struct answer *a, const struct json_value *slice)
{
	const struct json_value *w = json_find(slice, "workspaces");
	const struct json_value *list = json_find(w, "packages");

	for (size_t i = 0; list != NULL && i < list->u.array.len; i++) {
		struct json_text t = list->u.array.items[i].u.string;

		if (t.len == 1 && t.bytes[0] == '.')
			continue;
		ok(strlen(a->packages) + t.len + 2 < sizeof a->packages);
		strncat(a->packages, t.bytes, t.len);
		strcat(a->packages, " ");
	}
}

/* The lines of a list that are about one package.json each. */
static void answer_read(const char *probe, probe_fn *run, const char *key,
			const struct probe_file *files, struct answer *ret)
{
	char *o = probe_files(probe, run, files);
	struct json_caps caps = { .text_bytes = strlen(o) + 1,
				  .string_bytes = strlen(o) + 1 };
	struct arena arena = { 0 };
	struct json_error e = { 0 };
	struct json_value v;
	const struct json_value *slice, *list;

	*ret = (struct answer){ 0 };
	ok_int(json_parse(o, strlen(o), &caps, &arena, &v, &e), 0);
	text_copy(ret->version, sizeof ret->version, json_find(&v, "version"));
	slice = json_find(&v, "slice");
	list = json_find(slice, key);
	for (size_t i = 0; i < list->u.array.len && ret->len < 64; i++) {
		const struct json_value *item = &list->u.array.items[i];
		struct seen *s = &ret->items[ret->len];

		text_copy(s->source, sizeof s->source,
			  json_find(item, "source"));
		text_copy(s->role, sizeof s->role, json_find(item, "role"));
		if (strstr(s->source, "package.json") != NULL)
			ret->len++;
	}
	packages_copy(ret, slice);
	arena_done(&arena);
	free(o);
}

static const struct seen *seen_find(const struct answer *a, const char *source)
{
	for (size_t i = 0; i < a->len; i++)
		if (strcmp(a->items[i].source, source) == 0)
			return &a->items[i];
	return NULL;
}

/* The paths of the answer's workspaces, in their order. */
static void workspaces_of(const struct answer *a, char *ret, size_t room)
{
	ret[0] = '\0';
	for (size_t i = 0; i < a->len; i++) {
		const char *slash = strrchr(a->items[i].source, '/');

		if (strcmp(a->items[i].role, "workspace") != 0)
			continue;
		ok(slash != NULL && strlen(ret) + 66 < room);
		strncat(ret, a->items[i].source,
			(size_t)(slash - a->items[i].source));
		strcat(ret, " ");
	}
}

/* home: the root of the repository, where both list the same. */
static void repository_hold(const char *name, const char *workspaces,
			    const struct probe_file *files, bool is_home_root)
{
	struct answer node, build, tests;
	char has[512];

	answer_read("node_manifest", node_manifest_run, "packages", files,
		    &node);
	answer_read("node_build_system", node_build_system_run, "scripts",
		    files, &build);
	answer_read("test_inventory", test_inventory_run, "commands", files,
		    &tests);
	workspaces_of(&node, has, sizeof has);
	same_text(has, workspaces);
	if (strcmp(has, workspaces) != 0)
		fprintf(stderr, "# %s\n", name);
	if (is_home_root) {
		workspaces_of(&build, has, sizeof has);
		ok_int(build.len, node.len);
	}
	for (size_t i = 0; i < build.len; i++) {
		const struct seen *s = seen_find(&node, build.items[i].source);

		ok(s != NULL);
		if (s == NULL || strcmp(s->role, build.items[i].role) != 0)
			fprintf(stderr, "# %s: %s is %s and %s\n", name,
				build.items[i].source, build.items[i].role,
				s ? s->role : "not there");
		ok(s != NULL && strcmp(s->role, build.items[i].role) == 0);
		ok(seen_find(&tests, build.items[i].source) != NULL);
	}
	ok_int(tests.len, build.len);
	if (build.packages[0] != '\0' && is_home_root)
		same_text(build.packages, workspaces);
	same_text(node.version, build.version);
	same_text(node.version, probe_find("node_manifest")->version);
	same_text(node.version, probe_find("node_build_system")->version);
	same_text(tests.version, probe_find("test_inventory")->version);
}

static void the_probes_agree_on_every_repository(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct probe_file files[12 + PACKAGES + 1] = { 0 };
		bool is_root = true;
		size_t n = 0;

		for (; n < 12 && rows[i].files[n].name != NULL; n++)
			files[n] = rows[i].files[n];
		/* A home below the root has only its own packages. */
		is_root = strncmp(rows[i].files[0].name, "web/", 4) != 0;
		for (size_t k = 0; is_root && k < PACKAGES; k++)
			files[n++] = packages[k];
		repository_hold(rows[i].name, rows[i].workspaces, files,
				is_root);
	}
}

/* len patterns of which the last is "p/b"; the first takes in p/a. */
static char *many(const char *head, const char *tail, size_t len)
{
	struct buf b = { 0 };

	buf_text(&b, head);
	buf_text(&b, "\"p/a\"");
	for (size_t i = 2; i < len; i++)
		buf_format(&b, ",\"x%zu\"", i);
	buf_text(&b, ",\"p/b\"");
	buf_text(&b, tail);
	return buf_take(&b);
}

static void the_probes_agree_on_how_many_patterns_there_may_be(void)
{
	static const struct {
		const char *file, *head, *tail;
	} forms[] = {
		{ "package.json",
		  "{\"scripts\":{\"test\":\"jest\"},"
		  "\"workspaces\":[",
		  "]}" },
		{ "lerna.json", "{\"packages\":[", "]}" },
		{ "pnpm-workspace.yaml", "packages: [", "]\n" },
	};
	static const size_t lens[] = { 300, 1000, 1001 };

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		for (size_t k = 0; k < sizeof lens / sizeof *lens; k++) {
			char *text =
				many(forms[i].head, forms[i].tail, lens[k]);
			struct probe_file files[PACKAGES + 3] = {
				{ forms[i].file, text }
			};
			size_t n = 1;

			if (i > 0)
				files[n++] =
					(struct probe_file){ "package.json",
							     SCRIPTED };
			for (size_t j = 0; j < PACKAGES; j++)
				files[n++] = packages[j];
			repository_hold(forms[i].file,
					lens[k] <= 1000 ? "p/a p/b " : "p/a ",
					files, true);
			free(text);
		}
}

/* Patterns that would take minutes: both probes give up at the same package. */
static void the_probes_give_up_at_the_same_place(void)
{
	struct buf b = { 0 };
	struct probe_file files[PACKAGES + 2] = { 0 };
	char *node, *build;

	buf_text(&b, "{\"workspaces\":[\"**\"");
	for (int i = 0; i < 900; i++) {
		buf_text(&b, ",\"!{");
		for (int k = 0; k < 200; k++)
			buf_text(&b, "*z,");
		buf_text(&b, "y}\"");
	}
	buf_text(&b, "]}");
	files[0] = (struct probe_file){ "package.json", b.bytes };
	memcpy(files + 1, packages, sizeof packages);
	node = probe_files("node_manifest", node_manifest_run, files);
	build = probe_files("node_build_system", node_build_system_run, files);
	ok_json(node, "/errors/ANY/code", "\"workspace_work\"");
	ok_json(build, "/errors/ANY/code", "\"workspace_work\"");
	/* Their order is other, p/a, and nothing after that. */
	ok_json(node, "/slice/packages/ANY",
		"{\"path\":\"other\",\"name\":null,\"version\":null,"
		"\"role\":\"workspace\"}");
	ok_no_json(node, "{\"path\":\"p/b\"}");
	ok_json(build, "/slice/workspaces/packages/ANY", "\"other\"");
	ok_no_json(build, "\"p/b\"");
	free(node);
	free(build);
	buf_done(&b);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_probes_agree_on_every_repository),
		CASE(the_probes_agree_on_how_many_patterns_there_may_be),
		CASE(the_probes_give_up_at_the_same_place), TAP_END });
}
