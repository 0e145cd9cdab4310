/* parsers_deploy_hidden.c -- images that a builder or a cluster takes, written so that a
 * quick reader does not see them, or sees others. */
#include "probe_files.h"

/* A file; an image that is told from it; one that is not, or NULL. */
struct hidden {
	const char *text, *image, *lacks;
};

static void dockerfile_holds(const struct hidden *row)
{
	const struct probe_file files[] = { F("Dockerfile", row->text),
					    N(NULL) };
	char *o = probe_files("deployment", deployment_run, files);
	char want[128];

	(void)snprintf(want, sizeof want, "{\"reference\":\"%s\"}", row->image);
	ok_json(o, "/slice/images/ANY", want);
	if (row->lacks != NULL)
		ok_lacks(o, row->lacks);
	free(o);
}

/* Source: BuildKit, frontend/dockerfile/parser. */
static void lines_are_those_of_the_builder(void)
{
	static const struct hidden rows[] = {
		/* of two escape characters the first one escapes */
		{ "FROM a\nRUN echo x \\\\\nFROM evil\n", "evil", NULL },
		/* nothing is put between two lines, and blanks stay */
		{ "FROM a\nFR\\\nOM evil\n", "evil", NULL },
		{ "FROM a\nFROM\\\n evil\n", "evil", NULL },
		{ "FROM a\nRUN x \\  \n# c\n\n && y\nFROM evil\n", "evil",
		  NULL },
		/* a directive is before any comment, and before a blank line */
		{ "# c\n# escape=`\nFROM a\nRUN true # `\nFROM evil\n", "evil",
		  NULL },
		{ "# x=y\n# escape=`\nFROM a\nRUN true # `\nFROM evil\n",
		  "evil", NULL },
		{ "\n# escape=`\nFROM a\nRUN true # `\nFROM evil\n", "evil",
		  NULL },
		{ "# syntax=x\n# escape=`\nFROM a\nRUN true `\nFROM no\n", "a",
		  "\"no\"" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		dockerfile_holds(&rows[i]);
}

/* What looks like a here-document and is none would hide what is behind it, and so
 * would one within a document that was not seen. */
static void here_documents_are_those_of_the_builder(void)
{
	static const struct hidden rows[] = {
		{ "FROM a\nRUN \"x <<Q y\"\nFROM evil\nRUN true \\\nQ\n",
		  "evil", NULL },
		{ "FROM a\nRUN 'x <<Q y'\nFROM evil\nRUN true \\\nQ\n", "evil",
		  NULL },
		{ "FROM a\nRUN x\\ <<Q\nFROM evil\nRUN true \\\nQ\n", "evil",
		  NULL },
		{ "FROM a\nRUN it's <<Q\nFROM evil\nRUN true \\\nQ\n", "evil",
		  NULL },
		{ "FROM a\nRUN it's <<A <<Q\nFROM evil\nRUN true \\\nQ\n",
		  "evil", NULL },
		{ "FROM a\nRUN ${x^^} <<Q\nFROM evil\nRUN true \\\nQ\n", "evil",
		  NULL },
		{ "FROM a\nRUN <<E-F\nRUN <<Q\nE-F\nFROM evil\nRUN \\\nQ\n",
		  "evil", NULL },
		{ "FROM a\nRUN <<\"E F\"\nRUN <<Q\nE F\nFROM evil\nRUN \\\nQ\n",
		  "evil", NULL },
		{ "FROM a\nONBUILD RUN <<E\nRUN <<Q\nE\nFROM evil\nRUN \\\nQ\n",
		  "evil", NULL },
		{ "FROM a\nRUN <<1 <<2 <<3 <<4 <<5 <<6 <<7 <<8 "
		  "<<9\n1\n2\n3\n4\n"
		  "5\n6\n7\n8\nRUN <<Q\n9\nFROM evil\nRUN \\\nQ\n",
		  "evil", NULL },
		/* the control: documents are passed over */
		{ "FROM a\nRUN <<E && 3<<-'F'\nFROM no\nE\nFROM no\n\tF\n", "a",
		  "\"no\"" },
		{ "FROM a\nCOPY << E /x\nFROM no\nE\nFROM b\n", "b", "\"no\"" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		dockerfile_holds(&rows[i]);
}

static void flags_and_quotes_hide_no_image(void)
{
	static const struct hidden rows[] = {
		{ "ARG A=linux/amd64\nFROM --platform=\"${A:- x y}\" evil\n",
		  "evil", NULL },
		{ "FROM --platform='a b' evil\n", "evil", NULL },
		{ "FROM \"evil\"\n", "evil", NULL },
		{ "FROM a\nCOPY --from=\"evil:1\" a b\n", "evil:1", NULL },
		{ "FROM a\nCOPY --link --from=evil a b\n", "evil", NULL },
		{ "FROM a\nRUN --mount=type=bind,from=evil,target=/x y\n",
		  "evil", NULL },
		{ "FROM a\nRUN --mount=\"from=evil,target=/x\" y\n", "evil",
		  NULL },
		{ "FROM a\nONBUILD COPY --from=evil a b\n", "evil", NULL },
		{ "FROM a AS s\nFROM b\nRUN --mount=from=s,target=/x y\n", "b",
		  "\"reference\":\"s\"" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		dockerfile_holds(&rows[i]);
}

/* A default is put in where it is literal and certain; all else is as written. */
static void defaults_are_literal(void)
{
	static const struct hidden rows[] = {
		{ "ARG A=x\nFROM $A\n", "x", "\"reference\":\"$A\"" },
		{ "ARG A=x\nFROM ${A}:1\n", "x:1", NULL },
		{ "ARG A=x B=\"y\"\nFROM r/$A-$B\n", "r/x-y", NULL },
		{ "ARG A=x\nARG A=y\nFROM $A\n", "y", NULL },
		{ "ARG A=x\nARG A\nFROM $A\n", "x", NULL },
		{ "ARG A=x\nFROM a\nCOPY --from=$A b c\n", "x", NULL },
		{ "FROM n:$A\n", "n:$A", NULL },
		{ "ARG A\nFROM n:$A\n", "n:$A", NULL },
		{ "ARG A=\nFROM $A\n", "$A", NULL },
		{ "ARG A=x\nFROM $A:$TARGETARCH\n", "$A:$TARGETARCH", NULL },
		{ "FROM a\nARG B=1\nFROM n:$B\n", "n:$B", NULL },
		{ "ARG A=x\nARG B=$A\nFROM $B\n", "$B", NULL },
		{ "ARG A=x\\y\nFROM $A\n", "$A", NULL },
		{ "ARG A=x\nFROM ${A:-y}\n", "${A:-y}", NULL },
		{ "ARG A=x\nFROM ${A\n", "${A", NULL },
		{ "ARG A=x\nFROM ${}$\n", "${}$", NULL },
	};
	char *o;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		dockerfile_holds(&rows[i]);
	for (unsigned n = 64; n <= 65; n++) {
		struct buf text = { 0 };

		for (unsigned i = 1; i <= n; i++)
			buf_format(&text, "ARG A%u=x%u\n", i, i);
		buf_format(&text, "FROM $A%u\n", n);
		o = probe_files("deployment", deployment_run,
				PROBE_FILES(F("Dockerfile", text.bytes)));
		ok_has(o, n == 64 ? "\"reference\":\"x64\""
				  : "\"reference\":\"$A65\"");
		ok_int(json_count(o, "/warnings/ANY",
				  "{\"code\":\"truncated\"}"),
		       n > 64);
		free(o);
		buf_done(&text);
	}
	o = probe_files("deployment", deployment_run,
			PROBE_FILES(F("Dockerfile", "ARG A=x\nFROM $A\n"),
				    F("compose.yaml", "services: {a: {image: "
						      "'${I:-b}'}}\n")));
	ok_json(o, "/slice/images/ANY",
		"{\"reference\":\"x\",\"written\":\"$A\"}");
	ok_json(o, "/slice/images/ANY",
		"{\"reference\":\"${I:-b}\",\"from\":\"compose\"}");
	ok_json(o, "/slice/compose_services/0", "{\"image\":\"${I:-b}\"}");
	free(o);
}

/* --- compose ------------------------------------------------------------------- */

/* Files; an image with its source, and the code of a warning, or NULL. */
struct told {
	struct probe_file files[4];
	const char *image, *code;
};

static void told_holds(const struct told *row)
{
	char *o = probe_files("deployment", deployment_run, row->files);
	char want[64];

	if (row->image != NULL)
		ok_json(o, "/slice/images/ANY", row->image);
	if (row->code == NULL) {
		ok_json(o, "/warnings", "[]");
	} else {
		(void)snprintf(want, sizeof want, "{\"code\":\"%s\"}",
			       row->code);
		ok_json(o, "/warnings/ANY", want);
	}
	ok_json(o, "/errors", "[]");
	free(o);
}

#define EVIL(source) "{\"reference\":\"evil\",\"source\":\"" source "\"}"
#define COMPOSE(t)   F("compose.yaml", t)

static void services_come_from_wherever_compose_takes_them(void)
{
	static const struct told rows[] = {
		{ { COMPOSE("services: {a: {image: a}}\n---\n"
			    "services: {b: {image: evil}}\n") },
		  EVIL("compose.yaml"),
		  NULL },
		{ { COMPOSE("include: [z.yml]\n"),
		    F("z.yml", "services: {b: {image: evil}}\n") },
		  EVIL("z.yml"),
		  NULL },
		{ { COMPOSE("include: [{path: [z/z.yml]}]\n"),
		    F("z/z.yml", "include: [../a.yml]\n"),
		    F("a.yml", "include: [z/z.yml, compose.yaml]\n"
			       "services: {b: {image: evil}}\n") },
		  EVIL("a.yml"),
		  NULL },
		{ { COMPOSE("services: {a: {extends: {file: z.yml, "
			    "service: x}}}\n"),
		    F("z.yml", "services: {x: {image: evil}}\n") },
		  EVIL("z.yml"),
		  NULL },
		{ { COMPOSE("include: [z.txt]\n") }, NULL, "not_found" },
		{ { COMPOSE("services: {a: {build: {dockerfile_inline: "
			    "\"FROM evil\\n\"}}}\n") },
		  EVIL("compose.yaml"),
		  NULL },
		{ { COMPOSE("services: {a: {build: {additional_contexts: {x: "
			    "docker-image://evil}}}}\n") },
		  EVIL("compose.yaml"),
		  NULL },
		{ { COMPOSE("services: {a: {build: {additional_contexts: "
			    "[x=docker-image://evil]}}}\n") },
		  EVIL("compose.yaml"),
		  NULL },
		{ { COMPOSE("services: {a: {build: {dockerfile: x.txt}}}\n") },
		  NULL,
		  "not_found" },
		{ { COMPOSE("services: {a: {build: {dockerfile: "
			    "b/Dockerfile.dev}}, b: {build: .}}\n") },
		  NULL,
		  NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		told_holds(&rows[i]);
}

static void a_file_that_a_variable_names_is_not_read(void)
{
	static const struct told rows[] = {
		{ { COMPOSE("include: [\"${X}\"]\n") }, NULL, "not_found" },
		{ { COMPOSE("include: [\"${X:-z.yml}\"]\n"),
		    F("z.yml", "services: {b: {image: evil}}\n") },
		  NULL,
		  "not_found" },
		{ { COMPOSE("services: {a: {build: {dockerfile: \"$X\"}}}") },
		  NULL,
		  "not_found" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		told_holds(&rows[i]);
}

#define POD "apiVersion: v1\nkind: Pod\nspec: {containers: [{image: evil}]}\n"

static void a_manifest_counts_under_any_name(void)
{
	static const struct told rows[] = {
		{ { F("Chart.yaml", "name: x\n"), F("values-x.yaml", POD) },
		  EVIL("values-x.yaml"),
		  NULL },
		{ { F("Chart.yaml", "name: x\n"), F("requirements.yaml", POD) },
		  EVIL("requirements.yaml"),
		  NULL },
		{ { F("Dockerfile.yaml", POD) },
		  EVIL("Dockerfile.yaml"),
		  NULL },
		{ { COMPOSE("services: {a: {image: a}}\n---\n" POD) },
		  EVIL("compose.yaml"),
		  NULL },
		{ { COMPOSE(POD) }, EVIL("compose.yaml"), NULL },
		{ { F("a.yaml",
		      "\"api\\x56ersion\": v1\n\"\\U0000006bin\\u0064\""
		      ": Pod\nspec: {containers: [{image: evil}]}\n") },
		  EVIL("a.yaml"),
		  NULL },
		{ { F("a.yaml", "? \"api\\\n  Version\"\n: v1\nkind: Pod\n"
				"spec: {containers: [{image: evil}]}\n") },
		  EVIL("a.yaml"),
		  NULL },
	};
	char *o = probe_files("deployment", deployment_run,
			      PROBE_FILES(COMPOSE(POD)));

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		told_holds(&rows[i]);
	ok_json(o, "/slice/styles", "[\"manifests\"]");
	ok_int(json_count(o, "/slice/objects/ANY/kind", "\"Pod\""), 1);
	free(o);
}

/* A list of 1001 items: all but the last one, and that is told. */
static void a_cut_list_is_told(void)
{
	static const char *const keys[] = { "images", "helmCharts" };

	for (size_t k = 0; k < 2; k++)
		for (unsigned more = 0; more < 2; more++) {
			struct buf text = { 0 };
			char *o;

			buf_format(&text, "%s:\n", keys[k]);
			for (unsigned i = 0; i < 1000 + more; i++)
				buf_format(&text, "- name: a%u\n", i);
			o = probe_files("deployment", deployment_run,
					PROBE_FILES(F("kustomization.yaml",
						      text.bytes)));
			ok_int(json_count(o, "/warnings/ANY/code",
					  "\"truncated\""),
			       more);
			free(o);
			buf_done(&text);
		}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(lines_are_those_of_the_builder),
		CASE(here_documents_are_those_of_the_builder),
		CASE(flags_and_quotes_hide_no_image),
		CASE(defaults_are_literal),
		CASE(services_come_from_wherever_compose_takes_them),
		CASE(a_file_that_a_variable_names_is_not_read),
		CASE(a_manifest_counts_under_any_name),
		CASE(a_cut_list_is_told),
		TAP_END,
	});
}
