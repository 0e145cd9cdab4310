/* tests_scan.c -- counts the tests in JavaScript and TypeScript.  See
 * tests_scan.h. */
#include "parsers/tests/tests_scan.h"

#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/tests/tests_token.h"

#define CHAIN_WORDS 8U /* test.concurrent.only.each, and some more */

/* Functions that make a test when they are called, and objects that may have
 * them. */
static const char callees[] = "it test specify fit xit xtest xspecify tape";
static const char skipping_callees[] = "xit xtest xspecify";
static const char receivers[] = "t tap tape QUnit Deno lab Lab";
/* Functions whose calls have tests in them. */
static const char suites[] = "describe context suite";

/* What may stand between the name and the parenthesis. */
static const char modifiers[] =
	"only concurrent serial sequential failing fails each for skipIf runIf "
	"todoIf if cb parallel shuffle skip fixme ignore todo";
static const char skipping[] = "skip fixme ignore";
/* Those that first take a table or a condition, then the test. */
static const char curried[] = "each for skipIf runIf todoIf if";

static bool is_sign(const struct token *t, char c)
{
	return t->kind == TOKEN_SIGN && t->sign == c;
}

static bool is_word(const struct token *t, const char *word)
{
	return t->kind == TOKEN_NAME && text_is(t->text, word);
}

struct call {
	bool is_skipped, is_todo, is_curried;
};

/* Read what follows the name: its modifiers, then what opens the arguments.
 * False if the name is used for something else. */
static bool chain_read(struct tokens *ahead, struct call *call,
		       struct token *ret_open)
{
	struct token token = tests_token_next(ahead);

	for (unsigned i = 0; i < CHAIN_WORDS; i++) {
		if (token.kind != TOKEN_SIGN || token.sign != '.')
			break;
		token = tests_token_next(ahead);
		if (token.kind != TOKEN_NAME || !text_in(token.text, modifiers))
			return false;
		call->is_skipped =
			call->is_skipped || text_in(token.text, skipping);
		call->is_todo = call->is_todo || text_is(token.text, "todo");
		call->is_curried = text_in(token.text, curried);
		token = tests_token_next(ahead);
	}
	*ret_open = token;
	return token.kind == TOKEN_TEMPLATE
		       ? call->is_curried
		       : token.kind == TOKEN_SIGN && token.sign == '(';
}

/* Whether what follows the '(' can be a test: its name, an object, a function,
 * or a variable followed by something. */
static bool argument_fits(struct tokens *ahead, const struct call *call,
			  bool names_only)
{
	struct token token = tests_token_next(ahead);

	if (token.kind == TOKEN_STRING || token.kind == TOKEN_TEMPLATE)
		return true;
	if (call->is_curried)
		return token.kind != TOKEN_END && token.sign != ')';
	/* test.skip(condition, "why") is not a test but a remark inside one. */
	if (names_only)
		return false;
	if (token.kind == TOKEN_SIGN)
		return token.sign == '(' || token.sign == '{';
	if (token.kind != TOKEN_NAME)
		return false;
	if (text_is(token.text, "async") || text_is(token.text, "function"))
		return true;
	/* test(value) is a helper; test(name, ...) and test(a.b, ...) are
	 * tests */
	token = tests_token_next(ahead);
	return token.kind == TOKEN_SIGN && strchr(",.+[", token.sign) != NULL &&
	       token.sign != '\0';
}

static void call_look(struct tokens *t, struct json_text name, bool any_skip,
		      struct scan *ret)
{
	struct tokens ahead = *t;
	struct call call = { .is_skipped = text_in(name, skipping_callees) };
	struct token open;
	bool names_only;

	if (chain_read(&ahead, &call, &open)) {
		names_only = (call.is_skipped || call.is_todo) && !any_skip;
		if (open.kind == TOKEN_TEMPLATE ||
		    argument_fits(&ahead, &call, names_only)) {
			ret->tests++;
			ret->skipped += call.is_skipped;
			ret->todo += call.is_todo && !call.is_skipped;
		}
	}
	t->patience = ahead.patience;
}

/* Whether what comes next is a function: "function", "async", "(a) =>", "a =>". */
static bool function_follows(struct tokens *ahead)
{
	struct token token = tests_token_next(ahead);

	if (is_sign(&token, '(') || is_word(&token, "function") ||
	    is_word(&token, "async"))
		return true;
	if (token.kind != TOKEN_NAME)
		return false;
	token = tests_token_next(ahead);
	if (!is_sign(&token, '='))
		return false;
	token = tests_token_next(ahead);
	return is_sign(&token, '>');
}

/* describe("a", function ...), whose tests others may make. */
static void suite_look(struct tokens *t, struct json_text name,
		       const struct token *before, struct scan *ret)
{
	struct tokens ahead = *t;
	struct call call = { 0 };
	struct token token;

	if (ret->has_suite || !text_in(name, suites) || is_sign(before, '.') ||
	    is_word(before, "function"))
		return;
	if (chain_read(&ahead, &call, &token) && !call.is_curried) {
		const enum token_kind kind = tests_token_next(&ahead).kind;

		token = tests_token_next(&ahead);
		ret->has_suite =
			(kind == TOKEN_STRING || kind == TOKEN_TEMPLATE) &&
			is_sign(&token, ',') && function_follows(&ahead);
	}
	t->patience = ahead.patience;
}

/* before[0] is the token before, before[1] the one before that. */
static bool is_import(const struct token before[static 2])
{
	if (is_word(&before[0], "from") || is_word(&before[0], "import"))
		return true;
	return is_sign(&before[0], '(') && (is_word(&before[1], "require") ||
					    is_word(&before[1], "import"));
}

