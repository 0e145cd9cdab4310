/* jobs_reproduce.c -- scripts: nothing of the text from inside gets out of its
 * literal, and nothing is written through what somebody put there. */
#include "jobs/confirm/reproduce.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "tap.h"

static struct buf script;
static const char *why;

/* ' is " here. */
static int build(enum language l, const char *file, const char *synthesis,
		 const char *witness)
{
	struct flag flag = { .flag_class = "div-zero", .line = 7 };
	struct reproduce_facts f = {
		.language = l, .repo = "/r \"e\npo", .file = file, .flag = &flag
	};
	struct arena arena = { 0 };
	struct json_value values[2];
	struct json_error e;
	const char *const texts[] = { synthesis, witness };
	int r;

	for (int i = 0; i < 2; i++) {
		char *copy = arena_text(&arena, texts[i]);

		for (char *p = copy; *p != '\0'; p++)
			if (*p == '\'')
				*p = '"';
		ok_int(json_parse(copy, strlen(copy), NULL, &arena, &values[i],
				  &e),
		       0);
	}
	f.synthesis = &values[0];
	f.witness = &values[1];
	buf_done(&script);
	why = NULL;
	r = reproduce_build(&f, &script, &why);
	arena_done(&arena);
	return r;
}

#define SYNTHESIS                                                              \
	"{'function':'C.f','target':{'ways':[['export','f']],"                 \
	"'module':true,'this':'none','locals':[]}}"
#define ONE(value)                                                             \
	"{'arguments':[{'name':'a','by':'position','value':" value "}]}"

static const struct {
	const char *value, *python, *node; /* NULL: it cannot be written */
} literals[] = {
	{ "null", "(None)", "[null]" },
	{ "[true,-1.5e3]", "([True, -1.5e3])", "[[true, -1.5e3]]" },
	{ "'\\\"\\\\\\n\\u0000\\u007f'", "(\"\\\"\\\\\\n\\u0000\\u007f\")",
	  "[\"\\\"\\\\\\n\\u0000\\u007f\"]" },
	{ "'\\ud83d\\ude00\\u00e9'", "(\"\\U0001f600\\u00e9\")",
	  "[\"\\u{1f600}\\u00e9\"]" },
	{ "'\\u2028'", "(\"\\u2028\")", "[\"\\u2028\"]" },
	{ "{'$tuple':[1]}", "((1,))", NULL },
	{ "{'$set':[]}", "(set())", "[new Set([])]" },
	{ "{'$bytes':'00ff'}", "(b\"\\x00\\xff\")",
	  "[Buffer.from(\"00ff\", 'hex')]" },
	{ "{'$bytes':'0'}", NULL, "[Buffer.from(\"0\", 'hex')]" },
	{ "{'$float':'inf'}", "(float(\"inf\"))", "[Infinity]" },
	{ "{'$dict':[['a',1]]}", "({\"a\": 1})", "[{ [\"a\"]: 1 }]" },
	{ "{'$dict':[1]}", NULL, NULL },
	{ "{'$member':'Color.RED'}", "(module.Color.RED)",
	  "[hand(\"Color\").RED]" },
	{ "{'$member':'os;x'}", NULL, "[hand(\"os;x\")]" },
	{ "{'$member':'a.b c'}", NULL, NULL },
	{ "{'$new':{'type':'C','arguments':[]}}", "(module.C())",
	  "[new (hand(\"C\"))()]" },
	{ "{'$new':{'type':'C','arguments':[{'by':'name','value':1}]}}", NULL,
	  "[new (hand(\"C\"))(1)]" },
	{ "{'$new':{'type':'C','arguments':[7]}}", NULL, NULL },
	{ "{'$new':{'type':'C','arguments':[{'by':'name'}]}}", NULL, NULL },
	{ "{'$new':{'type':'C','arguments':7}}", NULL, NULL },
	{ "{'$new':{'type':'C'}}", NULL, NULL },
	{ "{'$new':{'arguments':[]}}", NULL, NULL },
	{ "{'$new':[]}", NULL, NULL },
	{ "{'$call':{'$float':7}}", NULL, NULL },
	{ "{'$regexp':[1]}", NULL, NULL },
	{ "{'$object':[[1]]}", NULL, NULL },
	{ "{'$type':'int'}", "(int)", NULL },
	{ "{'$stub':[['a',{'$stub':[['b',{'$up':1}]]}]]}",
	  "(stub(lambda s0: [(\"a\", stub(lambda s1: [(\"b\", s0)]))])"
	  ")",
	  NULL },
	{ "{'$up':0}", NULL, NULL },
	{ "{'$bigint':'12'}", NULL, "[BigInt(\"12\")]" },
	{ "{'$nonsense':1}", NULL, NULL },
	{ "{'__proto__':1}", NULL, "[{ [\"__proto__\"]: 1 }]" },
	{ "{'$float':'os.system()'}", "(float(\"os.system()\"))", NULL },
};

