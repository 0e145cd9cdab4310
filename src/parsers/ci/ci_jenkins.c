/* ci_jenkins.c -- a Jenkinsfile by its words: stages, agents, shell steps.
 *
 * Nothing of Groovy is understood but quotes, comments and braces.  A stage
 * stands for a job.  Source: Jenkins' pipeline syntax. */
#include <string.h>

#include "parsers/ci/ci.h"
#include "parsers/ci/ci_build.h"
#include "parsers/ci/ci_groovy.h"

#define OPEN_STAGES 32U /* stages within stages that are told apart */
#define AHEAD       16U /* tokens looked at for an argument */

struct jenkins {
	struct ci_flow *flow;
	struct groovy at;
	size_t depth;          /* of braces */
	size_t triggers_depth; /* of the triggers block's inside, or 0 */
	bool is_triggers;      /* the next brace opens one */
	struct {
		struct json_text name;
		size_t depth; /* of its inside */
	} stages[OPEN_STAGES];
	size_t stages_len;
	struct json_text pending; /* a stage whose brace is still to come */
};

static bool is_mark(const struct groovy_token *t, char c)
{
	return t->kind == GROOVY_MARK && t->text.bytes[0] == c;
}

static bool is_word(const struct groovy_token *t, const char *word)
{
	return t->kind == GROOVY_WORD && text_is(t->text, word);
}

/* Read the next token of g ahead.  Its bytes will be read again, so this counts
 * as work. */
static struct groovy_token ahead_next(const struct jenkins *j, struct groovy *g)
{
	const char *from = g->at;
	struct groovy_token t = ci_groovy_next(g);

	j->flow->ci->script_work += 1 + (size_t)(g->at - from) / 8;
	return t;
}

/* The text of a step's only argument, or of the one named so:
 * sh 'x', sh('x'), sh(script: 'x', returnStatus: true), sh script: 'x'
 *
 * @ret_is_cut	set if it may stand behind AHEAD tokens */
static struct json_text argument(const struct jenkins *j, const char *named,
				 bool *ret_is_cut)
{
	struct groovy g = j->at;
	struct groovy_token t = ahead_next(j, &g);
	struct json_text none = { NULL, 0 };
	bool in_brackets = is_mark(&t, '(');

	if (in_brackets)
		t = ahead_next(j, &g);
	while (in_brackets && is_mark(&t, '\n'))
		t = ahead_next(j, &g);
	if (t.kind == GROOVY_TEXT)
		return t.text;
	for (unsigned i = 0; t.kind != GROOVY_END; i++) {
		bool is_it = is_word(&t, named);

		if (i == AHEAD) {
			*ret_is_cut = in_brackets;
			break;
		}
		if (is_mark(&t, '{') || is_mark(&t, '}') || is_mark(&t, ')') ||
		    (is_mark(&t, '\n') && !in_brackets))
			break;
		t = ahead_next(j, &g);
		if (!is_it || !is_mark(&t, ':'))
			continue;
		t = ahead_next(j, &g);
		return t.kind == GROOVY_TEXT ? t.text : none;
	}
	return none;
}

/* The same when it is a value, which must not be longer than strings are. */
static struct json_text argument_value(const struct jenkins *j,
				       const char *named)
{
	bool is_cut;
	struct json_text t = argument(j, named, &is_cut);

	if (t.bytes == NULL || t.len <= PARSE_STRING_BYTES)
		return t;
	ci_flow_tell(j->flow, CI_TOLD_STRING, t.bytes - j->flow->in->bytes);
	return (struct json_text){ NULL, 0 };
}

static size_t line_of(const struct jenkins *j, struct json_text t)
{
	return ci_flow_line(j->flow, (size_t)(t.bytes - j->flow->in->bytes));
}

static void script_take(struct jenkins *j)
{
	bool is_cut = false;
	struct json_text script = argument(j, "script", &is_cut);
	struct ci_origin from = { .is_literal = true };

	if (is_cut)
		ci_flow_tell(j->flow, CI_TOLD_LONG,
			     j->at.at - j->flow->in->bytes);
	if (script.bytes == NULL)
		return;
	from.offset = (size_t)(script.bytes - j->flow->in->bytes);
	ci_flow_commands(j->flow, script, from);
}

