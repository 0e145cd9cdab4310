/* confirm.c -- cupel confirm: flags in, facts out. */
#include "jobs/confirm/confirm.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/plural.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "jobs/confirm/caps.h"
#include "jobs/confirm/harness.h"
#include "jobs/confirm/reproduce.h"
#include "service/cgroup.h"

enum {
	CONFIRM_REPO,
	CONFIRM_JOBS,
	CONFIRM_FLAG_TIME,
	CONFIRM_REPRODUCER,
	CONFIRM_RESUME,
	CONFIRM_RULES,
	CONFIRM_RO,
	CONFIRM_RUNTIME,
	CONFIRM_SARIF,
	CONFIRM_FAIL_ON,
	CONFIRM_SPEC,
	CONFIRM_COLD,
	CONFIRM_QUIET,
	CONFIRM_OPTIONS
};

const struct option_row confirm_options[] = {
	[CONFIRM_REPO] = { "repo", OPTION_WORD, "DIR", VALUES_DIRS,
			   "the repository (default: the current directory)" },
	[CONFIRM_JOBS] = { "jobs", OPTION_WORD, "N", VALUES_NONE,
			   "how many flags at once, 1 to 64 (default: 1)" },
	[CONFIRM_FLAG_TIME] = { "flag-time-s", OPTION_WORD, "N", VALUES_NONE,
				"time limit for all runs of one flag, in "
				"seconds (default: 60)" },
	[CONFIRM_REPRODUCER] = { "reproducer", OPTION_WORD, "DIR", VALUES_DIRS,
				 "write a script to DIR for each confirmed "
				 "bug; it fails in the same way without "
				 "cupel" },
	[CONFIRM_RESUME] = { "resume", OPTION_FLAG, NULL, VALUES_NONE,
			     "skip the flags that LOG has for the file as it "
			     "now is" },
	[CONFIRM_RULES] = { "rules", OPTION_WORD, "FILE", VALUES_FILES,
			    "which rule of an analyser means which class; "
			    "asked before the built-in rules" },
	[CONFIRM_RO] = { "ro", OPTION_LIST, "SRC[:DST]", VALUES_FILES,
			 "show SRC read-only at DST; may be repeated" },
	[CONFIRM_RUNTIME] = { "runtime", OPTION_LIST, "DIR", VALUES_DIRS,
			      "run with the interpreter installed in DIR; may "
			      "be repeated" },
	[CONFIRM_SARIF] = { "sarif", OPTION_WORD, "FILE", VALUES_FILES,
			    "also write the records as SARIF 2.1.0" },
	[CONFIRM_FAIL_ON] = { "fail-on", OPTION_LIST, "WORD,...", VALUES_NONE,
			      "exit with 4 when a flag's status is confirmed, "
			      "timeout, sandbox-error, synth-failed, "
			      "unsupported, or any of these" },
	[CONFIRM_SPEC] = { "spec", OPTION_WORD, "FILE|-", VALUES_FILES,
			   "limits of the runs, as a JSON spec; they can only "
			   "be stricter" },
	[CONFIRM_COLD] = { "cold", OPTION_FLAG, NULL, VALUES_NONE,
			   "start a new interpreter for every witness" },
	[CONFIRM_QUIET] = { "quiet", OPTION_FLAG, NULL, VALUES_NONE,
			    "print no progress on stderr" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};

struct listener {
	const struct confirm_request *req;
	struct fail_on fail_on;
	struct progress progress;
};

static void say_fault(void *data, const char *unit, size_t number,
		      const char *message)
{
	const struct listener *l = data;

	cli_complain("%s: %s %zu: %s; skipped", l->req->flags, unit, number,
		     message);
}

/* Sum up the flags of rules that stand for no class: each has a record, but no line
 * of its own. */
static void say_tally(const struct listener *l, const struct tally *t)
{
	owned_buf struct buf text = { 0 };

	for (size_t i = 0; i < t->rows_len; i++)
		buf_format(&text, "%s%.80s (%zu)", i > 0 ? ", " : "",
			   t->rows[i].rule, t->rows[i].flags);
	if (t->rules > t->rows_len)
		buf_format(&text, ", and %zu more rule%s",
			   t->rules - t->rows_len,
			   plural_s(t->rules - t->rows_len));
	if (t->flags > 0 && !buf_has_failed(&text))
		cli_complain("%s: %zu flag%s skipped, of %zu rule%s without a "
			     "class: %s",
			     l->req->flags, t->flags, plural_s(t->flags),
			     t->rules, plural_s(t->rules), text.bytes);
}

/* Report the flags that were skipped without a message for each. */
static void say_begin(void *data, const struct confirm_counts *c)
{
	const struct listener *l = data;

	if (c->faults > c->faults_told)
		cli_complain("%s: skipped without a line: %zu", l->req->flags,
			     c->faults - c->faults_told);
	if (c->left_out > 0)
		cli_complain("%s: results left out: %zu (suppressed, passed, "
			     "absent or notes)",
			     l->req->flags, c->left_out);
	if (c->log_bad > 0)
		cli_complain(
			"%s: lines that are not records, and do not count: %zu",
			l->req->log, c->log_bad);
	if (c->log_unsealed > 0)
		cli_complain("%s: records ignored: %zu (not written by this "
			     "user's cupel %s for this repository)",
			     l->req->log, c->log_unsealed, PACKAGE_VERSION);
	if (!c->has_seal && l->req->resume)
		cli_complain("--resume: records cannot be sealed or checked: "
			     "no cache directory belongs to this user alone "
			     "(set XDG_CACHE_HOME or HOME)");
	if (c->recorded > 0)
		cli_complain("%s: flags that have a record already: %zu of %zu",
			     l->req->log, c->recorded, c->flags);
	say_tally(l, &c->tally);
}

/* A flag's place: "m.py:7 f", or without what is not known. */
static void place_put(struct buf *out, const struct flag *flag)
{
	buf_text(out, flag->file);
	if (flag->line > 0)
		buf_format(out, ":%" PRIu64, flag->line);
	if (flag->function != NULL)
		buf_format(out, " %s", flag->function);
}

static void say_no_script(void *data, const struct flag *flag, const char *why)
{
	owned_buf struct buf text = { 0 };

	(void)data;
	place_put(&text, flag);
	if (!buf_has_failed(&text))
		cli_complain("--reproducer: %s: no script can be written for "
			     "it: %s",
			     text.bytes, why);
}

static void say_progress(void *data, const struct flag *flag,
			 const struct verdict *v, size_t done, size_t all)
{
	struct listener *l = data;
	owned_buf struct buf text = { 0 };

	if (flag->has_no_class)
		return; /* say_tally() has reported all of them */
	place_put(&text, flag);
	buf_format(&text, " %s: %s%s%s", flag->flag_class,
		   confirm_status_name(v->status), v->reason ? ", " : "",
		   v->reason ? v->reason : "");
	if (!buf_has_failed(&text))
		progress_tell(&l->progress, done, all, text.bytes);
}

static int stopped(const struct confirm_request *req,
		   const struct confirm_counts *c)
{
	int signal = stop_signal(req->stop_fd);
	size_t done = c->no_class;

	for (int i = 0; i < CONFIRM_STATUS_MAX_; i++)
		done += c->of[i];
	cli_complain("stopped by SIG%s: flags that have a record: %zu of %zu; "
		     "--resume continues with the others",
		     sigabbrev_np(signal), done + c->recorded, c->flags);
	return 128 + signal;
}

static int confirm(struct confirm_request *req, struct listener *l)
{
	struct confirm_counts counts = { 0 };
	struct cupel_error err = { 0 };
	owned_buf struct buf out = { 0 };
	int r;

	service_cgroup_enter(); /* once for many vessels */
	r = confirm_run(req, &counts, &err);
	progress_end(&l->progress);
	if (r == -EINTR)
		return stopped(req, &counts);
	if (r < 0)
		return cli_fail(&err);
	confirm_write_summary(&counts, &out);
	r = cli_print(&out);
	if (r == CLI_OK && fail_on_has(&l->fail_on, &counts))
		return FAIL_ON_EXIT;
	if (r == CLI_OK && counts.of[CONFIRM_UNSUPPORTED] > 0 &&
	    counts.of[CONFIRM_UNSUPPORTED] ==
		    counts.flags - counts.recorded - counts.no_class)
		return CLI_HOST;
	return r;
}

static int caps_load(const char *path, struct caps *ret)
{
	owned_buf struct buf text = { 0 };
	struct cupel_error err = { 0 };
	int e = load_file(NULL, path, &text, &err);

	if (e == 0)
		e = caps_read(text.bytes, text.len, path, ret, &err);
	return e < 0 ? cli_usage("--spec: %s", err.what) : 0;
}

/* --ro and --runtime as options of every run; false after a complaint. */
static bool views_read(const struct option_value values[],
		       struct vessel_option views[HARNESS_VIEWS_MAX + 1])
{
	static const int rows[] = { CONFIRM_RO, CONFIRM_RUNTIME };
	size_t n = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t k = 0; k < values[rows[i]].count; k++) {
			if (n == HARNESS_VIEWS_MAX) {
				(void)cli_usage("--ro, --runtime: at most %d "
						"are allowed",
						HARNESS_VIEWS_MAX);
				return false;
			}
			views[n++] = (struct vessel_option){
				confirm_options[rows[i]].name,
				values[rows[i]].texts[k]
			};
		}
	views[n] = (struct vessel_option){ NULL, NULL };
	return true;
}

