/* profile.c -- cupel profile: list, show, check, find. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "boundary/json.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/fit.h"
#include "cli/load.h"
#include "spec/profile.h"
#include "spec/spec.h"

static void add_about(const struct data_text *text, struct buf *out)
{
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error err;
	const struct json_value *about = NULL;

	if (json_parse(text->bytes, text->len, NULL, &arena, &v, &err) == 0)
		about = json_find(&v, "about");
	buf_format(out, "%-16s %s\n", text->name,
		   about != NULL && about->type == JSON_STRING
			   ? about->u.string.bytes
			   : "");
	arena_done(&arena);
}

static int list_profiles(struct buf *out)
{
	for (size_t i = 0; profile_at(i) != NULL; i++)
		add_about(profile_at(i), out);
	return cli_print(out);
}

static int show_all(struct buf *out)
{
	struct cupel_error err = { 0 };

	if (profile_write_table(out, &err) < 0)
		return cli_fail(&err);
	return cli_print(out);
}

static int show_profile(const char *name, struct buf *out)
{
	struct cupel_error err = { 0 };
	struct spec spec = { 0 };
	int r = spec_init(&spec, &err);

	spec.load = load_file;
	if (r == 0)
		r = spec_set(&spec, "profile", name, &err);
	if (r == 0)
		profile_write_json(&spec, out);
	spec_done(&spec);
	return r < 0 ? cli_fail(&err) : cli_print(out);
}

static int check_profile(const char *path)
{
	owned_buf struct buf text = { 0 };
	struct cupel_error err = { 0 };

	if (load_file(NULL, path, &text, &err) < 0 ||
	    profile_check(text.bytes, text.len, path, &err) < 0)
		return cli_fail(&err);
	return CLI_OK;
}

static int find_profile(const char *repo, const char *command, struct buf *out)
{
	struct cupel_error err = { 0 };
	const char *name = NULL;

	if (fit_find(repo, command, &name, &err) < 0)
		return cli_fail(&err);
	buf_format(out, "%s\n", name);
	return cli_print(out);
}

int profile_command(int argc, char *argv[])
{
	owned_buf struct buf out = { 0 };
	const char *verb = argc > 1 ? argv[1] : "";

	if (strcmp(verb, "list") == 0 && argc == 2)
		return list_profiles(&out);
	if (strcmp(verb, "show") == 0 && argc == 2)
		return show_all(&out);
	if (strcmp(verb, "show") == 0 && argc == 3)
		return show_profile(argv[2], &out);
	if (strcmp(verb, "check") == 0 && argc == 3)
		return check_profile(argv[2]);
	if (strcmp(verb, "find") == 0 && argc <= 4)
		return find_profile(argc > 2 ? argv[2] : ".",
				    argc > 3 ? argv[3] : NULL, &out);
	if (strcmp(verb, "check") == 0 && argc < 3)
		return cli_usage("profile check: needs FILE");
	return cli_usage("profile: expected list, show [NAME|FILE], "
			 "check FILE or find [REPO [COMMAND]], not '%.80s'",
			 argc > 3 ? argv[argc - 1] : verb);
}