static void runs_on_take(struct jenkins *j, const char *kind, const char *named)
{
	struct json_text t = argument_value(j, named);

	if (t.bytes != NULL)
		ci_flow_fact_runs_on(j->flow, kind, t, line_of(j, t));
}

static void uses_take(struct jenkins *j, const char *kind, const char *named)
{
	struct json_text t = argument_value(j, named);

	if (t.bytes != NULL)
		ci_flow_fact_uses(j->flow, kind, t, line_of(j, t));
}

static void stage_take(struct jenkins *j)
{
	struct json_text name = argument_value(j, "name");

	if (name.bytes == NULL)
		return;
	ci_flow_text(j->flow, CI_STAGES, name);
	ci_flow_text(j->flow, CI_JOBS, name);
	j->pending = name;
}

/* agent any, agent none */
static void agent_take(struct jenkins *j)
{
	struct groovy g = j->at;
	struct groovy_token t = ahead_next(j, &g);

	if (is_word(&t, "any") || is_word(&t, "none"))
		ci_flow_fact_runs_on(j->flow, "agent", t.text,
				     line_of(j, t.text));
}

/* agent { dockerfile true } or { dockerfile { filename 'x'; dir 'y' } } */
static void dockerfile_take(struct jenkins *j, struct json_text word)
{
	struct ci_build b = { .tool = { "docker", 6 },
			      .dockerfile = { "Dockerfile", 10 } };
	const struct json_text none = { NULL, 0 };
	struct jenkins look = *j;
	struct groovy_token t = ahead_next(j, &look.at);
	bool is_block = is_mark(&t, '{');

	if (!is_block && !is_word(&t, "true"))
		return;
	for (unsigned i = 0; is_block && i < 2 * AHEAD; i++) {
		t = ahead_next(j, &look.at);
		if (t.kind == GROOVY_END || is_mark(&t, '}'))
			break;
		if (is_word(&t, "filename"))
			b.dockerfile = argument_value(&look, "filename");
		else if (is_word(&t, "dir"))
			b.context = argument_value(&look, "dir");
	}
	ci_flow_build(j->flow, none,
		      (struct json_text){ "agent dockerfile", 16 },
		      line_of(j, word), &b);
}

/* The token behind the argument that ends before at, when it is one more text:
 * docker.build('tag', '-f Dockerfile.x dir'). */
static struct json_text second_argument(const struct jenkins *j)
{
	struct groovy g = j->at;
	struct groovy_token t = ahead_next(j, &g);
	const struct json_text none = { NULL, 0 };

	if (is_mark(&t, '('))
		t = ahead_next(j, &g);
	if (t.kind != GROOVY_TEXT)
		return none;
	t = ahead_next(j, &g);
	if (!is_mark(&t, ','))
		return none;
	do
		t = ahead_next(j, &g);
	while (is_mark(&t, '\n'));
	return t.kind == GROOVY_TEXT ? t.text : none;
}

static void docker_build_take(struct jenkins *j)
{
	struct json_text tag = argument_value(j, "image");
	struct json_text options = second_argument(j);
	const struct json_text none = { NULL, 0 };
	struct ci_found found = { .builds_len = 0 };
	struct ci_cursor c = { .to = found.text[0] };
	struct ci_words words = { .len = 0 };

	if (tag.bytes == NULL)
		return;
	found.is_cut = options.len >= CI_LINE_BYTES;
	if (options.bytes != NULL && !found.is_cut) {
		c.at = options.bytes;
		c.end = options.bytes + options.len;
		(void)ci_words_next(&c, &words);
	}
	ci_build_take(&found, (struct json_text){ "docker", 6 }, &words, 0);
	if (found.is_cut || words.is_cut)
		ci_flow_tell(j->flow, CI_TOLD_LONG,
			     options.bytes - j->flow->in->bytes);
	found.builds[0].tags[0] = tag;
	found.builds[0].tags_len = 1;
	ci_flow_build(j->flow, none, (struct json_text){ "docker.build", 12 },
		      line_of(j, tag), &found.builds[0]);
}

