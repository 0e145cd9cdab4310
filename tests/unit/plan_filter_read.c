/* plan_filter_read.c -- what the policy reader accepts, refuses and warns
 * of. */
#include "tap.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "filter_profiles.h"

#define ALLOW        SECCOMP_RET_ALLOW
#define VIOLATION    SECCOMP_RET_USER_NOTIF
#define ERRNO(n)     (SECCOMP_RET_ERRNO | (n))
#define KERNEL(a, b) ((uint32_t)(a) << 16 | (uint32_t)(b) << 8)

static struct arena arena;
static struct filter filter;
static struct cupel_error err;

static int compile_at(const char *json, uint32_t arch, uint32_t kernel)
{
	struct filter_source source = { .name = "f.json",
					.json = json,
					.n = strlen(json),
					.arch = arch,
					.kernel = kernel };

	arena_done(&arena);
	memset(&filter, 0, sizeof filter);
	memset(&err, 0, sizeof err);
	return filter_compile(&source, &arena, &filter, &err);
}

static int compile(const char *json)
{
	return compile_at(json, AUDIT_ARCH_X86_64, 0);
}

static uint32_t run_on(uint32_t arch, const char *name, uint64_t a0,
		       uint64_t a1)
{
	uint64_t args[6] = { a0, a1 };

	return filter_run(&filter, arch, filter_number(name, arch), args);
}

static uint32_t run(const char *name)
{
	return run_on(AUDIT_ARCH_X86_64, name, 0, 0);
}

static void refuses(const char *json, const char *part)
{
	ok_int(compile(json), -EINVAL);
	ok_int(err.stage, CUPEL_STAGE_PLAN);
	ok_int(err.cause, CUPEL_CAUSE_CALLER);
	ok_has(err.what, "f.json: ");
	ok_has(err.what, part);
	ok(filter.insns == NULL);
}

#define TOP(rest)   "{\"defaultAction\":\"SCMP_ACT_ERRNO\"" rest "}"
#define CALLS(list) TOP(",\"syscalls\":[" list "]")
#define READ(rest)  CALLS("{\"names\":[\"read\"]" rest "}")
#define ARGS(list)  READ(",\"action\":\"SCMP_ACT_ALLOW\",\"args\":[" list "]")

static void refuses_by_path_and_value(void)
{
	refuses("[]", "expected an object");
	refuses("{}", "defaultAction: missing");
	refuses("{\"defaultAction\":null}", "defaultAction: missing");
	refuses("{\"defaultAction\":7}", "defaultAction: is not an action");
	refuses("{\"defaultAction\":\"SCMP_ACT_NOTIFY\"}",
		"defaultAction: SCMP_ACT_NOTIFY: is not supported, as there is "
		"no agent");
	refuses(TOP(",\"defaultErrnoRet\":4096"),
		"defaultErrnoRet: expected a whole");
	refuses(TOP(",\"defaultErrnoRet\":-1"),
		"defaultErrnoRet: expected a whole");
	refuses(TOP(",\"defaultErrnoRet\":1.5"),
		"defaultErrnoRet: expected a whole");
	refuses(TOP(",\"defaultErrnoRet\":\"EPERM\""), "defaultErrnoRet");
	refuses("{\"defaultAction\":\"SCMP_ACT_ALLOW\",\"defaultErrnoRet\":1}",
		"defaultErrnoRet: only SCMP_ACT_ERRNO");
	refuses(TOP(",\"syscalls\":{}"), "syscalls: expected an array");
	refuses(TOP(",\"architectures\":[\"SCMP_ARCH_Z80\"]"),
		"architectures: SCMP_ARCH_Z80: is not an architecture");
	refuses(TOP(",\"architectures\":[7]"),
		"architectures: expected an array of");
	refuses(TOP(",\"flags\":[\"SECCOMP_FILTER_FLAG_X\"]"),
		"flags: SECCOMP_FILTER_FLAG_X");
	refuses(TOP(",\"archMap\":[{\"architecture\":\"amd64\"}]"),
		"archMap[0].: amd64");
	refuses(CALLS("7"), "syscalls[0].: expected an object");
	refuses(READ(""), "syscalls[0].action: missing");
	refuses(READ(",\"action\":\"SCMP_ACT_TRACE\""),
		"syscalls[0].action: SCMP_ACT_TRACE: is not supported, as "
		"there is no tracer");
	refuses(READ(",\"action\":\"scmp_act_allow\""),
		"syscalls[0].action: scmp_act_allow: is not an action");
	refuses(READ(",\"action\":\"SCMP_ACT_KILL\",\"errnoRet\":1"),
		"syscalls[0].errnoRet: only");
	refuses(READ(",\"action\":\"SCMP_ACT_ALLOW\",\"otherwiseErrnoRet\":1"),
		"otherwiseErrnoRet needs args");
	refuses(CALLS("{\"action\":\"SCMP_ACT_ALLOW\"}"), "expected names");
	refuses(CALLS("{\"names\":[],\"action\":\"SCMP_ACT_ALLOW\"}"),
		"expected names");
	refuses(CALLS("{\"names\":[3],\"action\":\"SCMP_ACT_ALLOW\"}"),
		"syscalls[0].names: expected an array of strings");
	refuses(READ(",\"name\":\"write\",\"action\":\"SCMP_ACT_ALLOW\""),
		"no name beside it");
}

