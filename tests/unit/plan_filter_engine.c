/* plan_filter_engine.c -- an engine's policy with what cupel needs: it is
 * evaluated for no capabilities, and allows nothing that is neither in it nor
 * needed. */
#include "plan/filter_engine.h"

#include <errno.h>
#include <linux/audit.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "boundary/json.h"
#include "json_at.h"

static int engine_write(const char *name, const char *policy, struct buf *out,
			struct cupel_error *err)
{
	const struct filter_source source = { .name = name,
					      .json = policy,
					      .n = strlen(policy),
					      .arch = AUDIT_ARCH_X86_64,
					      .kernel = 5 << 16 | 10 << 8 };

	return filter_engine_write(&source, out, err);
}

/* What the policy says about one call: "ALLOW", "ALLOW:1" with conditions,
 * "ERRNO"; one after the other for each entry that names it. */
static void find_call(const struct json_value *top, const char *call,
		      struct buf *out)
{
	const struct json_value *list = json_find(top, "syscalls");

	for (size_t i = 0; list != NULL && i < list->u.array.len; i++) {
		const struct json_value *e = &list->u.array.items[i];
		const struct json_value *names = json_find(e, "names");
		const struct json_value *args = json_find(e, "args");

		for (size_t k = 0; k < names->u.array.len; k++)
			if (json_is_text(&names->u.array.items[k], call))
				buf_format(
					out, "%s:%zu ",
					json_find(e, "action")->u.string.bytes,
					args ? args->u.array.len : 0);
	}
}

static void says(const char *policy, const char *call, const char *want)
{
	owned_buf struct buf out = { 0 }, got = { 0 };
	struct cupel_error err = { 0 };
	struct arena arena = { 0 };
	struct json_value top;
	struct json_error bad;

	ok_int(engine_write("p", policy, &out, &err), 0);
	ok_int(json_parse(out.bytes, out.len, NULL, &arena, &top, &bad), 0);
	find_call(&top, call, &got);
	buf_char(&got, '\0');
	if (strcmp(got.bytes, want) != 0)
		fprintf(stderr, "# %s: %s, wanted %s\n", call, got.bytes, want);
	ok(strcmp(got.bytes, want) == 0);
	arena_done(&arena);
}

#define POLICY(entries)                                                        \
	"{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[" entries "]}"
#define ENTRY(name, action, more)                                              \
	"{\"names\":[\"" name "\"],\"action\":\"SCMP_ACT_" action "\"" more "}"

static void adds_what_is_needed(void)
{
	says(POLICY(""), "clone3", "SCMP_ACT_ALLOW:0 ");
	says(POLICY(""), "keyctl", "SCMP_ACT_ALLOW:1 ");
	says(POLICY(""), "unshare", "SCMP_ACT_ALLOW:1 ");
	says(POLICY(""), "ioctl", "SCMP_ACT_ALLOW:1 ");
	says(POLICY(""), "bpf", "");
}

static void takes_off_what_refuses_it(void)
{
	says(POLICY(ENTRY("clone3", "ERRNO", ",\"errnoRet\":38")), "clone3",
	     "SCMP_ACT_ALLOW:0 ");
	says(POLICY(ENTRY("mount\",\"bpf", "KILL_PROCESS", "")), "mount",
	     "SCMP_ACT_ALLOW:0 ");
	says(POLICY(ENTRY("mount\",\"bpf", "KILL_PROCESS", "")), "bpf",
	     "SCMP_ACT_KILL_PROCESS:0 ");
}

#define ARGS ",\"args\":[{\"index\":1,\"value\":21522,\"op\":\"SCMP_CMP_EQ\"}]"

/* Whether the printed policy has that text, but for its white space. */
static bool prints(const char *policy, const char *text)
{
	owned_buf struct buf out = { 0 }, tight = { 0 };
	struct cupel_error err = { 0 };

	ok_int(engine_write("p", policy, &out, &err), 0);
	for (size_t i = 0; i < out.len; i++)
		if (strchr(" \n", out.bytes[i]) == NULL)
			buf_char(&tight, out.bytes[i]);
	buf_char(&tight, '\0');
	return strstr(tight.bytes, text) != NULL;
}

