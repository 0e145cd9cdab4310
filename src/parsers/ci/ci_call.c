/* ci_call.c -- values that a workflow hands to an action or workflow of the same
 * repository, where that runs them.  See ci.h.
 *
 * An input is followed by its name: to commands, and on to steps that get it as
 * an input of their own.  Source: GitHub's workflow syntax,
 * "jobs.<job_id>.steps[*].with", and metadata syntax, "inputs". */
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "parsers/ci/ci.h"

#define DEPTH_MAX 4U                /* calls in calls */
#define MEMORY    ((size_t)8 << 20) /* of one file's tree */

/* One input on its way. */
struct call {
	struct ci_flow *f;
	const struct parse_input *target;
	struct json_text name, value;
	struct ci_found *found;
	const struct call *outer; /* who handed it on; NULL: the workflow */
	unsigned depth;
};

static bool is_runs(struct call *c, const struct yaml_node *doc);

/* --- the file that is called -------------------------------------------------- */

/* The input of that path, or NULL. */
static const struct parse_input *path_find(const struct ci *ci,
					   struct json_text path,
					   const char *file)
{
	struct json_text dir = path;

	if (file == NULL) {
		const char *slash = memrchr(path.bytes, '/', path.len);
		char base[CI_BASE_BYTES];
		size_t n;

		dir.len = slash != NULL ? (size_t)(slash - path.bytes) : 0;
		n = path.len - dir.len - (slash != NULL);
		if (slash == NULL || n >= sizeof base)
			return NULL;
		memcpy(base, slash + 1, n);
		base[n] = '\0';
		return input_find(ci->inputs, dir.bytes, dir.len, base);
	}
	return input_find(ci->inputs, dir.bytes, dir.len, file);
}

/* "./.github/actions/x", or "./checked-out/.github/actions/x" where another
 * step has put the repository into a directory. */
static const struct parse_input *target_find(const struct ci *ci,
					     struct json_text uses)
{
	static const char home[] = ".github/";
	const struct parse_input *in;
	const char *at;

	if (!text_begins(uses, "./"))
		return NULL;
	uses = text_from(uses, 2);
	while (text_ends(uses, "/"))
		uses.len--;
	at = uses.len > 0 ? memmem(uses.bytes, uses.len, home, sizeof home - 1)
			  : NULL;
	if (at != NULL)
		uses = text_from(uses, (size_t)(at - uses.bytes));
	if (text_ends(uses, ".yml") || text_ends(uses, ".yaml"))
		return path_find(ci, uses, NULL);
	in = path_find(ci, uses, "action.yml");
	return in != NULL ? in : path_find(ci, uses, "action.yaml");
}

/* The first document of the file, read once; NULL: it cannot be read. */
static const struct yaml_node *document_of(struct ci *ci,
					   const struct parse_input *in)
{
	struct yaml_caps caps = { .memory_bytes = MEMORY, .documents = 1 };
	struct yaml_documents docs = { 0 };
	struct ci_called *called;

	for (size_t i = 0; i < ci->called_len; i++)
		if (ci->called[i].in == in)
			return ci->called[i].doc;
	if (in->is_name_only)
		return NULL;
	if (ci->called_len == CI_CALLED_MAX) {
		ci_tell(ci, in, CI_TOLD_CALLED, -1);
		return NULL;
	}
	called = &ci->called[ci->called_len++];
	called->in = in;
	ci_yaml_read(ci, in, &caps, &called->arena, &docs);
	if (docs.len > 0 && docs.items[0]->type == YAML_MAPPING)
		called->doc = docs.items[0];
	return called->doc;
}

void ci_calls_done(struct ci *ci)
{
	for (size_t i = 0; i < ci->called_len; i++)
		arena_done(&ci->called[i].arena);
	ci->called_len = 0;
}

/* --- expressions -------------------------------------------------------------- */

/* Whether the expression is the input, or the input with a default:
 * "inputs.x", "inputs.x || 'y'". */
static bool is_input(const struct call *c, struct json_text expression)
{
	static const char prefix[] = "inputs.";
	struct json_text rest = text_trim(expression);
	struct json_text word = text_word(&rest);

	rest = text_trim(rest);
	return text_begins(word, prefix) &&
	       word.len == sizeof prefix - 1 + c->name.len &&
	       strncasecmp(word.bytes + sizeof prefix - 1, c->name.bytes,
			   c->name.len) == 0 &&
	       (rest.len == 0 || text_begins(rest, "||"));
}

/* The text with the value where the input stands.  Returns whether it stands
 * there, and out has not failed. */
static bool expand(const struct call *c, struct json_text t, struct buf *out)
{
	bool is_there = false;

	while (t.len > 0) {
		const char *open = memmem(t.bytes, t.len, "${{", 3);
		size_t before = open != NULL ? (size_t)(open - t.bytes) : t.len;
		struct json_text behind = text_from(t, before + 3);
		const char *close =
			open != NULL && behind.len > 0
				? memmem(behind.bytes, behind.len, "}}", 2)
				: NULL;
		size_t len = close != NULL ? (size_t)(close - behind.bytes) : 0;

		buf_add(out, t.bytes, before);
		if (close == NULL) {
			if (open != NULL)
				buf_add(out, open, t.len - before);
			break;
		}
		if (is_input(c, (struct json_text){ behind.bytes, len })) {
			buf_add(out, c->value.bytes, c->value.len);
			is_there = true;
		} else {
			buf_add(out, open, len + 5);
		}
		t = text_from(behind, len + 2);
	}
	c->f->ci->script_work += out->len / 4 + 1;
	return is_there && !buf_has_failed(out);
}

/* --- what becomes of it ------------------------------------------------------- */

