/* build_manager.c -- collects every claim about the package manager, and
 * decides.
 *
 * Sources: npm "package.json" (packageManager, devEngines, engines), Corepack's
 * README ("name@version+hash"), docs.volta.sh. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "parsers/builds/build_system.h"
#include "parsers/common/address_clean.h"

#define EVIDENCE_BYTES ((size_t)64 << 10) /* of the slice */
#define VERSION_BYTES  ((size_t)256)

static const char *const kind_names[] = {
	[CLAIM_PACKAGE_MANAGER] = "packageManager",
	[CLAIM_DEV_ENGINES] = "devEngines",
	[CLAIM_RUSH] = "rush",
	[CLAIM_VOLTA] = "volta",
	[CLAIM_YARN_PATH] = "yarnPath",
	[CLAIM_LOCKFILE] = "lockfile",
	[CLAIM_WORKSPACE_FILE] = "pnpm-workspace",
	[CLAIM_YARNRC] = "yarnrc",
	[CLAIM_TOOL_VERSIONS] = "tool-versions",
	[CLAIM_ENGINES] = "engines",
	[CLAIM_NPMRC] = "npmrc",
};
static_assert(sizeof kind_names / sizeof *kind_names == CLAIM_KIND_MAX_,
	      "a name for every kind");

/* With two lockfiles, the one whose manager is asked for by name comes
 * first. */
static const char *const managers[] = { "pnpm", "bun", "yarn", "npm" };
#define MANAGERS (sizeof managers / sizeof *managers)

static const char *manager_named(struct json_text name)
{
	for (size_t i = 0; i < MANAGERS; i++)
		if (text_is(name, managers[i]))
			return managers[i];
	return NULL;
}

static bool is_in_home(const struct build *b, const struct parse_input *in)
{
	const struct json_text *home = &b->project.home;

	return input_dir_len(in) == home->len &&
	       memcmp(in->name, home->bytes, home->len) == 0;
}

void build_claim_add(struct build *b, const struct claim *c)
{
	struct claim *to = &b->claims[b->claims_len];

	if (b->claims_len == CLAIMS_MAX || !is_in_home(b, c->in))
		return;
	for (size_t i = 0; i < b->claims_len; i++)
		if (b->claims[i].kind == c->kind && b->claims[i].in == c->in &&
		    strcmp(b->claims[i].manager, c->manager) == 0)
			return; /* the first says it */
	*to = *c;
	if (to->version.len > VERSION_BYTES) {
		report_note(&b->report->warnings, "bad_package_manager", c->in,
			    -1, "a version longer than 256 bytes is ignored");
		to->version = (struct json_text){ NULL, 0 };
	}
	if (to->flavour == YARN_UNKNOWN && strcmp(to->manager, "yarn") == 0)
		to->flavour = build_flavour_of(to->version);
	b->claims_len++;
}

/* "pnpm@8.6.0+sha256.abc": the hash is no part of the version. */
static void package_manager_read(struct build *b, const struct manifest *m)
{
	const struct json_value *v = json_find(&m->tree, "packageManager");
	struct claim c = { .kind = CLAIM_PACKAGE_MANAGER, .in = m->in };
	struct json_text text = parse_text(v, m->in, b->report);
	const char *wanted = NULL;

	if (v == NULL)
		return;
	b->declared = text;
	c.manager = manager_named(text_cut(text, '@', &c.version));
	if (c.manager == NULL)
		wanted =
			"expected npm, pnpm, yarn or bun, then @ and a version";
	else if (c.version.bytes == NULL || c.version.len == 0)
		wanted = "expected @ and a version after the name";
	if (wanted != NULL)
		report_note(&b->report->warnings, "bad_package_manager", m->in,
			    (int64_t)v->offset, wanted);
	if (c.manager == NULL)
		return;
	if (text_has(c.version, "://"))
		c.version = (struct json_text){ NULL, 0 };
	else
		c.version = text_cut(c.version, '+', NULL);
	if (c.version.len == 0)
		c.version.bytes = NULL;
	build_claim_add(b, &c);
}

