/* jobs_rules.c -- rules of analysers to classes of flags. */
#include "jobs/confirm/rules.h"

#include "base/error.h"
#include "tap.h"

static const enum language python = LANGUAGE_PYTHON;
static const enum language javascript = LANGUAGE_JAVASCRIPT;

/* The class, or "-". */
static const char *class_of(const struct rules *r, const char *tool,
			    const char *id, const enum language *language,
			    const char *message)
{
	struct rule_pick p = { 0 };
	const char *found;

	ok_int(rules_pick(r, tool, &p), 0);
	found = rule_find(&p, &(struct rule_query){ id, language, message })
			.flag_class;
	rule_pick_done(&p);
	return found != NULL ? found : "-";
}

static void is(const char *got, const char *want)
{
	ok(strcmp(got, want) == 0);
	if (strcmp(got, want) != 0)
		printf("# %s, not %s\n", got, want);
}

static const struct {
	const char *tool, *id;
	bool is_js;
	const char *message, *want;
} known[] = {
	{ "ruff", "F821", false, "", "name-undefined" },
	{ "ruff", "F401", false, "", "-" },
	{ "ruff", "PLE0643", false, "", "index-oob" },
	{ "Flake8", "F823", false, "", "unbound-local" },
	{ "flake8", "B011", false, "", "assertion" },
	{ "Bandit", "B101", false, "", "assertion" },
	{ "Bandit", "B011", false, "", "-" },
	{ "ruff", "B101", false, "", "-" },
	{ "flake8", "F524", false,
	  "'...'.format(...) is missing argument(s) for placeholder(s): 0, a",
	  "index-oob" },
	{ "ruff", "F524", false, "for placeholder(s): name", "key-missing" },
	{ "flake8", "E501", false, "", "-" },
	{ "pylint", "C0114", false, "", "-" },
	{ "pylint", "E0307", false, "", "-" },
	{ "pylint", "assigning-non-slot", false, "", "attr-missing" },
	{ "pylint", "not-context-manager", false, "", "type-mismatch" },
	{ "Pylint", "E1101", false, "", "attr-missing" },
	{ "pylint", "no-member", false, "", "attr-missing" },
	{ "pylint", "stop-iteration-return", false, "", "stop-iteration" },
	{ "pylint", "E1304", false, "", "key-missing" },
	{ "mypy", "union-attr", false,
	  "Item \"None\" of \"str | None\" has no attribute \"x\"",
	  "null-deref" },
	{ "mypy", "union-attr", false,
	  "Item \"int\" of \"str | int\" has no attribute \"x\"",
	  "attr-missing" },
	{ "mypy", "union-attr", false,
	  "Item \"None\" of \"x\" has no attribute \"__iter__\" (not iterable)",
	  "null-deref" },
	{ "mypy", "attr-defined", false,
	  "\"int\" has no attribute \"__iter__\"; maybe \"__int__\"? "
	  "(not iterable)",
	  "type-mismatch" },
	{ "mypy", "misc", false, "Tuple index out of range", "index-oob" },
	{ "mypy", "misc", false,
	  "Need more than 2 values to unpack (3 expected)", "value-invalid" },
	{ "mypy", "misc", false, "Exception must be derived from BaseException",
	  "type-mismatch" },
	{ "mypy", "misc", false, "anything else", "-" },
	{ "pyright", "reportGeneralTypeIssues", false,
	  "Index 3 is out of range for type \"tuple[int]\"", "index-oob" },
	{ "pyright", "reportIndexIssue", false, "", "type-mismatch" },
	{ "mypy", "operator", false, "Unsupported operand types",
	  "type-mismatch" },
	{ "mypy", "operator", false, "left operand type (\"None\")",
	  "null-deref" },
	{ "pyright", "reportOptionalMemberAccess", false, "", "null-deref" },
	{ "basedpyright", "reportPossiblyUnbound", false, "", "unbound-local" },
	{ "Semgrep OSS", "python.lang.best-practice.unspecified-open-encoding",
	  false, "", "unicode" },
	{ "semgrep", "list-modify-while-iterate", false, "", "infinite-loop" },
	{ "CodeQL", "py/call/wrong-named-argument", false, "",
	  "type-mismatch" },
	{ "CodeQL", "js/server-crash", true, "", "unhandled-rejection" },
	{ "CodeQL", "js/server-crash", false, "", "-" },
	{ "ESLint", "no-undef", true, "", "reference" },
	{ "ESLint", "@typescript-eslint/no-floating-promises", true, "",
	  "unhandled-rejection" },
	{ "ESLint", "@typescript-eslint/no-unsafe-call", true, "",
	  "undefined-call" },
	{ "eslint", "no-invalid-this", true, "", "null-deref" },
	{ "eslint", "semi", true, "", "-" },
	{ "tsc", "TS18004", true, "", "reference" },
	{ "tsc", "TS2531", true, "", "null-deref" },
	{ "tsc", "TS18047", true, "'x' is possibly 'null'.", "null-deref" },
	{ "tsc", "TS18047", true, "'x[0]' is possibly 'null'.", "null-deref" },
	{ "TypeScript", "2722", true, "", "undefined-call" },
	{ "tsc", "TS25310", true, "", "-" },
	{ "unheard-of", "F821", false, "", "-" },
};

