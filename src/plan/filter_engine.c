/* filter_engine.c -- a container engine's system call policy, with what cupel
 * needs in addition. */
#include "plan/filter_engine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/sockios.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "plan/filter_reader.h"

/* The calls of a run that engines forbid to containers without capabilities
 * (and memfd_create, and the request of ioctl that brings the loopback up, which
 * stricter policies forbid).  They were found by leaving out one after the other
 * (tests/kit/container.t): all are needed.  value is the one that the argument
 * needs; 0: any value, also because a filter cannot look into clone3's
 * arguments. */
static const struct need {
	const char *call;
	unsigned argument; /* from 0 */
	unsigned long value;
} needs[] = {
	{ "clone3", 0, 0 },
	{ "fsconfig", 0, 0 },
	{ "fsmount", 0, 0 },
	{ "fsopen", 0, 0 },
	{ "ioctl", 1, SIOCSIFFLAGS },
	{ "keyctl", 0, 1 }, /* KEYCTL_JOIN_SESSION_KEYRING */
	{ "memfd_create", 0, 0 },
	{ "mount", 0, 0 },
	{ "mount_setattr", 0, 0 },
	{ "move_mount", 0, 0 },
	{ "open_tree", 0, 0 },
	{ "pivot_root", 0, 0 },
	{ "setdomainname", 0, 0 },
	{ "sethostname", 0, 0 },
	{ "umount2", 0, 0 },
	{ "unshare", 0, 0x40000000 }, /* CLONE_NEWNET */
};
#define NEEDS (sizeof needs / sizeof *needs)

struct policy {
	struct reader reader;
	struct jsonw w;
	bool is_open[NEEDS]; /* the policy allows it with any arguments */
	bool is_full;        /* there was no memory */
};

static bool is_text(const struct json_value *v)
{
	return v != NULL && v->type == JSON_STRING;
}

static size_t find_need(const struct json_value *name)
{
	size_t i = 0;

	while (i < NEEDS && !json_is_text(name, needs[i].call))
		i++;
	return i;
}

static bool is_allow(const struct json_value *entry)
{
	return json_is_text(reader_member(entry, "action"), "SCMP_ACT_ALLOW");
}

static void write_member(struct policy *p, const struct json_value *v,
			 const char *key)
{
	owned_buf struct buf text = { 0 };
	const struct json_value *m = reader_member(v, key);

	if (m == NULL)
		return;
	json_write(m, &text);
	p->is_full |= buf_has_failed(&text);
	if (!p->is_full)
		jsonw_raw(&p->w, key, text.bytes, text.len);
}

/* Whether a name stays in its entry.  A call that we need is taken out of the
 * entries that refuse it; if we need only one value of an argument, what they
 * refuse on a condition is refused as before. */
static bool stays(const struct json_value *entry, const struct json_value *name,
		  bool has_args)
{
	size_t need = find_need(name);

	return is_allow(entry) || need == NEEDS ||
	       (needs[need].value != 0 && has_args);
}

static void write_names(struct policy *p, const char *call)
{
	jsonw_array(&p->w, "names");
	jsonw_text(&p->w, NULL, call);
	jsonw_end_array(&p->w);
}

static void write_condition(struct policy *p, const struct need *need,
			    const char *op)
{
	jsonw_array(&p->w, "args");
	jsonw_object(&p->w, NULL);
	jsonw_uint(&p->w, "index", need->argument);
	jsonw_uint(&p->w, "value", need->value);
	jsonw_text(&p->w, "op", op);
	jsonw_end_object(&p->w);
	jsonw_end_array(&p->w);
}

/* What refused the call refuses it still, but for the value that we need:
 * otherwise the default would count, which may be to allow it. */
static void write_others(struct policy *p, const struct json_value *entry,
			 const struct need *need)
{
	jsonw_object(&p->w, NULL);
	write_names(p, need->call);
	write_member(p, entry, "action");
	write_member(p, entry, "errnoRet");
	write_condition(p, need, "SCMP_CMP_NE");
	jsonw_end_object(&p->w);
}

static void write_entry(struct policy *p, const struct json_value *entry,
			const struct reader_names *names, bool has_args)
{
	size_t left = 0;

	for (size_t i = 0; i < names->len; i++) {
		size_t need = find_need(&names->items[i]);

		if (stays(entry, &names->items[i], has_args))
			left++;
		else if (needs[need].value != 0)
			write_others(p, entry, &needs[need]);
	}
	if (left == 0)
		return;
	jsonw_object(&p->w, NULL);
	jsonw_array(&p->w, "names");
	for (size_t i = 0; i < names->len; i++) {
		const struct json_value *name = &names->items[i];
		size_t need = find_need(name);

		if (!stays(entry, name, has_args))
			continue;
		jsonw_bytes(&p->w, NULL, name->u.string.bytes,
			    name->u.string.len);
		if (need < NEEDS && !has_args)
			p->is_open[need] = true;
	}
	jsonw_end_array(&p->w);
	write_member(p, entry, "action");
	write_member(p, entry, "errnoRet");
	write_member(p, entry, "args");
	jsonw_end_object(&p->w);
}

/* A policy may answer a call with success although the call is not done; cupel's
 * own policies do so with fsync in a vessel.  In a container that would hold for
 * cupel as well: it would say that a record is on the disk, and it would not be.
 * What an argument must be for that is not looked at: it may be any value. */
