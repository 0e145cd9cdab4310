/* jobs_class.c -- which exception each class of flag stands for. */
#include "jobs/confirm/class.h"

#include "tap.h"

#define FITS    CLASS_FITS
#define MESSAGE CLASS_OTHER_MESSAGE
#define OTHER   CLASS_OTHER

struct example {
	const char *flag_class, *name, *message;
	enum class_fit fit;
};

static enum class_fit fit(enum language l, const struct example *e,
			  const char *module, bool is_known, enum class_how how)
{
	const char *found = NULL;

	return class_fit(l, e->flag_class,
			 &(struct class_raised){
				 .module = module,
				 .name = e->name,
				 .is_known = is_known,
				 .message = { e->message, strlen(e->message) },
				 .how = how },
			 &found);
}

static const struct example python[] = {
	{ "div-zero", "ZeroDivisionError", "division by zero", FITS },
	{ "div-zero", "ArithmeticError", "division by zero", OTHER },
	{ "div-zero", "FloatingPointError", "", OTHER },
	{ "index-oob", "IndexError", "list index out of range", FITS },
	{ "index-oob", "KeyError", "0", OTHER },
	{ "index-oob", "LookupError", "", OTHER },
	{ "key-missing", "KeyError", "", FITS },
	{ "key-missing", "IndexError", "", OTHER },
	{ "null-deref", "AttributeError",
	  "'NoneType' object has no attribute 'x'", FITS },
	{ "null-deref", "AttributeError", "'int' object has no attribute 'x'",
	  MESSAGE },
	{ "null-deref", "AttributeError",
	  "'X' object has no attribute 'NoneType' object has no attribute 'x'",
	  MESSAGE },
	{ "null-deref", "TypeError", "'NoneType' object is not subscriptable",
	  FITS },
	{ "null-deref", "TypeError",
	  "unsupported operand type(s) for +: 'int' and 'NoneType'", FITS },
	{ "null-deref", "TypeError", "object of type 'int' has no len()",
	  MESSAGE },
	{ "null-deref", "ValueError", "NoneType", OTHER },
	{ "attr-missing", "AttributeError", "'int' object has no attribute 'x'",
	  FITS },
	{ "attr-missing", "AttributeError", "module 'm' has no attribute 'x'",
	  FITS },
	{ "attr-missing", "AttributeError",
	  "'NoneType' object has no attribute 'x'", FITS }, /* narrower */
	{ "attr-missing", "TypeError", "'NoneType' object is not iterable",
	  OTHER },
	{ "attr-missing", "AttributeError", "can't set attribute", MESSAGE },
	{ "type-mismatch", "TypeError", "can only concatenate str", FITS },
	{ "type-mismatch", "TypeError",
	  "argument of type 'NoneType' is not iterable", FITS }, /* narrower */
	{ "type-mismatch", "AttributeError", "", OTHER },
	{ "value-invalid", "ValueError", "invalid literal for int()", FITS },
	{ "value-invalid", "UnicodeDecodeError", "", OTHER },
	{ "unbounded-recursion", "RecursionError",
	  "maximum recursion depth exceeded", FITS },
	{ "unbounded-recursion", "RuntimeError", "", OTHER },
	{ "assertion", "AssertionError", "", FITS },
	{ "overflow", "OverflowError", "", FITS },
	{ "overflow", "ArithmeticError", "", OTHER },
	{ "unicode", "UnicodeDecodeError", "", FITS },
	{ "unicode", "UnicodeEncodeError", "", FITS },
	{ "unicode", "UnicodeTranslateError", "", FITS },
	{ "unicode", "ValueError", "", OTHER },
	{ "stop-iteration", "StopIteration", "", FITS },
	{ "stop-iteration", "RuntimeError", "generator raised StopIteration",
	  FITS },
	{ "stop-iteration", "RuntimeError", "coroutine raised StopIteration",
	  FITS },
	{ "stop-iteration", "RuntimeError", "something", MESSAGE },
	{ "stop-iteration", "RuntimeError",
	  "generator raised StopIteration and more", MESSAGE },
	{ "unbound-local", "UnboundLocalError", "", FITS },
	{ "unbound-local", "NameError", "", OTHER },
	{ "name-undefined", "NameError", "name 'x' is not defined", FITS },
	{ "name-undefined", "UnboundLocalError", "", OTHER },
	{ "memory", "MemoryError", "", FITS },
	{ "json-decode", "JSONDecodeError", "", OTHER }, /* not a builtin */
	{ "infinite-loop", "RecursionError", "", OTHER },
	{ "infinite-loop", "TimeoutError", "", OTHER },
	{ "div-zer", "ZeroDivisionError", "", OTHER },
	{ "", "ZeroDivisionError", "", OTHER },
};