/* Set up progress and signals, then run. */
static int confirm_listen(const struct option_value values[],
			  struct confirm_request *req)
{
	const char *scripts = option_text(&values[CONFIRM_REPRODUCER], NULL);
	struct listener l = { .req = req };
	struct cupel_error err = { 0 };
	owned_fd int scripts_fd = -1;
	owned_fd int stop_fd = stop_open();

	if (fail_on_read(&values[CONFIRM_FAIL_ON], &l.fail_on) != 0)
		return CLI_USAGE;
	progress_init(&l.progress, values[CONFIRM_QUIET].count > 0);
	req->stop_fd = stop_fd;
	req->data = &l;
	req->fault = say_fault;
	req->begin = say_begin;
	req->progress = say_progress;
	req->no_script = say_no_script;
	req->reproducer_fd = -1;
	if (scripts != NULL) {
		scripts_fd = reproduce_open(scripts, &err);
		if (scripts_fd < 0)
			return cli_usage("%s", err.what);
		req->reproducer_fd = scripts_fd;
	}
	return confirm(req, &l);
}

/* Returns 0 if it is not a valid number. */
static unsigned time_read(const char *text)
{
	size_t n = strspn(text, "0123456789");
	unsigned long s = strtoul(text, NULL, 10);

	return n > 0 && n < 9 && text[n] == '\0' && s <= CONFIRM_FLAG_TIME_MAX_S
		       ? (unsigned)s
		       : 0;
}