static void values_are_literals_of_the_language(void)
{
	for (size_t i = 0; i < sizeof literals / sizeof *literals; i++) {
		const char *const want[] = { literals[i].python,
					     literals[i].node };
		char witness[400];

		(void)snprintf(witness, sizeof witness, ONE("%s"),
			       literals[i].value);
		for (enum language l = 0; l < LANGUAGE_MAX_; l++) {
			int r = build(l, "m.py", SYNTHESIS, witness);

			ok_int(r, want[l] != NULL ? 0 : -EOPNOTSUPP);
			ok((why == NULL) == (want[l] != NULL));
			if (r == 0 && want[l] != NULL)
				ok_has(script.bytes, want[l]);
			if ((r == 0) != (want[l] != NULL))
				fprintf(stderr, "# %s\n", literals[i].value);
		}
	}
	buf_done(&script);
}

static void every_byte_is_ascii(void)
{
	for (enum language l = 0; l < LANGUAGE_MAX_; l++) {
		ok_int(build(l, "\xff\xc3\xa9'\"\n\\.py", SYNTHESIS,
			     ONE("'\xe2\x82\xac'")),
		       0);
		for (size_t i = 0; i < script.len; i++)
			ok((script.bytes[i] >= 32 && script.bytes[i] < 127) ||
			   script.bytes[i] == '\n' || script.bytes[i] == '\t');
		ok_has(script.bytes, "\"\\ufffd\\u00e9'\\\"\\n\\\\.py\"");
		ok_has(script.bytes, "\"/r \\\"e\\npo\"");
	}
	buf_done(&script);
}

static void hostile_names_are_refused(void)
{
	ok_int(build(LANGUAGE_PYTHON, "m.py", "{'function':'C;x.f'}", ONE("1")),
	       -EOPNOTSUPP);
	ok_int(build(LANGUAGE_PYTHON, "m.py", "{'function':'f\\nimport os'}",
		     ONE("1")),
	       0);
	ok_has(script.bytes, "name = \"f\\nimport os\"\n");
	ok_int(build(LANGUAGE_PYTHON, "m.py", "{'function':''}", ONE("1")),
	       -EOPNOTSUPP);
	ok_int(build(LANGUAGE_PYTHON, "m.py", "{'function':'f'}", "{}"),
	       -EOPNOTSUPP);
	ok_int(build(LANGUAGE_JAVASCRIPT, "m.js", "{'function':'f'}", ONE("1")),
	       -EOPNOTSUPP);
	buf_done(&script);
}

