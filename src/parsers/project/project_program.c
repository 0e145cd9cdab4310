/* project_program.c -- see project_program.h. */
#include "parsers/project/project_program.h"

#include <string.h>

#include "parsers/common/text_piece.h"

/* Programs that run another one, named after their own options. */
static const char runners[] =
	"npx pnpx bunx yarn pnpm bun npm exec dlx x cross-env cross-env-shell "
	"env dotenv dotenvx env-cmd nyc c8 istanbul cover time nice sudo "
	"node tsx ts-node babel-node nodemon concurrently conc sh bash "
	"xvfb-run start-server-and-test firebase "
	"emulators:exec python python3 poetry uv pipenv run-script-os";

/* The ones among those that take quoted commands. */
static const char quoters[] =
	"concurrently conc sh bash start-server-and-test nodemon "
	"emulators:exec cross-env-shell";

/* Options of a runner whose value is the next word. */
static const char valued[] =
	"-r --require --loader --import --experimental-loader --reporter -e -f "
	"--file -C --cwd --filter -F --prefix --ext -n --names --dir";

struct programs project_programs_of(struct json_text command)
{
	return (struct programs){ .rest = command };
}

static bool is_separator(char c)
{
	return c == ';' || c == '&' || c == '|' || c == '(' || c == ')' ||
	       c == '\n';
}

static bool is_end(const struct programs *p, char c)
{
	return is_separator(c) || c == ' ' || c == '\t' || c == '\r' ||
	       (p->is_quoting && (c == '"' || c == '\'' || c == '\\'));
}

/* Blanks and, where the caller allows, separators before the next word.
 * Returns whether there was a separator. */
static bool gap_skip(struct programs *p, bool separators)
{
	bool seen = false;

	while (p->rest.len > 0 && is_end(p, p->rest.bytes[0])) {
		char c = p->rest.bytes[0];
		bool blank = c == ' ' || c == '\t' || c == '\r';

		if (!blank && !separators)
			return true;
		seen = seen || !blank;
		p->rest = text_from(p->rest, 1);
	}
	return seen;
}

static struct json_text word_take(struct programs *p)
{
	struct json_text word = { p->rest.bytes, 0 };

	while (word.len < p->rest.len && !is_end(p, word.bytes[word.len]))
		word.len++;
	p->rest = text_from(p->rest, word.len);
	return p->is_quoting ? word : text_unquote(word);
}

/* The rest of a command: everything up to the next separator, or to the "--"
 * behind which a runner has its program.  Returns whether it was that. */
static bool arguments_skip(struct programs *p)
{
	while (p->rest.len > 0 && !gap_skip(p, false))
		if (text_is(word_take(p), "--") && p->had_runner)
			return true;
	return false;
}

/* "./node_modules/.bin/jest" and "node_modules/jest/bin/jest.js" are jest. */
static struct json_text program_name(struct json_text word)
{
	struct json_text rest = word;

	if (!text_has(word, "node_modules/"))
		return word;
	while (rest.bytes != NULL) {
		word = rest;
		(void)text_cut(word, '/', &rest);
	}
	if (text_ends(word, ".js"))
		word.len -= 3;
	else if (text_ends(word, ".mjs") || text_ends(word, ".cjs"))
		word.len -= 4;
	return word;
}

static bool is_setting(struct json_text word)
{
	struct json_text value;
	struct json_text name = text_cut(word, '=', &value);

	if (value.bytes == NULL || name.len == 0)
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (!((name.bytes[i] >= 'A' && name.bytes[i] <= 'Z') ||
		      (name.bytes[i] >= 'a' && name.bytes[i] <= 'z') ||
		      (name.bytes[i] >= '0' && name.bytes[i] <= '9') ||
		      name.bytes[i] == '_'))
			return false;
	return true;
}

/* The words that come next in this command, without taking them. */
static void arguments_look(struct programs p, struct program *ret)
{
	for (unsigned i = 0; i < PROGRAM_WORDS && p.rest.len > 0; i++) {
		if (gap_skip(&p, false))
			return;
		ret->words[i] = word_take(&p);
	}
}

/* Judge a word where a program is expected. */
static bool is_program(struct programs *p, struct json_text word)
{
	if (word.len == 0 || is_setting(word))
		return false;
	if (!p->is_inner)
		return true;
	if (word.bytes[0] == '-') {
		if (text_in(word, valued)) {
			(void)gap_skip(p, false);
			(void)word_take(p);
		}
		return false;
	}
	/* npm run NAME runs a script, not a program. */
	if (text_in(word, "run run-script workspace workspaces")) {
		p->is_inner = p->had_runner = false;
		(void)arguments_skip(p);
		return false;
	}
	return true;
}

bool project_program_next(struct programs *p, struct program *ret)
{
	while (p->rest.len > 0) {
		struct json_text word;

		if (gap_skip(p, true))
			p->is_inner = p->had_runner = false;
		word = word_take(p);
		if (!is_program(p, word))
			continue;
		*ret = (struct program){ .name = program_name(word) };
		arguments_look(*p, ret);
		p->is_inner = text_in(ret->name, runners);
		p->had_runner = p->had_runner || p->is_inner;
		p->is_quoting = p->is_quoting || text_in(ret->name, quoters);
		if (!p->is_inner)
			p->is_inner = arguments_skip(p);
		return true;
	}
	return false;
}

bool project_program_has_word(const struct program *p, struct json_text word)
{
	for (unsigned i = 0; i < PROGRAM_WORDS; i++)
		if (p->words[i].len > 0 && text_order(p->words[i], word) == 0)
			return true;
	return false;
}
