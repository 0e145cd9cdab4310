/* parsers_depend_programs.c -- dependencies: what stands as literal text in programs
 * that describe a package, and nothing of what they compute. */
#include <stdlib.h>

#include "base/buf.h"
#include "parsers/depend/depend.h"
#include "probe_files.h"

#define PROBE(...)                                                             \
	probe_files(                                                           \
		"dependencies", dependencies_run,                              \
		(const struct probe_file[]){ __VA_ARGS__, { NULL, NULL } })

static void declared(const char *o, const char *want)
{
	ok_json(o, "/slice/dependencies/ANY", want);
}

/* No name of these is in the answer. */
static void lacks(const char *o, const char *const *names)
{
	for (; *names != NULL; names++)
		ok(strstr(o, *names) == NULL);
}

static void setup_py_has_literal_requirements(void)
{
	char *o = PROBE(F(
		"setup.py",
		"#!/usr/bin/env python\n\"\"\"install_requires=['doc']\"\"\"\n"
		"# setup(name='comment', install_requires=['comment2'])\n"
		"from setuptools import setup\n"
		"setup(\n  name='pack',  # its name\n  version=\"1.2\",\n"
		"  python_requires='>=3.9',\n"
		"  install_requires=[\n    \"one>=1,<2\",  # why\n"
		"    'two[x] == 2 ; python_version < \"3\"',\n"
		"    u\"three\" \" >=3\",\n    r'four',\n"
		"    '''five''',\n    \"six @ git+https://h.example/s\",\n"
		"    ('seven'),\n  ],\n"
		"  extras_require={\n    ':sys_platform == \"win32\"': "
		"['ex1>=1'],\n    \"dev\": [\"ex2==2\", 'ex3'],\n  },\n"
		"  tests_require=('tst',),\n  setup_requires=['bld'],\n"
		"  classifiers=['Framework :: None'],\n)\n"));

	ok_json(o, "/slice/files/ANY",
		"{\"format\":\"setup.py\",\"ecosystem\":\"pypi\","
		"\"kind\":\"manifest\",\"name\":\"pack\",\"version\":\"1.2\","
		"\"dependencies\":11,\"role\":\"own\"}");
	declared(o, "{\"name\":\"one\",\"constraint\":\">=1,<2\","
		    "\"kind\":\"runtime\",\"resolved\":null,"
		    "\"purl\":\"pkg:pypi/one\",\"source\":\"setup.py\"}");
	declared(o, "{\"name\":\"two\",\"constraint\":\"== 2\"}");
	declared(o, "{\"name\":\"three\",\"constraint\":\">=3\"}");
	declared(o, "{\"name\":\"four\",\"constraint\":null}");
	declared(o, "{\"name\":\"five\"}");
	declared(o, "{\"name\":\"six\",\"origin\":\"git\"}");
	/* An extra without a name is always installed. */
	declared(o, "{\"name\":\"ex1\",\"kind\":\"runtime\"}");
	declared(o, "{\"name\":\"ex2\",\"constraint\":\"==2\"}");
	declared(o, "{\"name\":\"ex3\",\"kind\":\"optional\"}");
	declared(o, "{\"name\":\"tst\",\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"bld\",\"kind\":\"build\"}");
	lacks(o, (const char *const[]){ "doc", "comment", "Framework", "seven",
					"win32", NULL });
	free(o);
}

/* What has a marker and no name belongs to install_requires. */
static void setup_py_has_extras_without_a_name(void)
{
	char *o = PROBE(F("setup.py",
			  "setup(extras_require={':a': ['one'] + two,\n"
			  " 'b:c': ['three'], '': ['four'],\n"
			  " f':{x}': ['five' if y else 'six'], z: ['seven'],\n"
			  " ':d': install_requires}, tests_require={\n"
			  " ':e': ['eight']}, install_requires=['nine'])\n"
			  "two = ['ten']\n"));

	ok_json(o, "/slice/dependencies",
		"[{\"name\":\"one\",\"kind\":\"runtime\"},"
		"{\"name\":\"ten\",\"kind\":\"runtime\"},"
		"{\"name\":\"three\",\"kind\":\"optional\"},"
		"{\"name\":\"four\",\"kind\":\"optional\"},"
		"{\"name\":\"five\",\"kind\":\"runtime\"},"
		"{\"name\":\"six\",\"kind\":\"runtime\"},"
		"{\"name\":\"seven\",\"kind\":\"optional\"},"
		"{\"name\":\"eight\",\"kind\":\"dev\"},"
		"{\"name\":\"nine\",\"kind\":\"runtime\"}]");
	free(o);
}

