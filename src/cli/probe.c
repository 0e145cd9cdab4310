/* probe.c -- cupel probe: one probe over one repository. */
#include "jobs/gather/probe.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/manifests.h"

enum { PROBE_DIR, PROBE_RECORD, PROBE_OPTIONS };

const struct option_row probe_options[] = {
	[PROBE_DIR] = { "probe-dir", OPTION_WORD, "DIR", VALUES_DIRS,
			"also know the probes whose manifests are in DIR" },
	[PROBE_RECORD] = { "record", OPTION_WORD, "FILE", VALUES_FILES,
			   "write to FILE what the run was given and what it "
			   "cost" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};

/* The record is readable by its owner only. */
static int record_save(const char *path, struct buf *record)
{
	struct cupel_error err = { 0 };

	buf_char(record, '\n');
	if (buf_has_failed(record))
		return cli_usage("--record: %s: %s", path, strerror(ENOMEM));
	if (file_write(path, 0600, record->bytes, record->len, &err) < 0)
		return cli_usage("--record: %s", err.what);
	return 0;
}

static int probe(const struct option_value values[],
		 const struct manifests *others, const char *name,
		 const char *repo)
{
	struct probe_request req = { .name = name,
				     .repo = repo,
				     .others = others->items,
				     .others_len = others->len };
	const char *record = option_text(&values[PROBE_RECORD], NULL);
	struct probe_report report = { 0 };
	struct cupel_error err = { 0 };
	int r = 0;

	if (probe_run(&req, &report, &err) < 0) {
		cli_complain("%s", err.what);
		r = (int)report.exit;
	} else {
		buf_char(&report.output, '\n');
		if (record != NULL)
			r = record_save(record, &report.record);
		if (r == 0 && cli_print(&report.output) != CLI_OK)
			r = PROBE_INTERNAL;
		if (r == 0)
			r = (int)report.exit;
	}
	probe_report_done(&report);
	return r;
}

static int probe_words(const struct option_value values[], int words,
		       char *const argv[])
{
	const char *dir = option_text(&values[PROBE_DIR], NULL);
	struct manifests others = { 0 };
	int r;

	if (words == 0)
		return cli_usage("probe: expected the NAME of a probe, such as "
				 "'node_manifest'");
	if (words > 2)
		return cli_usage("probe: expected NAME and REPO, found '%.80s' "
				 "after them",
				 argv[2]);
	r = manifests_load(dir, &others);
	if (r == 0)
		r = probe(values, &others, argv[0], words > 1 ? argv[1] : ".");
	manifests_done(&others);
	return r;
}

int probe_command(int argc, char *argv[])
{
	struct option_value values[PROBE_OPTIONS] = { 0 };
	int rest = argc;
	int r = option_read(argc, argv, probe_options, values, &rest);

	if (r == OPTION_HELP)
		r = command_show_help(argv[0]);
	else if (r == 0)
		r = probe_words(values, argc - rest, argv + rest);
	option_done(probe_options, values);
	return r;
}
