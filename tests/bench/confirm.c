/* confirm.c -- what one witness of a Python function costs, interleaved.
 *
 * usage: confirm ROUNDS BLOCK JOBS REPO FILE BWRAP COMMAND...
 *
 * FILE below REPO has a function probe() on its first line; COMMAND is bwrap with
 * python3 doing the same call.  Each round runs, in random order, BLOCK calls
 * each: bwrap's, cold vessels, copies of a template; JOBS of them at once.
 * Prints the medians of the time a call, calls a second, and paired ratios. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "bench/stats.h"
#include "jobs/confirm/runner.h"
#include "service/sealed.h"
#include "service/template.h"
#include "service/vessel_result.h"

#define JOBS_MAX   8
#define ROUNDS_MAX 10000
#define GIVEN      "00ff\n{\"arguments\":[]}" /* a nonce, a witness */

enum contender { BWRAP, COLD, WARM, CONTENDERS };
static const char *const names[CONTENDERS] = { "bwrap", "cold", "warm" };

/* As jobs/confirm/warm.c has it: two templates in turn, and a vessel that waits
 * while a call runs. */
struct place {
	struct vessel_template *templates[2];
	unsigned turn;               /* of the next vessel */
	struct vessel_copy *waiting; /* NULL = none */
	struct vessel *run;          /* NULL = none */
	int text;                    /* its stdin */
};

struct bench {
	const struct runner *runner;
	const char *repo;
	char **command;
	size_t jobs, block;
	struct vessel_option options[CONFIRM_CAPS_MAX];
	char source[4096], request[4400];
	struct place places[JOBS_MAX];
	uint64_t random;
};

static void die(const char *what, const struct cupel_error *err)
{
	(void)fprintf(stderr, "confirm: %s: %s\n", what, err ? err->what : "");
	exit(2);
}

static double now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* --- bwrap ------------------------------------------------------------------ */

static pid_t bwrap_start(const struct bench *b)
{
	extern char **environ;
	posix_spawn_file_actions_t files;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&pid, b->command[0], &files, NULL, b->command,
			environ) != 0)
		die("cannot start", NULL);
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

static void bwrap_block(const struct bench *b)
{
	size_t started = 0, ended = 0;

	while (ended < b->block) {
		int status;

		while (started < b->block && started - ended < b->jobs) {
			(void)bwrap_start(b);
			started++;
		}
		if (wait(&status) < 0 || status != 0)
			die("bwrap did not exit 0", NULL);
		ended++;
	}
}

/* --- vessels ---------------------------------------------------------------- */

static int sealed(const char *text, size_t n)
{
	struct cupel_error err = { 0 };
	int fd = sealed_of(text, n, false, &err);

	if (fd < 0)
		die("a memory file", &err);
	return fd;
}

/* Files of its own, as a job makes them.  With copy made, not started. */
static void run_make(struct bench *b, struct place *place, int text,
		     bool is_copy)
{
	const struct runner_program *p = &b->runner->call;
	struct cupel_error err = { 0 };
	const int inputs[] = {
		sealed(p->text.from, (size_t)(p->text.end - p->text.from)),
		sealed(b->source, strlen(b->source)),
		sealed(b->request, strlen(b->request)),
	};
	struct vessel_request req = { .profile = b->runner->profile,
				      .options = b->options,
				      .repo = b->repo,
				      .argv = p->argv,
				      .stdin_fd = text,
				      .inputs = inputs,
				      .inputs_len = 3,
				      .exec_fd = -1 };
	int r = is_copy ? vessel_copy_make(place->templates[place->turn], &req,
					   &place->waiting, &err)
			: vessel_start(&req, &place->run, &err);

	if (r < 0)
		die("a vessel", &err);
	if (is_copy)
		place->turn = 1 - place->turn;
	for (int i = 0; i < 3; i++)
		(void)close(inputs[i]);
}

static void run_begin(struct bench *b, enum contender who, struct place *place)
{
	struct cupel_error err = { 0 };

	place->text = sealed(GIVEN, strlen(GIVEN));
	if (who == COLD || place->waiting == NULL)
		run_make(b, place, place->text, who == WARM);
	if (who == COLD)
		return;
	if (vessel_copy_run(place->waiting, place->text, &place->run, &err) < 0)
		die(names[who], &err);
	place->waiting = NULL;
}

static void run_end(struct vessel *run, int text)
{
	vessel_free(run);
	(void)close(text);
}

static void run_judge(struct vessel *run)
{
	struct vessel_result result;
	struct payload answer = { 0 };

	vessel_read(run, &result);
	vessel_payload_read(run, NULL, &answer);
	if (result.status != CUPEL_OK || answer.status != PAYLOAD_VALID)
		die("a run without an answer", NULL);
	payload_done(&answer);
}

/* One call has ended: its answer is read, then the next starts, then what is
 * left of it goes, then the vessel of the one after that is made. */
static void place_next(struct bench *b, enum contender who, struct place *place,
		       size_t left)
{
	struct vessel *ended = place->run;
	int text = place->text;

	if (ended != NULL)
		run_judge(ended);
	place->run = NULL;
	if (ended != NULL && place->waiting == NULL) {
		run_end(ended, text);
		ended = NULL;
	}
	if (left > 0)
		run_begin(b, who, place);
	if (ended != NULL)
		run_end(ended, text);
	if (left > b->jobs && who == WARM)
		run_make(b, place, -1, true);
}

