/* measure.c -- time commands against each other, interleaved.
 *
 * usage: measure ROUNDS PREFIX RATIO[,RATIO...] NAME COMMAND... [-- NAME ...]
 *
 * Each round starts every contender once, in random order, from this small
 * process (posix_spawn, so a vfork), and takes the time from before the start
 * to after the reaping by CLOCK_MONOTONIC.  A RATIO is NAME/NAME; it is taken
 * within a round, so that what the machine does meanwhile hits both sides.
 * Prints a table; writes PREFIX.json, and PREFIX.dat (a row each round, a
 * column each contender, microseconds).  Every command must exit 0.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/stats.h"

#define CONTENDERS_MAX 16
#define RATIOS_MAX     16
#define ROUNDS_MAX     100000
#define WARM_ROUNDS    3 /* not counted: page cache, cpu clock */

struct contender {
	const char *name;
	char **argv;
	double *us; /* one for each round */
};

struct bench {
	struct contender list[CONTENDERS_MAX];
	size_t len, rounds;
	struct {
		size_t of, to;
	} ratios[RATIOS_MAX];
	size_t ratios_len;
	uint64_t random; /* state; never 0 */
};

static void die(const char *what, const char *which)
{
	fprintf(stderr, "measure: %s%s%s\n", what, which ? ": " : "",
		which ? which : "");
	exit(2);
}

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double run_once(const struct contender *c)
{
	extern char **environ;
	posix_spawn_file_actions_t files;
	double start, took;
	int status, rc;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
	start = now_us();
	rc = posix_spawn(&pid, c->argv[0], &files, NULL, c->argv, environ);
	if (rc != 0)
		die(strerror(rc), c->argv[0]);
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid failed", c->name);
	took = now_us() - start;
	posix_spawn_file_actions_destroy(&files);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		die("did not exit 0", c->name);
	return took;
}

static void run_round(struct bench *b, size_t round, bool counts)
{
	size_t order[CONTENDERS_MAX];

	for (size_t i = 0; i < b->len; i++) {
		size_t j = (size_t)(stats_random(&b->random) % (i + 1));

		order[i] = order[j];
		order[j] = i;
	}
	for (size_t i = 0; i < b->len; i++) {
		struct contender *c = &b->list[order[i]];
		double us = run_once(c);

		if (counts)
			c->us[round] = us;
	}
}

static size_t contender_find(const struct bench *b, const char *name, size_t n)
{
	for (size_t i = 0; i < b->len; i++)
		if (strlen(b->list[i].name) == n &&
		    memcmp(b->list[i].name, name, n) == 0)
			return i;
	die("a ratio names no contender", name);
	return 0;
}

static void read_ratios(struct bench *b, const char *text)
{
	while (*text != '\0') {
		const char *slash = strchr(text, '/');
		size_t n = slash ? strcspn(slash + 1, ",") : 0;

		if (slash == NULL || b->ratios_len == RATIOS_MAX)
			die("not a list of NAME/NAME", text);
		b->ratios[b->ratios_len].of =
			contender_find(b, text, (size_t)(slash - text));
		b->ratios[b->ratios_len++].to = contender_find(b, slash + 1, n);
		text = slash + 1 + n;
		text += *text == ',';
	}
}

static void read_contenders(struct bench *b, char **argv)
{
	while (*argv != NULL) {
		struct contender *c = &b->list[b->len++];

		if (b->len > CONTENDERS_MAX - 1)
			die("too many contenders", NULL);
		c->name = *argv++;
		c->argv = argv;
		c->us = calloc(b->rounds, sizeof *c->us);
		if (*argv == NULL || strcmp(*argv, "--") == 0 || c->us == NULL)
			die("no command", c->name);
		while (*argv != NULL && strcmp(*argv, "--") != 0)
			argv++;
		if (*argv != NULL)
			*argv++ = NULL;
	}
}

/* Contenders whose own command holds a "--" write it as "---". */
static void unescape_dashes(struct bench *b)
{
	for (size_t i = 0; i < b->len; i++)
		for (char **a = b->list[i].argv; *a != NULL; a++)
			if (strcmp(*a, "---") == 0)
				(*a)[2] = '\0';
}