static void knows_the_common_analysers(void)
{
	struct cupel_error err = { 0 };
	struct rules r = { 0 };

	ok_int(rules_read_own(&r, &err), 0);
	ok(r.len > 250);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		is(class_of(&r, known[i].tool, known[i].id,
			    known[i].is_js ? &javascript : &python,
			    known[i].message),
		   known[i].want);
	is(class_of(&r, "CodeQL", "js/server-crash", NULL, ""),
	   "unhandled-rejection");
	rules_done(&r);
}

/* Every class, of every language, for which there is a rule of these tools. */
static void no_class_is_forgotten(void)
{
	static const char *const without =
		" div-zero unbounded-recursion overflow memory json-decode "
		"assertion json-parse bigint-div-zero ";
	struct cupel_error err = { 0 };
	struct rules r = { 0 };

	ok_int(rules_read_own(&r, &err), 0);
	for (enum language l = 0; l < LANGUAGE_MAX_; l++)
		for (size_t i = 0; class_name(l, i) != NULL; i++) {
			const char *name = class_name(l, i);
			size_t hits = 0;

			for (size_t k = 0; k < r.len; k++)
				hits += r.items[k].language == l &&
					strcmp(r.items[k].flag_class, name) ==
						0;
			ok(hits > 0 || strstr(without, name) != NULL);
			if (hits == 0)
				printf("# no rule: %s\n", name);
		}
	rules_done(&r);
}

/* The argument that the message names, or "-". */
static void names(const struct rules *r, const char *message, const char *want)
{
	struct rule_pick p = { 0 };
	struct rule_meaning m;

	ok_int(rules_pick(r, "t", &p), 0);
	m = rule_find(&p, &(struct rule_query){ "r", &python, message });
	ok(m.flag_class != NULL);
	ok_int((intmax_t)m.argument_len,
	       want[0] == '-' ? 0 : (intmax_t)strlen(want));
	ok(m.argument_len == 0 ||
	   strncmp(m.argument, want, m.argument_len) == 0);
	rule_pick_done(&p);
}

static void a_row_says_where_the_argument_is_named(void)
{
	static const char text[] =
		"t\tr\tpython\tnull-deref\t'{argument}' is None\n"
		"t\tr\tpython\tnull-deref\tparameter {argument}\n"
		"t\tr\tpython\tnull-deref\t{argument}!\n"
		"t\tr\tpython\tnull-deref\n";
	struct cupel_error err = { 0 };
	struct rules r = { 0 };

	ok_int(rules_read(&r, text, sizeof text - 1, "x", &err), 0);
	names(&r, "here 'a' is None", "a");
	names(&r, "'a' or 'b' is None", "b");
	names(&r, "'' is None", "-");
	names(&r, "'1a' is None", "-");
	names(&r, "'a is None", "-");
	names(&r, "'user.name.first' is None", "user");
	names(&r, "'user.' is None", "-");
	names(&r, "'user[0]' is None", "-");
	names(&r, "'$a_1' is None", "$a_1");
	names(&r, "of parameter x", "x");
	names(&r, "of parameter x.y, z", "x");
	names(&r, "of parameter ", "-");
	names(&r, "x is wrong, y!", "y");
	names(&r, "", "-");
	rules_done(&r);
}

