/* finding.c -- see finding.h. */
#include "jobs/confirm/finding.h"

#include <errno.h>
#include <string.h>

#include "jobs/confirm/runner.h"

int findings_init(struct findings *f, struct flags *flags,
		  const struct rules *rules, const char *tool)
{
	*f = (struct findings){ .flags = flags };
	f->tool = arena_text(&flags->arena, tool);
	return f->tool != NULL ? rules_pick(rules, tool, &f->pick) : -ENOMEM;
}

void findings_done(struct findings *f)
{
	rule_pick_done(&f->pick);
	*f = (struct findings){ 0 };
}

/* A copy in the flags' arena, or *last if that is the same text. */
static const char *text_keep(struct findings *f, const char *text,
			     const char **last)
{
	if (*last == NULL || strcmp(*last, text) != 0)
		*last = arena_text(&f->flags->arena, text);
	return *last;
}

const char *findings_keep_file(struct findings *f, const char *file)
{
	return text_keep(f, file, &f->last_file);
}

/* Copy the name that the message has.  A name that is too long for a flag is
 * none that a function's parameter has. */
static int argument_keep(struct findings *f, struct flag *flag,
			 const struct rule_meaning *means)
{
	if (means->argument_len == 0 || means->argument_len >= FLAG_NAME_BYTES)
		return 0;
	flag->argument = arena_copy(&f->flags->arena, means->argument,
				    means->argument_len);
	return flag->argument != NULL ? 0 : -ENOMEM;
}

int findings_add(struct findings *f, struct flag *flag,
		 const struct finding_rule *rule)
{
	const struct runner *runner = runner_find(flag->file);
	struct rule_query q = { .language = runner ? &runner->language : NULL,
				.message = rule->message ? rule->message : "" };
	struct rule_meaning means = { 0 };

	/* before it is copied for each finding */
	if (strnlen(rule->names[0], FLAG_NAME_BYTES) == FLAG_NAME_BYTES)
		return flags_fault(
			f->flags, flag->number,
			"the name of a rule: expected at most 1023 bytes");
	for (size_t i = 0; i < FINDING_NAMES_MAX && rule->names[i] != NULL &&
			   flag->flag_class == NULL;
	     i++) {
		q.id = rule->names[i];
		means = rule_find(&f->pick, &q);
		flag->flag_class = means.flag_class;
	}
	if (argument_keep(f, flag, &means) < 0)
		return -ENOMEM;
	flag->tool = f->tool;
	flag->rule = text_keep(f, rule->names[0], &f->last_rule);
	if (flag->rule == NULL)
		return -ENOMEM;
	flag->has_no_class = flag->flag_class == NULL;
	if (flag->has_no_class) /* is recorded as such */
		flag->flag_class = arena_format(&f->flags->arena, "%s:%s",
						f->tool, flag->rule);
	if (flag->flag_class == NULL)
		return -ENOMEM;
	return flags_add(f->flags, flag);
}

const char *finding_text(const struct json_value *v, const char *name)
{
	const struct json_value *t = v ? json_find(v, name) : NULL;

	if (t == NULL || t->type != JSON_STRING || t->u.string.len == 0 ||
	    memchr(t->u.string.bytes, '\0', t->u.string.len) != NULL)
		return NULL;
	return t->u.string.bytes;
}

static int fault(struct findings *f, size_t number, const char *member,
		 const char *expected)
{
	return flags_fault(f->flags, number,
			   arena_format(&f->flags->arena, "%s: expected %s",
					member, expected));
}

int findings_add_item(struct findings *f, const struct finding_shape *shape,
		      const struct json_value *v, const char *file,
		      size_t number)
{
	struct flag flag = { .number = number };
	struct finding_rule rule = { .message = NULL };
	const struct json_value *line;
	size_t n = 0;

	if (v->type != JSON_OBJECT)
		return flags_fault(f->flags, number, "expected an object");
	if (file == NULL)
		file = finding_text(v, shape->file);
	if (file == NULL)
		return fault(f, number, shape->file, "a path in quotes");
	line = json_find(v, shape->line);
	if (line == NULL || json_read_u64(line, &flag.line) < 0 ||
	    flag.line < 1 || flag.line > FLAG_LINE_MAX)
		return fault(f, number, shape->line, "a whole number from 1");
	for (size_t i = 0; i < FINDING_NAMES_MAX && shape->rules[i]; i++) {
		rule.names[n] = finding_text(v, shape->rules[i]);
		n += rule.names[n] != NULL;
	}
	if (n == 0)
		return fault(f, number, shape->rules[0],
			     "the name of a rule in quotes");
	rule.message = finding_text(v, shape->message);
	flag.file = findings_keep_file(f, file);
	return flag.file != NULL ? findings_add(f, &flag, &rule) : -ENOMEM;
}
