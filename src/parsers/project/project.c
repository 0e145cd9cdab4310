/* project.c -- see project.h. */
#include "parsers/project/project.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The files that mark a directory as a project's. */
static const char home_marks[] =
	"package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml "
	"yarn.lock bun.lock bun.lockb pnpm-workspace.yaml lerna.json rush.json";

size_t project_memory(const struct project *p)
{
	return p->arena.used < PROJECT_TREES_BYTES
		       ? PROJECT_TREES_BYTES - p->arena.used
		       : 1;
}

const struct parse_input *project_find(const struct project *p,
				       const char *base)
{
	return input_find(p->inputs, p->home.bytes, p->home.len, base);
}

static size_t depth_of(const struct parse_input *in)
{
	size_t depth = 0;

	for (size_t i = 0; i < in->name_len; i++)
		depth += in->name[i] == '/';
	return depth;
}

/* The shallowest input that makes a home; of_others: also of fixtures. */
static const struct parse_input *home_find(const struct project *p,
					   bool of_others)
{
	const struct parse_input *best = NULL;
	size_t best_depth = 0;

	for (size_t i = 0; i < p->inputs->len; i++) {
		const struct parse_input *in = &p->inputs->items[i];
		struct json_text base;
		size_t depth;

		base.bytes = input_base(in, &base.len);
		if (!text_in(base, home_marks) || input_is_installed(in) ||
		    (!of_others && !input_is_own(in)))
			continue;
		depth = depth_of(in);
		if (best == NULL || depth < best_depth) {
			best = in;
			best_depth = depth;
		}
	}
	return best;
}

/* If only fixtures and examples have one, they are used. */
static void home_choose(struct project *p)
{
	const struct parse_input *best = home_find(p, false);

	if (best == NULL)
		best = home_find(p, true);
	p->home = (struct json_text){ "", 0 };
	if (best != NULL)
		p->home = (struct json_text){ best->name, input_dir_len(best) };
}

static bool is_home(const struct project *p, const struct parse_input *in)
{
	return input_dir_len(in) == p->home.len &&
	       memcmp(in->name, p->home.bytes, p->home.len) == 0;
}

static void manifest_read(struct project *p, const struct parse_input *in)
{
	struct manifest *m = &p->manifests[p->manifests_len];
	size_t left = p->arena.used < PROJECT_MANIFESTS_BYTES
			      ? PROJECT_MANIFESTS_BYTES - p->arena.used
			      : 1;

	*m = (struct manifest){ .in = in, .role = MANIFEST_STANDALONE };
	if (parse_json(in, &p->arena, left, &m->tree, p->report) < 0)
		return;
	m->name = project_manifest_text(p, m, "name");
	if (is_home(p, in))
		p->top = m;
	if (m->name.bytes != NULL)
		p->named[p->named_len++] = m;
	p->manifests_len++;
}

static int name_order(const void *x, const void *y)
{
	const struct manifest *a = *(struct manifest *const *)x;
	const struct manifest *b = *(struct manifest *const *)y;
	int c = text_order(a->name, b->name);

	return c != 0 ? c : (a > b) - (a < b);
}

static int manifests_read(struct project *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->inputs->len; i++)
		n += input_base_is(&p->inputs->items[i], "package.json") != 0;
	p->manifests = calloc(n + 1, sizeof *p->manifests);
	p->named = calloc(n + 1, sizeof(struct manifest *));
	if (p->manifests == NULL || p->named == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < p->inputs->len; i++) {
		const struct parse_input *in = &p->inputs->items[i];

		if (input_base_is(in, "package.json") &&
		    !input_is_installed(in) && !in->is_name_only)
			manifest_read(p, in);
	}
	if (p->named_len > 0)
		qsort(p->named, p->named_len, sizeof *p->named, name_order);
	return 0;
}

int project_read(const struct parse_inputs *in, struct parse_report *r,
		 struct project *ret)
{
	int e = role_inputs_open(in, ROLE_OF_SOURCE, &ret->own);

	if (e < 0)
		return e;
	ret->inputs = &ret->own.inputs;
	ret->report = r;
	r->version = PROJECT_PROBES_VERSION;
	home_choose(ret);
	e = manifests_read(ret);
	return e < 0 ? e : project_roles_decide(ret);
}

void project_done(struct project *p)
{
	free(p->manifests);
	free(p->named);
	project_declared_done(&p->declared);
	arena_done(&p->arena);
	role_inputs_done(&p->own);
}

const struct manifest *project_manifest_next(const struct project *p,
					     const struct manifest *m)
{
	const struct manifest *end = p->manifests + p->manifests_len;

	if (m == NULL && p->top != NULL)
		return p->top;
	m = m == NULL || m == p->top ? p->manifests : m + 1;
	while (m < end &&
	       (!m->is_listed || !input_is_own(m->in) || m == p->top))
		m++;
	return m < end ? m : NULL;
}

struct manifest *project_manifest_in(const struct project *p, const char *dir,
				     size_t dir_len)
{
	const struct parse_input *in =
		input_find(p->inputs, dir, dir_len, "package.json");
	size_t from = 0, to = p->manifests_len;

	/* Manifests stand in the order of their inputs. */
	while (in != NULL && from < to) {
		size_t mid = from + (to - from) / 2;

		if (p->manifests[mid].in == in)
			return &p->manifests[mid];
		if (p->manifests[mid].in < in)
			from = mid + 1;
		else
			to = mid;
	}
	return NULL;
}

/* Returns -1 for before everything in dir and below it, 0 for there, 1 for
 * behind. */
static int below_compare(const struct manifest *m, struct json_text dir)
{
	size_t len = m->in->name_len < dir.len ? m->in->name_len : dir.len;
	int c = len > 0 ? memcmp(m->in->name, dir.bytes, len) : 0;

	if (c != 0 || dir.len == 0)
		return c;
	if (m->in->name_len <= dir.len)
		return -1;
	return ((unsigned char)m->in->name[dir.len] > '/') -
	       ((unsigned char)m->in->name[dir.len] < '/');
}

/* The first manifest that is not before (want 0) or behind (1) those. */
static size_t below_bound(const struct project *p, struct json_text dir,
			  int want)
{
	size_t from = 0, to = p->manifests_len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (below_compare(&p->manifests[mid], dir) < want)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

size_t project_manifests_below(const struct project *p, struct json_text dir,
			       size_t *ret_from)
{
	*ret_from = below_bound(p, dir, 0);
	return below_bound(p, dir, 1) - *ret_from;
}

const struct manifest *project_manifest_named(const struct project *p,
					      struct json_text name)
{
	size_t from = 0, to = p->named_len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (text_order(p->named[mid]->name, name) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	if (from == p->named_len || text_order(p->named[from]->name, name) != 0)
		return NULL;
	return p->named[from];
}

struct json_text project_manifest_text(const struct project *p,
				       const struct manifest *m,
				       const char *key)
{
	return parse_text(json_find(&m->tree, key), m->in, p->report);
}

bool project_manifest_depends(const struct project *p, const struct manifest *m,
			      const char *package, struct json_text *ret)
{
	static const char *const sections[] = { "dependencies",
						"devDependencies",
						"optionalDependencies" };

	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		const struct json_value *v =
			json_find(json_find(&m->tree, sections[i]), package);

		if (v == NULL)
			continue;
		*ret = parse_text(v, m->in, p->report);
		return true;
	}
	return false;
}
