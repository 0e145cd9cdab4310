/* sarif.c -- see sarif.h. */
#include "jobs/confirm/sarif.h"

#include <errno.h>
#include <string.h>

#include "jobs/confirm/finding.h"
#include "jobs/confirm/sarif_place.h"

/* One run of the log while it is read. */
struct intake {
	struct findings findings;
	struct flags *flags;
	struct sarif_place place;
	const struct json_value *rules;   /* of the driver */
	const struct json_value *plugins; /* tool.extensions */
	struct buf path;                  /* of the current result */
};

static const struct json_value *member(const struct json_value *v,
				       const char *name, enum json_type type)
{
	const struct json_value *found = v ? json_find(v, name) : NULL;

	return found != NULL && found->type == type ? found : NULL;
}

static const struct json_value *item(const struct json_value *array, uint64_t i)
{
	return array != NULL && i < array->u.array.len
		       ? &array->u.array.items[i]
		       : NULL;
}

static const struct json_value *item_by(const struct json_value *array,
					const struct json_value *v,
					const char *name)
{
	const struct json_value *index = v ? json_find(v, name) : NULL;
	uint64_t i = 0;

	if (index == NULL || json_read_u64(index, &i) < 0)
		return NULL;
	return item(array, i);
}

/* 3.35: all suppressions are accepted.  One that is under review or rejected
 * hides nothing. */
static bool is_suppressed(const struct json_value *result)
{
	const struct json_value *all =
		member(result, "suppressions", JSON_ARRAY);

	for (size_t i = 0; all != NULL && i < all->u.array.len; i++) {
		const struct json_value *status =
			json_find(&all->u.array.items[i], "status");

		if (status != NULL && !json_is_text(status, "accepted"))
			return false;
	}
	return all != NULL && all->u.array.len > 0;
}

/* 3.27.9, 3.27.24 */
static bool is_finding(const struct json_value *result)
{
	const struct json_value *kind = member(result, "kind", JSON_STRING);
	const struct json_value *state =
		member(result, "baselineState", JSON_STRING);

	if (kind != NULL &&
	    (json_is_text(kind, "pass") || json_is_text(kind, "notApplicable")))
		return false;
	if (state != NULL && json_is_text(state, "absent"))
		return false;
	return !is_suppressed(result);
}

/* 3.52: the descriptor that the result points to, or NULL. */
static const struct json_value *descriptor_of(const struct intake *in,
					      const struct json_value *result)
{
	const struct json_value *rule = member(result, "rule", JSON_OBJECT);
	const struct json_value *part =
		member(rule, "toolComponent", JSON_OBJECT);
	const struct json_value *rules = in->rules;

	if (rule == NULL || json_find(rule, "index") == NULL)
		return item_by(rules, result, "ruleIndex");
	if (part != NULL && json_find(part, "index") != NULL)
		rules = member(item_by(in->plugins, part, "index"), "rules",
			       JSON_ARRAY);
	return item_by(rules, rule, "index");
}

/* Collect the names of the rule. */
static void rule_read(const struct intake *in, const struct json_value *result,
		      struct finding_rule *ret)
{
	const struct json_value *d = descriptor_of(in, result);
	const char *all[FINDING_NAMES_MAX] = {
		finding_text(result, "ruleId"),
		finding_text(member(result, "rule", JSON_OBJECT), "id"),
		finding_text(d, "id"),
		finding_text(d, "name"),
	};
	size_t n = 0;

	for (size_t i = 0; i < FINDING_NAMES_MAX; i++)
		if (all[i] != NULL)
			ret->names[n++] = all[i];
	ret->message =
		finding_text(member(result, "message", JSON_OBJECT), "text");
}

static int flag_put(struct intake *in, const struct json_value *result,
		    struct flag *flag)
{
	struct finding_rule rule = { .message = NULL };

	rule_read(in, result, &rule);
	if (rule.names[0] == NULL)
		return flags_fault(in->flags, flag->number,
				   "expected a ruleId, or a ruleIndex of a "
				   "rule that has an id");
	return findings_add(&in->findings, flag, &rule);
}

static bool is_name(const char *s)
{
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < 0x80 && *s != '_' && *s != '$' &&
		    *s != '.' && !(*s >= '0' && *s <= '9') &&
		    !((*s | 0x20) >= 'a' && (*s | 0x20) <= 'z'))
			return false;
	return true;
}

/* "pkg.mod.Class.method" in pkg/mod.py becomes "Class.method". */
static const char *module_skip(const char *name, const char *file)
{
	size_t stem = strlen(file);
	const char *dot = strrchr(file, '.');

	if (dot != NULL && strchr(dot, '/') == NULL)
		stem = (size_t)(dot - file);
	for (size_t from = 0; from < stem; from++) {
		size_t len = stem - from, i = 0;

		if (from > 0 && file[from - 1] != '/')
			continue;
		while (i < len && (name[i] == file[from + i] ||
				   (name[i] == '.' && file[from + i] == '/')))
			i++;
		if (i == len && name[len] == '.')
			return name + len + 1;
	}
	return name;
}

