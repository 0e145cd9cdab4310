/* parsers_ci_left_out.c -- ci: what is left out because of a cap is told, once for
 * each file, and at the cap itself nothing is left out. */
#include "cap_files.h"

/* --- Makefiles ---------------------------------------------------------------- */

static void makefiles(struct files *f, size_t n)
{
	buf_text(file(f, ".gitlab-ci.yml"), "a:\n  script:\n");
	for (size_t i = 1; i < n; i++) {
		buf_format(file(f, ".gitlab-ci.yml"), "  - make -C d%zu\n", i);
		buf_text(file(f, "d%zu/Makefile", i), "a:\n\ttrue\n");
	}
	buf_text(file(f, ".gitlab-ci.yml"), "  - make -C last\n");
	buf_text(file(f, "last/Makefile"), "a:\n\ttox\n");
}

static void targets(struct files *f, size_t n)
{
	job(f, "make z");
	numbered(file(f, "Makefile"), "t", ":\n", 1, n);
	buf_text(file(f, "Makefile"), "z:\n\ttox\n");
}

static void variables(struct files *f, size_t n)
{
	job(f, "make z");
	numbered(file(f, "Makefile"), "v", " =\n", 1, n);
	buf_text(file(f, "Makefile"), "v = tox\nz:\n\t$(v)\n");
}

static void includes(struct files *f, size_t n)
{
	job(f, "make z");
	for (size_t i = 0; i < n; i++) {
		buf_format(file(f, "Makefile"), "include i%zu.mk\n", i);
		buf_text(file(f, "i%zu.mk", i),
			 i + 1 == n ? "z:\n\ttox\n" : "");
	}
}

/* A variable that grows to n thousand bytes; the last word that is added to it is a target
 * that tests. */
static void growth(struct files *f, size_t n)
{
	job(f, "make");
	buf_text(file(f, "Makefile"), "z: $(v)\nv =\n");
	for (size_t i = 0; i < n; i++) {
		buf_text(file(f, "Makefile"), "v += ");
		for (size_t k = i + 1 < n ? 999 : 994; k > 0; k--)
			buf_char(file(f, "Makefile"), 'x');
		buf_text(file(f, "Makefile"), i + 1 < n ? "\n" : " y\n");
	}
	buf_text(file(f, "Makefile"), "y:\n\ttox\n");
}

/* The target itself is one of them. */
static void needs(struct files *f, size_t n)
{
	job(f, "make");
	buf_text(file(f, "Makefile"), "a:");
	numbered(file(f, "Makefile"), " t", "", 2, n);
	buf_text(file(f, "Makefile"), " z\nz:\n\ttox\n");
}

/* n references, and the text itself. */
static void references(struct files *f, size_t n)
{
	job(f, "make");
	buf_text(file(f, "Makefile"), "v =\na: ");
	for (size_t i = 0; i < n; i++)
		buf_text(file(f, "Makefile"), "$v");
	buf_text(file(f, "Makefile"), " z\nz:\n\ttox\n");
}

static void variables_in_variables(struct files *f, size_t n)
{
	job(f, "make");
	for (size_t i = 1; i < n; i++)
		buf_format(file(f, "Makefile"), "v%zu = $(v%zu)\n", i, i + 1);
	buf_format(file(f, "Makefile"), "v%zu = z\na: $(v1)\nz:\n\ttox\n", n);
}

/* n words, the program among them; the last one is another target. */
static void words_of_a_recipe(struct files *f, size_t n)
{
	job(f, "make");
	buf_text(file(f, "Makefile"), "a:\n\t$(MAKE)");
	numbered(file(f, "Makefile"), " t", "", 2, n);
	buf_text(file(f, "Makefile"), " z\nz:\n\ttox\n");
}

static void of_makefiles(void)
{
	ALL_HOLD({ makefiles, 16, "last/Makefile", NULL, "make -C last" },
		 { targets, 20000, "Makefile", NULL, "make z" },
		 { variables, 2000, "Makefile", NULL, "make z" },
		 { includes, 16, "Makefile", NULL, "make z" },
		 { growth, 65, "Makefile", NULL, NULL },
		 { needs, 2000, "Makefile", NULL, "\"make\"" },
		 { references, 4094, "Makefile", NULL, "\"make\"" },
		 { variables_in_variables, 16, "Makefile", NULL, "\"make\"" },
		 { words_of_a_recipe, 64, "Makefile", NULL, "\"make\"" });
}

/* --- scripts ------------------------------------------------------------------ */

/* What is outside of all functions is one of the sections. */
static void functions(struct files *f, size_t n)
{
	job(f, "./a.sh");
	numbered(file(f, "a.sh"), "f", "() {\n  true\n}\n", 2, n);
	buf_text(file(f, "a.sh"), "z() {\n  tox\n}\nz\n");
}

static void lines(struct files *f, size_t n)
{
	job(f, "./a.sh");
	for (size_t i = 1; i < n; i++)
		buf_text(file(f, "a.sh"), "true\n");
	buf_text(file(f, "a.sh"), "tox\n");
}

/* A line of n KiB. */
static void long_line(struct files *f, size_t n)
{
	job(f, "./a.sh");
	buf_text(file(f, "a.sh"), "true ");
	for (size_t i = 0; i < n * 1024 - 10; i++)
		buf_char(file(f, "a.sh"), 'x');
	buf_text(file(f, "a.sh"), "; tox\n");
}

