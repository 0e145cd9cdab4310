/* filter_read.c -- reads OCI linux.seccomp, and Docker's superset, into a
 * policy. */
#include <errno.h>
#include <linux/audit.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plan/filter_reader.h"

/* Docker names architectures as Go does. */
static const char *go_arch(uint32_t arch)
{
	return arch == AUDIT_ARCH_AARCH64 ? "arm64" : "amd64";
}

/* Only this machine's own ABI is ever allowed, so it changes nothing when a
 * file lists others.  An unknown name is a mistake in the file. */
static const char *const arch_names[] = {
	"SCMP_ARCH_NATIVE",   "SCMP_ARCH_X86",      "SCMP_ARCH_X86_64",
	"SCMP_ARCH_X32",      "SCMP_ARCH_ARM",      "SCMP_ARCH_AARCH64",
	"SCMP_ARCH_MIPS",     "SCMP_ARCH_MIPS64",   "SCMP_ARCH_MIPS64N32",
	"SCMP_ARCH_MIPSEL",   "SCMP_ARCH_MIPSEL64", "SCMP_ARCH_MIPSEL64N32",
	"SCMP_ARCH_PPC",      "SCMP_ARCH_PPC64",    "SCMP_ARCH_PPC64LE",
	"SCMP_ARCH_S390",     "SCMP_ARCH_S390X",    "SCMP_ARCH_PARISC",
	"SCMP_ARCH_PARISC64", "SCMP_ARCH_RISCV64",  "SCMP_ARCH_LOONGARCH64",
	"SCMP_ARCH_M68K",     "SCMP_ARCH_SH",       "SCMP_ARCH_SHEB",
};

/* Flags of seccomp(2) that OCI knows.  None changes a verdict, and the loader
 * sets its own, so they are read and ignored. */
static const char *const flag_names[] = {
	"SECCOMP_FILTER_FLAG_TSYNC",
	"SECCOMP_FILTER_FLAG_LOG",
	"SECCOMP_FILTER_FLAG_SPEC_ALLOW",
	"SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV",
};

static const char *const top_keys[] = {
	"comment",          "defaultAction", "defaultErrnoRet", "defaultErrno",
	"architectures",    "archMap",       "flags",           "listenerPath",
	"listenerMetadata", "syscalls",
};

static const char *const entry_keys[] = {
	"comment", "names", "name",     "action",   "errnoRet",
	"errno",   "args",  "includes", "excludes", "otherwiseErrnoRet",
};

static const char *const condition_keys[] = { "caps", "arches", "minKernel" };

#define IS_ONE_OF(v, table)                                                    \
	is_one_of((v), (table), sizeof(table) / sizeof *(table))

static bool is_one_of(const struct json_value *v, const char *const *table,
		      size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (json_is_text(v, table[i]))
			return true;
	return false;
}

/* A key that nobody reads is usually a misspelt one. */
static int check_keys(const struct reader *r, const struct json_value *v,
		      const char *const *table, size_t len, const char *where)
{
	int n = 0;

	for (size_t i = 0; n == 0 && i < v->u.object.len; i++) {
		const struct json_text *name = &v->u.object.members[i].name;
		struct json_value key = { .type = JSON_STRING,
					  .u.string = *name };

		if (!is_one_of(&key, table, len))
			n = filter_warn(
				r->p, "%s%.64s: unknown key, which is ignored",
				where, name->bytes);
	}
	return n;
}
#define CHECK_KEYS(r, v, table, where)                                         \
	check_keys((r), (v), (table), sizeof(table) / sizeof *(table), (where))

static int check_list(const struct reader *r, const struct json_value *v,
		      const char *key, const char *where, bool is_arch)
{
	const struct json_value *list;
	char at[READER_WHERE];
	int n = reader_array(r, v, key, true, where, &list);

	(void)snprintf(at, sizeof at, "%.64s%s", where, key);
	EACH(i, n == 0 ? list : NULL)
	{
		const struct json_value *item = &list->u.array.items[i];

		if (is_arch && !IS_ONE_OF(item, arch_names))
			return reader_refuse_value(r, at, item,
						   "is not an architecture");
		if (!is_arch && !IS_ONE_OF(item, flag_names))
			return reader_refuse_value(r, at, item,
						   "is not a filter flag");
	}
	return n;
}

static int check_arch_map(const struct reader *r, const struct json_value *v)
{
	const struct json_value *map;
	int n = reader_array(r, v, "archMap", false, "", &map);

	EACH(i, n == 0 ? map : NULL)
	{
		const struct json_value *item = &map->u.array.items[i], *arch;
		char at[READER_WHERE];

		(void)snprintf(at, sizeof at, "archMap[%zu].", i);
		if (item->type != JSON_OBJECT)
			return reader_refuse(r, at, "expected an object");
		arch = reader_member(item, "architecture");
		if (arch == NULL || !IS_ONE_OF(arch, arch_names))
			return reader_refuse_value(
				r, at, arch ? arch : item,
				"architecture: expected one of SCMP_ARCH_*");
		n = check_list(r, item, "subArchitectures", at, true);
		if (n < 0)
			return n;
	}
	return n;
}

