/* ci_package.c -- see ci_package.h.
 *
 * A script is a command line, which is held against the table; of composer's, a
 * list of them.  Source: npm-run-script(1); Composer, "Scripts". */
#include "parsers/ci/ci_package.h"

#include <stdlib.h>
#include <string.h>

#include "parsers/ci/ci.h"

#define MEMORY     ((size_t)16 << 20) /* of one manifest's tree */
#define KNOWN_MAX  128U
#define NAME_BYTES 128U /* of a name, to be known again */
#define LIST_MAX   64U  /* commands of one script of composer's */

/* What a script does.  One that reports only does so: it runs no test, it measures
 * nothing, and reports coverage. */
enum deed { DEED_NONE, DEED_TEST, DEED_REPORT };

struct ci_packages {
	struct {
		const struct parse_input *in;
		char name[NAME_BYTES];
		size_t name_len;
		enum deed deed;
	} known[KNOWN_MAX];
	size_t known_len;
};

/* A manifest under way. */
struct package {
	struct ci *ci;
	const struct parse_input *in;
	struct arena arena;
	const struct json_value *scripts;
	unsigned depth;
	bool is_report, is_cover; /* one of the lines does this */
	struct ci_found found;
};

/* --- the words of the command -------------------------------------------------- */

/* Take an option: one that leads to another directory, or to packages that are
 * not known here (false). */
static bool option_take(struct json_text word, struct json_text *rest,
			struct ci_dir *dir)
{
	struct json_text value, key = text_cut(word, '=', &value);

	if (text_in(key, "-w --workspace -ws --workspaces --filter -F -r "
			 "--recursive -g --global"))
		return false;
	if (!text_in(key, "-C --prefix --cwd --dir -d --working-dir"))
		return true;
	ci_dir_enter(dir,
		     value.bytes != NULL ? value : text_cut(*rest, '\0', rest));
	return true;
}

/* The name of the script, or bytes NULL.  What follows it is the script's, but for
 * npm only behind "--". */
static struct json_text name_of(struct json_text words, struct ci_dir *dir)
{
	const struct json_text none = { NULL, 0 };
	const bool is_npm = text_is(text_cut(words, '\0', &words), "npm");
	struct json_text name = none;

	while (words.bytes != NULL && (is_npm || name.bytes == NULL)) {
		struct json_text word = text_cut(words, '\0', &words);

		if (text_is(word, "--"))
			break;
		if (word.len > 0 && word.bytes[0] == '-') {
			if (!option_take(word, &words, dir))
				return none;
		} else if (name.bytes == NULL &&
			   !text_in(word, "run run-script rum urn")) {
			name = word;
		}
	}
	return name;
}

/* --- a script ------------------------------------------------------------------ */

static bool script_tests(struct package *p, struct json_text name);

/* "@name" is another script of composer's, and "@php", "@composer" a program. */
static bool line_tests(struct package *p, struct json_text line)
{
	struct ci_dir dir = { .len = input_dir_len(p->in) };

	line = text_trim_lines(line);
	if (text_begins(line, "@")) {
		line = text_from(line, 1);
		if (!text_begins(line, "php ") &&
		    !text_begins(line, "composer "))
			return script_tests(p, line);
	}
	if (dir.len >= sizeof dir.bytes)
		return false;
	memcpy(dir.bytes, p->in->name, dir.len);
	ci_command_find(p->ci->table, line.bytes, line.len, &p->found);
	p->ci->script_work += p->found.work;
	if (p->found.is_cut)
		ci_tell(p->ci, p->in, CI_TOLD_LINES, -1);
	p->is_report |= p->found.is_report;
	p->is_cover |= p->found.is_cover;
	return ci_line_tests(p->ci, &dir, &p->found, p->depth + 1);
}

static bool value_tests(struct package *p, const struct json_value *v)
{
	if (v == NULL)
		return false;
	if (v->type == JSON_STRING)
		return line_tests(p, v->u.string);
	if (v->type != JSON_ARRAY)
		return false;
	if (v->u.array.len > LIST_MAX)
		ci_tell(p->ci, p->in, CI_TOLD_LIST, (int64_t)v->offset);
	for (size_t i = 0; i < v->u.array.len && i < LIST_MAX; i++)
		if (v->u.array.items[i].type == JSON_STRING &&
		    line_tests(p, v->u.array.items[i].u.string))
			return true;
	return false;
}