static void refuses_bad_conditions(void)
{
	refuses(READ(",\"action\":\"SCMP_ACT_ALLOW\",\"args\":{}"),
		"syscalls[0].args: expected an array");
	refuses(ARGS("1"), "syscalls[0].args[0].: expected an object");
	refuses(ARGS("{\"value\":1,\"op\":\"SCMP_CMP_EQ\"}"),
		"index is missing");
	refuses(ARGS("{\"index\":6,\"value\":1,\"op\":\"SCMP_CMP_EQ\"}"),
		"args[0].index: expected a whole number of 0..5");
	refuses(ARGS("{\"index\":1,\"op\":\"SCMP_CMP_EQ\"}"),
		"value is missing");
	refuses(ARGS("{\"index\":1,\"value\":18446744073709551616,"
		     "\"op\":\"SCMP_CMP_EQ\"}"),
		"args[0].value: expected a whole number");
	refuses(ARGS("{\"index\":1,\"value\":1,\"op\":\"SCMP_CMP_XX\"}"),
		"args[0].op: SCMP_CMP_XX: expected SCMP_CMP_NE");
	refuses(ARGS("{\"index\":1,\"value\":1}"),
		"args[0].op: expected SCMP_CMP_NE");
	refuses(READ(",\"action\":\"SCMP_ACT_ALLOW\","
		     "\"includes\":{\"minKernel\":\"4\"}"),
		"syscalls[0].includes.: 4: expected a version");
	refuses(READ(",\"action\":\"SCMP_ACT_ALLOW\","
		     "\"excludes\":{\"minKernel\":\"4.08\"}"),
		"syscalls[0].excludes.: 4.08: expected a version");
	refuses(READ(",\"action\":\"SCMP_ACT_ALLOW\",\"excludes\":[]"),
		"syscalls[0].excludes.: expected an object");
}

static void refuses_what_is_not_json(void)
{
	ok_int(compile("{\n\"defaultAction\": ,"), -EINVAL);
	ok_has(err.what, "f.json:2:18: not JSON");
	ok_int(compile(""), -EINVAL);
	ok_int(compile("{\"defaultAction\":\"SCMP_ACT_ALLOW\"} x"), -EINVAL);
	ok_int(compile_at(TOP(""), AUDIT_ARCH_I386, 0), -EINVAL);
	ok_has(err.what, "0x40000003");
}

