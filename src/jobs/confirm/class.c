/* class.c -- see class.h.  One table of narrow classes for each language. */
#include "jobs/confirm/class.h"

#include <assert.h>
#include <string.h>

/* The rows of one class stand together.  If the exception is NULL, nothing
 * confirms the class.  A star in a pattern stands for anything; a pattern NULL
 * fits any message, or excludes none. */
struct row {
	const char *name;
	const char *module, *exception;
	const char *message; /* what it must say */
	const char *except;  /* what it must not say */
	enum class_how how;
};

#define BUILTIN "builtins"

static const struct row python[] = {
	{ .name = "div-zero", BUILTIN, "ZeroDivisionError" },
	{ .name = "index-oob", BUILTIN, "IndexError" },
	{ .name = "key-missing", BUILTIN, "KeyError" },
	{ .name = "null-deref",
	  BUILTIN,
	  "AttributeError",
	  "'NoneType' object has no attribute *" },
	{ .name = "null-deref", BUILTIN, "TypeError", "*NoneType*" },
	{ .name = "attr-missing",
	  BUILTIN,
	  "AttributeError",
	  "*has no attribute *",
	  "'NoneType' object*" },
	{ .name = "type-mismatch", BUILTIN, "TypeError", NULL, "*NoneType*" },
	{ .name = "value-invalid", BUILTIN, "ValueError" },
	{ .name = "unbounded-recursion", BUILTIN, "RecursionError" },
	{ .name = "assertion", BUILTIN, "AssertionError" },
	{ .name = "overflow", BUILTIN, "OverflowError" },
	{ .name = "unicode", BUILTIN, "UnicodeDecodeError" },
	{ .name = "unicode", BUILTIN, "UnicodeEncodeError" },
	{ .name = "unicode", BUILTIN, "UnicodeTranslateError" },
	{ .name = "stop-iteration", BUILTIN, "StopIteration" },
	{ .name = "stop-iteration",
	  BUILTIN,
	  "RuntimeError",
	  "generator raised StopIteration" },
	{ .name = "stop-iteration",
	  BUILTIN,
	  "RuntimeError",
	  "coroutine raised StopIteration" },
	{ .name = "unbound-local", BUILTIN, "UnboundLocalError" },
	{ .name = "name-undefined", BUILTIN, "NameError" },
	{ .name = "json-decode", "json.decoder", "JSONDecodeError" },
	{ .name = "memory", BUILTIN, "MemoryError" },
	{ .name = "infinite-loop" },
};

/* What V8 says about null and undefined, since Node 16.  "x is not iterable"
 * has no row, because it gives the name of x and not what x is. */
static const struct row javascript[] = {
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "Cannot read properties of null*" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "Cannot read properties of undefined*" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "Cannot set properties of null*" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "Cannot set properties of undefined*" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "Cannot destructure *is null*" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "Cannot destructure *is undefined*" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "Cannot convert undefined or null to object" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "Cannot use 'in' operator to search for * in null" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "Cannot use 'in' operator to search for * in undefined" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "undefined is not iterable*" },
	{ .name = "null-deref", BUILTIN, "TypeError", "null is not iterable*" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "object null is not iterable*" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "*is not iterable (cannot read property undefined)" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "*is not iterable (cannot read property null)" },
	{ .name = "null-deref",
	  BUILTIN,
	  "TypeError",
	  "object null is not a function*" },
	{ .name = "undefined-call",
	  BUILTIN,
	  "TypeError",
	  "*is not a function*",
	  "object null*" },
	{ .name = "undefined-call",
	  BUILTIN,
	  "TypeError",
	  "*is not a constructor*" },
	{ .name = "bad-array-length",
	  BUILTIN,
	  "RangeError",
	  "Invalid array length*" },
	{ .name = "bad-array-length",
	  BUILTIN,
	  "RangeError",
	  "Invalid typed array length*" },
	{ .name = "bad-array-length",
	  BUILTIN,
	  "RangeError",
	  "Array buffer allocation failed*" },
	{ .name = "unbounded-recursion",
	  BUILTIN,
	  "RangeError",
	  "Maximum call stack size exceeded*" },
	{ .name = "reference", BUILTIN, "ReferenceError" },
	{ .name = "assertion", "assert", "AssertionError" },
	{ .name = "json-parse", BUILTIN, "SyntaxError", "*JSON*" },
	{ .name = "bigint-div-zero",
	  BUILTIN,
	  "RangeError",
	  "Division by zero*" },
	{ .name = "unhandled-rejection", .how = CLASS_REJECTION },
};