/* One that is run by another one of the same manifest is as deep as any. */
static bool script_tests(struct package *p, struct json_text name)
{
	const struct json_value *v =
		json_find_bytes(p->scripts, name.bytes, name.len);
	bool is_test;

	p->ci->script_work += name.len / 4 + 1;
	if (v == NULL || ci_is_spent(p->ci) ||
	    !ci_run_begin(p->ci, p->depth, p->in, name))
		return false;
	p->depth++;
	is_test = value_tests(p, v);
	p->depth--;
	return is_test;
}

static enum deed deed_of(const struct package *p, bool is_test)
{
	if (is_test)
		return DEED_TEST;
	return p->is_report && !p->is_cover ? DEED_REPORT : DEED_NONE;
}

static enum deed package_deed(struct ci *ci, const struct parse_input *in,
			      struct json_text name, unsigned depth)
{
	struct package *p = calloc(1, sizeof *p);
	struct parse_report unheard;
	struct json_value v;
	enum deed deed = DEED_NONE;

	if (p == NULL) {
		ci_tell(ci, in, CI_TOLD_MEMORY, -1);
		return DEED_NONE;
	}
	p->ci = ci;
	p->in = in;
	p->depth = depth;
	ci->script_work += in->len;
	/* What else is wrong with the file is told by the probes of packages. */
	parse_report_init(&unheard);
	if (parse_json(in, &p->arena, MEMORY, &v, &unheard) == 0) {
		p->scripts = json_find(&v, "scripts");
		deed = deed_of(p, script_tests(p, name));
	}
	ci_unheard_done(ci, in, &unheard);
	arena_done(&p->arena);
	free(p);
	return deed;
}

/* --- what is asked ------------------------------------------------------------- */

static const struct parse_input *manifest_of(const struct ci *ci,
					     const struct ci_dir *dir,
					     struct json_text words)
{
	struct json_text program = text_cut(words, '\0', NULL);

	if (dir->is_unknown)
		return NULL;
	return input_find(ci->inputs, dir->bytes, dir->len,
			  text_has(program, "composer") ? "composer.json"
							: "package.json");
}

static enum deed deed_find(struct ci *ci, const struct ci_dir *dir,
			   struct json_text words, unsigned depth)
{
	const size_t turned_back = ci->turned_back;
	struct ci_dir at = *dir;
	struct json_text name = name_of(words, &at);
	const struct parse_input *in = manifest_of(ci, &at, words);
	struct ci_packages *s = ci->packages;
	enum deed deed;

	if (in == NULL || name.bytes == NULL || !input_is_own(in))
		return DEED_NONE;
	if (in->is_name_only) {
		ci_tell(ci, in, CI_TOLD_UNREAD, -1);
		return DEED_NONE;
	}
	if (s == NULL)
		s = ci->packages = calloc(1, sizeof *s);
	if (s == NULL) {
		ci_tell(ci, in, CI_TOLD_MEMORY, -1);
		return DEED_NONE;
	}
	for (size_t i = 0; i < s->known_len; i++)
		if (s->known[i].in == in && s->known[i].name_len == name.len &&
		    memcmp(s->known[i].name, name.bytes, name.len) == 0)
			return s->known[i].deed;
	deed = package_deed(ci, in, name, depth);
	if (s->known_len < KNOWN_MAX && name.len < NAME_BYTES &&
	    !ci_is_spent(ci) && ci->turned_back == turned_back) {
		s->known[s->known_len].in = in;
		s->known[s->known_len].name_len = name.len;
		s->known[s->known_len].deed = deed;
		memcpy(s->known[s->known_len++].name, name.bytes, name.len);
	}
	return deed;
}

bool ci_package_find(struct ci *ci, const struct ci_dir *dir,
		     struct json_text words, unsigned depth)
{
	return deed_find(ci, dir, words, depth) == DEED_TEST;
}

bool ci_acts_report(struct ci *ci, const struct ci_dir *dir,
		    const struct ci_found *found, unsigned depth)
{
	struct ci_dir at;
	size_t reports = 0;

	if (found->named_len == 0 || found->is_sure)
		return false;
	at = *dir;
	for (size_t i = 0; i < found->acts_len; i++) {
		const struct ci_act *act = &found->acts[i];

		if (act->kind == CI_ACT_CD)
			ci_act_enter(&at, act);
		else if (act->is_named)
			reports += deed_find(ci, &at, act->words, depth) ==
				   DEED_REPORT;
	}
	return reports == found->named_len;
}

bool ci_line_tests(struct ci *ci, struct ci_dir *dir,
		   const struct ci_found *found, unsigned depth)
{
	if (found->tests_len > 0 && !ci_acts_report(ci, dir, found, depth))
		return true;
	return ci_acts_test(ci, dir, found, depth);
}

void ci_packages_done(struct ci *ci)
{
	free(ci->packages);
	ci->packages = NULL;
}