static void every_action_has_its_outcome(void)
{
	static const struct {
		const char *action;
		uint32_t verdict;
	} rows[] = {
		{ "ALLOW", ALLOW },
		{ "LOG", ALLOW },
		{ "KILL", VIOLATION },
		{ "KILL_THREAD", VIOLATION },
		{ "KILL_PROCESS", VIOLATION },
		{ "TRAP", VIOLATION },
		{ "ERRNO", ERRNO(EPERM) },
	};
	char json[200];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		(void)snprintf(json, sizeof json,
			       TOP(",\"defaultErrnoRet\":38,\"syscalls\":[{"
				   "\"names\":[\"read\"],\"action\":"
				   "\"SCMP_ACT_%s\"}]"),
			       rows[i].action);
		ok_int(compile(json), 0);
		ok_int(run("read"), rows[i].verdict);
		ok_int(run("write"), ERRNO(38));
		(void)snprintf(json, sizeof json,
			       "{\"defaultAction\":\"SCMP_ACT_%s\"}",
			       rows[i].action);
		ok_int(compile(json), 0);
		ok_int(run("write"), rows[i].verdict);
	}
	ok_int(compile(READ(
		       ",\"action\":\"SCMP_ACT_ERRNO\",\"errnoRet\":4095")),
	       0);
	ok_int(run("read"), ERRNO(4095));
}

static void warns_of_what_means_nothing_here(void)
{
	ok_int(compile(TOP(
		       ",\"listenerPath\":\"/x\",\"defaultErrno\":\"EPERM\","
		       "\"sysCalls\":[],\"syscalls\":[{\"names\":[\"read\","
		       "\"no_such_call\",\"re\\u0000ad\",\"socketcall\"],"
		       "\"action\":\"SCMP_ACT_ALLOW\",\"arg\":[]}]")),
	       0);
	ok_int((intmax_t)filter.warnings_len, 4);
	if (filter.warnings_len != 4)
		return;
	ok_has(filter.warnings[0], "sysCalls: unknown key");
	ok_has(filter.warnings[1], "syscalls[0].arg: unknown key");
	ok_has(filter.warnings[2], "syscalls[0].names: no_such_call: unknown");
	ok_has(filter.warnings[3], "syscalls[0].names: re: unknown");
	ok_int(run("read"), ALLOW);
}

static void keeps_few_warnings_and_no_control_bytes(void)
{
	owned_buf struct buf json = { 0 };

	buf_text(&json, "{\"defaultAction\":\"SCMP_ACT_ALLOW\",\"syscalls\":["
			"{\"action\":\"SCMP_ACT_ALLOW\",\"names\":["
			"\"\\u001b[2Jx\"");
	for (int i = 0; i < 5000; i++)
		buf_format(&json, ",\"x%d\"", i);
	buf_text(&json, "]}]}");
	ok_int(compile(json.bytes), 0);
	ok_int((intmax_t)filter.warnings_len, FILTER_WARNINGS_MAX);
	ok_has(filter.warnings[0], "?[2Jx");
}

static void more_than_the_kernel_takes_is_refused(void)
{
	owned_buf struct buf json = { 0 };

	buf_text(&json, "{\"defaultAction\":\"SCMP_ACT_ALLOW\",\"syscalls\":[");
	for (int i = 0; i < 1 + (int)FILTER_CLAUSES_MAX; i++)
		buf_format(&json,
			   "%s{\"action\":\"SCMP_ACT_ERRNO\",\"names\":["
			   "\"read\"],\"args\":[{\"index\":0,\"value\":%d,"
			   "\"op\":\"SCMP_CMP_EQ\"}]}",
			   i ? "," : "", i);
	buf_text(&json, "]}");
	ok_int(compile(json.bytes), -EINVAL);
	ok_has(err.what, "too many entries for one call");
	buf_done(&json);
	buf_text(&json, "{\"defaultAction\":\"SCMP_ACT_ALLOW\",\"syscalls\":[");
	for (int i = 0; i < 2000; i++)
		buf_format(&json,
			   "%s{\"action\":\"SCMP_ACT_ERRNO\",\"names\":["
			   "\"%s\"],\"args\":[{\"index\":%d,\"value\":%d,"
			   "\"op\":\"SCMP_CMP_EQ\"}]}",
			   i ? "," : "",
			   filter_name(i % 300, AUDIT_ARCH_X86_64), i % 6, i);
	buf_text(&json, "]}");
	ok_int(compile(json.bytes), -EINVAL);
	ok_has(err.what, "more than the 4096 instructions");
}