/* Whether a script with the input in it tests something, and does not without
 * it. */
static bool is_script_test(struct call *c, struct json_text script)
{
	owned_buf struct buf with = { .cap_bytes = CI_LINE_BYTES };
	struct json_text rest;
	struct call without = *c;
	bool is_test = false;

	without.value.len = 0;
	for (unsigned round = 0; round < 2; round++) {
		with.len = 0;
		if (!expand(round == 0 ? &without : c, script, &with))
			return false;
		is_test = false;
		rest = (struct json_text){ with.bytes, with.len };
		while (rest.bytes != NULL && !is_test) {
			struct json_text line = text_cut(rest, '\n', &rest);

			ci_command_find(c->f->ci->table, line.bytes, line.len,
					c->found);
			c->f->ci->script_work += c->found->work;
			is_test = c->found->tests_len > 0;
		}
		if (round == 0 && is_test)
			return false;
	}
	return is_test;
}

/* Whether the step is a test because of its input `key`. */
static bool is_step_test(struct call *c, struct json_text uses,
			 struct json_text key, struct json_text value)
{
	struct ci_step step;

	for (size_t at = 0; ci_step_find(c->f->ci->table, uses, at, &step);
	     at++) {
		struct json_text input = ci_step_input(&step);

		c->f->ci->script_work += value.len * CI_STEP_WORK;
		if (step.kind != CI_STEP_TEST || input.len != key.len ||
		    input.len == 0 ||
		    strncasecmp(input.bytes, key.bytes, key.len) != 0 ||
		    !ci_step_fits(&step, value))
			continue;
		c->found->tests[0] = step.name;
		c->found->tests_len = 1;
		return true;
	}
	return false;
}

/* Whether a file that is called hands the input on to itself. */
static bool is_in_itself(const struct call *c)
{
	for (const struct call *o = c->outer; o != NULL; o = o->outer)
		if (o->target == c->target &&
		    text_order(o->name, c->name) == 0 &&
		    text_order(o->value, c->value) == 0)
			return true;
	return false;
}

/* A step or job that gets the input as one of its own. */
static bool is_handed_on(struct call *c, const struct yaml_node *step)
{
	const struct yaml_node *with = yaml_find(step, "with");
	const struct yaml_node *uses = yaml_find(step, "uses");

	if (with == NULL || with->type != YAML_MAPPING || uses == NULL ||
	    uses->type != YAML_SCALAR)
		return false;
	for (size_t i = 0; i < with->u.mapping.len; i++) {
		const struct yaml_pair *p = &with->u.mapping.pairs[i];
		owned_buf struct buf value = { .cap_bytes = CI_LINE_BYTES };
		struct call inner = *c;

		if (p->key->type != YAML_SCALAR ||
		    p->value->type != YAML_SCALAR ||
		    !expand(c, p->value->u.text, &value))
			continue;
		inner.name = p->key->u.text;
		inner.value = (struct json_text){ value.bytes, value.len };
		inner.target = target_find(c->f->ci, uses->u.text);
		inner.outer = c;
		inner.depth++;
		if (is_step_test(c, uses->u.text, inner.name, inner.value))
			return true;
		if (inner.target == NULL || is_in_itself(&inner))
			continue;
		if (inner.depth == DEPTH_MAX)
			ci_tell(c->f->ci, inner.target, CI_TOLD_CALLED, -1);
		else if (is_runs(&inner, document_of(c->f->ci, inner.target)))
			return true;
	}
	return false;
}

static bool is_steps_test(struct call *c, const struct yaml_node *steps)
{
	if (steps == NULL || steps->type != YAML_SEQUENCE)
		return false;
	for (size_t i = 0;
	     i < steps->u.sequence.len && ci_flow_may_go_on(c->f, 0); i++) {
		const struct yaml_node *step = steps->u.sequence.items[i];
		const struct yaml_node *run = yaml_find(step, "run");

		if ((run != NULL && run->type == YAML_SCALAR &&
		     is_script_test(c, run->u.text)) ||
		    is_handed_on(c, step))
			return true;
	}
	return false;
}

/* Whether the action or workflow tests something with the input. */
static bool is_runs(struct call *c, const struct yaml_node *doc)
{
	const struct yaml_node *jobs = yaml_find(doc, "jobs");

	if (is_steps_test(c, yaml_find(yaml_find(doc, "runs"), "steps")))
		return true;
	if (jobs == NULL || jobs->type != YAML_MAPPING)
		return false;
	for (size_t i = 0; i < jobs->u.mapping.len; i++) {
		const struct yaml_node *job = jobs->u.mapping.pairs[i].value;

		if (is_steps_test(c, yaml_find(job, "steps")) ||
		    is_handed_on(c, job))
			return true;
	}
	return false;
}

void ci_flow_call(struct ci_flow *f, const struct yaml_node *uses,
		  const struct yaml_node *with)
{
	struct json_text name = ci_text(f, uses);
	struct ci_found found;
	struct call c = { .f = f, .found = &found };

	if (name.bytes == NULL || with == NULL || with->type != YAML_MAPPING)
		return;
	c.target = target_find(f->ci, name);
	if (c.target == NULL || c.target == f->in)
		return;
	for (size_t i = 0; i < with->u.mapping.len; i++) {
		const struct yaml_pair *p = &with->u.mapping.pairs[i];

		if (p->key->type != YAML_SCALAR ||
		    p->value->type != YAML_SCALAR ||
		    !ci_flow_may_go_on(f, p->value->offset))
			continue;
		c.name = p->key->u.text;
		c.value = p->value->u.text;
		if (is_runs(&c, document_of(f->ci, c.target)))
			ci_flow_test(f, c.value, name,
				     ci_flow_line(f, p->value->offset), &found);
	}
}
