/* filter_oracle.c -- see filter_oracle.h. */
#include "filter_oracle.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <string.h>

#include "plan/filter_rule.h"

static uint64_t number_of(const struct json_value *v, const char *key,
			  uint64_t absent)
{
	const struct json_value *m = json_find(v, key);
	uint64_t n = absent;

	if (m)
		(void)json_read_u64(m, &n);
	return n;
}

static uint32_t verdict_of(const struct json_value *v, const char *action,
			   const char *error)
{
	const struct json_value *a = json_find(v, action);

	if (json_is_text(a, "SCMP_ACT_ALLOW") ||
	    json_is_text(a, "SCMP_ACT_LOG"))
		return SECCOMP_RET_ALLOW;
	if (json_is_text(a, "SCMP_ACT_ERRNO"))
		return SECCOMP_RET_ERRNO | (uint32_t)number_of(v, error, EPERM);
	return SECCOMP_RET_USER_NOTIF;
}

static unsigned rank(uint32_t verdict)
{
	if (verdict == SECCOMP_RET_ALLOW)
		return 0;
	return verdict == SECCOMP_RET_USER_NOTIF ? 2 : 1;
}

static bool holds(const struct json_value *cond, const uint64_t args[6])
{
	uint64_t arg = args[number_of(cond, "index", 0)];
	uint64_t value = number_of(cond, "value", 0);
	uint64_t two = number_of(cond, "valueTwo", 0);
	const struct json_value *op = json_find(cond, "op");

	if (json_is_text(op, "SCMP_CMP_NE"))
		return arg != value;
	if (json_is_text(op, "SCMP_CMP_LT"))
		return arg < value;
	if (json_is_text(op, "SCMP_CMP_LE"))
		return arg <= value;
	if (json_is_text(op, "SCMP_CMP_EQ"))
		return arg == value;
	if (json_is_text(op, "SCMP_CMP_GE"))
		return arg >= value;
	if (json_is_text(op, "SCMP_CMP_GT"))
		return arg > value;
	return (arg & value) == two;
}

/* All conditions must hold; any one if two of them are about the same
 * argument. */
static bool matches(const struct json_value *entry, const uint64_t args[6])
{
	const struct json_value *list = json_find(entry, "args");
	bool seen[6] = { false }, is_any = false, all = true, any = false;

	if (list == NULL || list->u.array.len == 0)
		return true;
	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_value *cond = &list->u.array.items[i];
		size_t index = (size_t)number_of(cond, "index", 0);
		bool yes = holds(cond, args);

		is_any |= seen[index];
		seen[index] = true;
		all &= yes;
		any |= yes;
	}
	return is_any ? any : all;
}

static bool names(const struct json_value *entry, unsigned nr, uint32_t arch)
{
	const struct json_value *list = json_find(entry, "names");

	for (size_t i = 0; i < list->u.array.len; i++)
		if (filter_number(list->u.array.items[i].u.string.bytes,
				  arch) == (int)nr)
			return true;
	return false;
}

static uint32_t asked(const struct oracle *o, unsigned nr,
		      const uint64_t args[6])
{
	const struct json_value *list = json_find(&o->file, "syscalls");
	uint32_t best = SECCOMP_RET_ALLOW, otherwise = 0, v;
	bool is_found = false;

	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_value *entry = &list->u.array.items[i];

		if (!names(entry, nr, o->arch))
			continue;
		if (json_find(entry, "otherwiseErrnoRet"))
			otherwise = SECCOMP_RET_ERRNO |
				    (uint32_t)number_of(entry,
							"otherwiseErrnoRet", 0);
		v = verdict_of(entry, "action", "errnoRet");
		if (matches(entry, args) &&
		    (!is_found || rank(v) > rank(best))) {
			best = v;
			is_found = true;
		}
	}
	if (is_found)
		return best;
	return otherwise ? otherwise
			 : verdict_of(&o->file, "defaultAction",
				      "defaultErrnoRet");
}

/* The floor once more, written by hand: 0 or an errno. */
static uint32_t floor_errno(const char *name, const uint64_t args[6])
{
	static const char *const refused[] = {
		"mount",         "umount2",
		"mount_setattr", "move_mount",
		"open_tree",     "open_tree_attr",
		"fsopen",        "fsconfig",
		"fsmount",       "fspick",
		"pivot_root",    "setns",
		"bpf",           "keyctl",
		"add_key",       "request_key",
		"kexec_load",    "kexec_file_load",
		"init_module",   "finit_module",
		"delete_module", "open_by_handle_at",
	};
	uint32_t low[3] = { (uint32_t)args[0], (uint32_t)args[1],
			    (uint32_t)args[2] };

	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		if (strcmp(name, refused[i]) == 0)
			return EPERM;
	if (strncmp(name, "io_uring_", 9) == 0 || strcmp(name, "clone3") == 0)
		return ENOSYS;
	if (strcmp(name, "clone") == 0)
		return (low[0] & 0x7e020000) != 0 ? EPERM : 0;
	if (strcmp(name, "unshare") == 0)
		return (low[0] & 0x7e020080) != 0 ? EPERM : 0;
	if (strcmp(name, "ioctl") == 0)
		return low[1] == 0x5412 || low[1] == 0x541c || low[1] == 0x5423
			       ? EPERM
			       : 0;
	if (strcmp(name, "prctl") == 0)
		return low[0] == 67 || low[0] == 78 ? EINVAL : 0;
	if (strcmp(name, "madvise") == 0)
		return low[2] == 12                     ? EINVAL
		       : low[2] == 100 || low[2] == 101 ? EPERM
							: 0;
	if (strcmp(name, "setsockopt") == 0)
		return low[1] == 1 && (low[2] == 32 || low[2] == 33) ? EPERM
								     : 0;
	if (strcmp(name, "prlimit64") == 0 ||
	    strncmp(name, "sched_set", 9) == 0)
		return low[0] == 1 ? EPERM : 0;
	if (strcmp(name, "setpriority") == 0)
		return low[0] == 2 || low[1] == 1 ? EPERM : 0;
	if (strcmp(name, "ioprio_set") == 0)
		return low[0] == 3 || low[1] == 1 ? EPERM : 0;
	if (strcmp(name, "socket") != 0 && strcmp(name, "socketpair") != 0)
		return 0;
	if (low[0] == 40 || low[0] == 17 || low[0] == 38 ||
	    (low[0] == 16 && low[2] != 0) ||
	    (low[0] == 2 && (low[1] & 15) == 10))
		return EAFNOSUPPORT;
	return 0;
}

uint32_t oracle_verdict(const struct oracle *o, unsigned nr,
			const uint64_t args[6])
{
	const char *name = filter_name((int)nr, o->arch);
	uint32_t v = asked(o, nr, args), error = 0;

	if (!o->has_floor)
		return v;
	if (nr >= FILTER_NR_X32)
		return rank(v) == 2 ? v : SECCOMP_RET_ERRNO | ENOSYS;
	if (name && rank(v) == 0)
		error = floor_errno(name, args);
	return error ? SECCOMP_RET_ERRNO | error : v;
}
