/* filter_entry.c -- reads one entry of a policy file; and the reader's
 * tools. */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plan/filter_reader.h"

#define ERRNO_MAX 4095U /* the kernel's MAX_ERRNO */
static const struct {
	const char *name;
	uint32_t verdict;
	const char *refused; /* why we do not accept it */
} actions[] = {
	{ "SCMP_ACT_ALLOW", SECCOMP_RET_ALLOW, NULL },
	{ "SCMP_ACT_LOG", SECCOMP_RET_ALLOW, NULL },
	{ "SCMP_ACT_ERRNO", SECCOMP_RET_ERRNO, NULL },
	{ "SCMP_ACT_KILL", SECCOMP_RET_USER_NOTIF, NULL },
	{ "SCMP_ACT_KILL_THREAD", SECCOMP_RET_USER_NOTIF, NULL },
	{ "SCMP_ACT_KILL_PROCESS", SECCOMP_RET_USER_NOTIF, NULL },
	{ "SCMP_ACT_TRAP", SECCOMP_RET_USER_NOTIF, NULL },
	{ "SCMP_ACT_NOTIFY", 0,
	  "is not supported, as there is no agent to ask" },
	{ "SCMP_ACT_TRACE", 0,
	  "is not supported, as there is no tracer to ask" },
};

static const struct {
	const char *name;
	enum filter_op op;
} ops[] = {
	{ "SCMP_CMP_NE", FILTER_NE },
	{ "SCMP_CMP_LT", FILTER_LT },
	{ "SCMP_CMP_LE", FILTER_LE },
	{ "SCMP_CMP_EQ", FILTER_EQ },
	{ "SCMP_CMP_GE", FILTER_GE },
	{ "SCMP_CMP_GT", FILTER_GT },
	{ "SCMP_CMP_MASKED_EQ", FILTER_MASKED_EQ },
};
#define COUNT(table) (sizeof(table) / sizeof *(table))

int reader_refuse(const struct reader *r, const char *where, const char *why)
{
	return cupel_fail(r->err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER, EINVAL,
			  "%s: %s: %s", r->p->name, where, why);
}

int reader_refuse_value(const struct reader *r, const char *where,
			const struct json_value *v, const char *allowed)
{
	if (v->type != JSON_STRING)
		return reader_refuse(r, where, allowed);
	return cupel_fail(r->err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER, EINVAL,
			  "%s: %s: %.64s: %s", r->p->name, where,
			  v->u.string.bytes, allowed);
}

const struct json_value *reader_member(const struct json_value *v,
				       const char *key)
{
	const struct json_value *m = json_find(v, key);

	return m && m->type != JSON_NULL ? m : NULL;
}

int reader_array(const struct reader *r, const struct json_value *v,
		 const char *key, bool is_text, const char *where,
		 const struct json_value **ret)
{
	const struct json_value *a = reader_member(v, key);
	char at[READER_WHERE];

	(void)snprintf(at, sizeof at, "%.64s%s", where, key);
	if (a && a->type != JSON_ARRAY)
		return reader_refuse(r, at, "expected an array");
	EACH(i, a)
	if (is_text && a->u.array.items[i].type != JSON_STRING)
		return reader_refuse(r, at, "expected an array of strings");
	*ret = a;
	return 0;
}

/* Read v[key] as a number of at most max.  Returns 1 when it was there, 0 when
 * it is absent, and then *ret stays. */
static int number(const struct reader *r, const struct json_value *v,
		  const char *key, uint64_t max, const char *where,
		  uint64_t *ret)
{
	const struct json_value *m = reader_member(v, key);
	uint64_t n;
	char at[READER_WHERE], why[64];

	if (m == NULL)
		return 0;
	(void)snprintf(at, sizeof at, "%.64s%s", where, key);
	if (json_read_u64(m, &n) != 0 || n > max) {
		(void)snprintf(why, sizeof why,
			       "expected a whole number of 0..%llu",
			       (unsigned long long)max);
		return reader_refuse(r, at, why);
	}
	*ret = n;
	return 1;
}

