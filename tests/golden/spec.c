/* spec.c -- texts that the spec room makes, held to files beside this one.
 * UPDATE_GOLDEN=1 writes them anew. */
#include "tap.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "spec/canonical.h"
#include "spec/help.h"
#include "spec/profile.h"

static struct cupel_error err;

/* The file tests/golden/name of the source tree. */
static int read_golden(const char *name, struct buf *out)
{
	const char *src = getenv("SRC");
	char path[4096], bytes[4096];
	size_t n;
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/tests/golden/%s",
		       src != NULL ? src : ".", name);
	f = fopen(path, "re");
	if (f == NULL) {
		fprintf(stderr, "# %s: %s\n", path, strerror(errno));
		return -errno;
	}
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
		buf_add(out, bytes, n);
	(void)fclose(f);
	return 0;
}

static void write_golden(const char *name, const struct buf *got)
{
	const char *src = getenv("SRC");
	char path[4096];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/tests/golden/%s",
		       src != NULL ? src : ".", name);
	f = fopen(path, "we");
	ok(f != NULL && fwrite(got->bytes, 1, got->len, f) == got->len);
	if (f != NULL)
		ok_int(fclose(f), 0);
}

/* Compare, and show the first line that differs. */
static void hold(const char *name, const struct buf *got)
{
	struct buf want = { 0 };
	size_t i = 0, line = 0;
	bool is_same;

	if (getenv("UPDATE_GOLDEN") != NULL)
		write_golden(name, got);
	ok_int(read_golden(name, &want), 0);
	is_same = got->len > 0 && want.len > 0 &&
		  strcmp(got->bytes, want.bytes) == 0;
	ok(is_same);
	if (!is_same && got->len > 0 && want.len > 0) {
		while (got->bytes[i] == want.bytes[i]) {
			if (got->bytes[i] == '\n')
				line = i + 1;
			i++;
		}
		fprintf(stderr, "# %s has   %.*s\n# but now it is %.*s\n", name,
			(int)strcspn(want.bytes + line, "\n"),
			want.bytes + line,
			(int)strcspn(got->bytes + line, "\n"),
			got->bytes + line);
	}
	buf_done(&want);
}

static void profiles_are_the_table_of_the_contract(void)
{
	struct buf out = { 0 };

	ok_int(profile_write_table(&out, &err), 0);
	hold("profiles.txt", &out);
	buf_done(&out);
}

static void every_profile_says_all_of_it(void)
{
	for (size_t i = 0; profile_at(i) != NULL; i++) {
		struct buf out = { 0 };
		struct spec s = { 0 };
		char name[64];

		ok_int(spec_init(&s, &err), 0);
		ok_int(spec_apply_profile(&s, profile_at(i)->name, &err), 0);
		profile_write_json(&s, &out);
		(void)snprintf(name, sizeof name, "profiles/%s.json",
			       profile_at(i)->name);
		hold(name, &out);
		buf_done(&out);
		spec_done(&s);
	}
}

static void help_lists_every_option(void)
{
	struct buf out = { 0 };

	field_write_help(&out);
	hold("help.txt", &out);
	buf_done(&out);
}

static void the_man_page_lists_every_option(void)
{
	struct buf out = { 0 };

	field_write_man(&out);
	hold("options.man", &out);
	buf_done(&out);
}

static void the_canonical_form_holds_still(void)
{
	static const char text[] =
		"{\"command\":[\"pytest\",\"-q\"],\"env\":{\"B\":\"2\","
		"\"A\":\"1\"},\"profile\":\"test\",\"wall_time_s\":2.5,"
		"\"ro\":[\"/home/x/data:/data\"],\"repo\":\"/home/x/repo\"}";
	struct buf out = { 0 };
	struct spec s = { 0 };

	ok_int(spec_init(&s, &err), 0);
	ok_int(spec_read_json(&s, text, sizeof text - 1, "F", &err), 0);
	ok_int(spec_write_canonical(&s, &out, &err), 0);
	buf_char(&out, '\n');
	hold("canonical.json", &out);
	buf_done(&out);
	spec_done(&s);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(profiles_are_the_table_of_the_contract),
		CASE(every_profile_says_all_of_it),
		CASE(help_lists_every_option),
		CASE(the_man_page_lists_every_option),
		CASE(the_canonical_form_holds_still),
		TAP_END,
	});
}