/* A small file of the same form as Docker's. */
static const char docker[] =
	"{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"defaultErrnoRet\":1,"
	"\"archMap\":[{\"architecture\":\"SCMP_ARCH_X86_64\","
	"\"subArchitectures\":[\"SCMP_ARCH_X86\",\"SCMP_ARCH_X32\"]},"
	"{\"architecture\":\"SCMP_ARCH_AARCH64\",\"subArchitectures\":"
	"[\"SCMP_ARCH_ARM\"]},{\"architecture\":\"SCMP_ARCH_S390X\","
	"\"subArchitectures\":null}],\"syscalls\":["
	"{\"names\":[\"read\",\"write\",\"open\",\"mmap2\",\"io_uring_setup\"],"
	"\"action\":\"SCMP_ACT_ALLOW\",\"args\":null,\"comment\":\"\","
	"\"includes\":{},\"excludes\":{}},"
	"{\"names\":[\"ptrace\",\"process_vm_readv\"],\"action\":"
	"\"SCMP_ACT_ALLOW\",\"includes\":{\"minKernel\":\"4.8\"}},"
	"{\"name\":\"personality\",\"action\":\"SCMP_ACT_ALLOW\",\"args\":["
	"{\"index\":0,\"value\":8,\"op\":\"SCMP_CMP_EQ\"}]},"
	"{\"names\":[\"arch_prctl\"],\"action\":\"SCMP_ACT_ALLOW\","
	"\"includes\":{\"arches\":[\"amd64\",\"x32\"]}},"
	"{\"names\":[\"dup3\"],\"action\":\"SCMP_ACT_ALLOW\","
	"\"excludes\":{\"arches\":[\"arm64\"]}},"
	"{\"names\":[\"mount\",\"bpf\",\"acct\",\"setns\"],\"action\":"
	"\"SCMP_ACT_ALLOW\",\"includes\":{\"caps\":[\"CAP_SYS_ADMIN\"]}},"
	"{\"names\":[\"clone\"],\"action\":\"SCMP_ACT_ALLOW\",\"args\":["
	"{\"index\":0,\"value\":2114060288,\"valueTwo\":0,"
	"\"op\":\"SCMP_CMP_MASKED_EQ\"}],\"excludes\":{\"caps\":"
	"[\"CAP_SYS_ADMIN\"],\"arches\":[\"s390\",\"s390x\"]}},"
	"{\"names\":[\"clone3\"],\"action\":\"SCMP_ACT_ERRNO\","
	"\"errnoRet\":38,\"excludes\":{\"caps\":[\"CAP_SYS_ADMIN\"]}},"
	"{\"names\":[\"lchown\"],\"action\":\"SCMP_ACT_ALLOW\","
	"\"excludes\":{\"minKernel\":\"5.0\"}}]}";

static void reads_the_docker_form(void)
{
	ok_int(compile(docker), 0);
	ok_int((intmax_t)filter.warnings_len, 0);
	ok_int(run("read"), ALLOW);
	ok_int(run("close"), ERRNO(EPERM));
	ok_int(run("ptrace"), ALLOW);
	ok_int(run("arch_prctl"), ALLOW);
	ok_int(run("dup3"), ALLOW);
	ok_int(run("mount"), ERRNO(EPERM));
	ok_int(run("acct"), ERRNO(EPERM));
	ok_int(run("clone3"), ERRNO(ENOSYS));
	ok_int(run("io_uring_setup"), ERRNO(ENOSYS));
	ok_int(run("lchown"), ERRNO(EPERM));
	ok_int(run_on(AUDIT_ARCH_X86_64, "personality", 8, 0), ALLOW);
	ok_int(run_on(AUDIT_ARCH_X86_64, "personality", 0, 0), ERRNO(EPERM));
	ok_int(run_on(AUDIT_ARCH_X86_64, "clone", 17, 0), ALLOW);
	ok_int(run_on(AUDIT_ARCH_X86_64, "clone", 0x10000011, 0), ERRNO(EPERM));
	ok_int(compile_at(docker, AUDIT_ARCH_X86_64, KERNEL(4, 7)), 0);
	ok_int(run("ptrace"), ERRNO(EPERM));
	ok_int(run("lchown"), ALLOW);
	ok_int(compile_at(docker, AUDIT_ARCH_X86_64, KERNEL(4, 8)), 0);
	ok_int(run("ptrace"), ALLOW);
	ok_int(compile_at(docker, AUDIT_ARCH_AARCH64, 0), 0);
	ok_int((intmax_t)filter.warnings_len, 0);
	ok_int(run_on(AUDIT_ARCH_AARCH64, "read", 0, 0), ALLOW);
	ok_int(run_on(AUDIT_ARCH_AARCH64, "dup3", 0, 0), ERRNO(EPERM));
}

