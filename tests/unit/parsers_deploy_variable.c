/* parsers_deploy_variable.c -- the variables of a Dockerfile's FROM. */
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files("deployment", deployment_run,                              \
		    (const struct probe_file[]){ __VA_ARGS__, N(NULL) })

/* A FROM behind some ARGs, and the image that it comes to. */
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
	/* what no default is known of stays */
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

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(variables_of_from_have_defaults),
		TAP_END,
	});
}