static FILE *open_out(const char *prefix, const char *suffix)
{
	char path[4096];
	FILE *f;

	if (snprintf(path, sizeof path, "%s%s", prefix, suffix) >=
	    (int)sizeof path)
		die("too long", prefix);
	f = fopen(path, "w");
	if (f == NULL)
		die("cannot write", path);
	return f;
}

static void write_rows(const struct bench *b, const char *prefix)
{
	FILE *f = open_out(prefix, ".dat");

	fprintf(f, "# round");
	for (size_t i = 0; i < b->len; i++)
		fprintf(f, " %s", b->list[i].name);
	for (size_t r = 0; r < b->rounds; r++) {
		fprintf(f, "\n%zu", r);
		for (size_t i = 0; i < b->len; i++)
			fprintf(f, " %.1f", b->list[i].us[r]);
	}
	fprintf(f, "\n");
	fclose(f);
}

static void write_times(const struct bench *b, FILE *json)
{
	printf("%-12s %10s %10s %10s   us, %zu rounds, uid %u\n", "", "median",
	       "p95", "min", b->rounds, (unsigned)geteuid());
	fprintf(json, "\"contenders\": [");
	for (size_t i = 0; i < b->len; i++) {
		const struct contender *c = &b->list[i];
		double half = stats_quantile(c->us, b->rounds, 0.5);
		double high = stats_quantile(c->us, b->rounds, 0.95);
		double low = stats_quantile(c->us, b->rounds, 0);

		printf("%-12s %10.0f %10.0f %10.0f\n", c->name, half, high,
		       low);
		fprintf(json,
			"%s\n  {\"name\": \"%s\", \"median_us\": %.1f, "
			"\"p95_us\": %.1f, \"min_us\": %.1f}",
			i ? "," : "", c->name, half, high, low);
	}
	fprintf(json, "\n ],\n ");
}

static void write_ratios(struct bench *b, FILE *json)
{
	fprintf(json, "\"ratios\": [");
	for (size_t i = 0; i < b->ratios_len; i++) {
		const struct contender *of = &b->list[b->ratios[i].of];
		const struct contender *to = &b->list[b->ratios[i].to];
		struct stats_ratio r = stats_paired_ratio(
			of->us, to->us, b->rounds, &b->random);

		printf("%s/%s %.3f  (95%%: %.3f to %.3f)\n", of->name, to->name,
		       r.median, r.low, r.high);
		fprintf(json,
			"%s\n  {\"of\": \"%s\", \"to\": \"%s\", \"median\": "
			"%.4f, \"low\": %.4f, \"high\": %.4f}",
			i ? "," : "", of->name, to->name, r.median, r.low,
			r.high);
	}
	fprintf(json, "\n ]\n");
}

int main(int argc, char **argv)
{
	struct bench b = { .random = (uint64_t)getpid() * 2654435761u + 1 };
	struct utsname host;
	FILE *json;

	if (argc < 6)
		die("usage: measure ROUNDS PREFIX RATIOS NAME COMMAND...",
		    NULL);
	b.rounds = (size_t)strtoul(argv[1], NULL, 10);
	if (b.rounds < 1 || b.rounds > ROUNDS_MAX)
		die("rounds: 1 to 100000", argv[1]);
	read_contenders(&b, argv + 4);
	unescape_dashes(&b);
	read_ratios(&b, argv[3]);
	for (size_t r = 0; r < WARM_ROUNDS; r++)
		run_round(&b, 0, false);
	for (size_t r = 0; r < b.rounds; r++)
		run_round(&b, r, true);

	uname(&host);
	json = open_out(argv[2], ".json");
	fprintf(json, "{\"kernel\": \"%s\", \"uid\": %u, \"rounds\": %zu,\n ",
		host.release, (unsigned)geteuid(), b.rounds);
	write_times(&b, json);
	write_ratios(&b, json);
	fprintf(json, "}\n");
	fclose(json);
	write_rows(&b, argv[2]);
	for (size_t i = 0; i < b.len; i++)
		free(b.list[i].us);
	return 0;
}