int reader_verdict(const struct reader *r, const struct json_value *v,
		   bool is_default, const char *where, uint32_t *ret)
{
	const char *key = is_default ? "defaultAction" : "action";
	const char *errno_key = is_default ? "defaultErrnoRet" : "errnoRet";
	const struct json_value *action = reader_member(v, key);
	uint64_t error = EPERM;
	char at[READER_WHERE];
	size_t i;
	int has_errno;

	(void)snprintf(at, sizeof at, "%.64s%s", where, key);
	if (action == NULL)
		return reader_refuse(r, at, "missing");
	for (i = 0; i < COUNT(actions); i++)
		if (json_is_text(action, actions[i].name))
			break;
	if (i == COUNT(actions))
		return reader_refuse_value(
			r, at, action,
			"is not an action of the OCI runtime specification");
	if (actions[i].refused)
		return reader_refuse_value(r, at, action, actions[i].refused);
	has_errno = number(r, v, errno_key, ERRNO_MAX, where, &error);
	if (has_errno < 0)
		return has_errno;
	(void)snprintf(at, sizeof at, "%.64s%s", where, errno_key);
	if (has_errno && actions[i].verdict != SECCOMP_RET_ERRNO)
		return reader_refuse(r, at,
				     "only SCMP_ACT_ERRNO may have an errno");
	*ret = actions[i].verdict;
	if (*ret == SECCOMP_RET_ERRNO)
		*ret |= (uint32_t)error;
	return 0;
}

static int condition(const struct reader *r, const struct json_value *v,
		     const char *where, struct filter_cond *ret)
{
	const struct json_value *op = reader_member(v, "op");
	struct filter_cond c = { 0 };
	uint64_t index = 0;
	char at[READER_WHERE];
	size_t i;
	int n;

	if (v->type != JSON_OBJECT)
		return reader_refuse(r, where, "expected an object");
	n = number(r, v, "index", FILTER_ARGS - 1, where, &index);
	if (n == 0)
		return reader_refuse(r, where, "index is missing");
	if (n > 0)
		n = number(r, v, "value", UINT64_MAX, where, &c.value);
	if (n == 0)
		return reader_refuse(r, where, "value is missing");
	if (n > 0)
		n = number(r, v, "valueTwo", UINT64_MAX, where, &c.two);
	if (n < 0)
		return n;
	(void)snprintf(at, sizeof at, "%.64sop", where);
	for (i = 0; op && i < COUNT(ops); i++)
		if (json_is_text(op, ops[i].name))
			break;
	if (op == NULL || i == COUNT(ops))
		return reader_refuse_value(r, at, op ? op : v,
					   "expected SCMP_CMP_NE, LT, LE, EQ, "
					   "GE, GT or MASKED_EQ");
	c.arg = (unsigned)index;
	c.op = ops[i].op;
	*ret = c;
	return 0;
}

static int conditions(const struct reader *r, const struct json_value *entry,
		      const char *where, const struct filter_cond **ret,
		      size_t *ret_len)
{
	const struct json_value *args;
	struct filter_cond *conds;
	int n = reader_array(r, entry, "args", false, where, &args);

	*ret = NULL;
	*ret_len = 0;
	if (n < 0 || args == NULL || args->u.array.len == 0)
		return n;
	if (args->u.array.len > FILTER_CLAUSES_MAX)
		return reader_refuse(r, where, "too many args");
	conds = arena_array(r->p->arena, args->u.array.len, sizeof *conds);
	if (conds == NULL)
		return -ENOMEM;
	EACH(i, args)
	{
		char at[READER_WHERE];

		(void)snprintf(at, sizeof at, "%.64sargs[%zu].", where, i);
		n = condition(r, &args->u.array.items[i], at, &conds[i]);
		if (n < 0)
			return n;
	}
	*ret = conds;
	*ret_len = args->u.array.len;
	return 0;
}

