/* batch.c -- cupel batch: specs in, results out, JSON Lines. */
#include "jobs/batch/batch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/blake3.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/plural.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/load.h"
#include "cli/stop.h"
#include "service/cgroup.h"
#include "service/file.h"
#include "spec/field.h"
#include "spec/line.h"

enum {
	BATCH_JOBS,
	BATCH_ORDERED,
	BATCH_RESUME,
	BATCH_SHARD,
	BATCH_KEEP_GOING,
	BATCH_QUIET,
	BATCH_OPTIONS
};

const struct option_row batch_options[] = {
	[BATCH_JOBS] = { "jobs", OPTION_WORD, "N", VALUES_NONE,
			 "how many runs at once, 1 to 256 (default: as many as "
			 "processors)" },
	[BATCH_ORDERED] = { "ordered", OPTION_FLAG, NULL, VALUES_NONE,
			    "write results in the order of the lines, not in "
			    "the order in which runs end" },
	[BATCH_RESUME] = { "resume", OPTION_FLAG, NULL, VALUES_NONE,
			   "skip the lines that already have an answer in "
			   "RESULTS, and append to it" },
	[BATCH_SHARD] = { "shard", OPTION_WORD, "I/N", VALUES_NONE,
			  "run only every Nth line, starting with line I" },
	[BATCH_KEEP_GOING] = { "keep-going", OPTION_FLAG, NULL, VALUES_NONE,
			       "go on starting runs after one that is not OK" },
	[BATCH_QUIET] = { "quiet", OPTION_FLAG, NULL, VALUES_NONE,
			  "print no summary on stderr at the end" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};

/* The command line, split into our own options and those of all runs. */
struct words {
	char **own, **spec; /* argv of each, with the name of the command */
	char **rest;        /* the operands */
	int own_len, spec_len, rest_len;
};

/* What was read from the command line. */
struct defaults {
	struct spec spec;
	bool took_stdin; /* --spec - */
};

/* --- the command line ------------------------------------------------------------- */

static const struct option_row *row_find(const char *word)
{
	size_t n = strcspn(word, "=");

	for (const struct option_row *o = batch_options; o->name != NULL; o++)
		if (strlen(o->name) == n && memcmp(o->name, word, n) == 0)
			return o;
	return NULL;
}

/* Whether the value of this option is the next word. */
static bool wants_word(const char *word)
{
	const struct option_row *o = row_find(word + 2);
	const struct field *f = field_find(word + 2);

	if (strchr(word, '=') != NULL)
		return false;
	if (o != NULL)
		return o->kind != OPTION_FLAG;
	return f != NULL && f->arg != NULL && (f->flags & FIELD_OPT_ARG) == 0;
}

/* Options may come before and after SPECS and RESULTS, but not after "--". */
static void words_split(int argc, char *argv[], struct words *w)
{
	bool has_options = true;

	w->own[w->own_len++] = w->spec[w->spec_len++] = argv[0];
	for (int i = 1; i < argc; i++) {
		bool is_option =
			has_options && argv[i][0] == '-' && argv[i][1] != '\0';
		bool is_long = is_option && argv[i][1] == '-';
		bool is_own = is_long && row_find(argv[i] + 2) != NULL;
		bool has_value = is_long && i + 1 < argc && wants_word(argv[i]);
		char **to = is_own ? w->own : w->spec;
		int *len = is_own ? &w->own_len : &w->spec_len;

		if (!is_option) {
			w->rest[w->rest_len++] = argv[i];
			continue;
		}
		if (strcmp(argv[i], "--") == 0) {
			has_options = false;
			continue;
		}
		to[(*len)++] = argv[i];
		if (has_value)
			to[(*len)++] = argv[++i];
	}
}

/* A spec_load_fn.  Lines come from stdin, too, which can be read only once. */
static int load(void *ctx, const char *path, struct buf *out,
		struct cupel_error *err)
{
	struct defaults *d = ctx;

	d->took_stdin |= strcmp(path, "-") == 0;
	return load_file(NULL, path, out, err);
}

/* A line cannot name stdin or any other descriptor as a file. */
static int load_for_line(void *ctx, const char *path, struct buf *out,
			 struct cupel_error *err)
{
	(void)ctx;
	return file_read_regular(NULL, path, SPEC_DOCUMENT_BYTES, out, err);
}

/* Returns 0, SPEC_WANTS_HELP or -errno. */
static int defaults_read(const struct words *w, struct defaults *ret,
			 struct cupel_error *err)
{
	int rest = 0;
	int r = spec_init(&ret->spec, err);

	ret->spec.load = load;
	ret->spec.load_ctx = ret;
	if (r == 0)
		r = spec_read_args(w->spec_len, w->spec, &ret->spec, &rest,
				   err);
	if (r == 0)
		r = spec_line_defaults(&ret->spec, err);
	ret->spec.load = load_for_line;
	ret->spec.load_ctx = NULL;
	return r;
}

/* Hash the words themselves; what they mean is in the hash of each spec. */
static void options_hash(const struct words *w, char ret[BLAKE3_TEXT_BYTES])
{
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 b;

	blake3_init(&b);
	for (int i = 1; i < w->spec_len; i++)
		blake3_update(&b, w->spec[i], strlen(w->spec[i]) + 1);
	blake3_final(&b, digest, sizeof digest);
	blake3_hex(digest, ret);
}

/* Read a number of at most nine digits, and find what follows it; 0: no
 * number. */
static uint64_t number_read(const char *text, const char **ret_end)
{
	size_t n = strspn(text, "0123456789");

	*ret_end = text + n;
	return n > 0 && n < 10 ? strtoul(text, NULL, 10) : 0;
}

static unsigned processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (n < 1)
		return 1;
	return n > (long)BATCH_JOBS_MAX ? BATCH_JOBS_MAX : (unsigned)n;
}