#define IOCTL_REFUSED(by_default)                                              \
	"{\"defaultAction\":\"SCMP_ACT_" by_default                            \
	"\",\"syscalls\":[" ENTRY("ioctl\",\"bpf", "ERRNO", "") "]}"

/* Of a call that is needed with one value, the rest stays refused, also where the
 * default allows what nothing refuses. */
static void refuses_the_other_values(void)
{
	static const char *const policies[] = { IOCTL_REFUSED("ERRNO"),
						IOCTL_REFUSED("ALLOW") };

	for (size_t i = 0; i < 2; i++) {
		says(policies[i], "ioctl",
		     "SCMP_ACT_ERRNO:1 SCMP_ACT_ALLOW:1 ");
		says(policies[i], "bpf", "SCMP_ACT_ERRNO:0 ");
		ok(prints(policies[i], "\"index\":1,\"value\":35092,\"op\":"
				       "\"SCMP_CMP_NE\""));
		ok(prints(policies[i], "\"index\":1,\"value\":35092,\"op\":"
				       "\"SCMP_CMP_EQ\""));
	}
	says(POLICY(ENTRY("unshare", "ERRNO", "")), "unshare",
	     "SCMP_ACT_ERRNO:1 SCMP_ACT_ALLOW:1 ");
	says(POLICY(ENTRY("mount", "ERRNO", ARGS)), "mount",
	     "SCMP_ACT_ALLOW:0 ");
	says(POLICY(ENTRY("ioctl", "ERRNO", ARGS)), "ioctl",
	     "SCMP_ACT_ERRNO:1 SCMP_ACT_ALLOW:1 ");
	ok(prints(POLICY(ENTRY("ioctl", "ERRNO", ARGS)), "21522"));
}

static void leaves_what_is_allowed(void)
{
	says(POLICY(ENTRY("ioctl", "ALLOW", "")), "ioctl", "SCMP_ACT_ALLOW:0 ");
	says(POLICY(ENTRY("ioctl", "ALLOW", ARGS)), "ioctl",
	     "SCMP_ACT_ALLOW:1 SCMP_ACT_ALLOW:1 ");
	says(POLICY(ENTRY("unshare", "ALLOW", "")), "unshare",
	     "SCMP_ACT_ALLOW:0 ");
	says(POLICY(ENTRY("clone", "ALLOW", ",\"args\":[{\"index\":0}]")),
	     "clone", "SCMP_ACT_ALLOW:1 ");
	says(POLICY(ENTRY("mount", "ALLOW", ",\"args\":[{\"index\":0}]")),
	     "mount", "SCMP_ACT_ALLOW:1 SCMP_ACT_ALLOW:0 ");
	says(POLICY("{\"name\":\"read\",\"action\":\"SCMP_ACT_ALLOW\"}"),
	     "read", "SCMP_ACT_ALLOW:0 ");
}

/* How a call is treated that is allowed on a condition. */
#define ON(condition) POLICY(ENTRY("a", "ALLOW", "," condition))

static void counts_no_capability(void)
{
	says(ON("\"includes\":{\"caps\":[\"CAP_BPF\"]}"), "a", "");
	says(ON("\"excludes\":{\"caps\":[\"CAP_BPF\"]}"), "a",
	     "SCMP_ACT_ALLOW:0 ");
	says(ON("\"includes\":{\"caps\":[]}"), "a", "SCMP_ACT_ALLOW:0 ");
}

static void counts_this_machine(void)
{
	says(ON("\"includes\":{\"arches\":[\"arm64\"]}"), "a", "");
	says(ON("\"includes\":{\"arches\":[\"arm64\",\"amd64\"]}"), "a",
	     "SCMP_ACT_ALLOW:0 ");
	says(ON("\"excludes\":{\"arches\":[\"amd64\"]}"), "a", "");
	says(ON("\"includes\":{\"minKernel\":\"4.8\"}"), "a",
	     "SCMP_ACT_ALLOW:0 ");
	says(ON("\"includes\":{\"minKernel\":\"5.11\"}"), "a", "");
	says(ON("\"excludes\":{\"minKernel\":\"4.8\"}"), "a", "");
}

