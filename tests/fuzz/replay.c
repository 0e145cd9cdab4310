/* replay.c -- run a fuzz target over its corpus in the ordinary tests.
 *
 * Linked with one target; its name is the program's without ".t", its corpus
 * the files of tests/fuzz/corpus/NAME/, and what a run found is added there.
 * A case for each file, and each of them cut in half.  A failure is a crash.
 * With FUZZ_SECONDS=N set, each is also changed at random, always in the same
 * way, for N seconds in all: for builds without libFuzzer. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

#define INPUT_MAX ((size_t)1 << 20) /* libFuzzer's seeds are smaller */

/* In a block of exactly that size, so that ASan sees a byte too far. */
static void try_bytes(const uint8_t *bytes, size_t n)
{
	uint8_t *copy = malloc(n > 0 ? n : 1);

	if (copy == NULL)
		abort();
	memcpy(copy, bytes, n);
	(void)LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* A few bytes set, moved or dropped. */
static size_t change(uint8_t *bytes, size_t n, uint32_t *state)
{
	static const char likely[] = "{}[]\",:\\/#$0129eE.-+ua*()?^|<>\n\0";
	unsigned times = 1 + next_random(state) % 4;

	while (times-- > 0 && n > 0) {
		size_t at = next_random(state) % n;
		size_t other = next_random(state) % n;

		switch (next_random(state) % 4) {
		case 0:
			bytes[at] = (uint8_t)next_random(state);
			break;
		case 1:
			bytes[at] = (uint8_t)
				likely[next_random(state) % sizeof likely];
			break;
		case 2:
			memmove(bytes + at, bytes + other,
				n - (at > other ? at : other));
			break;
		default:
			memmove(bytes + at, bytes + at + 1, n - at - 1);
			n--;
			break;
		}
	}
	return n;
}

static void try_changed(const uint8_t *bytes, size_t n, double seconds)
{
	uint32_t state = 2463534242U;
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	uint8_t *copy = malloc(n > 0 ? n : 1);

	if (copy == NULL)
		abort();
	while (clock() < end) {
		memcpy(copy, bytes, n);
		try_bytes(copy, change(copy, n, &state));
	}
	free(copy);
}

static int try_file(const char *path, double seconds)
{
	uint8_t *bytes = malloc(INPUT_MAX);
	FILE *f = fopen(path, "re");
	size_t n;

	if (bytes == NULL || f == NULL) {
		free(bytes);
		if (f != NULL)
			(void)fclose(f);
		return -EIO;
	}
	n = fread(bytes, 1, INPUT_MAX, f);
	(void)fclose(f);
	try_bytes(bytes, n);
	try_bytes(bytes, n / 2);
	try_changed(bytes, n, seconds);
	free(bytes);
	return 0;
}

static int compare(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int main(int argc, char *argv[])
{
	const char *src = getenv("SRC");
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash != NULL ? slash + 1 : argv[0];
	struct dirent **list = NULL;
	char dir[2048], path[4096];
	double seconds = 0;
	int n = 0, bad = 0, len;

	(void)argc;
	if (strncmp(name, "lt-", 3) == 0)
		name += 3; /* libtool's wrapper */
	(void)snprintf(dir, sizeof dir, "%s/tests/fuzz/corpus/%.*s",
		       src != NULL ? src : ".", (int)strcspn(name, "."), name);
	try_bytes((const uint8_t *)"", 0);
	len = scandir(dir, &list, NULL, compare);
	if (getenv("FUZZ_SECONDS") != NULL && len > 2)
		seconds = atof(getenv("FUZZ_SECONDS")) / (len - 2);
	for (int i = 0; i < len; i++) {
		const char *file = list[i]->d_name;

		(void)snprintf(path, sizeof path, "%s/%s", dir, file);
		if (file[0] != '.') {
			int r = try_file(path, seconds);

			bad += r < 0;
			printf("%sok %d - %s\n", r < 0 ? "not " : "", ++n,
			       file);
			(void)fflush(stdout);
		}
		free(list[i]);
	}
	free(list);
	if (n == 0) {
		printf("not ok %d - a corpus in %s\n", ++n, dir);
		bad++;
	}
	printf("1..%d\n", n);
	return bad != 0;
}