static int numbers_read(const struct option_value values[],
			struct batch_request *req)
{
	const char *jobs = option_text(&values[BATCH_JOBS], NULL);
	const char *shard = option_text(&values[BATCH_SHARD], "1/1");
	const char *end = "";
	uint64_t n = jobs != NULL ? number_read(jobs, &end) : processors();

	if (n < 1 || n > BATCH_JOBS_MAX || end[0] != '\0')
		return cli_usage("--jobs: '%.80s' is outside 1..%u", jobs,
				 BATCH_JOBS_MAX);
	req->jobs = (unsigned)n;
	req->shard_at = number_read(shard, &end);
	if (end[0] == '/')
		req->shard_of = number_read(end + 1, &end);
	if (req->shard_at < 1 || req->shard_at > req->shard_of ||
	    end[0] != '\0')
		return cli_usage(
			"--shard: expected I/N with I in 1..N, found '%.80s'",
			shard);
	return 0;
}

/* --- the run ---------------------------------------------------------------------- */

static int stopped(int stop_fd, const struct batch_request *req,
		   const struct batch_counts *c)
{
	int signal = stop_signal(stop_fd);

	cli_complain("stopped by SIG%s: %llu line%s answered%s",
		     sigabbrev_np(signal),
		     (unsigned long long)(c->written + c->known),
		     plural_s(c->written + c->known),
		     req->results != NULL
			     ? "; --resume continues with the others"
			     : "");
	return 128 + signal;
}

static void summary_say(const struct batch_counts *c)
{
	if (c->known > 0)
		cli_complain("answered before: %llu of %llu line%s, %llu of "
			     "them not OK",
			     (unsigned long long)c->known,
			     (unsigned long long)c->lines, plural_s(c->lines),
			     (unsigned long long)c->known_bad);
	if (c->remade > 0)
		cli_complain("%llu line%s had to be run from the beginning "
			     "because a copy of a template failed; the last "
			     "time: %s",
			     (unsigned long long)c->remade, plural_s(c->remade),
			     c->remade_why);
	cli_complain("%llu OK, %llu not OK, %llu wrong line%s%s",
		     (unsigned long long)c->ok, (unsigned long long)c->failed,
		     (unsigned long long)c->wrong, plural_s(c->wrong),
		     c->is_cut ? "; the other lines were not started, as "
				 "--keep-going was not given"
			       : "");
}