static int check_answer(const struct reader *r, const struct json_value *v,
			bool is_default, const char *where)
{
	const char *error = is_default ? "defaultErrnoRet" : "errnoRet";
	const char *action = is_default ? "defaultAction" : "action";
	const struct json_value *m = reader_member(v, error);
	uint64_t n;
	char at[READER_WHERE];

	if (m == NULL || json_read_u64(m, &n) != 0 || n != 0 ||
	    !json_is_text(reader_member(v, action), "SCMP_ACT_ERRNO"))
		return 0;
	(void)snprintf(at, sizeof at, "%.64s%s", where, error);
	return reader_refuse(
		r, at,
		"calls that are not done must not be answered with "
		"success (errno 0): cupel in the container would rely on "
		"them");
}

/* Write one item of "syscalls", if it applies here. */
static int take_entry(struct policy *p, const struct json_value *entry,
		      const char *where)
{
	const struct reader *r = &p->reader;
	const struct json_value *args;
	struct reader_names names;
	bool is_here;
	int n;

	if (entry->type != JSON_OBJECT)
		return reader_refuse(r, where, "expected an object");
	n = reader_applies(r, entry, where, &is_here);
	if (n == 0)
		n = reader_names(r, entry, where, &names);
	if (n == 0)
		n = reader_array(r, entry, "args", false, where, &args);
	if (n < 0)
		return n;
	if (!is_text(reader_member(entry, "action")))
		return reader_refuse(
			r, where,
			"expected an action of the OCI runtime specification");
	if (is_here)
		n = check_answer(r, entry, false, where);
	if (is_here && n == 0)
		write_entry(p, entry, &names,
			    args != NULL && args->u.array.len > 0);
	return n;
}

static void write_need(struct policy *p, const struct need *need)
{
	jsonw_object(&p->w, NULL);
	write_names(p, need->call);
	jsonw_text(&p->w, "action", "SCMP_ACT_ALLOW");
	if (need->value != 0)
		write_condition(p, need, "SCMP_CMP_EQ");
	jsonw_end_object(&p->w);
}

/* Write "architectures", or those in Docker's archMap for this one. */
static int write_architectures(struct policy *p, const struct json_value *top)
{
	const char *here = p->reader.p->arch == AUDIT_ARCH_AARCH64
				   ? "SCMP_ARCH_AARCH64"
				   : "SCMP_ARCH_X86_64";
	const struct json_value *map, *sub;
	int n = reader_array(&p->reader, top, "archMap", false, "", &map);

	if (n == 0 && map == NULL)
		write_member(p, top, "architectures");
	if (n < 0 || map == NULL)
		return n;
	jsonw_array(&p->w, "architectures");
	jsonw_text(&p->w, NULL, here);
	EACH(i, map)
	{
		const struct json_value *item = &map->u.array.items[i];

		if (!json_is_text(reader_member(item, "architecture"), here))
			continue;
		n = reader_array(&p->reader, item, "subArchitectures", true,
				 "archMap.", &sub);
		if (n < 0)
			return n;
		EACH(k, sub)
		jsonw_text(&p->w, NULL, sub->u.array.items[k].u.string.bytes);
	}
	jsonw_end_array(&p->w);
	return 0;
}

static int write_policy(struct policy *p, const struct json_value *top)
{
	const struct json_value *calls;
	char where[READER_WHERE];
	int n = reader_array(&p->reader, top, "syscalls", false, "", &calls);

	if (n < 0)
		return n;
	if (calls == NULL || !is_text(reader_member(top, "defaultAction")))
		return reader_refuse(&p->reader, "defaultAction, syscalls",
				     "expected a policy as in the OCI runtime "
				     "specification, or as Docker's");
	n = check_answer(&p->reader, top, true, "");
	if (n < 0)
		return n;
	jsonw_object(&p->w, NULL);
	write_member(p, top, "defaultAction");
	write_member(p, top, "defaultErrnoRet");
	n = write_architectures(p, top);
	jsonw_array(&p->w, "syscalls");
	for (size_t i = 0; n == 0 && i < calls->u.array.len; i++) {
		(void)snprintf(where, sizeof where, "syscalls[%zu].", i);
		n = take_entry(p, &calls->u.array.items[i], where);
	}
	for (size_t i = 0; i < NEEDS; i++)
		if (!p->is_open[i])
			write_need(p, &needs[i]);
	jsonw_end_array(&p->w);
	jsonw_end_object(&p->w);
	buf_char(p->w.out, '\n');
	return n;
}

int filter_engine_write(const struct filter_source *source, struct buf *out,
			struct cupel_error *err)
{
	struct arena arena = { 0 };
	struct filter_policy policy = { .arena = &arena,
					.name = source->name,
					.arch = source->arch,
					.kernel = source->kernel };
	struct policy p = { .reader = { &policy, err },
			    .w = { .out = out, .indent = 2 } };
	struct json_value top;
	int n = reader_parse(&p.reader, source->json, source->n, &top);

	if (n == 0)
		n = write_policy(&p, &top);
	arena_done(&arena);
	return n == 0 && (p.is_full || buf_has_failed(out)) ? -ENOMEM : n;
}