static void refuses(const char *text, const char *part)
{
	owned_buf struct buf out = { 0 };
	struct cupel_error err = { 0 };

	ok_int(engine_write("p.json", text, &out, &err), -EINVAL);
	ok_has(err.what, "p.json");
	ok_has(err.what, part);
}

static void refuses_what_is_no_policy(void)
{
	refuses("", "not JSON");
	refuses("{\"defaultAction\":}", "p.json:1:18: not JSON");
	refuses("[]", "expected an object");
	refuses("{\"syscalls\":[]}", "expected a policy as in");
	refuses("{\"defaultAction\":\"SCMP_ACT_ERRNO\"}", "expected a policy");
	refuses(POLICY("1"), "syscalls[0].: expected an object");
	refuses(POLICY("{\"action\":\"SCMP_ACT_ALLOW\"}"),
		"syscalls[0].: expected names");
	refuses(POLICY("{\"names\":\"x\",\"action\":\"SCMP_ACT_ALLOW\"}"),
		"syscalls[0].names");
	refuses(POLICY(ENTRY("a", "ALLOW", "") ",{\"names\":[1],"
					       "\"action\":\"A\"}"),
		"syscalls[1].names");
	refuses(POLICY("{\"names\":[\"a\"]}"),
		"syscalls[0].: expected an action");
}

/* An fsync that is answered and not done is for commands in a vessel.  A condition
 * on an argument changes nothing: it may be one that always holds. */
static void refuses_what_only_says_that_it_is_done(void)
{
	refuses(POLICY(ENTRY("read", "ALLOW", "") "," ENTRY("fsync", "ERRNO",
							    ",\"errnoRet\":0")),
		"syscalls[1].errnoRet: calls that are not done");
	refuses("{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"defaultErrnoRet\":0,"
		"\"syscalls\":[]}",
		"defaultErrnoRet: calls that are not done");
	says(POLICY(ENTRY("fsync", "ERRNO", ",\"errnoRet\":5")), "fsync",
	     "SCMP_ACT_ERRNO:0 ");
	refuses(POLICY(ENTRY("fsync", "ERRNO", ",\"errnoRet\":0" ARGS)),
		"syscalls[0].errnoRet: calls that are not done");
	says(POLICY(ENTRY("a", "ERRNO",
			  ",\"errnoRet\":0,\"includes\":"
			  "{\"caps\":[\"CAP_BPF\"]}")),
	     "a", "");
}

static void has_one_list_of_architectures(void)
{
	owned_buf struct buf out = { 0 };
	struct cupel_error err = { 0 };
	static const char text[] =
		"{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"defaultErrnoRet\":1,"
		"\"archMap\":[{\"architecture\":\"SCMP_ARCH_X86_64\","
		"\"subArchitectures\":[\"SCMP_ARCH_X86\"]},"
		"{\"architecture\":\"SCMP_ARCH_AARCH64\","
		"\"subArchitectures\":[\"SCMP_ARCH_ARM\"]}],\"syscalls\":[]}";

	ok_int(engine_write("p", text, &out, &err), 0);
	ok_json(out.bytes, "/ALL", "\"SCMP_ARCH_X86\"");
	ok_json(out.bytes, "/ALL/defaultErrnoRet", "1");
	ok_lacks(out.bytes, "SCMP_ARCH_ARM");
	ok_lacks(out.bytes, "archMap");
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(adds_what_is_needed),
		CASE(takes_off_what_refuses_it),
		CASE(refuses_the_other_values),
		CASE(leaves_what_is_allowed),
		CASE(counts_no_capability),
		CASE(counts_this_machine),
		CASE(refuses_what_is_no_policy),
		CASE(refuses_what_only_says_that_it_is_done),
		CASE(has_one_list_of_architectures),
		TAP_END,
	});
}