/* 3.33: the function, if the analyser names it; otherwise NULL. */
static const char *function_of(struct intake *in,
			       const struct json_value *location,
			       const char *file)
{
	const struct json_value *all =
		member(location, "logicalLocations", JSON_ARRAY);
	const struct json_value *l = item(all, 0);
	const struct json_value *shared =
		item_by(member(in->place.run, "logicalLocations", JSON_ARRAY),
			l, "index");
	const struct json_value *kind;
	const char *name = finding_text(l, "fullyQualifiedName");

	if (name == NULL && finding_text(l, "name") == NULL && shared != NULL)
		l = shared;
	kind = member(l, "kind", JSON_STRING);
	if (kind != NULL && !json_is_text(kind, "function") &&
	    !json_is_text(kind, "member"))
		return NULL;
	name = finding_text(l, "fullyQualifiedName");
	if (name == NULL)
		name = finding_text(l, "name");
	if (name == NULL || !is_name(name))
		return NULL;
	if (strlen(name) > FLAG_FILE_BYTES + FLAG_NAME_BYTES)
		return name; /* too long, with its module; flags_add() says so */
	return arena_text(&in->flags->arena, module_skip(name, file));
}

static int result_read(struct intake *in, const struct json_value *result,
		       size_t number)
{
	const struct json_value *location, *physical, *line;
	struct flag flag = { .number = number };
	const char *why;

	location = item(member(result, "locations", JSON_ARRAY), 0);
	physical = member(location, "physicalLocation", JSON_OBJECT);
	if (physical == NULL)
		return flags_fault(in->flags, number,
				   "locations: expected one with a "
				   "physicalLocation");
	why = sarif_place_read(
		&in->place, json_find(physical, "artifactLocation"), &in->path);
	if (why != NULL)
		return flags_fault(in->flags, number, why);
	line = member(physical, "region", JSON_OBJECT);
	line = line ? json_find(line, "startLine") : NULL;
	if (line != NULL && (json_read_u64(line, &flag.line) < 0 ||
			     flag.line < 1 || flag.line > FLAG_LINE_MAX))
		return flags_fault(in->flags, number,
				   "startLine: expected a whole number from 1");
	flag.file = findings_keep_file(&in->findings, in->path.bytes);
	if (flag.file == NULL)
		return -ENOMEM;
	flag.function = function_of(in, location, flag.file);
	if (flag.line == 0 && flag.function == NULL)
		return flags_fault(in->flags, number,
				   "expected a region with a startLine, or the "
				   "name of a function");
	return flag_put(in, result, &flag);
}

static int results_read(struct intake *in, const struct json_value *results,
			size_t *number)
{
	int e = 0;

	for (size_t i = 0; i < results->u.array.len && e == 0; i++) {
		const struct json_value *result = &results->u.array.items[i];

		++*number;
		if (result->type != JSON_OBJECT)
			e = flags_fault(in->flags, *number,
					"expected an object");
		else if (is_finding(result))
			e = result_read(in, result, *number);
		else
			in->flags->left_out++;
	}
	return e;
}

static int run_read(const struct rules *rules, struct intake *in,
		    size_t *number, const char **why)
{
	const struct json_value *run = in->place.run;
	const struct json_value *tool = member(run, "tool", JSON_OBJECT);
	const struct json_value *driver = member(tool, "driver", JSON_OBJECT);
	const struct json_value *results = member(run, "results", JSON_ARRAY);
	const char *name = finding_text(driver, "name");
	int e;

	*why = "runs: expected a tool with a driver that has a name";
	if (name == NULL)
		return -EINVAL;
	*why = "results: expected an array";
	if (results == NULL) /* 3.14.23: the tool did not even start */
		return json_find(run, "results") != NULL &&
				       json_find(run, "results")->type !=
					       JSON_NULL
			       ? -EINVAL
			       : 0;
	in->rules = member(driver, "rules", JSON_ARRAY);
	in->plugins = member(tool, "extensions", JSON_ARRAY);
	e = findings_init(&in->findings, in->flags, rules, name);
	if (e == 0)
		e = results_read(in, results, number);
	findings_done(&in->findings);
	buf_done(&in->path);
	return e;
}

bool sarif_is_log(const struct json_value *v)
{
	return v->type == JSON_OBJECT && json_find(v, "runs") != NULL;
}

int sarif_read(const struct json_value *log, const char *repo,
	       const struct rules *rules, struct flags *ret, const char **why)
{
	const struct json_value *runs = member(log, "runs", JSON_ARRAY);
	size_t number = 0;
	int e = 0;

	ret->unit = "result";
	ret->arena.cap_bytes = FLAGS_MEMORY;
	*why = "runs: expected an array";
	if (runs == NULL)
		return -EINVAL;
	for (size_t i = 0; i < runs->u.array.len && e == 0; i++) {
		struct intake in = {
			.flags = ret,
			.place = { .run = &runs->u.array.items[i],
				   .repo = repo },
		};

		e = run_read(rules, &in, &number, why);
	}
	return e;
}
