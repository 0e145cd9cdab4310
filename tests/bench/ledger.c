/* ledger.c -- what a record of a gate's ledger costs, and holding one against itself.
 *
 * usage: ledger ROUNDS DIR PREFIX
 *
 * Each round, in random order: one record with its sync; the same bytes appended to
 * a file of their own with fdatasync, which is what the disk asks for; and 10,000
 * records read and held against each other.  Prints medians, the ratio, how many
 * syncs a record asks for, and what it takes beside them; writes PREFIX.json.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "bench/stats.h"
#include "jobs/gate/ledger/ledger.h"

#define RECORDS    10000
#define LINE_BYTES 480 /* as run.ended and signal have them */
#define ROUNDS_MAX 100000

struct bench {
	int dir_fd, floor_fd;
	struct ledger ledger;
	struct ledger_book book; /* what opening read */
	char text[LINE_BYTES];   /* of a record's own member */
	char *many, head[4096];  /* a ledger of RECORDS */
	size_t many_len;
	double *us[4]; /* record, floor, verify; a record beside its syncs */
	unsigned long record_syncs; /* of all records */
};

static void die(const char *what, const struct cupel_error *err)
{
	fprintf(stderr, "ledger: %s%s%s\n", what, err ? ": " : "",
		err ? err->what : "");
	exit(2);
}

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* All syncs of this process, and how long they took: the two functions below stand
 * in for the C library's. */
static unsigned long syncs;
static double syncs_us;

static int sync_counted(long number, int fd)
{
	double start = now_us();
	int got = (int)syscall(number, fd);

	syncs++;
	syncs_us += now_us() - start;
	return got;
}

int fsync(int fd)
{
	return sync_counted(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return sync_counted(SYS_fdatasync, fd);
}

static void record_put(struct bench *b)
{
	struct cupel_error err = { 0 };
	struct ledger_record r;

	ledger_begin(&b->ledger, "run.ended", &r);
	jsonw_text(&r.w, "phase", b->text);
	if (ledger_put(&b->ledger, &r, &err) < 0)
		die("a record", &err);
}

static void floor_put(struct bench *b)
{
	if (write(b->floor_fd, b->text, sizeof b->text) !=
		    (ssize_t)sizeof b->text ||
	    fdatasync(b->floor_fd) < 0)
		die("the floor's file", NULL);
}

static void many_check(struct bench *b)
{
	struct cupel_error err = { 0 };
	struct ledger_book book = { 0 };

	if (ledger_check(b->many, b->many_len, b->head, NULL, &book, &err) !=
		    0 ||
	    book.len != RECORDS)
		die("10,000 records", &err);
	ledger_book_done(&book);
}

static size_t file_read(int dir_fd, const char *name, char *to, size_t room)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t got;

	while (fd >= 0 && n < room && (got = read(fd, to + n, room - n)) > 0)
		n += (size_t)got;
	if (fd < 0 || n == room)
		die("reading", NULL);
	close(fd);
	to[n] = '\0';
	return n;
}

/* The ledger that is verified is one that was written, in a directory of its own. */
static void many_make(struct bench *b, const char *dir)
{
	struct cupel_error err = { 0 };
	struct bench other = { .ledger = LEDGER_NONE };
	char path[4096];

	(void)snprintf(path, sizeof path, "%s/many", dir);
	if (mkdirat(b->dir_fd, "many", 0700) < 0)
		die("a directory", NULL);
	memcpy(other.text, b->text, sizeof other.text);
	other.dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (ledger_open(other.dir_fd, NULL, &other.ledger, &other.book, &err) !=
	    0)
		die("a ledger", &err);
	for (int i = 0; i < RECORDS; i++)
		record_put(&other);
	ledger_close(&other.ledger);
	ledger_book_done(&other.book);
	b->many = malloc(LEDGER_BYTES);
	if (b->many == NULL)
		die("memory", NULL);
	b->many_len =
		file_read(other.dir_fd, LEDGER_FILE, b->many, LEDGER_BYTES);
	(void)file_read(other.dir_fd, LEDGER_HEAD, b->head, sizeof b->head);
	close(other.dir_fd);
}

static void bench_open(struct bench *b, size_t rounds, const char *dir)
{
	struct cupel_error err = { 0 };

	memset(b->text, 'x', sizeof b->text);
	b->text[sizeof b->text - 1] = '\0';
	b->ledger = LEDGER_NONE;
	b->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (b->dir_fd < 0)
		die(dir, NULL);
	b->floor_fd = openat(b->dir_fd, "floor",
			     O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (b->floor_fd < 0 ||
	    ledger_open(b->dir_fd, NULL, &b->ledger, &b->book, &err) != 0)
		die("a ledger", &err);
	for (int i = 0; i < 4; i++) {
		b->us[i] = calloc(rounds, sizeof *b->us[i]);
		if (b->us[i] == NULL)
			die("memory", NULL);
	}
	many_make(b, dir);
}

static void report(const struct bench *b, size_t rounds, const char *prefix)
{
	static const char *const names[] = { "record", "fdatasync", "verify",
					     "beside" };
	char path[4096];
	double half[4];
	FILE *json;

	(void)snprintf(path, sizeof path, "%s.json", prefix);
	json = fopen(path, "w");
	if (json == NULL)
		die(path, NULL);
	printf("%-12s %10s %10s   us, %zu rounds\n", "", "median", "p95",
	       rounds);
	fprintf(json, "{\"rounds\": %zu", rounds);
	for (int i = 0; i < 4; i++) {
		half[i] = stats_quantile(b->us[i], rounds, 0.5);
		printf("%-12s %10.0f %10.0f\n", names[i], half[i],
		       stats_quantile(b->us[i], rounds, 0.95));
		fprintf(json, ", \"%s_us\": %.1f", names[i], half[i]);
	}
	fprintf(json, "}\n");
	fclose(json);
	printf("a record asks for %.2f syncs and takes %.0f us beside them\n",
	       (double)b->record_syncs / (double)rounds, half[3]);
	printf("record/fdatasync %.2f; %d records (%zu bytes) verified in "
	       "%.3f s\n",
	       half[0] / half[1], RECORDS, b->many_len, half[2] / 1e6);
	printf("promised: a record under 2 ms: %s; 10,000 under 0.2 s: %s\n",
	       half[0] < 2000 ? "kept" : "NOT kept",
	       half[2] < 200000 ? "kept" : "NOT kept");
}

int main(int argc, char *argv[])
{
	static void (*const work[])(struct bench *) = { record_put, floor_put,
							many_check };
	size_t rounds = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;
	struct bench b = { 0 };
	uint64_t random = 16;

	if (rounds == 0 || rounds > ROUNDS_MAX)
		die("usage: ledger ROUNDS DIR PREFIX", NULL);
	bench_open(&b, rounds, argv[2]);
	for (size_t r = 0; r < rounds; r++) {
		int first = (int)(stats_random(&random) % 3);

		for (int i = 0; i < 3; i++) {
			int which = (first + i) % 3;
			double start = now_us(), before_us = syncs_us;
			unsigned long before = syncs;

			work[which](&b);
			b.us[which][r] = now_us() - start;
			if (which > 0)
				continue;
			b.record_syncs += syncs - before;
			b.us[3][r] = b.us[0][r] - (syncs_us - before_us);
		}
	}
	report(&b, rounds, argv[3]);
	return 0;
}
