/* parsers_deploy_large.c -- deployment and dependencies: 2 MB of what is read, and many
 * files with less, take about a second of processor time, whatever is in them. */
#include <time.h>

#include "base/buf.h"
#include "probe_files.h"

/* Of processor time.  Usually it is at most 0.6 s; each row took 4 s or more before
 * its mechanism was mended. */
#ifdef __SANITIZE_ADDRESS__
#define BOUND (10 * CLOCKS_PER_SEC)
#else
#define BOUND (2 * CLOCKS_PER_SEC)
#endif

#define FILES_MAX 60U
#define WORDS     "# apiVersion kind\n" /* so that deployment reads it */

/* Files that grow. */
struct pile {
	struct {
		char name[40];
		struct buf text;
	} items[FILES_MAX];
	size_t len;
};

static struct buf *add(struct pile *p, const char *name)
{
	ok(p->len < FILES_MAX);
	(void)snprintf(p->items[p->len].name, sizeof p->items[0].name, "%s",
		       name);
	return &p->items[p->len++].text;
}

/* Add "beforeNafter" until the text has size bytes. */
static void grow(struct buf *text, size_t size, const char *before,
		 const char *after)
{
	for (unsigned i = 0; text->len < size; i++)
		buf_format(text, "%s%u%s", before, i, after);
}

static void times(struct buf *text, unsigned n, const char *word)
{
	for (unsigned i = 0; i < n; i++)
		buf_text(text, word);
}

/* --- deployment --------------------------------------------------------------- */

/* Each image looked for the registry and the tag beside it among all the others. */
static void images_in_one_mapping(struct pile *p)
{
	buf_text(add(p, "Chart.yaml"), "name: x\n");
	grow(add(p, "values.yaml"), 2000000, "a", "Image: x\n");
}

static void a_mapping(struct buf *text, unsigned keys)
{
	buf_text(text, WORDS "a: &a\n");
	for (unsigned i = 0; i < keys; i++)
		buf_format(text, " k%u: 1\n", i);
}

/* What merge keys take was sorted as often as it was written out. */
static void merges_in_many_files(struct pile *p)
{
	char name[32];

	for (unsigned k = 0; k < 20; k++) {
		struct buf *text;

		(void)snprintf(name, sizeof name, "a%u.yaml", k);
		text = add(p, name);
		a_mapping(text, 7000);
		buf_text(text, "b:\n <<: [*a");
		times(text, 279, ",*a");
		buf_text(text, "]\n");
	}
}

/* Each file had four million nodes for itself. */
static void aliases_in_many_files(struct pile *p)
{
	char name[32];

	buf_text(add(p, "Chart.yaml"), "name: x\n");
	for (unsigned k = 0; k < 55; k++) {
		struct buf *text;

		(void)snprintf(name, sizeof name, "values%u.yaml", k);
		text = add(p, name);
		a_mapping(text, 9000);
		buf_text(text, "b: [*a");
		times(text, 199, ",*a");
		buf_text(text, "]\n");
	}
}

/* libyaml clears a buffer as long as the run for each word. */
static void blanks_in_many_files(struct pile *p)
{
	char name[32];

	for (unsigned k = 0; k < 59; k++) {
		struct buf *text;

		(void)snprintf(name, sizeof name, "a%u.yaml", k);
		text = add(p, name);
		buf_text(text, WORDS "a");
		times(text, 110000, " ");
		times(text, 60000, "a ");
	}
}

/* Each ARG took 4 KiB: 1.4 GB in all. */
static void defaults_of_many_arguments(struct pile *p)
{
	struct buf *text = add(p, "Dockerfile");

	buf_text(text, "ARG A=");
	times(text, 4090, "x");
	for (unsigned i = 0; i < 30; i++) {
		buf_text(text, "\nARG ");
		times(text, 12000, "B=$A ");
	}
	buf_text(text, "\nFROM a\n");
}

/* --- dependencies ------------------------------------------------------------- */

/* A hundred thousand times, all versions of one package were looked through. */
static void versions_of_one_name(struct pile *p)
{
	buf_text(add(p, "Cargo.toml"), "[dependencies]\n");
	grow(&p->items[0].text, 1000000, "a", "={package='x'}\n");
	grow(add(p, "Cargo.lock"), 1000000, "[[package]]\nname='x'\nversion='",
	     "'\n");
}

/* For each declaration, all that the member of a workspace requires was folded. */
static void requires_of_a_member(struct pile *p)
{
	struct buf *lock;
	char word[410];

	memset(word, 'x', sizeof word - 1);
	word[sizeof word - 1] = '\0';
	buf_text(add(p, "Cargo.toml"), "[package]\nname='m'\n[dependencies]\n");
	grow(&p->items[0].text, 1000000, "a", "=''\n");
	lock = add(p, "Cargo.lock");
	buf_text(lock, "[[package]]\nname='m'\nversion='1'\ndependencies=[");
	for (unsigned i = 0; i < 511; i++)
		buf_format(lock, "'%s%u 1',", word, i);
	buf_text(lock, "]\n");
}

/* The work for properties was limited for each file, and a thousand were looked
 * through for each variable. */
