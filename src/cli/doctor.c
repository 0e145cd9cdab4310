/* doctor.c -- cupel doctor: runs every row, then gives the verdict. */
#include "cli/doctor/doctor.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/doctor/report.h"
#include "cli/load.h"
#include "cli/worker.h"
#include "service/filter_load.h"
#include "spec/spec.h"

enum {
	DOCTOR_JSON,
	DOCTOR_PROFILE,
	DOCTOR_APPARMOR,
	DOCTOR_SECCOMP,
	DOCTOR_WORKER,
	DOCTOR_OPTIONS,
};

const struct option_row doctor_options[] = {
	[DOCTOR_JSON] = { "json", OPTION_FLAG, NULL, VALUES_NONE,
			  "print one JSON object (its schema: cupel schema "
			  "doctor)" },
	[DOCTOR_PROFILE] = { "profile", OPTION_WORD, "NAME|FILE",
			     VALUES_PROFILES,
			     "the profile that is to be enforced (default: "
			     "default)" },
	[DOCTOR_APPARMOR] = { "apparmor", OPTION_FLAG, NULL, VALUES_NONE,
			      "only print an AppArmor profile for this "
			      "program" },
	[DOCTOR_SECCOMP] = { "seccomp", OPTION_WORD, "FILE", VALUES_FILES,
			     "only print FILE, a container engine's system "
			     "call policy, with the calls added that cupel "
			     "needs in the container" },
	[DOCTOR_WORKER] = { "worker", OPTION_WORD, "URL", VALUES_NONE,
			    "only say whether a worker of the server at URL "
			    "could work here (as cupel worker --check)" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};

static int print_apparmor(void)
{
	owned_buf struct buf out = { 0 };
	struct evidence e;

	evidence_read("", &e);
	if (e.self[0] == '\0') {
		cli_complain("doctor: cannot find the path of this program: "
			     "/proc is not mounted");
		return CLI_HOST;
	}
	apparmor_write(e.self, &out);
	return cli_print(&out);
}

static int print_seccomp(const char *path)
{
	owned_buf struct buf text = { 0 }, out = { 0 };
	struct cupel_error err = { 0 };
	int r = load_file(NULL, path, &text, &err);

	if (r == 0)
		r = filter_load_engine(path, text.bytes, text.len, &out, &err);
	return r < 0 ? cli_fail(&err) : cli_print(&out);
}

static int examine(const struct spec *spec, bool is_json)
{
	owned_buf struct buf out = { 0 };
	struct report report = { .spec = spec };
	int r;

	evidence_read("", &report.evidence);
	report_fill(&report);
	if (is_json)
		report_write_json(&report, &out);
	else
		report_write_text(&report, &out);
	r = cli_print(&out);
	if (r != CLI_OK)
		return r;
	return report_is_ok(&report) ? CLI_OK : CLI_HOST;
}

/* The checked repository is the caller's directory.  No run can show "/", so
 * from there another directory that every host has is taken. */
static int repo_choose(struct spec *spec, struct cupel_error *err)
{
	char dir[sizeof "/"]; /* room for "/" only */

	if (spec->repo_mode == REPO_NONE || spec->bare ||
	    getcwd(dir, sizeof dir) == NULL)
		return 0;
	return spec_set(spec, "repo", "/usr", err);
}

static int check_worker(const char *url)
{
	char *argv[] = { (char *)"worker", (char *)"--check", (char *)"--nats",
			 (char *)url, NULL };

	return worker_begin(4, argv);
}

static int run_doctor(const struct option_value values[])
{
	struct cupel_error err = { 0 };
	struct spec spec = { 0 };
	int r;

	if (values[DOCTOR_APPARMOR].count > 0)
		return print_apparmor();
	if (values[DOCTOR_SECCOMP].count > 0)
		return print_seccomp(option_text(&values[DOCTOR_SECCOMP], ""));
	if (values[DOCTOR_WORKER].count > 0)
		return check_worker(option_text(&values[DOCTOR_WORKER], ""));
	r = spec_init(&spec, &err);
	spec.load = load_file;
	if (r == 0)
		r = spec_set(&spec, "profile",
			     option_text(&values[DOCTOR_PROFILE], "default"),
			     &err);
	if (r == 0)
		r = repo_choose(&spec, &err);
	r = r < 0 ? cli_fail(&err)
		  : examine(&spec, values[DOCTOR_JSON].count > 0);
	spec_done(&spec);
	return r;
}

int doctor_command(int argc, char *argv[])
{
	struct option_value values[DOCTOR_OPTIONS] = { 0 };
	int rest = argc;
	int r = option_read(argc, argv, doctor_options, values, &rest);

	if (r == OPTION_HELP)
		r = command_show_help(argv[0]);
	else if (r == 0 && rest < argc)
		r = cli_usage("doctor: expected options only, found '%.80s'",
			      argv[rest]);
	else if (r == 0)
		r = run_doctor(values);
	option_done(doctor_options, values);
	return r;
}