/* Read "4.8" as a LINUX_VERSION_CODE. */
static int kernel_version(const struct reader *r, const struct json_value *v,
			  const char *where, uint32_t *ret)
{
	unsigned major, minor;
	char text[16], again[16];

	if (v->type != JSON_STRING || v->u.string.len >= sizeof text)
		return reader_refuse_value(r, where, v,
					   "expected a version like \"4.8\"");
	memcpy(text, v->u.string.bytes, v->u.string.len + 1);
	if (sscanf(text, "%5u.%5u", &major, &minor) != 2 || major > 255 ||
	    minor > 255 ||
	    snprintf(again, sizeof again, "%u.%u", major, minor) !=
		    (int)v->u.string.len)
		return reader_refuse_value(r, where, v,
					   "expected a version like \"4.8\"");
	*ret = major << 16 | minor << 8;
	return 0;
}

/* What an includes or excludes object says about this target. */
struct match {
	bool has_caps, has_arches, has_kernel; /* is there such a condition */
	bool is_arch, is_kernel;               /* whether that matches */
};

static int read_match(const struct reader *r, const struct json_value *entry,
		      const char *key, const char *where, struct match *ret)
{
	const struct json_value *v = reader_member(entry, key), *caps, *arches,
				*kernel;
	struct match m = { 0 };
	char at[READER_WHERE];
	uint32_t version = 0;
	int n;

	*ret = m;
	if (v == NULL)
		return 0;
	(void)snprintf(at, sizeof at, "%.64s%s.", where, key);
	if (v->type != JSON_OBJECT)
		return reader_refuse(r, at, "expected an object");
	n = CHECK_KEYS(r, v, condition_keys, at);
	if (n == 0)
		n = reader_array(r, v, "caps", true, at, &caps);
	if (n == 0)
		n = reader_array(r, v, "arches", true, at, &arches);
	if (n < 0)
		return n;
	m.has_caps = caps && caps->u.array.len > 0;
	m.has_arches = arches && arches->u.array.len > 0;
	EACH(i, arches)
	m.is_arch |=
		json_is_text(&arches->u.array.items[i], go_arch(r->p->arch));
	kernel = reader_member(v, "minKernel");
	if (kernel) {
		n = kernel_version(r, kernel, at, &version);
		if (n < 0)
			return n;
		m.has_kernel = true;
		m.is_kernel = r->p->kernel == 0 || r->p->kernel >= version;
	}
	*ret = m;
	return 0;
}

/* As in Docker's own loader: an entry is left out when any of its excludes
 * matches, or any of its includes does not. */
int reader_applies(const struct reader *r, const struct json_value *entry,
		   const char *where, bool *ret)
{
	struct match with, without;
	int n = read_match(r, entry, "includes", where, &with);

	if (n == 0)
		n = read_match(r, entry, "excludes", where, &without);
	if (n < 0)
		return n;
	*ret = !with.has_caps && (!with.has_arches || with.is_arch) &&
	       (!with.has_kernel || with.is_kernel) && !without.is_arch &&
	       !without.is_kernel;
	return 0;
}

static int read_syscalls(const struct reader *r, const struct json_value *top)
{
	const struct json_value *list;
	bool is_here;
	int n = reader_array(r, top, "syscalls", false, "", &list);

	EACH(i, n == 0 ? list : NULL)
	{
		const struct json_value *entry = &list->u.array.items[i];
		char at[READER_WHERE];

		(void)snprintf(at, sizeof at, "syscalls[%zu].", i);
		if (entry->type != JSON_OBJECT)
			return reader_refuse(r, at, "expected an object");
		n = CHECK_KEYS(r, entry, entry_keys, at);
		if (n == 0)
			n = reader_applies(r, entry, at, &is_here);
		if (n == 0 && is_here)
			n = reader_entry(r, entry, at);
		if (n < 0)
			return n;
	}
	return n;
}

int reader_parse(const struct reader *r, const char *json, size_t n,
		 struct json_value *ret)
{
	struct json_error bad;

	if (json_parse(json, n, NULL, r->p->arena, ret, &bad) != 0)
		return cupel_fail(
			r->err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER, EINVAL,
			"%s:%zu:%zu: not JSON (%s): expected %s", r->p->name,
			bad.line, bad.column, json_code_name(bad.code),
			bad.expected ? bad.expected : "something else");
	if (ret->type != JSON_OBJECT)
		return reader_refuse(r, "", "expected an object");
	return 0;
}

int filter_read(struct filter_policy *p, const char *json, size_t n,
		struct cupel_error *err)
{
	struct reader r = { p, err };
	struct json_value top;
	int e = reader_parse(&r, json, n, &top);

	if (e == 0)
		e = CHECK_KEYS(&r, &top, top_keys, "");
	if (e == 0)
		e = reader_verdict(&r, &top, true, "", &p->fallback);
	if (e == 0)
		e = check_list(&r, &top, "architectures", "", true);
	if (e == 0)
		e = check_list(&r, &top, "flags", "", false);
	if (e == 0)
		e = check_arch_map(&r, &top);
	if (e == 0)
		e = read_syscalls(&r, &top);
	return e;
}