static const struct example javascript[] = {
	{ "null-deref", "TypeError",
	  "Cannot read properties of null (reading 'a')", FITS },
	{ "null-deref", "TypeError",
	  "Cannot read properties of undefined (reading 'a')", FITS },
	{ "null-deref", "TypeError",
	  "Cannot set properties of undefined (setting 'a')", FITS },
	{ "null-deref", "TypeError",
	  "Cannot destructure property 'a' of 'b' as it is undefined.", FITS },
	{ "null-deref", "TypeError", "x.map is not a function", MESSAGE },
	{ "null-deref", "TypeError",
	  "Cannot convert undefined or null to object", FITS },
	{ "null-deref", "TypeError",
	  "undefined is not iterable (cannot read property "
	  "Symbol(Symbol.iterator))",
	  FITS },
	{ "null-deref", "TypeError",
	  "object null is not iterable (cannot read property "
	  "Symbol(Symbol.iterator))",
	  FITS },
	{ "null-deref", "TypeError", "null is not iterable", FITS },
	{ "null-deref", "TypeError",
	  "f(a).b is not iterable (cannot read property undefined)", FITS },
	{ "null-deref", "TypeError",
	  "a is not iterable (cannot read property null)", FITS },
	{ "null-deref", "TypeError",
	  "number 5 is not iterable (cannot read property "
	  "Symbol(Symbol.iterator))",
	  MESSAGE },
	{ "null-deref", "TypeError", "a is not iterable", MESSAGE },
	{ "null-deref", "TypeError", "a.undefined is not iterable", MESSAGE },
	{ "null-deref", "TypeError", "a.null is not iterable", MESSAGE },
	{ "null-deref", "TypeError", "5 is not iterable", MESSAGE },
	{ "null-deref", "TypeError",
	  "Cannot use 'in' operator to search for 'a' in null", FITS },
	{ "null-deref", "TypeError",
	  "Cannot use 'in' operator to search for in null", MESSAGE },
	{ "null-deref", "ReferenceError", "Cannot read properties of null",
	  OTHER },
	{ "undefined-call", "TypeError", "x.map is not a function", FITS },
	{ "undefined-call", "TypeError", "X is not a constructor", FITS },
	{ "undefined-call", "TypeError",
	  "Cannot read properties of null (reading 'a')", MESSAGE },
	{ "bad-array-length", "RangeError", "Invalid array length", FITS },
	{ "bad-array-length", "RangeError", "Invalid typed array length: -1",
	  FITS },
	{ "bad-array-length", "RangeError", "Maximum call stack size exceeded",
	  MESSAGE },
	{ "unbounded-recursion", "RangeError",
	  "Maximum call stack size exceeded", FITS },
	{ "unbounded-recursion", "RangeError", "Invalid array length",
	  MESSAGE },
	{ "reference", "ReferenceError", "x is not defined", FITS },
	{ "reference", "TypeError", "x is not defined", OTHER },
	{ "json-parse", "SyntaxError", "Unexpected end of JSON input", FITS },
	{ "json-parse", "SyntaxError",
	  "Unexpected token 'a', \"abc\" is not valid JSON", FITS },
	{ "json-parse", "SyntaxError", "Invalid regular expression", MESSAGE },
	{ "bigint-div-zero", "RangeError", "Division by zero", FITS },
	{ "bigint-div-zero", "RangeError", "Invalid array length", MESSAGE },
	{ "div-zero", "RangeError", "Division by zero", FITS }, /* narrower */
	{ "div-zero", "RangeError", "Invalid array length", MESSAGE },
	{ "value-invalid", "RangeError", "Invalid array length", FITS },
	{ "value-invalid", "RangeError", "Maximum call stack size exceeded",
	  MESSAGE },
	{ "value-invalid", "TypeError", "Invalid array length", OTHER },
	{ "unhandled-rejection", "TypeError", "", OTHER },
};

static void each_class_has_its_exception(void)
{
	for (size_t i = 0; i < sizeof python / sizeof *python; i++) {
		fprintf(stderr, "# %s %s '%s'\n", python[i].flag_class,
			python[i].name, python[i].message);
		ok_int(fit(LANGUAGE_PYTHON, &python[i], "builtins", true,
			   CLASS_THROWN),
		       python[i].fit);
	}
	for (size_t i = 0; i < sizeof javascript / sizeof *javascript; i++) {
		fprintf(stderr, "# %s %s '%s'\n", javascript[i].flag_class,
			javascript[i].name, javascript[i].message);
		ok_int(fit(LANGUAGE_JAVASCRIPT, &javascript[i], "builtins",
			   true, CLASS_THROWN),
		       javascript[i].fit);
	}
}

