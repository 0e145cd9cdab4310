/* sarif.c -- fuzz: bytes as a SARIF log, with rules of their own behind a form
 * feed.
 *
 * What must hold: every result is a flag, a fault with its number and words, or
 * left out; a flag has a file without "." and inner "..", a class that a rule
 * names or "tool:rule", a function or a line. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "jobs/confirm/sarif.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

/* No segment is empty or ".", and ".." stands only at the start. */
static void path_check(const char *path)
{
	int has_name = path[0] == '/';

	must(path[0] != '\0');
	path += path[0] == '/';
	while (*path != '\0') {
		size_t len = strcspn(path, "/");
		int is_up = len == 2 && memcmp(path, "..", 2) == 0;

		must(len > 0 && !(len == 1 && path[0] == '.'));
		must(!(is_up && has_name));
		has_name = has_name || !is_up;
		path += len;
		must(path[0] != '/' || path[1] != '\0');
		path += *path == '/';
	}
}

static void flag_check(const struct flag *f)
{
	path_check(f->file);
	must(f->function != NULL || f->line > 0);
	must(f->function == NULL || f->function[0] != '\0');
	must(f->line <= FLAG_LINE_MAX);
	must(f->tool != NULL && f->rule != NULL && f->flag_class != NULL);
	must(class_is_known(LANGUAGE_PYTHON, f->flag_class) ||
	     class_is_known(LANGUAGE_JAVASCRIPT, f->flag_class) ||
	     strchr(f->flag_class, ':') != NULL);
}

static void log_check(const struct json_value *log, const struct rules *rules)
{
	struct flags f = { 0 };
	const char *why = NULL;
	size_t last = 0;
	int e = sarif_read(log, "/repo", rules, &f, &why);

	must(e == 0 || why != NULL);
	must(f.faults_len <= f.faults_all);
	for (size_t i = 0; i < f.len; i++) {
		must(f.items[i].number > last);
		last = f.items[i].number;
		flag_check(&f.items[i]);
	}
	for (size_t i = 0; i < f.faults_len; i++)
		must(strlen(f.faults[i].message) > 0);
	flags_done(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *text = (const char *)bytes;
	const char *end = n > 0 ? memchr(text, '\f', n) : NULL;
	size_t len = end != NULL ? (size_t)(end - text) : n;
	struct cupel_error err = { 0 };
	struct arena arena = { 0 };
	struct rules rules = { 0 };
	struct json_value log;
	struct json_error e;

	if (end != NULL &&
	    rules_read(&rules, end + 1, n - len - 1, "fuzz", &err) < 0)
		must(err.what[0] != '\0');
	must(rules_read_own(&rules, &err) == 0);
	if (json_parse(text, len, NULL, &arena, &log, &e) == 0)
		log_check(&log, &rules);
	rules_done(&rules);
	arena_done(&arena);
	return 0;
}