static int batch(struct batch_request *req, bool is_quiet)
{
	struct batch_counts counts = { 0 };
	struct cupel_error err = { 0 };
	owned_fd int stop_fd = stop_open();
	int r;

	req->stop_fd = stop_fd;
	service_cgroup_enter(); /* once for many vessels */
	r = batch_run(req, &counts, &err);
	if (r == -EINTR)
		return stopped(stop_fd, req, &counts);
	if (r == -EPIPE && req->results == NULL)
		return 128 +
		       SIGPIPE; /* the exit status that a shell would report */
	if (r < 0)
		return cli_fail(&err);
	if (!is_quiet)
		summary_say(&counts);
	return counts.failed + counts.wrong + counts.known_bad > 0 ? CLI_FAILED
								   : CLI_OK;
}

/* Open the files of the lines and of the answers. */
static int batch_files(const struct words *w, struct batch_request *req,
		       const struct defaults *d, bool is_quiet)
{
	const char *specs = w->rest_len > 0 ? w->rest[0] : "-";
	owned_fd int fd = -1;
	bool is_stdin = strcmp(specs, "-") == 0;

	if (w->rest_len > 2)
		return cli_usage("batch: expected SPECS and RESULTS, found "
				 "'%.80s' after them",
				 w->rest[2]);
	if (w->rest_len > 1 && strcmp(w->rest[1], "-") != 0)
		req->results = w->rest[1];
	if (req->resume && req->results == NULL)
		return cli_usage(
			"--resume: needs RESULTS, the file to continue");
	if (is_stdin && d->took_stdin)
		return cli_usage(
			"--spec: '-' (stdin) is already used for the lines");
	req->specs_shown = is_stdin ? "stdin" : specs;
	req->results_fd = STDOUT_FILENO;
	if (!is_stdin) {
		fd = file_open(specs);
		if (fd < 0)
			return cli_usage("%s: cannot be read: %s", specs,
					 file_why(-fd));
	}
	req->specs_fd = is_stdin ? STDIN_FILENO : fd;
	return batch(req, is_quiet);
}

static int batch_words(const struct option_value values[],
		       const struct words *w)
{
	char options[BLAKE3_TEXT_BYTES];
	struct defaults d = { 0 };
	struct cupel_error err = { 0 };
	struct batch_request req = {
		.is_ordered = values[BATCH_ORDERED].count > 0,
		.resume = values[BATCH_RESUME].count > 0,
		.keep_going = values[BATCH_KEEP_GOING].count > 0,
		.base = &d.spec,
		.options = options,
	};
	int r = defaults_read(w, &d, &err);

	options_hash(w, options);
	if (r == SPEC_WANTS_HELP)
		r = command_show_help(w->spec[0]);
	else if (r < 0)
		r = cli_fail(&err);
	else if (numbers_read(values, &req) != 0)
		r = CLI_USAGE;
	else
		r = batch_files(w, &req, &d, values[BATCH_QUIET].count > 0);
	spec_done(&d.spec);
	return r;
}

int batch_command(int argc, char *argv[])
{
	struct option_value values[BATCH_OPTIONS] = { 0 };
	owned_mem char **own = calloc((size_t)argc + 1, sizeof *own);
	owned_mem char **spec = calloc((size_t)argc + 1, sizeof *spec);
	owned_mem char **operands = calloc((size_t)argc + 1, sizeof *operands);
	struct words w = { .own = own, .spec = spec, .rest = operands };
	int rest = argc;
	int r;

	if (own == NULL || spec == NULL || operands == NULL) {
		cli_complain("batch: no memory");
		return CLI_FAILED;
	}
	words_split(argc, argv, &w);
	r = option_read(w.own_len, w.own, batch_options, values, &rest);
	if (r == 0)
		r = batch_words(values, &w);
	option_done(batch_options, values);
	return r;
}
