/* base_glob.c -- what a pattern matches, and what a hostile one costs. */
#include "base/glob.h"

#include <time.h>

#include "tap.h"

static bool m(const char *pattern, const char *path)
{
	return glob_match(pattern, strlen(pattern), path, strlen(path));
}

static void star_stays_in_its_segment(void)
{
	ok(m("packages/*", "packages/a"));
	ok(!m("packages/*", "packages/a/b"));
	ok(!m("packages/*", "packages"));
	ok(m("*.gyp", "binding.gyp"));
	ok(m("a*b*c", "aXbYbZc"));
	ok(!m("a*b*c", "aXbYbZ"));
	ok(m("?x", "ax"));
	ok(!m("?x", "x"));
}

static void globstar_takes_any_number_of_segments(void)
{
	ok(m("**/package.json", "package.json"));
	ok(m("**/package.json", "a/b/c/package.json"));
	ok(!m("**/package.json", "a/xpackage.json"));
	ok(m("a/**/b", "a/b"));
	ok(m("a/**/b", "a/x/b/y/b"));
	ok(!m("a/**/b", "a/x/b/y"));
	ok(m("a/**", "a/b/c"));
	ok(m("**/x/**/y", "1/x/2/x/3/y"));
	ok(!m("**/x/**/y", "1/z/2/y"));
}

static void classes_and_escapes(void)
{
	ok(m("[a-c]x", "bx"));
	ok(!m("[a-c]x", "dx"));
	ok(m("[!a-c]x", "dx"));
	ok(m("[]]", "]"));
	ok(m("[-a]", "-"));
	ok(m("\\*", "*"));
	ok(!m("\\*", "a"));
	ok(m("[", "["));
}

static void braces_are_alternatives(void)
{
	ok(m("{a,b}/*", "b/x"));
	ok(!m("{a,b}/*", "c/x"));
	ok(m("{a,{b,c}d}", "cd"));
	ok(m("x{,y}", "x"));
	ok(m("x{,y}", "xy"));
	ok(m("{a/b,c}/d", "a/b/d"));
	ok(m("{a", "{a"));
}

static void hostile_patterns_end(void)
{
	char pattern[GLOB_PATTERN_BYTES + 2], path[4000];
	clock_t start = clock();

	for (size_t i = 0; i + 2 < sizeof pattern; i += 2)
		memcpy(pattern + i, "*a", 3);
	memset(path, 'a', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	path[sizeof path - 2] = 'b';
	ok(!m(pattern, path));
	for (size_t i = 0; i + 3 < sizeof pattern; i += 3)
		memcpy(pattern + i, "**/", 4);
	for (size_t i = 1; i < sizeof path - 1; i += 2)
		path[i] = '/';
	(void)m(pattern, path);
	for (size_t i = 0; i + 5 < sizeof pattern; i += 5)
		memcpy(pattern + i, "{a,b}", 6);
	ok(!m(pattern, path));
	memset(pattern, '{', sizeof pattern - 1);
	pattern[sizeof pattern - 1] = '\0';
	(void)m(pattern, path);
	tap_time(clock() - start, 2 * CLOCKS_PER_SEC);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(star_stays_in_its_segment),
		CASE(globstar_takes_any_number_of_segments),
		CASE(classes_and_escapes), CASE(braces_are_alternatives),
		CASE(hostile_patterns_end), TAP_END });
}