static void dev_engines_read(struct build *b, const struct manifest *m,
			     const struct json_value *v)
{
	struct claim c = { .kind = CLAIM_DEV_ENGINES, .in = m->in };

	if (v != NULL && v->type == JSON_ARRAY) {
		for (size_t i = 0; i < v->u.array.len; i++)
			if (v->u.array.items[i].type == JSON_OBJECT)
				dev_engines_read(b, m, &v->u.array.items[i]);
		return;
	}
	c.manager = manager_named(
		parse_text(json_find(v, "name"), m->in, b->report));
	c.version = parse_text(json_find(v, "version"), m->in, b->report);
	if (c.manager != NULL)
		build_claim_add(b, &c);
}

/* {"pnpm": "8"}: a name of a manager in an object of names and versions. */
static void versions_read(struct build *b, const struct manifest *m,
			  const char *key, enum claim_kind kind)
{
	const struct json_value *from = json_find(&m->tree, key);

	for (size_t i = 0; i < MANAGERS; i++) {
		struct claim c = { .manager = managers[i],
				   .kind = kind,
				   .in = m->in };

		c.version = parse_text(json_find(from, managers[i]), m->in,
				       b->report);
		/* "please-use-yarn" forbids it. */
		if (c.version.bytes == NULL || text_has(c.version, "use"))
			continue;
		build_claim_add(b, &c);
	}
}

/* rush.json: "pnpmVersion", "npmVersion" or "yarnVersion". */
static void rush_read(struct build *b)
{
	const struct project *p = &b->project;

	for (size_t i = 0; i < MANAGERS && p->declared.rush != NULL; i++) {
		struct claim c = { .manager = managers[i],
				   .kind = CLAIM_RUSH,
				   .in = p->declared.rush };
		char key[16];

		(void)snprintf(key, sizeof key, "%sVersion", managers[i]);
		c.version = parse_text(json_find(&p->declared.rush_tree, key),
				       p->declared.rush, b->report);
		if (c.version.bytes != NULL)
			build_claim_add(b, &c);
	}
}

/* The ones that could fill the list come last. */
void build_claims_read(struct build *b)
{
	const struct manifest *m = b->project.top;

	build_claims_read_files(b);
	rush_read(b);
	if (m == NULL)
		return;
	package_manager_read(b, m);
	versions_read(b, m, "volta", CLAIM_VOLTA);
	versions_read(b, m, "engines", CLAIM_ENGINES);
	dev_engines_read(
		b, m,
		json_find(json_find(&m->tree, "devEngines"), "packageManager"));
}

/* volta may pin both npm and yarn; then yarn is used. */
static size_t order_of(const struct claim *c)
{
	size_t manager = 0;

	while (strcmp(managers[manager], c->manager) != 0)
		manager++;
	return (size_t)c->kind * MANAGERS + manager;
}

const struct claim *build_manager_decided(struct build *b)
{
	const struct claim *best = NULL;

	for (size_t i = 0; i < b->claims_len; i++)
		if (best == NULL || order_of(&b->claims[i]) < order_of(best))
			best = &b->claims[i];
	return best;
}

static void note_against(struct build *b, const struct claim *best,
			 const struct claim *c)
{
	owned_buf struct buf text = { 0 };

	buf_format(&text, "%s by %s", best->manager, kind_names[best->kind]);
	if (strcmp(best->manager, c->manager) != 0)
		buf_format(&text, ", but %s by %s", c->manager,
			   kind_names[c->kind]);
	else
		buf_format(&text, ", but by %s it is another version",
			   kind_names[c->kind]);
	if (!buf_has_failed(&text))
		report_note(&b->report->warnings,
			    "package_manager_contradiction", c->in, -1,
			    text.bytes);
}

static bool is_exact(const struct claim *c)
{
	return c->version.len > 0 && c->version.bytes[0] >= '0' &&
	       c->version.bytes[0] <= '9' &&
	       (c->kind == CLAIM_PACKAGE_MANAGER || c->kind == CLAIM_YARN_PATH);
}

