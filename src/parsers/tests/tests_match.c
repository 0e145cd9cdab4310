/* tests_match.c -- which files jest takes for tests where its configuration says
 * so with "testMatch".
 *
 * Source: jest's page "Configuring Jest", and micromatch, whose patterns these
 * are.  What is not sure takes every file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "parsers/tests/tests.h"
#include "parsers/tests/tests_token.h"

#define GLOBS_MAX  16U   /* of one configuration */
#define GLOBS_ALL  1000U /* of all of them */
#define GLOB_BYTES 256U
/* Of bytes of a pattern times bytes of a path, over every file: a second. */
#define MATCH_WORK ((uint64_t)1 << 30)

/* Members with which other files are tests, or other directories are meant. */
static const char others[] = "testRegex projects rootDir";
/* Words of a configuration that may get more from elsewhere. */
static const char sources[] = "preset require import from";

struct tests_glob {
	struct json_text text;
	bool negates, is_anywhere;
};

/* One more pattern of a configuration, as it is written. */
static int glob_add(struct inventory *inv, struct tests_match *m,
		    struct json_text t)
{
	char out[2 * GLOB_BYTES];
	struct tests_glob *g;
	size_t len;

	if (m->globs == NULL)
		m->globs = arena_array(&inv->project.arena, GLOBS_MAX,
				       sizeof *m->globs);
	if (m->globs == NULL)
		return -ENOMEM;
	if (m->len == GLOBS_MAX || inv->globs == GLOBS_ALL) {
		m->is_open = true;
		return 0;
	}
	g = &m->globs[m->len];
	g->negates = text_begins(t, "!");
	t = text_from(t, g->negates);
	g->is_anywhere = text_begins(t, "**/");
	if (text_begins(t, "<rootDir>/"))
		t = text_from(t, sizeof "<rootDir>/" - 1);
	len = t.len <= GLOB_BYTES ? tests_glob_translate(t, out) : 0;
	g->text.bytes = arena_copy(&inv->project.arena, out, len);
	g->text.len = len;
	if (g->text.bytes == NULL)
		return -ENOMEM;
	m->is_open = m->is_open || len == 0;
	m->len++;
	inv->globs++;
	return 0;
}

/* The member "jest" of a package.json. */
static int member_read(struct inventory *inv, struct tests_match *m,
		       const struct json_value *jest)
{
	const struct json_value *globs = json_find(jest, "testMatch");
	int e = 0;

	m->configs++;
	m->is_open |= jest->type != JSON_OBJECT;
	for (size_t i = 0; !m->is_open && i < jest->u.object.len; i++) {
		m->is_open |= text_in(jest->u.object.members[i].name, others);
		m->is_derived |=
			text_in(jest->u.object.members[i].name, sources);
	}
	if (globs == NULL)
		return 0;
	m->is_open |= globs->type != JSON_ARRAY;
	for (size_t i = 0; e == 0 && !m->is_open && i < globs->u.array.len;
	     i++) {
		const struct json_value *v = &globs->u.array.items[i];

		if (v->type == JSON_STRING)
			e = glob_add(inv, m, v->u.string);
		else
			m->is_open = true;
	}
	return e;
}

static bool is_sign(struct token t, char c)
{
	return t.kind == TOKEN_SIGN && t.sign == c;
}

/* What follows "testMatch": a list of strings, or something that is not known. */
static int list_read(struct inventory *inv, struct tests_match *m,
		     struct tokens *t)
{
	struct token token;
	int e = 0;

	m->is_open |= m->len > 0 || !is_sign(tests_token_next(t), ':') ||
		      !is_sign(tests_token_next(t), '[');
	while (e == 0 && !m->is_open) {
		token = tests_token_next(t);
		if (is_sign(token, ']'))
			break;
		if (token.kind == TOKEN_STRING)
			e = glob_add(inv, m, token.text);
		else
			m->is_open |= !is_sign(token, ',');
	}
	return e;
}