static void a_name_is_not_an_identity(void)
{
	for (size_t i = 0; i < sizeof python / sizeof *python; i++) {
		ok_int(fit(LANGUAGE_PYTHON, &python[i], "builtins", false,
			   CLASS_THROWN),
		       OTHER);
		ok_int(fit(LANGUAGE_PYTHON, &python[i], "shop", true,
			   CLASS_THROWN),
		       OTHER);
		ok_int(fit(LANGUAGE_PYTHON, &python[i], "builtins", true,
			   CLASS_REJECTION),
		       OTHER);
	}
}

static void classes_beyond_the_builtins(void)
{
	struct example e = { "json-decode", "JSONDecodeError", "", FITS };

	ok_int(fit(LANGUAGE_PYTHON, &e, "json.decoder", true, CLASS_THROWN),
	       FITS);
	ok_int(fit(LANGUAGE_PYTHON, &e, "json.decoder", false, CLASS_THROWN),
	       OTHER);
	e = (struct example){ "assertion", "AssertionError", "", FITS };
	ok_int(fit(LANGUAGE_JAVASCRIPT, &e, "assert", true, CLASS_THROWN),
	       FITS);
	ok_int(fit(LANGUAGE_JAVASCRIPT, &e, "builtins", true, CLASS_THROWN),
	       OTHER);
	e = (struct example){ "unhandled-rejection", "Any", "", FITS };
	ok_int(fit(LANGUAGE_JAVASCRIPT, &e, "x", false, CLASS_REJECTION), FITS);
	ok_int(fit(LANGUAGE_JAVASCRIPT, &e, "x", true, CLASS_THROWN), OTHER);
	e.flag_class = "null-deref";
	ok_int(fit(LANGUAGE_JAVASCRIPT, &e, "x", true, CLASS_REJECTION), OTHER);
}

static void languages_have_their_classes(void)
{
	size_t n[LANGUAGE_MAX_] = { 0 };

	for (enum language l = 0; l < LANGUAGE_MAX_; l++)
		for (; class_name(l, n[l]) != NULL; n[l]++)
			ok(class_is_known(l, class_name(l, n[l])));
	ok_int((intmax_t)n[LANGUAGE_PYTHON], 17);
	ok_int((intmax_t)n[LANGUAGE_JAVASCRIPT], 9);
	ok(!class_is_known(LANGUAGE_PYTHON, "reference"));
	ok(class_is_known(LANGUAGE_JAVASCRIPT, "div-zero"));
	ok(!class_is_known(LANGUAGE_JAVASCRIPT, "attr-missing"));
	ok(!class_is_known(LANGUAGE_PYTHON, "DIV-ZERO"));
	ok(!class_is_known(LANGUAGE_PYTHON, ""));
}

/* The class that is found if that is raised for a flag of that class, or
 * NULL. */
static const char *found_of(enum language l, const char *flag_class,
			    const char *name, const char *message)
{
	const char *found = NULL;
	enum class_fit got =
		class_fit(l, flag_class,
			  &(struct class_raised){
				  .module = "builtins",
				  .name = name,
				  .is_known = true,
				  .message = { message, strlen(message) } },
			  &found);

	return got == FITS ? found : NULL;
}

static void ok_is(const char *got, const char *want)
{
	ok(got != NULL && strcmp(got, want) == 0);
}

static void messages_of_narrower_classes(void)
{
	const enum language py = LANGUAGE_PYTHON, js = LANGUAGE_JAVASCRIPT;
	const char *none = "'NoneType' object has no attribute 'x'";
	const char *other = "'int' object has no attribute 'x'";

	ok_is(found_of(py, "attr-missing", "AttributeError", none),
	      "null-deref");
	ok_is(found_of(py, "attr-missing", "AttributeError", other),
	      "attr-missing");
	ok_is(found_of(py, "type-mismatch", "TypeError",
		       "'NoneType' object is not iterable"),
	      "null-deref");
	ok_is(found_of(py, "null-deref", "AttributeError", none), "null-deref");
	ok(found_of(py, "null-deref", "AttributeError", other) == NULL);
	ok_is(found_of(js, "div-zero", "RangeError", "Division by zero"),
	      "bigint-div-zero");
	ok_is(found_of(js, "value-invalid", "RangeError",
		       "Invalid array length"),
	      "bad-array-length");
	ok_is(class_sought(js, "div-zero"), "bigint-div-zero");
	ok_is(class_sought(py, "div-zero"), "div-zero");
	ok_is(class_sought(py, "attr-missing"), "attr-missing");
	ok_is(class_sought(js, "nothing"), "nothing");
}

int main(void)
{
	return tap_run((struct tap_case[]){ CASE(each_class_has_its_exception),
					    CASE(a_name_is_not_an_identity),
					    CASE(classes_beyond_the_builtins),
					    CASE(languages_have_their_classes),
					    CASE(messages_of_narrower_classes),
					    TAP_END });
}