static void what_the_caller_has_comes_first(void)
{
	static const char text[] = "# mine\r\n\r\n"
				   "ruff\tF8*\tpython\tdiv-zero\r\n"
				   "own{a,b}\tx{1,2}\tjavascript\tnull-deref";
	struct cupel_error err = { 0 };
	struct rules r = { 0 };

	ok_int(rules_read(&r, text, sizeof text - 1, "mine", &err), 0);
	ok_int((intmax_t)r.len, 5);
	ok_int(rules_read_own(&r, &err), 0);
	is(class_of(&r, "ruff", "F821", &python, ""), "div-zero");
	is(class_of(&r, "ruff", "F901", &python, ""), "type-mismatch");
	is(class_of(&r, "OwnB", "x2", &javascript, ""), "null-deref");
	is(class_of(&r, "ownb", "x3", &javascript, ""), "-");
	is(class_of(&r, "ownb", "x2", &python, ""), "-");
	rules_done(&r);
}

static void bad_lines_are_named(void)
{
	static const struct {
		const char *line, *message;
	} bad[] = {
		{ "ruff F821 python div-zero", "tab" },
		{ "ruff\tF821\tpython", "tab" },
		{ "ruff\t\tpython\tdiv-zero", "tab" },
		{ "\tF821\tpython\tdiv-zero", "tab" },
		{ "ruff\tF821\tpython\tdiv-zero\t", "tab" },
		{ "ruff\tF821\tpython\tdiv-zero\ta\tb", "tab" },
		{ "ruff\tF821\tperl\tdiv-zero", "not 'perl'" },
		{ "ruff\tF821\tpython\tdiv-zer", "not 'div-zer'" },
		{ "ruff\tF821\tjavascript\tattr-missing",
		  "not 'attr-missing'" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct cupel_error err = { 0 };
		struct rules r = { 0 };
		char text[200];

		(void)snprintf(text, sizeof text,
			       "a\tb\tpython\tdiv-zero\n#\n%s\n", bad[i].line);
		ok(rules_read(&r, text, strlen(text), "mine.txt", &err) < 0);
		ok_has(err.what, "mine.txt: line 3: expected");
		ok_has(err.what, bad[i].message);
		ok_int(err.cause, CUPEL_CAUSE_CALLER);
		rules_done(&r);
	}
}

static void braces_without_end_are_refused(void)
{
	struct cupel_error err = { 0 };
	struct rules r = { 0 };
	char text[2000] = "a\t";

	for (int i = 0; i < 12; i++)
		strcat(text, "{a,b}{c,d}");
	strcat(text, "\tpython\tdiv-zero\n");
	ok(rules_read(&r, text, strlen(text), "mine", &err) < 0);
	ok_has(err.what,
	       "line 1: tool, rule: expected at most 256 alternatives");
	rules_done(&r);
	memset(text, 'x', 1900);
	strcpy(text + 1900, "\tb\tpython\tdiv-zero\n");
	ok(rules_read(&r, text, strlen(text), "mine", &err) < 0);
	rules_done(&r);
}

static void a_name_that_is_too_long_is_unknown(void)
{
	static const char any[] = "*\t*\tpython\tdiv-zero";
	struct cupel_error err = { 0 };
	struct rules r = { 0 };
	static char name[100000];

	memset(name, 'a', sizeof name - 1);
	ok_int(rules_read(&r, any, strlen(any), "mine", &err), 0);
	is(class_of(&r, "a", "a", &python, ""), "div-zero");
	is(class_of(&r, name, "a", &python, ""), "-");
	is(class_of(&r, "a", name, &python, ""), "-");
	rules_done(&r);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(knows_the_common_analysers), CASE(no_class_is_forgotten),
		CASE(a_row_says_where_the_argument_is_named),
		CASE(what_the_caller_has_comes_first),
		CASE(bad_lines_are_named), CASE(braces_without_end_are_refused),
		CASE(a_name_that_is_too_long_is_unknown), TAP_END });
}
