/* hash.c -- the least that a warm gather can do: find the declared inputs of
 * the built-in probes, read each once, hash it.
 *
 * usage: hash DIR  Prints how many files and bytes they were. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/blake3.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/common/beneath.h"
#include "jobs/probe/match.h"
#include "jobs/probe/walk.h"

#define CHUNK_BYTES ((size_t)128 << 10)

static char chunk[CHUNK_BYTES];

static size_t file_hash(int root_fd, const char *name, struct blake3 *all)
{
	owned_fd int fd = -1;
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 hash;
	size_t bytes = 0;
	off_t size;
	ssize_t n;

	if (beneath_open_file(root_fd, name, &fd, &size) != BENEATH_OK)
		return 0;
	blake3_init(&hash);
	while ((n = read(fd, chunk, sizeof chunk)) > 0) {
		blake3_update(&hash, chunk, (size_t)n);
		bytes += (size_t)n;
	}
	blake3_final(&hash, digest, sizeof digest);
	blake3_update(all, digest, sizeof digest);
	return bytes;
}

/* Whether some probe declares the name with its bytes. */
static int is_wanted(const struct match *m, const char *name)
{
	uint16_t rules[PROBES_MAX];

	for (size_t i = 0; i < probes_len; i++)
		rules[i] = MATCH_NONE;
	if (match_find(m, name, rules) == 0)
		return 0;
	for (size_t i = 0; i < probes_len; i++)
		if (rules[i] != MATCH_NONE &&
		    probes[i].rules[rules[i]].cap_bytes > 0)
			return 1;
	return 0;
}

int main(int argc, char *argv[])
{
	struct walk_request req = { 0 };
	struct walk walk = { 0 };
	struct match match = { 0 };
	struct cupel_error err = { 0 };
	struct blake3 all;
	size_t files = 0, bytes = 0;

	req.root_fd = beneath_open_root(argc == 2 ? argv[1] : ".");
	if (req.root_fd < 0 || walk_run(&req, &walk, &err) < 0)
		return EXIT_FAILURE;
	for (size_t i = 0; i < probes_len; i++)
		if (match_add(&match, &probes[i], i, &err) < 0)
			return EXIT_FAILURE;
	blake3_init(&all);
	for (size_t i = 0; i < walk.len; i++)
		if (is_wanted(&match, walk.names[i].path)) {
			bytes += file_hash(req.root_fd, walk.names[i].path,
					   &all);
			files++;
		}
	printf("%zu files, %zu bytes\n", files, bytes);
	match_done(&match);
	walk_done(&walk);
	return EXIT_SUCCESS;
}
