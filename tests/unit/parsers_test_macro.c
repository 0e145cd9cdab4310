/* parsers_test_macro.c -- test_inventory: macros of a file of C that stand for marks. */
#include <time.h>

#include "parsers/tests/tests.h"
#include "probe_files.h"

struct row {
	const char *text;
	int tests; /* none: no file is told */
	const char *framework;
};

static void rows_try(const char *file, const struct row *rows)
{
	for (; rows->text != NULL; rows++) {
		const int before = tap_bad;
		char want[64];
		char *o = probe_files("test_inventory", test_inventory_run,
				      PROBE_FILES(F(file, rows->text)));

		ok_int(json_count(o, "/slice/files/ANY", "{}"),
		       rows->tests > 0);
		(void)snprintf(want, sizeof want,
			       "{\"tests\":%d,\"framework\":\"%s\"}",
			       rows->tests, rows->framework);
		if (rows->tests > 0)
			ok_json(o, "/slice/files/0", want);
		free(o);
		if (tap_bad != before)
			fprintf(stderr, "# %s: %s\n", file, rows->text);
	}
}

static void a_macro_stands_for_its_mark(void)
{
	static const struct row rows[] = {
		{ "#define PIPE_TEST(name,func,...) g_test_add_vtable(name)\n"
		  "int main() {\n  PIPE_TEST(\"a\", a);\n"
		  "  PIPE_TEST (\"b\", b);\n  OTHER(\"c\", c);\n"
		  "  MY_PIPE_TEST(\"d\");\n  PIPE_TESTS(\"e\");\n"
		  "  // PIPE_TEST(\"f\");\n  PIPE_TEST;\n}\n",
		  2, "glib" },
		{ "# define  A(a) \\\n  do { \\\n    g_test_add (a); \\\n"
		  "  } while (0)\nA(1);\nA(2);\nA(3);\n",
		  3, "glib" },
		{ "#define A(a, \\\n  b) \\\n  START_TEST(a) \nA(1)\n", 1,
		  "check" },
		/* Each mark in it counts, each time. */
		{ "#define A(a) g_test_add(a); \\\n  g_test_add(b)\n"
		  "A(1);\nA(2);\n",
		  4, "glib" },
		{ "#define A(a) cmocka_unit_test(a)\n"
		  "  t[] = { A(b), A (c), cmocka_unit_test(d), BA(e), A };\n",
		  3, "cmocka" },
		{ "#define my_cmocka_unit_test(a) cmocka_unit_test(a)\n"
		  "  my_cmocka_unit_test(b),\n",
		  1, "cmocka" },
		{ "#ifdef X\n#define A(a) g_test_add(a)\n#else\n"
		  "#define A(a) b(a); \\\n  g_test_add(a)\n#endif\nA(1);\n",
		  1, "glib" },
		{ .text = NULL },
	};
	static const struct row plus[] = {
		{ "#define ALL(T) \\\n  TEST(A, T##b) {} \\\n  TEST(A, T##c) "
		  "{}\nALL(int)\nALL(char)\n",
		  4, "googletest" },
		{ "#define X_TEST(a) \\\n  TEST_F(A, a)\nX_TEST(b) {\n"
		  "X_TEST(c) {\n",
		  2, "googletest" },
		{ .text = NULL },
	};

	rows_try("test/a.c", rows);
	rows_try("test/a.cc", plus);
}

static void other_macros_stand_for_nothing(void)
{
	static const struct row rows[] = {
		{ "#define A(a) b(a)\nA(1);\n", 0, NULL },
		{ "#define A(a) my_g_test_add(a)\nA(1);\n", 0, NULL },
		{ "#define A g_test_add\nA(1);\n", 0, NULL },
		{ "#define A(a) b(a)\n  g_test_add(a);\nA(1);\n", 1, "glib" },
		{ "A(1);\n#define A(a) g_test_add(a)\n", 0, NULL },
		{ "#undef A(a) g_test_add(a)\nA(1);\n", 0, NULL },
		{ "#define\nA(1);\n#define A\n#define A(", 0, NULL },
		/* Perhaps another file uses it. */
		{ "#define A(a) \\\n  g_test_add(a)\n#include \"a.inc\"\n", 1,
		  "glib" },
		{ "#define A(a) \\\n  g_test_add(a)", 1, "glib" },
		{ "#define A(a) b(a) \\\n  UTEST_F_(a) \\\n  CU_add_tests(a)\n"
		  "g_test_add(a);\n",
		  1, "glib" },
		{ .text = NULL },
	};

	rows_try("test/a.c", rows);
}

/* Of many macros the first 16 are known, and one makes 64 tests at most. */
static void macros_are_bounded(void)
{
	for (unsigned more = 0; more < 2; more++) {
		owned_buf struct buf text = { 0 };
		char line[64];
		struct row rows[2] = { { .tests = 1, .framework = "glib" } };

		for (unsigned i = 0; i < 15 + more; i++) {
			(void)snprintf(line, sizeof line,
				       "#define A%u(a) g_test_add(a)\n", i);
			buf_text(&text, line);
		}
		buf_text(&text, "#define B(a) g_test_add(a)\nA3(1);\nB(2);\n");
		rows[0].text = text.bytes;
		rows[0].tests = more == 0 ? 2 : 1;
		rows_try("test/a.c", rows);
	}
	for (unsigned more = 0; more < 2; more++) {
		owned_buf struct buf text = { 0 };
		struct row rows[2] = { { .tests = 64, .framework = "glib" } };

		buf_text(&text, "#define A(a)");
		for (unsigned i = 0; i < 64 + more; i++)
			buf_text(&text, " g_test_add(a);");
		buf_text(&text, "\nA(1)\n");
		rows[0].text = text.bytes;
		rows_try("test/a.c", rows);
	}
}

/* Texts that are looked at from every place in them. */
static void large_files_are_read_in_time(void)
{
	static const char *const parts[] = {
		"A(",
		"A",
		"A  ",
		"A(1)\n",
		"#define A(a) \\\n",
		"g_test_add",
		"xg_test_add",
		"#define",
		"\\\n",
		"#define A(a) g_test_add(",
	};
	owned_buf struct buf head = { 0 };
	char line[64];

	for (unsigned i = 0; i < 15; i++) {
		(void)snprintf(line, sizeof line,
			       "#define A%u(a) cmocka_unit_test(a)\n", i);
		buf_text(&head, line);
	}
	buf_text(&head, "#define A(a) cmocka_unit_test(a)\n");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		owned_buf struct buf text = { 0 };
		clock_t begun;

		buf_text(&text, head.bytes);
		while (text.len < 4 << 20)
			buf_text(&text, parts[i]);
		begun = clock();
		free(probe_files("test_inventory", test_inventory_run,
				 PROBE_FILES(F("test/a.c", text.bytes))));
		tap_time(clock() - begun, 10 * CLOCKS_PER_SEC);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_macro_stands_for_its_mark),
		CASE(other_macros_stand_for_nothing),
		CASE(macros_are_bounded),
		CASE(large_files_are_read_in_time),
		TAP_END,
	});
}