/* docker.build(...), docker.image(...), or agent { docker ... } */
static void docker_take(struct jenkins *j)
{
	struct jenkins behind = *j;
	struct groovy_token dot = ahead_next(j, &behind.at);
	struct groovy_token verb = ahead_next(j, &behind.at);

	if (!is_mark(&dot, '.')) {
		runs_on_take(j, "image", "image");
		return;
	}
	if (is_word(&verb, "build"))
		docker_build_take(&behind);
	else if (is_word(&verb, "image"))
		runs_on_take(&behind, "image", "image");
}

/* cron('H 4 * * *'), githubPush() within triggers { } */
static void trigger_take(struct jenkins *j, struct json_text name)
{
	struct json_text spec = argument_value(j, "spec");

	ci_flow_text(j->flow, CI_TRIGGERS, name);
	if (spec.bytes != NULL)
		ci_flow_fact_filter(j->flow, name, "argument", spec,
				    line_of(j, spec));
}

static void brace_open(struct jenkins *j)
{
	j->depth++;
	if (j->is_triggers)
		j->triggers_depth = j->depth;
	j->is_triggers = false;
	if (j->pending.bytes == NULL || j->stages_len == OPEN_STAGES)
		return;
	j->stages[j->stages_len].name = j->pending;
	j->stages[j->stages_len++].depth = j->depth;
	j->pending.bytes = NULL;
	j->flow->job = j->stages[j->stages_len - 1].name;
}

static void brace_close(struct jenkins *j)
{
	const struct json_text none = { NULL, 0 };

	while (j->stages_len > 0 &&
	       j->stages[j->stages_len - 1].depth >= j->depth)
		j->stages_len--;
	j->flow->job =
		j->stages_len > 0 ? j->stages[j->stages_len - 1].name : none;
	if (j->triggers_depth == j->depth)
		j->triggers_depth = 0;
	j->depth -= j->depth > 0;
}

static bool is_shell(struct json_text word)
{
	return text_is(word, "sh") || text_is(word, "bat") ||
	       text_is(word, "pwsh") || text_is(word, "powershell");
}

/* is_first: it begins a statement. */
static void word_take(struct jenkins *j, struct json_text word, bool is_first)
{
	if (j->triggers_depth > 0 && j->triggers_depth == j->depth) {
		if (is_first)
			trigger_take(j, word);
	} else if (is_shell(word))
		script_take(j);
	else if (text_is(word, "stage"))
		stage_take(j);
	else if (text_is(word, "agent"))
		agent_take(j);
	else if (text_is(word, "node") || text_is(word, "label"))
		runs_on_take(j, "label", "label");
	else if (text_is(word, "docker"))
		docker_take(j);
	else if (text_is(word, "image"))
		runs_on_take(j, "image", "image");
	else if (text_is(word, "dockerfile"))
		dockerfile_take(j, word);
	else if (text_is(word, "Library") || text_is(word, "library"))
		uses_take(j, "library", "identifier");
	else if (text_is(word, "build"))
		uses_take(j, "pipeline", "job");
	else if (text_is(word, "triggers"))
		j->is_triggers = true;
}

void ci_jenkins_read(struct ci *ci, const struct parse_input *in)
{
	struct ci_flow f;
	struct jenkins j = { .flow = &f };
	struct groovy_token t;
	bool is_behind_dot = false, is_first = true;

	if (ci->seen[CI_JENKINS] == NULL && input_is_own(in))
		ci->seen[CI_JENKINS] = in;
	ci_flow_open(&f, ci, CI_JENKINS, in);
	j.at = (struct groovy){ in->bytes, in->bytes + in->len };
	while ((t = ci_groovy_next(&j.at)).kind != GROOVY_END) {
		if (is_mark(&t, '{'))
			brace_open(&j);
		else if (is_mark(&t, '}'))
			brace_close(&j);
		else if (t.kind == GROOVY_WORD && !is_behind_dot &&
			 ci_flow_may_go_on(&f,
					   (size_t)(t.text.bytes - in->bytes)))
			word_take(&j, t.text, is_first);
		is_behind_dot = is_mark(&t, '.');
		is_first = is_mark(&t, '{') || is_mark(&t, '}') ||
			   is_mark(&t, ';') || is_mark(&t, '\n');
	}
	ci_flow_close(&f);
}