static void setup_py_follows_variables(void)
{
	char *o =
		PROBE(F("setup.py",
			"if x == ['none']: pass\nbase = ['one>=1']\n"
			"more = base + ['two']\nextra = {\n 'a': base2,\n"
			" 'b': ['three'] + base3,\n}\nbase2 = ('four',)\n"
			"base3 = ['five']\nself_ = self_\n"
			"setup_args = {'name': 'pack', 'version': version}\n"
			"setup_args['install_requires'] = more\n"
			"setup_args['extras_require'] = extra\n"
			"tests_require = self_\n"
			"if __name__ == '__main__':\n  setup(**setup_args)\n"));

	ok_json(o, "/slice/files/ANY",
		"{\"name\":\"pack\",\"version\":null,\"dependencies\":5}");
	declared(o, "{\"name\":\"one\",\"constraint\":\">=1\","
		    "\"kind\":\"runtime\"}");
	declared(o, "{\"name\":\"two\",\"kind\":\"runtime\"}");
	declared(o, "{\"name\":\"three\",\"kind\":\"optional\"}");
	declared(o, "{\"name\":\"four\",\"kind\":\"optional\"}");
	declared(o, "{\"name\":\"five\",\"kind\":\"optional\"}");
	lacks(o, (const char *const[]){ "none", NULL });
	free(o);
}

/* A variable that is called as the key is the same list, but not for another key. */
static void setup_py_takes_a_list_once(void)
{
	char *o = PROBE(F("setup.py",
			  "install_requires = ['one']\n"
			  "tests_require = ['two']\n"
			  "extras_require = {'a': tests_require}\n"
			  "setup(install_requires=install_requires + more,\n"
			  "  tests_require=tests_require,\n"
			  "  extras_require=extras_require)\n"
			  "more = ['three']\n"));

	ok_json(o, "/slice/files/ANY", "{\"dependencies\":4}");
	declared(o, "{\"name\":\"two\",\"kind\":\"dev\"}");
	declared(o, "{\"name\":\"two\",\"kind\":\"optional\"}");
	declared(o, "{\"name\":\"three\",\"kind\":\"runtime\"}");
	free(o);
}

/* A name whose end is computed is not a name. */
static void setup_py_does_not_compute(void)
{
	char *o = PROBE(
		F("setup.py",
		  "v = '1'\nsetup(name='a' + b, version=f'{v}',\n"
		  " install_requires=['one ' + v, f'two=={v}', 'bad1' + v,\n"
		  "  f'bad2{v}', 'bad3%s' % v, 'three>=%s' % v,\n"
		  "  'bad4{}'.format(v), 'four', g('bad6'),\n"
		  "  'bad7\\x41', *others, x['bad8']],\n"
		  " tests_require=read('bad9').x['bad10'],\n"
		  " setup_requires=[n for n in ['bad11']],\n"
		  " extras_require=dict(a=['bad12']))\n"));

	ok_json(o, "/slice/files/ANY",
		"{\"name\":null,\"version\":null,\"dependencies\":4}");
	declared(o, "{\"name\":\"one\",\"constraint\":null}");
	declared(o, "{\"name\":\"two\",\"constraint\":null}");
	declared(o, "{\"name\":\"three\",\"constraint\":null}");
	declared(o, "{\"name\":\"four\"}");
	lacks(o, (const char *const[]){ "bad", NULL });
	free(o);
}

/* The program computes which of two values it is, so both are taken. */
static void setup_py_has_both_of_a_choice(void)
{
	static const struct {
		const char *text, *names[4];
	} rows[] = {
		{ "setup(install_requires=['a1' if c else 'a2', 'a3'])",
		  { "a1", "a2", "a3" } },
		{ "setup(install_requires=['a1' if (c, d) else 'a2'\n"
		  " if e['f'] else 'a3'])",
		  { "a1", "a2", "a3" } },
		{ "setup(install_requires=['a1' if c else None, 'a3'])",
		  { "a1", "a3" } },
		{ "setup(install_requires=['a1']\nif c else\n['a2'])",
		  { "a1", "a2" } },
		{ "setup(install_requires=['a1'] if c else x,)\nx = ['a2']",
		  { "a1", "a2" } },
		{ "setup(install_requires=f() if c == 1 else ['a2'])",
		  { "a2" } },
		{ "setup(install_requires=f().g['x'] + ['a2'])", { "a2" } },
		{ "setup(install_requires=x or ['a2'])", { "a2" } },
		{ "setup(extras_require={'e': ['a1'] if c else ['a2'],\n"
		  " 'f': ['a3']})",
		  { "a1", "a2", "a3" } },
		{ "setup(install_requires=['a1', *['a2'], *(['no']), *x])\n"
		  "x = ['a3']",
		  { "a1", "a2", "a3" } },
		/* The next statement is not one of two choices. */
		{ "install_requires = ['a1']\nif c:\n  pass\nelse:\n"
		  "  no = ['no']\n",
		  { "a1" } },
		{ "install_requires = ['a1']\nif c: no = 1 if d else ['no']\n",
		  { "a1" } },
		/* if"..." is a word followed by a text. */
		{ "setup(install_requires=['a1'if\"c\"in d else'a2'])",
		  { "a1", "a2" } },
		{ "setup(install_requires=['a1'if\"{c}\"in d else rb'a2',"
		  "Rb'a3'])",
		  { "a1", "a2", "a3" } },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(F("setup.py", rows[i].text));
		char want[64];
		size_t n = 0;

		for (; n < 4 && rows[i].names[n] != NULL; n++) {
			(void)snprintf(want, sizeof want, "{\"name\":\"%s\"}",
				       rows[i].names[n]);
			declared(o, want);
		}
		(void)snprintf(want, sizeof want, "{\"dependencies\":%zu}", n);
		ok_json(o, "/slice/files/ANY", want);
		free(o);
	}
}

