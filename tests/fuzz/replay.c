/* replay.c -- run a fuzz target over its corpus in the ordinary tests.
 *
 * Linked with one target; its name is the program's without ".t", its corpus
 * the files of tests/fuzz/corpus/NAME/, and what a run found is added there.
 * A case for each file, and each of them cut in half.  A failure is a crash. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int try_file(const char *path)
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
	int n = 0, bad = 0, len;

	(void)argc;
	if (strncmp(name, "lt-", 3) == 0)
		name += 3; /* libtool's wrapper */
	(void)snprintf(dir, sizeof dir, "%s/tests/fuzz/corpus/%.*s",
		       src != NULL ? src : ".", (int)strcspn(name, "."), name);
	try_bytes((const uint8_t *)"", 0);
	len = scandir(dir, &list, NULL, compare);
	for (int i = 0; i < len; i++) {
		const char *file = list[i]->d_name;

		(void)snprintf(path, sizeof path, "%s/%s", dir, file);
		if (file[0] != '.') {
			int r = try_file(path);

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
