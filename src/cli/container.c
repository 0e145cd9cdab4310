/* container.c -- an engine's system call policy, and what cupel needs besides. */
#include "cli/container.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "boundary/json.h"

#define EACH(item, list)                                                       \
	for (size_t item = 0; (list) != NULL && item < (list)->u.array.len;    \
	     item++)

/* What a run calls that engines keep from containers without capabilities
 * (and memfd_create, which our own policies keep from commands): found by
 * leaving out one after the other (tests/kit/container.t), all of it needed.  arg0 is the one value of the first argument that is; 0: any, also
 * because a filter cannot look into clone3's. */
static const struct need {
	const char *call;
	unsigned long arg0;
} needs
	[] = {
		{ "clone3", 0 },
		{ "fsconfig", 0 },
		{ "fsmount", 0 },
		{ "fsopen", 0 },
		{ "keyctl", 1 }, /* KEYCTL_JOIN_SESSION_KEYRING */
		{ "memfd_create", 0 },
		{ "mount", 0 },
		{ "mount_setattr", 0 },
		{ "move_mount", 0 },
		{ "open_tree", 0 },
		{ "pivot_root", 0 },
		{ "setdomainname", 0 },
		{ "sethostname", 0 },
		{ "umount2", 0 },
		{ "unshare", 0x40000000 }, /* CLONE_NEWNET */
	};
#define NEEDS (sizeof needs / sizeof *needs)

struct policy {
	const char *name;
	const struct container_host *host;
	struct cupel_error *err;
	struct jsonw w;
	bool is_open[NEEDS]; /* allowed, whatever the arguments, as it is */
	bool is_full;        /* no memory */
};

/* The calls of one entry. */
struct names {
	const struct json_value *items; /* strings */
	size_t len;
};

static int refuse(const struct policy *p, const char *where, size_t i,
		  const char *wanted)
{
	char at[64];

	(void)snprintf(at, sizeof at, where, i);
	return cupel_fail(p->err, CUPEL_STAGE_NONE, CUPEL_CAUSE_CALLER, EINVAL,
			  "--seccomp: %.200s: %s: %s", p->name, at, wanted);
}

/* A member; NULL when absent or null. */
static const struct json_value *member(const struct json_value *v,
				       const char *key)
{
	const struct json_value *m = json_find(v, key);

	return m != NULL && m->type != JSON_NULL ? m : NULL;
}

static const struct json_value *list(const struct json_value *v,
				     const char *key)
{
	const struct json_value *m = member(v, key);

	return m != NULL && m->type == JSON_ARRAY ? m : NULL;
}

static bool is_text(const struct json_value *v)
{
	return v != NULL && v->type == JSON_STRING;
}

static bool has_text(const struct json_value *array, const char *text)
{
	EACH(i, array)
	if (json_is_text(&array->u.array.items[i], text))
		return true;
	return false;
}

/* Whether v is a version, "4.8", that the kernel has reached. */
static bool has_kernel(const struct policy *p, const struct json_value *v)
{
	unsigned major = 0, minor = 0;

	return is_text(v) &&
	       sscanf(v->u.string.bytes, "%3u.%3u", &major, &minor) == 2 &&
	       p->host->kernel >= (major << 8 | minor);
}

/* Docker's rule: an entry goes when one of its excludes holds, or one of its
 * includes does not.  Nobody in here has a capability. */
static bool applies(const struct policy *p, const struct json_value *entry)
{
	const struct json_value *with = member(entry, "includes");
	const struct json_value *without = member(entry, "excludes");
	const struct json_value *arches;

	if (with != NULL) {
		arches = list(with, "arches");
		if (list(with, "caps") != NULL &&
		    list(with, "caps")->u.array.len > 0)
			return false;
		if (arches != NULL && arches->u.array.len > 0 &&
		    !has_text(arches, p->host->go_arch))
			return false;
		if (member(with, "minKernel") != NULL &&
		    !has_kernel(p, member(with, "minKernel")))
			return false;
	}
	return without == NULL ||
	       (!has_text(list(without, "arches"), p->host->go_arch) &&
		(member(without, "minKernel") == NULL ||
		 !has_kernel(p, member(without, "minKernel"))));
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
	return json_is_text(member(entry, "action"), "SCMP_ACT_ALLOW");
}

/* The names of an entry: an array, or Docker's older "name". */
static int read_names(const struct policy *p, const struct json_value *entry,
		      size_t at, struct names *ret)
{
	const struct json_value *names = member(entry, "names");
	const struct json_value *name = member(entry, "name");

	if (entry->type != JSON_OBJECT)
		return refuse(p, "syscalls[%zu]", at, "an object is wanted");
	*ret = (struct names){ name, name != NULL };
	if (names != NULL && names->type == JSON_ARRAY)
		*ret = (struct names){ names->u.array.items,
				       names->u.array.len };
	else if (names != NULL || name == NULL)
		return refuse(p, "syscalls[%zu].names", at,
			      "an array of strings is wanted");
	for (size_t i = 0; i < ret->len; i++)
		if (!is_text(&ret->items[i]))
			return refuse(p, "syscalls[%zu].names", at,
				      "an array of strings is wanted");
	if (!is_text(member(entry, "action")))
		return refuse(p, "syscalls[%zu].action", at,
			      "an action of the OCI runtime specification is "
			      "wanted");
	return 0;
}

static void write_member(struct policy *p, const struct json_value *v,
			 const char *key)
{
	owned_buf struct buf text = { 0 };
	const struct json_value *m = member(v, key);

	if (m == NULL)
		return;
	json_write(m, &text);
	p->is_full |= buf_has_failed(&text);
	if (!p->is_full)
		jsonw_raw(&p->w, key, text.bytes, text.len);
}