static void names_of_files_are_safe_and_stable(void)
{
	struct flag flag = { .flag_class = "div-zero", .line = 7 };
	struct json_value function = { .type = JSON_STRING };
	struct json_member member = { .name = { "function", 8 } };
	struct json_value synthesis = { .type = JSON_OBJECT };
	struct reproduce_facts f = { .file = "a.py",
				     .flag = &flag,
				     .synthesis = &synthesis };
	char a[REPRODUCE_NAME], b[REPRODUCE_NAME];

	function.u.string.bytes =
		"../../\xc3\xa9/x\n "
		"y.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	function.u.string.len = strlen(function.u.string.bytes);
	member.value = function;
	synthesis.u.object.members = &member;
	synthesis.u.object.len = 1;
	reproduce_name(&f, a);
	reproduce_name(&f, b);
	ok(strcmp(a, b) == 0);
	ok(strchr(a, '/') == NULL && strstr(a, "..") == NULL);
	ok(strspn(a, "abcdefghijklmnopqrstuvwxyz0123456789_-.") == strlen(a));
	ok(strlen(a) < 100);
	flag.line = 8;
	reproduce_name(&f, b);
	ok(strcmp(a, b) != 0);
	flag.line = 7;
	f.file = "b.py";
	reproduce_name(&f, b);
	ok(strcmp(a, b) != 0);
}

static char dir[64];

static void in_dir(char path[128], const char *name)
{
	(void)snprintf(path, 128, "%s/%s", dir, name);
}

static bool file_is(const char *name, const char *want)
{
	char path[128], got[100] = "";
	struct stat st;
	FILE *f;

	in_dir(path, name);
	f = fopen(path, "r");
	if (f == NULL)
		return false;
	(void)!fread(got, 1, sizeof got - 1, f);
	(void)fclose(f);
	return stat(path, &st) == 0 && (st.st_mode & 0777) == 0600 &&
	       strcmp(got, want) == 0;
}

static void files_are_written_whole_and_never_through(void)
{
	struct cupel_error err = { 0 };
	char path[128], top[40] = "/tmp/cupel-reproduce.XXXXXX";
	struct stat before, after;
	int fd;

	ok(mkdtemp(top) != NULL);
	(void)snprintf(dir, sizeof dir, "%s/new", top);
	fd = reproduce_open(dir, &err);
	ok(fd >= 0);
	ok_int(fstat(fd, &before), 0);
	ok_int(before.st_mode & 0777, 0700);
	ok_int(reproduce_put(fd, "a.py", "one", 3, &err), 0);
	ok(file_is("a.py", "one"));
	in_dir(path, "a.py");
	ok_int(stat(path, &before), 0);
	ok_int(reproduce_put(fd, "a.py", "one", 3, &err), 0);
	ok_int(stat(path, &after), 0);
	ok(before.st_ino == after.st_ino);
	ok_int(reproduce_put(fd, "a.py", "two", 3, &err), 0);
	ok(file_is("a.py", "two"));
	in_dir(path, "link.py");
	ok_int(symlink("a.py", path), 0);
	ok(reproduce_put(fd, "link.py", "evil", 4, &err) < 0);
	ok_has(err.what, "link.py");
	ok(file_is("a.py", "two"));
	(void)unlink(path);
	in_dir(path, ".new-b.py"); /* left behind, or planted */
	ok_int(symlink("a.py", path), 0);
	ok_int(reproduce_put(fd, "b.py", "evil", 4, &err), 0);
	ok(file_is("a.py", "two") && file_is("b.py", "evil"));
	in_dir(path, "fifo.py");
	ok_int(mkfifo(path, 0600), 0);
	ok(reproduce_put(fd, "fifo.py", "x", 1, &err) < 0);
	(void)unlink(path);
	in_dir(path, "a.py");
	(void)unlink(path);
	ok(reproduce_open(path, &err) >= 0); /* made */
	(void)rmdir(path);
	ok_int(symlink(dir, path), 0);
	ok(reproduce_open(path, &err) < 0);
	(void)unlink(path);
	in_dir(path, "b.py");
	(void)unlink(path);
	cleanup_fd(&fd);
	ok_int(rmdir(dir), 0);
	ok_int(rmdir(top), 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(values_are_literals_of_the_language),
		CASE(every_byte_is_ascii), CASE(hostile_names_are_refused),
		CASE(names_of_files_are_safe_and_stable),
		CASE(files_are_written_whole_and_never_through), TAP_END });
}