static void the_floor_lies_below_every_file(void)
{
	ok_int(compile("{\"defaultAction\":\"SCMP_ACT_ALLOW\"}"), 0);
	ok_int(run("read"), ALLOW);
	ok_int(run("mount"), ERRNO(EPERM));
	ok_int(run("open_tree_attr"), ERRNO(EPERM));
	ok_int(run("io_uring_enter"), ERRNO(ENOSYS));
	ok_int(run_on(AUDIT_ARCH_X86_64, "socket", AF_VSOCK, 1),
	       ERRNO(EAFNOSUPPORT));
	ok_int(run_on(AUDIT_ARCH_X86_64, "ioctl", 0, 0x100005412),
	       ERRNO(EPERM));
	ok_int(run_on(AUDIT_ARCH_X86_64, "unshare", 0x80, 0), ERRNO(EPERM));
	ok_int(run_on(AUDIT_ARCH_X86_64, "prlimit64", 0x700000001, 0),
	       ERRNO(EPERM));
	ok_int(run_on(AUDIT_ARCH_X86_64, "prlimit64", 2, 0), ALLOW);
	ok_int(run_on(AUDIT_ARCH_X86_64, "setpriority", 0, 1), ERRNO(EPERM));
	ok_int(run_on(AUDIT_ARCH_X86_64, "setpriority", 0, 0), ALLOW);
	ok_int(compile("{\"defaultAction\":\"SCMP_ACT_LOG\",\"syscalls\":[{"
		       "\"names\":[\"mount\",\"unshare\"],\"action\":"
		       "\"SCMP_ACT_TRAP\"}]}"),
	       0);
	ok_int(run("mount"), VIOLATION);
	ok_int(run("unshare"), VIOLATION);
	ok_int(run("umount2"), ERRNO(EPERM));
}

static void one_policy_has_one_hash(void)
{
	char hash[80];

	ok_int(compile(CALLS("{\"names\":[\"read\",\"write\"],\"action\":"
			     "\"SCMP_ACT_ALLOW\"}")),
	       0);
	(void)snprintf(hash, sizeof hash, "%s", filter.hash);
	ok(strlen(hash) == 71 && strncmp(hash, "blake3:", 7) == 0);
	ok_int(compile(CALLS("{\"names\":[\"write\"],\"action\":"
			     "\"SCMP_ACT_LOG\",\"comment\":\"c\"},{\"names\":"
			     "[\"read\"],\"action\":\"SCMP_ACT_ALLOW\"}")),
	       0);
	ok(strcmp(hash, filter.hash) == 0);
	ok_int(compile(CALLS("{\"names\":[\"write\"],\"action\":"
			     "\"SCMP_ACT_ALLOW\"}")),
	       0);
	ok(strcmp(hash, filter.hash) != 0);
}

int main(void)
{
	int r = tap_run((struct tap_case[]){
		CASE(refuses_by_path_and_value), CASE(refuses_bad_conditions),
		CASE(refuses_what_is_not_json),
		CASE(every_action_has_its_outcome),
		CASE(warns_of_what_means_nothing_here),
		CASE(keeps_few_warnings_and_no_control_bytes),
		CASE(more_than_the_kernel_takes_is_refused),
		CASE(reads_the_docker_form),
		CASE(the_floor_lies_below_every_file),
		CASE(one_policy_has_one_hash), TAP_END });

	arena_done(&arena);
	return r;
}