static void vessels_block(struct bench *b, enum contender who)
{
	size_t started = 0, ended = 0;

	while (ended < b->block) {
		struct pollfd fds[JOBS_MAX] = { 0 };
		struct cupel_error err = { 0 };

		for (size_t i = 0; i < b->jobs; i++) {
			struct place *p = &b->places[i];

			if (p->run == NULL && started < b->block)
				place_next(b, who, p, b->block - started++);
			fds[i].fd = p->run ? vessel_fd(p->run) : -1;
			fds[i].events = POLLIN;
		}
		(void)poll(fds, (nfds_t)b->jobs, -1);
		for (size_t i = 0; i < b->jobs; i++) {
			struct place *p = &b->places[i];
			size_t left = b->block - started;

			if (p->run == NULL || fds[i].revents == 0 ||
			    vessel_step(p->run, &err) != 0)
				continue;
			place_next(b, who, p, left);
			started += left > 0;
			ended++;
		}
	}
}

static void template_start(struct bench *b, struct vessel_template **t)
{
	struct cupel_error err = { 0 };
	const struct runner_program *p = &b->runner->call;
	const struct runner_text *text = &b->runner->call.template;
	int program = sealed_of(text->from, (size_t)(text->end - text->from),
				false, &err);
	struct vessel_request req = { .profile = b->runner->profile,
				      .options = b->options,
				      .repo = b->repo,
				      .argv = p->argv,
				      .inputs_len = 3,
				      .exec_fd = -1 };
	int r = vessel_template_start(&req, program, t, &err);

	while (r == 0 && (r = vessel_template_state(*t)) == 0)
		(void)poll(NULL, 0, 1);
	if (r < 0)
		die("no template", &err);
	(void)close(program);
}

/* --- rounds ------------------------------------------------------------------- */

static double block_run(struct bench *b, enum contender who)
{
	double start = now_us();

	if (who == BWRAP)
		bwrap_block(b);
	else
		vessels_block(b, who);
	return (now_us() - start) / (double)b->block;
}

static void rounds_run(struct bench *b, size_t rounds, double *us[])
{
	for (size_t r = 0; r <= rounds; r++) { /* the first does not count */
		enum contender order[CONTENDERS];

		for (size_t i = 0; i < CONTENDERS; i++) {
			size_t j = (size_t)(stats_random(&b->random) % (i + 1));

			order[i] = order[j];
			order[j] = (enum contender)i;
		}
		for (size_t i = 0; i < CONTENDERS; i++) {
			double took = block_run(b, order[i]);

			if (r > 0)
				us[order[i]][r - 1] = took;
		}
	}
}

static void report(struct bench *b, size_t rounds, double *us[])
{
	printf("%zu at once  %10s %10s %10s   %zu rounds of %zu, uid %u\n",
	       b->jobs, "median us", "p95 us", "calls/s", rounds, b->block,
	       (unsigned)geteuid());
	for (size_t i = 0; i < CONTENDERS; i++) {
		double half = stats_quantile(us[i], rounds, 0.5);

		printf("%-10s %11.0f %10.0f %10.0f\n", names[i], half,
		       stats_quantile(us[i], rounds, 0.95), 1e6 / half);
	}
	for (size_t i = COLD; i < CONTENDERS; i++) {
		struct stats_ratio x = stats_paired_ratio(us[BWRAP], us[i],
							  rounds, &b->random);

		printf("bwrap/%s %.2f [%.2f, %.2f]\n", names[i], x.median,
		       x.low, x.high);
	}
}

static void texts_make(struct bench *b, const char *file)
{
	static const char request[] =
		"{\"path\":\"%s\",\"function\":\"probe\",\"flag_class\":"
		"\"div-zero\",\"first_line\":1,\"alarm_s\":10,"
		"\"cpu_alarm_ms\":10000}";
	char path[4096];
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/%s", b->repo, file);
	f = fopen(path, "re");
	if (f == NULL)
		die(path, NULL);
	(void)fread(b->source, 1, sizeof b->source - 1, f);
	(void)fclose(f);
	(void)snprintf(b->request, sizeof b->request, request, file);
}

int main(int argc, char *argv[])
{
	struct bench b = { .runner = runner_find("x.py"), .random = 88172645 };
	const struct confirm_cap *c = b.runner->caps;
	double *us[CONTENDERS];
	size_t rounds = argc > 6 ? strtoul(argv[1], NULL, 10) : 0;

	if (rounds < 1 || rounds > ROUNDS_MAX)
		die("usage", NULL);
	b.block = strtoul(argv[2], NULL, 10);
	b.jobs = strtoul(argv[3], NULL, 10);
	b.repo = argv[4];
	b.command = argv + 6;
	if (b.block < 1 || b.jobs < 1 || b.jobs > JOBS_MAX)
		die("usage", NULL);
	for (size_t i = 0; c->option != NULL; c++, i++)
		b.options[i] = (struct vessel_option){ c->option, c->value };
	for (size_t i = 0; i < CONTENDERS; i++)
		us[i] = calloc(rounds, sizeof **us);
	texts_make(&b, argv[5]);
	for (size_t i = 0; i < 2 * b.jobs; i++)
		template_start(&b, &b.places[i / 2].templates[i % 2]);
	rounds_run(&b, rounds, us);
	report(&b, rounds, us);
	for (size_t i = 0; i < b.jobs; i++)
		vessel_copy_free(b.places[i].waiting);
	for (size_t i = 0; i < 2 * b.jobs; i++)
		vessel_template_free(b.places[i / 2].templates[i % 2]);
	for (size_t i = 0; i < CONTENDERS; i++)
		free(us[i]);
	return 0;
}