static void properties_in_many_files(struct pile *p)
{
	char name[32];

	for (unsigned k = 0; k < 50; k++) {
		struct buf *text;

		(void)snprintf(name, sizeof name, "d%u/pom.xml", k);
		text = add(p, name);
		buf_text(text, "<project><properties><a>");
		times(text, 800, "${b1}");
		buf_text(text, "</a>");
		for (unsigned i = 0; i < 999; i++)
			buf_format(text, "<c%u>x</c%u>", i, i);
		buf_text(text, "</properties><dependencies>");
		for (unsigned i = 0; i < 900; i++)
			buf_text(text, "<dependency><groupId>a</groupId>"
				       "<artifactId>b</artifactId><version>"
				       "${a}</version></dependency>");
		buf_text(text, "</dependencies></project>");
	}
}

static void includes(struct pile *p)
{
	char name[32];

	for (unsigned k = 0; k < 50; k++) {
		(void)snprintf(name, sizeof name, "d%u/requirements.txt", k);
		times(add(p, name), 20000, "-r a\n");
	}
}

/* In each address, a '@' was looked for up to the end. */
static void addresses_in_one_word(struct pile *p)
{
	struct buf *text = add(p, "package.json");

	buf_text(text, "{\"dependencies\":{\"a\":\"1\"");
	for (unsigned i = 0; i < 450; i++) {
		buf_format(text, ",\"b%u\":\"", i);
		times(text, 1300, "://");
		buf_text(text, "\"");
	}
	buf_text(text, "}}");
}

/* For each requirement, all places of its source were looked at. */
static void sources_of_one_name(struct pile *p)
{
	struct buf *text = add(p, "pyproject.toml");

	buf_text(text, "[project]\ndependencies=[");
	times(text, 40000, "'a',");
	buf_text(text, "]\n[tool.uv.sources]\na=[");
	times(text, 40000, "{index='x'},");
	buf_text(text, "]\n");
}

/* --- the rows ------------------------------------------------------------------- */

static const struct {
	void (*fill)(struct pile *p);
	probe_fn *run;
	const char *name;
} rows[] = {
	{ images_in_one_mapping, deployment_run, "images_in_one_mapping" },
	{ merges_in_many_files, deployment_run, "merges_in_many_files" },
	{ aliases_in_many_files, deployment_run, "aliases_in_many_files" },
	{ blanks_in_many_files, deployment_run, "blanks_in_many_files" },
	{ defaults_of_many_arguments, deployment_run,
	  "defaults_of_many_arguments" },
	{ versions_of_one_name, dependencies_run, "versions_of_one_name" },
	{ requires_of_a_member, dependencies_run, "requires_of_a_member" },
	{ properties_in_many_files, dependencies_run,
	  "properties_in_many_files" },
	{ includes, dependencies_run, "includes" },
	{ addresses_in_one_word, dependencies_run, "addresses_in_one_word" },
	{ sources_of_one_name, dependencies_run, "sources_of_one_name" },
};

static struct pile pile;

static struct parse_inputs pile_inputs(const struct pile *p)
{
	static struct parse_input items[FILES_MAX];

	for (size_t k = 0; k < p->len; k++)
		items[k] =
			(struct parse_input){ .name = p->items[k].name,
					      .name_len =
						      strlen(p->items[k].name),
					      .bytes = p->items[k].text.bytes,
					      .len = p->items[k].text.len };
	qsort(items, p->len, sizeof *items, probe_file_compare);
	return (struct parse_inputs){ items, p->len };
}

static void pile_done(struct pile *p)
{
	for (size_t k = 0; k < p->len; k++)
		buf_done(&p->items[k].text);
	memset(p, 0, sizeof *p);
}

static void time_is_bounded(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct parse_inputs in;
		struct parse_report r;
		clock_t took;

		rows[i].fill(&pile);
		in = pile_inputs(&pile);
		parse_report_init(&r);
		took = clock();
		ok_int(rows[i].run(&in, &r), 0);
		took = clock() - took;
		tap_time(took, BOUND);
		parse_report_done(&r);
		pile_done(&pile);
	}
}

/* What is not looked at because the work is spent is told, and the file is named. */
static void what_is_not_looked_at_is_told(void)
{
	static const struct {
		void (*fill)(struct pile *p);
		probe_fn *run;
		const char *probe, *list, *code;
	} told[] = {
		{ merges_in_many_files, deployment_run, "deployment", "errors",
		  "yaml_nodes" },
		{ aliases_in_many_files, deployment_run, "deployment",
		  "warnings", "truncated" },
		{ defaults_of_many_arguments, deployment_run, "deployment",
		  "warnings", "truncated" },
		{ properties_in_many_files, dependencies_run, "dependencies",
		  "errors", "truncated" },
	};

	for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
		struct parse_inputs in;
		char where[32], want[64];
		char *o;

		told[i].fill(&pile);
		in = pile_inputs(&pile);
		o = probe_inputs(told[i].probe, told[i].run, &in);
		(void)snprintf(where, sizeof where, "/%s/ANY", told[i].list);
		(void)snprintf(want, sizeof want, "{\"code\":\"%s\"}",
			       told[i].code);
		ok_json(o, where, want);
		free(o);
		pile_done(&pile);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(time_is_bounded),
		CASE(what_is_not_looked_at_is_told),
		TAP_END,
	});
}