/* Whether a name stays in its entry: what is needed leaves those that refuse
 * it. */
static bool stays(const struct json_value *entry, const struct json_value *name)
{
	return is_allow(entry) || find_need(name) == NEEDS;
}

static bool has_args(const struct json_value *entry)
{
	const struct json_value *args = list(entry, "args");

	return args != NULL && args->u.array.len > 0;
}

static void write_entry(struct policy *p, const struct json_value *entry,
			const struct names *names)
{
	size_t left = 0;

	for (size_t i = 0; i < names->len; i++)
		left += stays(entry, &names->items[i]);
	if (left == 0)
		return;
	jsonw_object(&p->w, NULL);
	jsonw_array(&p->w, "names");
	for (size_t i = 0; i < names->len; i++) {
		const struct json_value *name = &names->items[i];
		size_t need = find_need(name);

		if (!stays(entry, name))
			continue;
		jsonw_bytes(&p->w, NULL, name->u.string.bytes,
			    name->u.string.len);
		if (need < NEEDS && !has_args(entry))
			p->is_open[need] = true;
	}
	jsonw_end_array(&p->w);
	write_member(p, entry, "action");
	write_member(p, entry, "errnoRet");
	write_member(p, entry, "args");
	jsonw_end_object(&p->w);
}

static void write_need(struct policy *p, const struct need *need)
{
	jsonw_object(&p->w, NULL);
	jsonw_array(&p->w, "names");
	jsonw_text(&p->w, NULL, need->call);
	jsonw_end_array(&p->w);
	jsonw_text(&p->w, "action", "SCMP_ACT_ALLOW");
	if (need->arg0 != 0) {
		jsonw_array(&p->w, "args");
		jsonw_object(&p->w, NULL);
		jsonw_uint(&p->w, "index", 0);
		jsonw_uint(&p->w, "value", need->arg0);
		jsonw_text(&p->w, "op", "SCMP_CMP_EQ");
		jsonw_end_object(&p->w);
		jsonw_end_array(&p->w);
	}
	jsonw_end_object(&p->w);
}

/* "architectures", or those of Docker's archMap for this one. */
static void write_architectures(struct policy *p, const struct json_value *top)
{
	const struct json_value *map = list(top, "archMap");

	if (map == NULL) {
		write_member(p, top, "architectures");
		return;
	}
	jsonw_array(&p->w, "architectures");
	jsonw_text(&p->w, NULL, p->host->scmp_arch);
	EACH(i, map)
	{
		const struct json_value *item = &map->u.array.items[i];
		const struct json_value *sub = list(item, "subArchitectures");

		if (!json_is_text(member(item, "architecture"),
				  p->host->scmp_arch))
			continue;
		EACH(k, sub)
		if (is_text(&sub->u.array.items[k]))
			jsonw_text(&p->w, NULL,
				   sub->u.array.items[k].u.string.bytes);
	}
	jsonw_end_array(&p->w);
}

static int write_policy(struct policy *p, const struct json_value *top)
{
	const struct json_value *calls = list(top, "syscalls");
	struct names names = { 0 };
	int r = 0;

	jsonw_object(&p->w, NULL);
	write_member(p, top, "defaultAction");
	write_member(p, top, "defaultErrnoRet");
	write_architectures(p, top);
	jsonw_array(&p->w, "syscalls");
	EACH(i, calls)
	{
		const struct json_value *entry = &calls->u.array.items[i];

		r = read_names(p, entry, i, &names);
		if (r < 0)
			return r;
		if (applies(p, entry))
			write_entry(p, entry, &names);
	}
	for (size_t i = 0; i < NEEDS; i++)
		if (!p->is_open[i])
			write_need(p, &needs[i]);
	jsonw_end_array(&p->w);
	jsonw_end_object(&p->w);
	buf_char(p->w.out, '\n');
	return r;
}

int container_write(const char *name, const char *json, size_t n,
		    const struct container_host *host, struct buf *out,
		    struct cupel_error *err)
{
	struct policy p = { .name = name, .host = host, .err = err };
	struct arena arena = { 0 };
	struct json_value top;
	struct json_error bad;
	int r = 0;

	p.w = (struct jsonw){ .out = out, .indent = 2 };
	if (json_parse(json, n, NULL, &arena, &top, &bad) < 0)
		r = cupel_fail(
			err, CUPEL_STAGE_NONE, CUPEL_CAUSE_CALLER, EINVAL,
			"--seccomp: %.200s:%zu:%zu: not JSON: "
			"%s wanted",
			name, bad.line, bad.column,
			bad.expected != NULL ? bad.expected : "something else");
	else if (!is_text(member(&top, "defaultAction")) ||
		 list(&top, "syscalls") == NULL)
		r = refuse(&p, "defaultAction, syscalls", 0,
			   "a policy in the form of the OCI runtime "
			   "specification, or Docker's, is wanted");
	else
		r = write_policy(&p, &top);
	arena_done(&arena);
	return r == 0 && (p.is_full || buf_has_failed(out)) ? -ENOMEM : r;
}

struct container_host container_host_here(void)
{
	struct container_host host = {
#ifdef __aarch64__
		"arm64", "SCMP_ARCH_AARCH64", 0
#else
		"amd64", "SCMP_ARCH_X86_64", 0
#endif
	};
	struct utsname name;
	unsigned major = 0, minor = 0;

	if (uname(&name) == 0 &&
	    sscanf(name.release, "%3u.%3u", &major, &minor) == 2)
		host.kernel = major << 8 | minor;
	return host;
}