/* The command is the n-th word behind the image of a container. */
static void container(struct files *f, size_t n, const char *command)
{
	job(f, "./a.sh");
	buf_text(file(f, "a.sh"), "docker run -t image");
	numbered(file(f, "a.sh"), " w", "", 1, n);
	buf_format(file(f, "a.sh"), " %s\n", command);
}

static void words_in_a_container(struct files *f, size_t n)
{
	container(f, n, "tox");
}

static void shells_in_a_container(struct files *f, size_t n)
{
	container(f, n, "bash -c 'tox'");
}

static void scripts_in_scripts(struct files *f, size_t n)
{
	job(f, "./s1.sh");
	for (size_t i = 1; i < n; i++)
		buf_format(file(f, "s%zu.sh", i), "./s%zu.sh\n", i + 1);
	buf_text(file(f, "s%zu.sh", n), "tox\n");
}

static void makes_in_makes(struct files *f, size_t n)
{
	job(f, "make -C d1");
	for (size_t i = 1; i < n; i++)
		buf_format(file(f, "d%zu/Makefile", i),
			   "a:\n\tmake -C ../d%zu\n", i + 1);
	buf_text(file(f, "d%zu/Makefile", n), "a:\n\ttox\n");
}

static void of_scripts(void)
{
	ALL_HOLD({ functions, 256, "a.sh", NULL, "./a.sh" },
		 { lines, 5000, "a.sh", NULL, "./a.sh" },
		 { long_line, 8, "a.sh", NULL, "./a.sh" },
		 { words_in_a_container, 6, "a.sh", NULL, "./a.sh" },
		 { shells_in_a_container, 6, "a.sh", NULL, "./a.sh" },
		 { scripts_in_scripts, 5, "s6.sh", NULL, "./s1.sh" },
		 { makes_in_makes, 5, "d6/Makefile", NULL, "make -C d1" });
}

/* Words that begin no test lose nothing, however many they are, and a script of the
 * repository's may have a shell as its last ones. */
static void words_that_lose_nothing(void)
{
	char *o;

	job(&files, "docker run i echo a b c d e f g h i bash -c ls\n"
		    "  - ./x a b c d e f g h bash -c tox");
	o = answer(&files);
	ok_json(o, "/warnings", "[]");
	ok_int(json_count(o, "/slice/workflows/0/test_commands/ANY/runners",
			  "[\"tox\"]"),
	       1);
	free(o);
}

/* Those that run each other in a ring lose nothing, and of one that is met from
 * another side no answer is kept that is only half of it. */
static void rings(void)
{
	char *o;

	job(&files, "./a.sh\n  - ./b.sh\n  - make");
	buf_text(file(&files, "a.sh"), "./b.sh\ncd x\n./c.sh\n");
	buf_text(file(&files, "b.sh"), "./a.sh\n");
	buf_text(file(&files, "x/c.sh"), "make -C ..\ntox\n");
	buf_text(file(&files, "Makefile"), "a:\n\t./d.sh\n\t./a.sh\n");
	buf_text(file(&files, "d.sh"), "make\n./d.sh\n");
	o = answer(&files);
	ok_json(o, "/warnings", "[]");
	ok_int(json_count(o, "/slice/workflows/0/test_commands/ANY/runners",
			  "[\"script\"]"),
	       2);
	ok_has(o, "\"make\"");
	ok_has(o, "\"./b.sh\"");
	free(o);
}

/* The same script does other things in another directory. */
static void one_script_in_two_directories(void)
{
	char *o;

	job(&files, "(cd x && ../a.sh one)\n  - (cd y && ../a.sh one)");
	buf_text(file(&files, "a.sh"), "make\n");
	buf_text(file(&files, "x/Makefile"), "a:\n\ttrue\n");
	buf_text(file(&files, "y/Makefile"), "a:\n\ttox\n");
	o = answer(&files);
	ok_lacks(o, "cd x");
	ok_has(o, "cd y");
	free(o);
}

/* No file has a name or a directory that is too long to be found. */
static void long_names(void)
{
	char dir[401] = "", base[201] = "", command[700];
	char *o;

	for (size_t i = 0; i < 400; i++)
		dir[i] = i % 100 == 99 ? '/' : 'd';
	memset(base, 'b', 200);
	(void)snprintf(command, sizeof command, "./%s%s.sh", dir, base);
	job(&files, command);
	buf_text(file(&files, "%s%s.sh", dir, base), "make -f ");
	buf_format(file(&files, "%s%s.sh", dir, base), "%s%s.mk\n", dir, base);
	buf_format(file(&files, "%s%s.mk", dir, base), "include i/%s%s.mk\n",
		   base, base + 190);
	buf_text(file(&files, "%si/%s%s.mk", dir, base, base + 190),
		 "a:\n\ttox\n");
	o = answer(&files);
	ok_json(o, "/slice/workflows/0/test_commands/0/runners",
		"[\"script\"]");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(of_makefiles),
		CASE(of_scripts),
		CASE(words_that_lose_nothing),
		CASE(rings),
		CASE(one_script_in_two_directories),
		CASE(long_names),
		TAP_END,
	});
}