/* A jest.config.js and its kin, as far as its words say it. */
static int config_read(struct inventory *inv, struct tests_match *m,
		       const struct parse_input *in)
{
	struct tokens t = tests_tokens_of(in->bytes, in->len);
	struct token token, before = { 0 };
	int e = 0;

	m->configs++;
	m->is_open |= in->is_name_only;
	while (e == 0 && !m->is_open && !in->is_name_only) {
		token = tests_token_next(&t);
		if (token.kind == TOKEN_END)
			break;
		m->is_derived |= is_sign(token, '.') && is_sign(before, '.');
		before = token;
		if (token.kind != TOKEN_NAME && token.kind != TOKEN_STRING)
			continue;
		m->is_open |= text_in(token.text, others);
		m->is_derived |= text_in(token.text, sources);
		if (text_is(token.text, "testMatch"))
			e = list_read(inv, m, &t);
	}
	return e;
}

static bool has_one(struct json_text t, const char *const words[])
{
	for (; *words != NULL; words++)
		if (text_has(t, *words))
			return true;
	return false;
}

/* A script may run jest with a configuration that is not known here, or with
 * patterns of its own. */
static void scripts_look(struct tests_match *match, const struct manifest *m)
{
	static const char *const configs[] = { " --config", " -c ",
					       " --rootDir", " --projects",
					       NULL };
	static const char *const patterns[] = { " --testMatch", " --testRegex",
						NULL };
	const struct json_value *scripts = json_find(&m->tree, "scripts");
	const struct tools jest = { &tests_framework_tools[FRAMEWORK_JEST], 1 };

	if (scripts == NULL || scripts->type != JSON_OBJECT)
		return;
	for (size_t i = 0; i < scripts->u.object.len; i++) {
		const struct json_value *v =
			&scripts->u.object.members[i].value;

		if (v->type != JSON_STRING || !text_has(v->u.string, "jest"))
			continue;
		match->is_open |= has_one(v->u.string, configs);
		match->is_derived |= has_one(v->u.string, patterns);
		match->is_run |=
			project_tools_in_command(&jest, v->u.string) != 0;
	}
}

struct json_text tests_dir_above(struct json_text dir)
{
	const char *slash =
		dir.len > 0 ? memrchr(dir.bytes, '/', dir.len) : NULL;

	return text_first(dir, slash ? (size_t)(slash - dir.bytes) : 0);
}

/* The nearest package.json in dir or above it, or NULL. */
static const struct manifest *manifest_above(const struct project *p,
					     struct json_text dir)
{
	const struct manifest *m = project_manifest_in(p, dir.bytes, dir.len);

	for (unsigned i = 0; m == NULL && dir.len > 0 && i < TESTS_CLIMB; i++) {
		dir = tests_dir_above(dir);
		m = project_manifest_in(p, dir.bytes, dir.len);
	}
	return m;
}

/* A configuration counts for the package.json beside it.  One that lies elsewhere
 * is for some of the tests of the package around it. */
static int file_look(struct inventory *inv, const struct parse_input *in)
{
	const struct project *p = &inv->project;
	const struct json_text dir = { in->name, input_dir_len(in) };
	const struct manifest *m;
	struct tests_match *match;
	struct json_text base;

	base.bytes = input_base(in, &base.len);
	if (!input_is_own(in) || input_is_installed(in) ||
	    !project_tool_fits_config(&tests_framework_tools[FRAMEWORK_JEST],
				      base))
		return 0;
	m = manifest_above(p, dir);
	if (m == NULL)
		return 0;
	match = &inv->matches[m - p->manifests];
	if (input_dir_len(m->in) == dir.len)
		return config_read(inv, match, in);
	match->is_open = true;
	return 0;
}

int tests_matches_read(struct inventory *inv)
{
	const struct project *p = &inv->project;
	int e = 0;

	inv->matches = calloc(p->manifests_len + 1, sizeof *inv->matches);
	if (inv->matches == NULL)
		return -ENOMEM;
	for (size_t i = 0; e == 0 && i < p->manifests_len; i++) {
		const struct manifest *m = &p->manifests[i];
		const struct json_value *jest = json_find(&m->tree, "jest");

		if (!input_is_own(m->in))
			continue;
		scripts_look(&inv->matches[i], m);
		if (jest != NULL)
			e = member_read(inv, &inv->matches[i], jest);
	}
	for (size_t i = 0; e == 0 && i < p->inputs->len; i++)
		e = file_look(inv, &p->inputs->items[i]);
	return e;
}

