/* spec.c -- texts that the spec room makes, held to files beside this one.
 * UPDATE_GOLDEN=1 writes them anew. */
#include "tap.h"

#include "base/buf.h"
#include "base/error.h"
#include "golden/golden.h"
#include "spec/canonical.h"
#include "spec/help.h"
#include "spec/profile.h"

static struct cupel_error err;

static void profiles_are_the_table_of_the_contract(void)
{
	struct buf out = { 0 };

	ok_int(profile_write_table(&out, &err), 0);
	ok(golden_is("profiles.txt", &out));
	buf_done(&out);
}

static void help_lists_every_option(void)
{
	struct buf out = { 0 };

	field_write_help(&out);
	ok(golden_is("help.txt", &out));
	buf_done(&out);
}

static void the_man_page_lists_every_option(void)
{
	struct buf out = { 0 };

	field_write_man(&out);
	ok(golden_is("options.man", &out));
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
	ok(golden_is("canonical.json", &out));
	buf_done(&out);
	spec_done(&s);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(profiles_are_the_table_of_the_contract),
		CASE(help_lists_every_option),
		CASE(the_man_page_lists_every_option),
		CASE(the_canonical_form_holds_still),
		TAP_END,
	});
}