static bool is_against(const struct claim *best, const struct claim *c)
{
	if (c->kind >= CLAIM_ENGINES)
		return false;
	if (strcmp(best->manager, c->manager) != 0)
		/* volta may pin npm beside the manager that is used */
		return c->kind != CLAIM_VOLTA || strcmp(c->manager, "npm") != 0;
	if (best->flavour != YARN_UNKNOWN && c->flavour != YARN_UNKNOWN &&
	    best->flavour != c->flavour)
		return true;
	return is_exact(best) && is_exact(c) &&
	       text_order(best->version, c->version) != 0;
}

static void evidence_write(struct build *b, struct jsonw *w)
{
	struct slice_list list = { .key = "evidence" };

	for (size_t kind = 0; kind < CLAIM_KIND_MAX_; kind++)
		for (size_t i = 0; i < b->claims_len; i++) {
			const struct claim *c = &b->claims[i];
			struct jsonw *item;

			if (c->kind != kind)
				continue;
			item = slice_item(&list);
			jsonw_text(item, "name", c->manager);
			address_put(item, "version", c->version, ADDRESS_TEXT);
			jsonw_text(item, "kind", kind_names[c->kind]);
			source_write(item, "source", c->in);
			slice_item_end(&list);
		}
	slice_lists_write(&list, 1, EVIDENCE_BYTES, w, b->report);
	slice_lists_done(&list, 1);
}

/* The best claim of that manager that gives a version or a flavour. */
static const struct claim *claim_with(struct build *b, const char *manager,
				      bool flavour)
{
	const struct claim *best = NULL;

	for (size_t i = 0; i < b->claims_len; i++) {
		const struct claim *c = &b->claims[i];

		if (strcmp(c->manager, manager) == 0 &&
		    (flavour ? c->flavour != YARN_UNKNOWN
			     : c->version.bytes != NULL) &&
		    (best == NULL || c->kind < best->kind))
			best = c;
	}
	return best;
}

/* A package.json that names no manager is installed by npm, because npm comes
 * with node. */
static void inferred_write(struct build *b, struct jsonw *slice)
{
	const struct manifest *m = b->project.top;

	if (m == NULL || !input_is_own(m->in) || b->declared.bytes != NULL) {
		jsonw_null(slice, "package_manager");
		return;
	}
	jsonw_object(slice, "package_manager");
	jsonw_text(slice, "name", "npm");
	jsonw_null(slice, "version");
	jsonw_null(slice, "flavour");
	jsonw_null(slice, "declared");
	jsonw_bool(slice, "inferred", true);
	source_write(slice, "source", m->in);
	evidence_write(b, slice);
	jsonw_end_object(slice);
}

void build_manager_write(struct build *b, struct jsonw *slice)
{
	const struct claim *best = build_manager_decided(b);
	const struct claim *version, *flavour;

	/* An example's lockfile does not say what the project is built with. */
	if (best != NULL && !input_is_own(best->in)) {
		jsonw_null(slice, "package_manager");
		return;
	}
	if (best == NULL) {
		inferred_write(b, slice);
		return;
	}
	version = claim_with(b, best->manager, false);
	flavour = claim_with(b, best->manager, true);
	for (size_t i = 0; i < b->claims_len; i++)
		if (is_against(best, &b->claims[i]))
			note_against(b, best, &b->claims[i]);
	jsonw_object(slice, "package_manager");
	jsonw_text(slice, "name", best->manager);
	address_put(slice, "version",
		    version ? version->version : (struct json_text){ NULL, 0 },
		    ADDRESS_TEXT);
	jsonw_text_or_null(slice, "flavour",
			   flavour == NULL                    ? NULL
			   : flavour->flavour == YARN_CLASSIC ? "classic"
							      : "berry");
	address_put(slice, "declared", b->declared, ADDRESS_TEXT);
	jsonw_bool(slice, "inferred", false);
	source_write(slice, "source", best->in);
	evidence_write(b, slice);
	jsonw_end_object(slice);
}
