/* parsers_deploy_variable.c -- the variables of images: of a Dockerfile's FROM, and
 * of compose files. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("deployment", deployment_run,                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

/* A FROM after some ARGs, and the image that it names. */
static const char *const from_rows[][2] = {
	{ "ARG A=x\nFROM $A", "x" },
	{ "ARG A=x\nFROM ${A}:1", "x:1" },
	{ "ARG A=x B=\"y\"\nFROM r/$A-$B", "r/x-y" },
	{ "ARG A=x\nARG B=$A.z\nFROM $B", "x.z" },
	{ "ARG A=x\nARG A=y\nFROM $A", "y" },
	{ "ARG A\nFROM n:${A:-2}", "n:2" },
	{ "ARG A=x\nFROM n:${A:-2}", "n:x" },
	{ "FROM n:${A:-${B:-3}}", "n:3" },
	{ "ARG A=x\nFROM n${A:+-slim}", "n-slim" },
	{ "FROM n${A:+-slim}", "n" },
	/* a variable without a known default stays */
	{ "ARG A\nFROM n:$A", "n:$A" },
	{ "FROM n:$A", "n:$A" },
	{ "ARG A=x\nFROM $A:$TARGETARCH", "$A:$TARGETARCH" },
	{ "FROM a\nARG B=1\nFROM n:$B", "n:$B" },
	{ "ARG A=${B}\nFROM n:$A", "n:$A" },
	{ "ARG A=x\nFROM ${A", "${A" },
	{ "ARG A=x\nFROM ${}$", "${}$" },
	{ "ARG A=x\nFROM ${A%y}", "${A%y}" },
	{ "ARG A=x\nFROM ${A:-${A:-${A:-${A:-${A:-${B:-1}}}}}}", "x" },
	{ "FROM ${A:-${A:-${A:-${A:-${A:-${A:-1}}}}}}",
	  "${A:-${A:-${A:-${A:-${A:-${A:-1}}}}}}" },
};

static void variables_of_from_have_defaults(void)
{
	for (size_t i = 0; i < sizeof from_rows / sizeof *from_rows; i++) {
		char *o = PROBE(F("Dockerfile", from_rows[i][0]));
		char text[128];

		(void)snprintf(text, sizeof text, "{\"reference\":\"%s\",",
			       from_rows[i][1]);
		ok_has(o, text);
		free(o);
	}
}

/* Only the default that is written beside a variable is known. */
static void compose_images_have_defaults(void)
{
	char *o = PROBE(
		F("compose.yaml",
		  "services:\n"
		  "  a: {image: '${IMAGE:-busybox}:${TAG-1.2}'}\n"
		  "  b: {image: 'x${TAG}'}\n  c: {image: 'y${TAG:?why}'}\n"
		  "  d: {image: 'z:1'}\n"));

	ok_json(o, "/slice/compose_services/ANY",
		"{\"name\":\"a\",\"image\":\"busybox:1.2\","
		"\"image_written\":\"${IMAGE:-busybox}:${TAG-1.2}\"}");
	ok_json(o, "/slice/compose_services/ANY",
		"{\"name\":\"b\",\"image\":\"x${TAG}\"}");
	ok_json(o, "/slice/compose_services/ANY",
		"{\"name\":\"c\",\"image\":\"y${TAG:?why}\"}");
	ok_json(o, "/slice/images/ANY",
		"{\"reference\":\"busybox:1.2\",\"from\":\"compose\","
		"\"written\":\"${IMAGE:-busybox}:${TAG-1.2}\"}");
	ok_json(o, "/slice/compose_services/3", "{\"image\":\"z:1\"}");
	ok(strstr(o, "\"image_written\":\"z") == NULL);
	free(o);
}

/* A Dockerfile with that many ARGs, whose last one names the image. */
static char *arguments_told(unsigned n)
{
	struct buf text = { 0 };
	char *o;

	for (unsigned i = 1; i <= n; i++)
		buf_format(&text, "ARG A%u=x%u\n", i, i);
	buf_format(&text, "FROM $A%u\n", n);
	o = PROBE(F("Dockerfile", text.bytes));
	buf_done(&text);
	return o;
}

static void a_variable_too_many_is_told(void)
{
	char *o = arguments_told(64);

	ok_has(o, "\"reference\":\"x64\"");
	ok_json(o, "/warnings", "[]");
	free(o);
	o = arguments_told(65);
	ok_has(o, "\"reference\":\"$A65\"");
	ok_json(o, "/warnings",
		"[{\"code\":\"truncated\",\"source\":\"Dockerfile\"}]");
	free(o);
}

/* What COPY takes is kept only once, so that it leaves room for all else. */
static void what_many_copies_take_is_expanded(void)
{
	struct buf text = { 0 };
	char *o;

	buf_text(&text, "ARG A=");
	for (unsigned i = 0; i < 4090; i++)
		buf_char(&text, 'x');
	buf_text(&text, "\nFROM a\n");
	for (unsigned i = 0; i < 5000; i++)
		buf_text(&text, "COPY --from=$A\n");
	o = PROBE(F("Dockerfile", text.bytes));
	ok_has(o, "\"written\":\"$A\"");
	ok_lacks(o, "\"reference\":\"$A\"");
	free(o);
	buf_done(&text);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(variables_of_from_have_defaults),
		CASE(compose_images_have_defaults),
		CASE(a_variable_too_many_is_told),
		CASE(what_many_copies_take_is_expanded),
		TAP_END,
	});
}