/* Modules that are Node's own, but assert and test.  Source: Node.js, node:module,
 * builtinModules. */
static bool is_of_node(struct json_text module)
{
	static const char modules[] =
		"async_hooks buffer child_process cluster console constants "
		"crypto dgram diagnostics_channel dns domain events fs http "
		"http2 https inspector module net os path perf_hooks process "
		"punycode querystring readline repl stream string_decoder sys "
		"timers tls trace_events tty url util v8 vm wasi "
		"worker_threads zlib";

	if (text_begins(module, "node:"))
		module = text_from(module, sizeof "node:" - 1);
	return text_in(text_cut(module, '/', NULL), modules);
}

/* The names of an import, up to its module: those that types have, and all others.
 * The words of other statements are among the others. */
struct names {
	bool has_type, has_value;
};

static void names_note(struct names *n, const struct token *token,
		       const struct token before[static 2])
{
	if (is_word(token, "import")) {
		*n = (struct names){ 0 };
	} else if (is_sign(token, '*')) {
		n->has_value = true;
	} else if (token->kind == TOKEN_NAME &&
		   !text_in(token->text, "from type as")) {
		bool is_default = is_word(&before[0], "import") ||
				  (is_word(&before[0], "type") &&
				   is_word(&before[1], "import"));
		bool is_type = !is_default && token->text.bytes[0] >= 'A' &&
			       token->text.bytes[0] <= 'Z';

		n->has_type |= is_type;
		n->has_value |= !is_type;
	}
}

static void name_look(struct tokens *t, const struct token *token,
		      const struct token before[static 2],
		      uint64_t (*module_bit)(struct json_text name),
		      struct scan *ret)
{
	bool is_deno = false;

	ret->has_done |= is_word(token, "done") && is_sign(&before[0], '.') &&
			 is_word(&before[1], "test");
	if (!text_in(token->text, callees) || is_word(&before[0], "function"))
		return;
	if (is_sign(&before[0], '.')) {
		if (before[1].kind != TOKEN_NAME ||
		    !text_in(before[1].text, receivers) ||
		    !text_is(token->text, "test"))
			return;
		is_deno = is_word(&before[1], "Deno");
		ret->imports |= module_bit(before[1].text);
	}
	call_look(t, token->text, is_deno, ret);
}

/* "module.exports = f", "module.exports = (a) =>", "export default function": what
 * others take is a function.  "exports.lab = ..." is how lab's own tests begin. */
static void export_look(struct tokens *t, const struct token *token,
			const struct token before[static 2], struct scan *ret)
{
	const bool is_common = is_word(token, "exports");
	struct tokens ahead = *t;
	struct token next;

	if (is_common
		    ? is_sign(&before[0], '.') && !is_word(&before[1], "module")
		    : !is_word(token, "export") || is_sign(&before[0], '.'))
		return;
	ret->has_exports = true;
	next = tests_token_next(&ahead);
	if (is_common) {
		if (is_sign(&before[0], '.') && is_sign(&next, '=')) {
			next = tests_token_next(&ahead);
			ret->is_helper |=
				next.kind == TOKEN_NAME || is_sign(&next, '(');
		}
	} else {
		while (is_word(&next, "default") || is_word(&next, "async"))
			next = tests_token_next(&ahead);
		ret->is_helper |= is_word(&next, "function");
	}
	t->patience = ahead.patience;
}

/* What the imports of a file are. */
struct imports {
	struct names names;
	uint64_t types;
	bool has_own, has_others; /* of Node's own, and of all others */
};

static void import_note(struct imports *i, struct json_text module,
			uint64_t bit, struct scan *ret)
{
	const bool is_own = is_of_node(module);

	i->has_own |= is_own;
	i->has_others |= !is_own;
	*(i->names.has_type && !i->names.has_value ? &i->types
						   : &ret->imports) |= bit;
}

/* How many brackets are open behind the token.  Where they do not fit, as in the
 * text of JSX, the next ones may be taken for outer ones. */
static size_t depth_after(size_t depth, const struct token *token)
{
	if (token->kind != TOKEN_SIGN)
		return depth;
	if (strchr("([{", token->sign) != NULL && token->sign != '\0')
		return depth + 1;
	return depth > 0 && strchr(")]}", token->sign) != NULL &&
			       token->sign != '\0'
		       ? depth - 1
		       : depth;
}

void tests_scan_script(const struct parse_input *in,
		       uint64_t (*module_bit)(struct json_text name),
		       struct scan *ret)
{
	struct tokens t = tests_tokens_of(in->bytes, in->len);
	struct token before[2] = { 0 };
	struct imports imports = { 0 };
	struct token token;
	size_t depth = 0;

	*ret = (struct scan){ 0 };
	while ((token = tests_token_next(&t)).kind != TOKEN_END) {
		names_note(&imports.names, &token, before);
		if (token.kind == TOKEN_NAME) {
			name_look(&t, &token, before, module_bit, ret);
			export_look(&t, &token, before, ret);
			if (depth == 0)
				suite_look(&t, token.text, &before[0], ret);
		} else if (token.kind == TOKEN_STRING && is_import(before)) {
			import_note(&imports, token.text,
				    module_bit(token.text), ret);
		}
		depth = depth_after(depth, &token);
		before[1] = before[0];
		before[0] = token;
	}
	ret->types = imports.types & ~ret->imports;
	ret->imports |= imports.types;
	ret->is_of_node = imports.has_own && !imports.has_others;
	ret->is_doubtful = t.patience == 0;
}
