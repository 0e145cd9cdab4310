/* parse_main.c -- cupel-parse: sealed inputs in, one probe's output on descriptor 3.
 *
 * argv[1] names the probe.  Descriptor 0: for each input its name, a NUL, its
 * size in decimal (or "-": only the name is declared), a NUL.  Descriptor 4: the
 * inputs' bytes in that order, back to back.  How it ends is in parse_exit.h.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "parsers/common/parse.h"
#include "parsers/program/parse_exit.h"
#include "parsers/program/parse_memory.h"
#include "parsers/program/parse_wall.h"

#define LIST_BYTES   ((size_t)256 << 20) /* 50,000 names of 4 KiB */
#define OUTPUT_BYTES ((size_t)32 << 20)  /* a slice has its own cap */
#define INPUTS_MAX   50000U

enum { FD_LIST = 0, FD_RESULT = 3, FD_BYTES = 4 };

static const struct probe {
	const char *name;
	int (*run)(const struct parse_inputs *in, struct parse_report *r);
} probes[] = {
	{ "ci", ci_run },
	{ "context_read", context_read_run },
	{ "dependencies", dependencies_run },
	{ "deployment", deployment_run },
	{ "language_detection", language_detection_run },
	{ "node_build_system", node_build_system_run },
	{ "test_inventory", test_inventory_run },
	{ "test_report", test_report_run },
	{ "node_manifest", node_manifest_run },
};

static const struct probe *probe_find(const char *name)
{
	for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
		if (strcmp(probes[i].name, name) == 0)
			return &probes[i];
	return NULL;
}

static bool list_read(struct buf *list)
{
	for (;;) {
		char *at = buf_reserve(list, (size_t)64 << 10);
		ssize_t n;

		if (at == NULL)
			return false;
		n = read(FD_LIST, at, (size_t)64 << 10);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		list->len += (size_t)n;
	}
}

/* Decimal at *at up to its NUL; *at is left behind the NUL. */
static bool size_read(const char **at, const char *end, size_t *ret)
{
	size_t value = 0;
	const char *s = *at;

	while (s < end && *s >= '0' && *s <= '9') {
		if (__builtin_mul_overflow(value, (size_t)10, &value) ||
		    __builtin_add_overflow(value, (size_t)(*s - '0'), &value))
			return false;
		s++;
	}
	if (s == *at || s == end || *s != '\0')
		return false;
	*at = s + 1;
	*ret = value;
	return true;
}

/* Match the list with the bytes; false when they do not fit each other. */
static bool inputs_lay(const struct buf *list, const char *bytes, size_t total,
		       struct parse_input *items, size_t *ret_len)
{
	const char *at = list->bytes, *end = at + list->len;
	size_t used = 0, n = 0;

	while (at < end) {
		struct parse_input *in = &items[n];
		const char *nul = memchr(at, '\0', (size_t)(end - at));

		if (n++ == INPUTS_MAX || nul == NULL)
			return false;
		in->name = at;
		in->name_len = (size_t)(nul - at);
		at = nul + 1;
		in->bytes = bytes + used;
		if (end - at >= 2 && at[0] == '-' && at[1] == '\0') {
			in->is_name_only = true;
			at += 2;
			continue;
		}
		if (!size_read(&at, end, &in->len) || in->len > total - used)
			return false;
		used += in->len;
	}
	*ret_len = n;
	return used == total;
}

static bool inputs_read(struct buf *list, struct parse_inputs *ret)
{
	struct parse_input *items = calloc(INPUTS_MAX + 1, sizeof *items);
	off_t total = lseek(FD_BYTES, 0, SEEK_END);
	const char *bytes = "";

	if (items == NULL || total < 0 || !list_read(list))
		return false;
	if (total > 0)
		bytes = mmap(NULL, (size_t)total, PROT_READ, MAP_PRIVATE,
			     FD_BYTES, 0);
	if (bytes == MAP_FAILED && errno == ENOMEM)
		memory_refuse();
	if (bytes == MAP_FAILED)
		return false;
	ret->items = items;
	return list->len == 0 ||
	       inputs_lay(list, bytes, (size_t)total, items, &ret->len);
}

static bool output_write(const struct buf *out)
{
	size_t done = 0;

	while (done < out->len) {
		ssize_t n =
			write(FD_RESULT, out->bytes + done, out->len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static int bytes_compare(const void *a, const void *b)
{
	return memcmp(a, b, 1);
}

/* The C library makes some system calls once.  They must happen before the
 * wall: malloc asks for random bytes, and qsort of more than a kilobyte for the
 * size of memory.  Two elements are enough; four thousand took a quarter of a
 * millisecond. */
static void libc_warm(void)
{
	char bytes[2][2048] = { 0 };
	void *volatile kept = malloc(1); /* or the compiler drops the pair */

	free(kept);
	qsort(bytes, 2, sizeof *bytes, bytes_compare);
}

int main(int argc, char *argv[])
{
	const struct probe *probe = argc == 2 ? probe_find(argv[1]) : NULL;
	struct buf list = { .cap_bytes = LIST_BYTES };
	struct buf out = { .cap_bytes = OUTPUT_BYTES };
	struct parse_inputs inputs = { 0 };
	struct parse_report report;

	if (probe == NULL)
		return PARSE_EXIT_PROBE;
	libc_warm();
	if (wall_raise() < 0)
		return PARSE_EXIT_WALL;
	parse_report_init(&report);
	if (!inputs_read(&list, &inputs))
		return PARSE_EXIT_INPUTS;
	if (probe->run(&inputs, &report) < 0)
		memory_refuse();
	report_write(&report, probe->name, &out);
	if (buf_has_failed(&out) || !output_write(&out))
		return PARSE_EXIT_OUTPUT;
	/* Everything dies with the process. */
	return PARSE_EXIT_DONE;
}