static const struct {
	const char *name;
	const struct row *rows;
	size_t len;
} tables[] = {
	[LANGUAGE_PYTHON] = { "python", python,
			      sizeof python / sizeof *python },
	[LANGUAGE_JAVASCRIPT] = { "javascript", javascript,
				  sizeof javascript / sizeof *javascript },
};
static_assert(sizeof tables / sizeof *tables == LANGUAGE_MAX_,
	      "a table for every language");

const char *language_name(enum language l)
{
	return tables[l].name;
}

/* A flag of the wider class is accepted when the narrower one's exception was
 * raised, and the record then has the narrower class.  The exception NULL: any
 * of its exceptions. */
static const struct {
	enum language language;
	const char *wide, *narrow, *exception;
} wider[] = {
	{ LANGUAGE_PYTHON, "attr-missing", "null-deref", "AttributeError" },
	{ LANGUAGE_PYTHON, "type-mismatch", "null-deref", "TypeError" },
	{ LANGUAGE_JAVASCRIPT, "value-invalid", "bad-array-length", NULL },
	{ LANGUAGE_JAVASCRIPT, "div-zero", "bigint-div-zero", NULL },
};
#define WIDER (sizeof wider / sizeof *wider)

/* Match piece by piece between the stars, each at the first place where it is
 * found, and the last piece at the end. */
static bool says(struct json_text text, const char *pattern)
{
	size_t piece = strcspn(pattern, "*"), at = piece;

	if (text.len < piece || memcmp(text.bytes, pattern, piece) != 0)
		return false;
	for (pattern += piece; *pattern == '*'; pattern += piece) {
		const char *found;

		piece = strcspn(++pattern, "*");
		if (pattern[piece] == '\0')
			return text.len - at >= piece &&
			       memcmp(text.bytes + text.len - piece, pattern,
				      piece) == 0;
		found = memmem(text.bytes + at, text.len - at, pattern, piece);
		if (found == NULL)
			return false;
		at = (size_t)(found - text.bytes) + piece;
	}
	return at == text.len;
}

static enum class_fit row_fit(const struct row *row,
			      const struct class_raised *r)
{
	if (row->how != r->how)
		return CLASS_OTHER;
	if (row->how == CLASS_REJECTION)
		return CLASS_FITS; /* whatever was raised */
	if (row->exception == NULL || !r->is_known ||
	    strcmp(row->module, r->module) != 0 ||
	    strcmp(row->exception, r->name) != 0)
		return CLASS_OTHER;
	if (row->message != NULL && !says(r->message, row->message))
		return CLASS_OTHER_MESSAGE;
	if (row->except != NULL && says(r->message, row->except))
		return CLASS_OTHER_MESSAGE;
	return CLASS_FITS;
}

static bool has_rows(enum language l, const char *name)
{
	for (size_t i = 0; i < tables[l].len; i++)
		if (strcmp(tables[l].rows[i].name, name) == 0)
			return true;
	return false;
}

static bool is_wide(size_t i, enum language l, const char *name)
{
	return wider[i].language == l && strcmp(wider[i].wide, name) == 0;
}

const char *class_sought(enum language l, const char *name)
{
	for (size_t i = 0; i < WIDER && !has_rows(l, name); i++)
		if (is_wide(i, l, name))
			return wider[i].narrow;
	return name;
}

bool class_is_known(enum language l, const char *name)
{
	return has_rows(l, class_sought(l, name));
}

/* The fit by the rows of that class itself. */
static enum class_fit rows_fit(enum language l, const char *name,
			       const struct class_raised *r)
{
	enum class_fit best = CLASS_OTHER;

	for (size_t i = 0; i < tables[l].len; i++) {
		const struct row *row = &tables[l].rows[i];
		enum class_fit fit = strcmp(row->name, name) == 0
					     ? row_fit(row, r)
					     : CLASS_OTHER;

		best = fit < best ? fit : best;
	}
	return best;
}

enum class_fit class_fit(enum language l, const char *name,
			 const struct class_raised *r, const char **ret_class)
{
	enum class_fit fit = rows_fit(l, name, r);

	*ret_class = name;
	for (size_t i = 0; i < WIDER && fit != CLASS_FITS; i++) {
		const char *exception = wider[i].exception;
		enum class_fit narrow;

		if (!is_wide(i, l, name) ||
		    (exception != NULL && strcmp(exception, r->name) != 0))
			continue;
		narrow = rows_fit(l, wider[i].narrow, r);
		fit = narrow < fit ? narrow : fit;
		*ret_class = wider[i].narrow;
	}
	return fit;
}

const char *class_name(enum language l, size_t i)
{
	const struct row *rows = tables[l].rows;

	for (size_t at = 0; at < tables[l].len; at++) {
		if (at > 0 && strcmp(rows[at].name, rows[at - 1].name) == 0)
			continue;
		if (i-- == 0)
			return rows[at].name;
	}
	return NULL;
}