/* What a match may cost at most, in bytes compared. */
static uint64_t match_cost(struct json_text glob, size_t path_len)
{
	uint64_t alternatives = 1;

	for (size_t i = 0; i < glob.len && alternatives < GLOB_ALTERNATIVES;
	     i++)
		alternatives <<= glob.bytes[i] == ',';
	return (glob.len + 1) * (path_len + 1) * alternatives;
}

/* Without work left every file is taken, and that is told once. */
static bool is_spent(struct inventory *inv, uint64_t cost)
{
	const bool was_spent = inv->match_work > MATCH_WORK;

	inv->match_work += was_spent ? 0 : cost;
	if (inv->match_work <= MATCH_WORK)
		return false;
	if (!was_spent)
		report_note(&inv->report->warnings, "truncated", NULL, -1,
			    "files: there are too many for the patterns of "
			    "jest's, the rest is taken for tests");
	return true;
}

/* As jest has it, the last pattern that fits decides. */
static enum tests_match_kind globs_ask(struct inventory *inv,
				       const struct tests_match *m,
				       struct json_text path,
				       struct json_text below)
{
	bool has_plain = false, is_in = true;

	for (size_t i = 0; i < m->len; i++)
		has_plain |= !m->globs[i].negates;
	is_in = !has_plain;
	for (size_t i = 0; i < m->len; i++) {
		const struct tests_glob *g = &m->globs[i];
		const struct json_text t = g->is_anywhere ? path : below;

		if (is_spent(inv, match_cost(g->text, t.len)))
			return TESTS_MATCH_OPEN;
		if (glob_match(g->text.bytes, g->text.len, t.bytes, t.len))
			is_in = !g->negates;
	}
	return is_in ? TESTS_MATCH_IN : TESTS_MATCH_OUT;
}

/* What jest takes where it is told nothing.  A file of __tests__ may be a helper all
 * the same, if it holds no tests. */
static enum tests_match_kind default_ask(const struct tests_match *m,
					 const struct parse_input *in)
{
	const struct json_text path = { in->name, in->name_len };
	struct json_text stem;

	stem.bytes = input_base(in, &stem.len);
	while (stem.len > 0 && stem.bytes[--stem.len] != '.')
		;
	if (m->configs > 1 || m->is_derived || !m->is_run ||
	    text_begins(path, "__tests__/") || text_has(path, "/__tests__/") ||
	    text_in(stem, "test spec") || text_ends(stem, ".test") ||
	    text_ends(stem, ".spec"))
		return TESTS_MATCH_OPEN;
	return TESTS_MATCH_OUT;
}

enum tests_match_kind tests_match_of(struct inventory *inv,
				     const struct parse_input *in)
{
	const struct json_text path = { in->name, in->name_len };
	const struct project *p = &inv->project;
	struct json_text dir = { in->name, input_dir_len(in) };

	for (unsigned i = 0; i < TESTS_CLIMB; i++) {
		const struct manifest *m = manifest_above(p, dir);
		const struct tests_match *match;
		size_t from;

		if (m == NULL)
			break;
		match = &inv->matches[m - p->manifests];
		dir.len = input_dir_len(m->in);
		from = dir.len + (dir.len > 0);
		if (match->is_open || match->configs > 1)
			break;
		if (match->len > 0)
			return globs_ask(inv, match, path,
					 text_from(path, from));
		if (match->configs > 0 || dir.len == 0 ||
		    (inv->declared[m - p->manifests] & BIT(FRAMEWORK_JEST)) !=
			    0)
			return default_ask(match, in);
		dir = tests_dir_above(dir);
	}
	return TESTS_MATCH_OPEN;
}
