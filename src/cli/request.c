/* request.c -- reads the arguments of `cupel run` and similar commands. */
#include "cli/request.h"

#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/load.h"
#include "lib/fields.h"
#include "spec/spec.h"

/* The value of --error-rc in a command line that could not be read: the last
 * valid one before "--". */
static int find_error_rc(int argc, char *const argv[])
{
	static const char name[] = "--error-rc";
	struct cupel_error err = { 0 };
	struct spec spec = { 0 };
	int rc = 0;

	if (spec_init(&spec, &err) < 0)
		return 0;
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *value = NULL;

		if (strncmp(argv[i], name, sizeof name - 1) != 0)
			continue;
		if (argv[i][sizeof name - 1] == '=')
			value = argv[i] + sizeof name;
		else if (argv[i][sizeof name - 1] == '\0' && i + 1 < argc)
			value = argv[i + 1];
		if (value != NULL &&
		    spec_set(&spec, name + 2, value, &err) == 0)
			rc = (int)spec.error_rc;
	}
	spec_done(&spec);
	return rc;
}

int request_usage_rc(const struct request *r, int argc, char *const argv[])
{
	int rc = r->fields != NULL ? (int)r->fields->error_rc : 0;

	if (rc == 0)
		rc = find_error_rc(argc, argv);
	return rc != 0 ? rc : CLI_USAGE;
}

static int read_fields(int argc, char *argv[], struct spec *fields,
		       struct cupel_error *err)
{
	int rest = argc;
	int r;

	fields->load = load_file;
	r = spec_read_args(argc, argv, fields, &rest, err);
	if (r != 0)
		return r;
	return spec_set_command(fields, (const char *const *)(argv + rest),
				(size_t)(argc - rest), err);
}

int request_read(int argc, char *argv[], struct request *ret, int *ret_exit)
{
	struct cupel_error err = { 0 };
	struct spec *fields = NULL;
	int r = cupel_spec_new(&ret->spec, &err);

	if (r == 0) {
		fields = cupel_spec_fields(ret->spec);
		ret->fields = fields;
		r = read_fields(argc, argv, fields, &err);
	}
	if (r == SPEC_WANTS_HELP) {
		*ret_exit = command_show_help(argv[0]);
		return 0;
	}
	if (r < 0) {
		*ret_exit = cli_fail(&err);
		if (err.cause == CUPEL_CAUSE_CALLER)
			*ret_exit = request_usage_rc(ret, argc, argv);
		return 0;
	}
	return 1;
}

void request_done(struct request *r)
{
	cupel_spec_free(r->spec);
	*r = (struct request){ 0 };
}
