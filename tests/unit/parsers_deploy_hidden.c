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
		{ "FROM a\nRUN ${x:-a <<Q b} <<E\nFROM no\nE\n", "a",
		  "\"no\"" },
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
		{ "FROM --platform=a\\ b evil\n", "evil", NULL },
		{ "FROM \"evil\"\n", "evil", NULL },
		{ "FROM ev\\il\n", "evil", NULL },
		{ "# escape=`\nFROM ev`il\n", "evil", NULL },
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

/* What a variable is cannot always be told; then it stays. */
static void a_default_is_not_told_for_another(void)
{
	static const struct hidden rows[] = {
		{ "ARG X=evil\nARG X\nFROM ${X:-good}\n", "evil", "\"good\"" },
		{ "ARG X=evil${Y#z}\nFROM ${X:-good}\n", "${X:-good}",
		  "\"good\"" },
		{ "ARG X=\"evil\"\nFROM ${X:-good}\n", "evil", "\"good\"" },
		{ "ARG X=\nFROM a${X-good}\n", "a", "\"agood\"" },
		{ "ARG X=\nFROM a${X:-good}\n", "agood", NULL },
		{ "FROM a${X+no}${X:-good}\n", "agood", NULL },
	};
	struct buf many = { 0 };
	struct hidden over;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		dockerfile_holds(&rows[i]);
	for (unsigned i = 0; i < 64; i++)
		buf_format(&many, "ARG A%u=1\n", i);
	buf_text(&many, "ARG X=evil\nFROM ${X:-good}\n");
	over = (struct hidden){ many.bytes, "${X:-good}", "\"good\"" };
	dockerfile_holds(&over);
	buf_done(&many);
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

/* Of a variable only a default beside it is known. */
static void files_are_found_by_the_defaults_of_their_variables(void)
{
	static const struct told rows[] = {
		{ { COMPOSE("include: [\"${X}\"]\n") }, NULL, "not_found" },
		{ { COMPOSE("include: [\"${X:-z.yml}\"]\n"),
		    F("z.yml", "services: {b: {image: evil}}\n") },
		  EVIL("z.yml"),
		  NULL },
		{ { COMPOSE("include: [{path: \"${X:-z.yml}\"}]\n"),
		    F("z.yml", "services: {b: {image: evil}}\n") },
		  EVIL("z.yml"),
		  NULL },
		{ { COMPOSE("include: [{path: [\"${X:-z.yml}\"]}]\n"),
		    F("z.yml", "services: {b: {image: evil}}\n") },
		  EVIL("z.yml"),
		  NULL },
		{ { COMPOSE("services: {a: {extends: {file: \"${X-z.yml}\"}}}"),
		    F("z.yml", "services: {b: {image: evil}}\n") },
		  EVIL("z.yml"),
		  NULL },
		{ { COMPOSE("services: {a: {build: {dockerfile: \"$X\"}}}") },
		  NULL,
		  "not_found" },
		{ { COMPOSE("services: {a: {build: {dockerfile: "
			    "\"${X:-Dockerfile}\"}}}") },
		  NULL,
		  NULL },
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
		CASE(a_default_is_not_told_for_another),
		CASE(services_come_from_wherever_compose_takes_them),
		CASE(files_are_found_by_the_defaults_of_their_variables),
		CASE(a_manifest_counts_under_any_name),
		CASE(a_cut_list_is_told),
		TAP_END,
	});
}
