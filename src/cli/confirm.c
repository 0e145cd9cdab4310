/* confirm.c -- cupel confirm: flags in, facts out. */
#include "jobs/confirm/confirm.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"

enum {
	CONFIRM_REPO,
	CONFIRM_JOBS,
	CONFIRM_RULES,
	CONFIRM_QUIET,
	CONFIRM_OPTIONS
};

const struct option_row confirm_options[] = {
	[CONFIRM_REPO] = { "repo", OPTION_WORD, "DIR", VALUES_DIRS,
			   "the repository (default: the current directory)" },
	[CONFIRM_JOBS] = { "jobs", OPTION_WORD, "N", VALUES_NONE,
			   "how many flags at once, 1 to 64 (default: 1)" },
	[CONFIRM_RULES] = { "rules", OPTION_WORD, "FILE", VALUES_FILES,
			    "which rule of an analyser is which class, before "
			    "what is built in" },
	[CONFIRM_QUIET] = { "quiet", OPTION_FLAG, NULL, VALUES_NONE,
			    "no line on stderr for each flag" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};

static void say_fault(void *data, const char *unit, size_t number,
		      const char *message)
{
	cli_complain("%s: %s %zu: %s; skipped", (const char *)data, unit,
		     number, message);
}

/* What of the flags was passed over without a word of its own. */
static void say_left_out(const char *flags, const struct confirm_counts *c)
{
	if (c->faults > c->faults_told)
		cli_complain("%s: %zu more were skipped", flags,
			     c->faults - c->faults_told);
	if (c->left_out > 0)
		cli_complain("%s: %zu results are suppressed, passed or "
			     "absent: left out",
			     flags, c->left_out);
}

static void say_progress(void *data, const struct flag *flag,
			 const struct verdict *v, size_t done, size_t all)
{
	(void)data;
	cli_complain("%zu/%zu %s %s %s: %s%s%s", done, all, flag->file,
		     flag->function ? flag->function : "?", flag->flag_class,
		     confirm_status_name(v->status), v->reason ? ", " : "",
		     v->reason ? v->reason : "");
}

/* N of --jobs, or 0 when it is no number of one or two digits. */
static unsigned jobs_of(const char *text)
{
	size_t len = strlen(text);

	if (len < 1 || len > 2 || strspn(text, "0123456789") != len)
		return 0;
	return (unsigned)strtoul(text, NULL, 10);
}

static int confirm(struct confirm_request *req)
{
	struct confirm_counts counts = { 0 };
	struct cupel_error err = { 0 };
	owned_buf struct buf out = { 0 };
	int r;

	r = confirm_run(req, &counts, &err);
	say_left_out(req->flags, &counts);
	if (r < 0)
		return cli_fail(&err);
	confirm_write_summary(&counts, &out);
	r = cli_print(&out);
	if (r == CLI_OK && counts.flags > 0 &&
	    counts.of[CONFIRM_UNSUPPORTED] == counts.flags)
		return CLI_HOST;
	return r;
}

static int confirm_words(const struct option_value values[], int words,
			 char *const argv[])
{
	const char *repo = option_text(&values[CONFIRM_REPO], ".");
	const char *jobs = option_text(&values[CONFIRM_JOBS], "1");
	owned_buf struct buf flags = { 0 };
	owned_buf struct buf log = { 0 };
	struct confirm_request req = { .repo = repo, .jobs = jobs_of(jobs) };

	if (words > 2)
		return cli_usage("confirm: FLAGS and LOG, '%.80s' is one too "
				 "many",
				 argv[2]);
	if (req.jobs < 1 || req.jobs > CONFIRM_JOBS_MAX)
		return cli_usage("--jobs: '%.80s' is outside 1..%d", jobs,
				 CONFIRM_JOBS_MAX);
	buf_format(&flags, "%s/.cupel/review-flags.jsonl", repo);
	buf_format(&log, "%s/.cupel/run-log.jsonl", repo);
	if (buf_has_failed(&flags) || buf_has_failed(&log))
		return CLI_FAILED;
	req.flags = words > 0 ? argv[0] : flags.bytes;
	req.log = words > 1 ? argv[1] : log.bytes;
	req.data = (void *)(size_t)req.flags;
	req.rules = option_text(&values[CONFIRM_RULES], NULL);
	req.fault = say_fault;
	req.progress = values[CONFIRM_QUIET].count ? NULL : say_progress;
	return confirm(&req);
}

int confirm_command(int argc, char *argv[])
{
	struct option_value values[CONFIRM_OPTIONS] = { 0 };
	int rest = argc;
	int r = option_read(argc, argv, confirm_options, values, &rest);

	if (r == OPTION_HELP)
		r = command_show_help(argv[0]);
	else if (r == 0)
		r = confirm_words(values, argc - rest, argv + rest);
	option_done(confirm_options, values);
	return r;
}