static int confirm_words(const struct option_value values[], int words,
			 char *const argv[])
{
	const char *repo = option_text(&values[CONFIRM_REPO], ".");
	const char *jobs = option_text(&values[CONFIRM_JOBS], "1");
	const char *time = option_text(&values[CONFIRM_FLAG_TIME], NULL);
	const char *spec = option_text(&values[CONFIRM_SPEC], NULL);
	struct vessel_option views[HARNESS_VIEWS_MAX + 1];
	struct caps caps = { 0 };
	int r = 0;
	owned_buf struct buf flags = { 0 };
	owned_buf struct buf log = { 0 };
	struct confirm_request req = {
		.repo = repo,
		.jobs = option_jobs(jobs),
		.resume = values[CONFIRM_RESUME].count > 0,
		.rules = option_text(&values[CONFIRM_RULES], NULL),
		.sarif = option_text(&values[CONFIRM_SARIF], NULL),
	};

	if (words > 2)
		return cli_usage("confirm: expected FLAGS and LOG, found "
				 "'%.80s' after them",
				 argv[2]);
	if (req.jobs < 1 || req.jobs > CONFIRM_JOBS_MAX)
		return cli_usage("--jobs: '%.80s' is outside 1..%d", jobs,
				 CONFIRM_JOBS_MAX);
	req.flag_time_s = time != NULL ? time_read(time) : CONFIRM_FLAG_TIME_S;
	if (req.flag_time_s == 0)
		return cli_usage(
			"--flag-time-s: '%.80s' is not a whole number in 1..%d",
			time, CONFIRM_FLAG_TIME_MAX_S);
	if (!views_read(values, views))
		return CLI_USAGE;
	req.views = views[0].name != NULL ? views : NULL;
	buf_format(&flags, "%s/" CONFIRM_FOLDER "/" CONFIRM_FLAGS, repo);
	buf_format(&log, "%s/" CONFIRM_FOLDER "/" CONFIRM_LOG, repo);
	if (buf_has_failed(&flags) || buf_has_failed(&log))
		return CLI_FAILED;
	req.flags = words > 0 ? argv[0] : flags.bytes;
	req.log = words > 1 ? argv[1] : log.bytes;
	req.has_own_flags = words == 0;
	req.has_own_log = words < 2;
	req.is_cold = values[CONFIRM_COLD].count > 0;
	if (spec != NULL)
		r = caps_load(spec, &caps);
	if (r == 0) {
		req.caps = &caps;
		r = confirm_listen(values, &req);
	}
	caps_done(&caps);
	return r;
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