/* When two conditions name the same argument, runc and crun make an entry of
 * each, because libseccomp takes only one condition for each argument.  Files
 * are written for that. */
static bool has_same_arg_twice(const struct filter_cond *conds, size_t len)
{
	unsigned seen = 0;

	for (size_t i = 0; i < len; i++) {
		if (seen & 1U << conds[i].arg)
			return true;
		seen |= 1U << conds[i].arg;
	}
	return false;
}

struct rule {
	const struct filter_cond *conds;
	size_t len;
	uint32_t verdict;
	bool has_otherwise;
	uint32_t otherwise;
};

/* Add one clause for all conditions, or one for each. */
static int add_clauses(const struct reader *r, unsigned nr,
		       const struct rule *rule)
{
	int n = 0;

	if (!has_same_arg_twice(rule->conds, rule->len))
		return filter_add(r->p, nr, rule->conds, rule->len,
				  rule->verdict);
	for (size_t i = 0; i < rule->len && n == 0; i++)
		n = filter_add(r->p, nr, rule->conds + i, 1, rule->verdict);
	return n;
}

static int add_rule(const struct reader *r, const struct json_value *name,
		    const struct rule *rule, const char *where)
{
	const char *text = name->u.string.bytes;
	struct filter_call *call;
	int n, nr = -ENOENT;

	if (strlen(text) == name->u.string.len)
		nr = filter_number(text, r->p->arch);
	if (nr == -ENOSYS) /* a call of another architecture */
		return 0;
	if (nr < 0)
		return filter_warn(r->p, "%snames: %.64s: unknown system call",
				   where, text);
	n = add_clauses(r, (unsigned)nr, rule);
	if (n == -E2BIG)
		return reader_refuse_value(r, where, name,
					   "too many entries for one call");
	call = &r->p->calls[nr];
	if (n < 0 || !rule->has_otherwise)
		return n;
	if (call->has_otherwise && call->otherwise != rule->otherwise)
		return reader_refuse_value(
			r, where, name,
			"two entries have different otherwiseErrnoRet");
	call->has_otherwise = true;
	call->otherwise = rule->otherwise;
	return 0;
}

int reader_names(const struct reader *r, const struct json_value *entry,
		 const char *where, struct reader_names *ret)
{
	const struct json_value *names, *name = reader_member(entry, "name");
	int n = reader_array(r, entry, "names", true, where, &names);

	if (n < 0)
		return n;
	if (name && name->type != JSON_STRING)
		return reader_refuse(r, where, "name: expected a string");
	if ((names == NULL || names->u.array.len == 0) == (name == NULL))
		return reader_refuse(r, where,
				     "expected names, and no name beside it");
	*ret = name ? (struct reader_names){ name, 1 }
		    : (struct reader_names){ names->u.array.items,
					     names->u.array.len };
	return 0;
}

int reader_entry(const struct reader *r, const struct json_value *entry,
		 const char *where)
{
	struct rule rule = { 0 };
	struct reader_names names;
	uint64_t otherwise = 0;
	int n = reader_verdict(r, entry, false, where, &rule.verdict);

	if (n == 0)
		n = conditions(r, entry, where, &rule.conds, &rule.len);
	if (n < 0)
		return n;
	n = number(r, entry, "otherwiseErrnoRet", ERRNO_MAX, where, &otherwise);
	if (n < 0)
		return n;
	if (n > 0 && rule.len == 0)
		return reader_refuse(r, where,
				     "otherwiseErrnoRet needs args beside it");
	rule.has_otherwise = n > 0;
	rule.otherwise = SECCOMP_RET_ERRNO | (uint32_t)otherwise;
	n = reader_names(r, entry, where, &names);
	for (size_t i = 0; n == 0 && i < names.len; i++)
		n = add_rule(r, &names.items[i], &rule, where);
	return n;
}