/* A name or a version in a variable that is set once, to a text. */
static void setup_py_has_its_name_by_a_variable(void)
{
	static const struct {
		const char *text, *version; /* NULL: not known */
	} rows[] = {
		{ "V = \"1.2\"  # it\nsetup(version=V)", "1.2" },
		{ "V = '1.2';x = 1\nsetup(version=V, name='a')", "1.2" },
		{ "V = '1.2'\nsetup(\nversion=V\n)\nf(V='3')", "1.2" },
		{ "version = '1.2'\nsetup(version=version)", "1.2" },
		{ "x.V = '3'\nV = '1.2'\nassert V == '4'\nsetup(version=V)",
		  "1.2" },
		{ "V = '1.2'\nV += 'b'\nsetup(version=V)", NULL },
		{ "V = '1.2'\nV = '1.3'\nsetup(version=V)", NULL },
		{ "V = '1.2'\nV = read()\nsetup(version=V)", NULL },
		{ "V = '1.2' % x\nsetup(version=V)", NULL },
		{ "V = '1.2' if x else y\nsetup(version=V)", NULL },
		{ "V = f'1.{x}'\nsetup(version=V)", NULL },
		{ "V = '1\\x41'\nsetup(version=V)", NULL },
		{ "V = '1.2'\nsetup(version=V + 'b')", NULL },
		{ "V = '1.2'\nsetup(version=V.x)", NULL },
		{ "f(V='1.2')\nsetup(version=V)", NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *o = PROBE(F("setup.py", rows[i].text));
		char want[64] = "{\"version\":null}";

		if (rows[i].version != NULL)
			(void)snprintf(want, sizeof want,
				       "{\"version\":\"%s\"}", rows[i].version);
		ok_json(o, "/slice/files/ANY", want);
		free(o);
	}
}

/* Each cap that cuts is reported, and one that does not cut is not. */
static void setup_py_tells_what_it_did_not_look_at(void)
{
	static const struct {
		const char *head, *again, *end;
		size_t max;
	} rows[] = {
		/* lists */
		{ "", "install_requires=['a']\n", "", 64 },
		/* variables for lists, one of which is the list itself */
		{ "a=['x']\ninstall_requires=[]", "+a", "\n", 64 },
		/* variables for a version */
		{ "setup(", "version=v,", ")", 64 },
		/* tables in tables */
		{ "extras_require=", "{'k':", "", 4 },
	};

	for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
		size_t max = rows[i / 2].max + i % 2;
		struct buf text = { 0 };
		char *o;

		buf_text(&text, rows[i / 2].head);
		for (size_t n = 0; n < max; n++)
			buf_text(&text, rows[i / 2].again);
		buf_text(&text, rows[i / 2].end);
		o = PROBE(F("setup.py", text.bytes));
		ok((strstr(o, "\"truncated\"") != NULL) == (i % 2 == 1));
		free(o);
		buf_done(&text);
	}
}

/* Things that begin and never end, tables in tables, lists in lists. */
static void setup_py_is_read_in_its_bounds(void)
{
	static const struct {
		const char *head, *again;
	} rows[] = {
		{ "extras_require=", "{1:" },
		{ "install_requires=", "[" },
		{ "", "install_requires=[" },
		{ "install_requires=a0", "\na0=a0" },
		{ "a=['x']", "\ninstall_requires=a+" },
		{ "install_requires=['''", "x'" },
		{ "install_requires=['\\", "\n\\" },
		{ "setup(", "name='a'," },
		{ "setup(", "name=a," },
		{ "install_requires=['a'", "if (" },
		{ "install_requires=[]", "if x else []" },
		{ "install_requires=a", "[" },
		{ "install_requires=[", "*[" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf text = { 0 };
		char *o;

		buf_text(&text, rows[i].head);
		for (size_t n = 0; n < 200000; n++)
			buf_text(&text, rows[i].again);
		o = PROBE(F("setup.py", text.bytes));
		ok_json(o, "/slice/files/ANY", "{\"format\":\"setup.py\"}");
		free(o);
		buf_done(&text);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(setup_py_has_literal_requirements),
		CASE(setup_py_has_extras_without_a_name),
		CASE(setup_py_follows_variables),
		CASE(setup_py_takes_a_list_once),
		CASE(setup_py_does_not_compute),
		CASE(setup_py_has_both_of_a_choice),
		CASE(setup_py_has_its_name_by_a_variable),
		CASE(setup_py_tells_what_it_did_not_look_at),
		CASE(setup_py_is_read_in_its_bounds),
		TAP_END,
	});
}
