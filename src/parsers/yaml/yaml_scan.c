/* yaml_scan.c -- see yaml_scan.h. */
#include "parsers/yaml/yaml_scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "parsers/yaml/yaml_events.h"

/* For each byte of the text, so that many files take no longer than one.  A text
 * of words has at most one run for two bytes, so that runs up to 1,600 bytes are
 * always fine; 10 MB take half a second. */
#define CLEARED_BYTES_MAX ((uint64_t)1600)

/* The length of the blank or line break at s, 0 when it is neither.
 * Source: YAML 1.1, 5.4 (libyaml breaks lines at all of these). */
static size_t blank_len(const char *s, size_t n)
{
	if (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r')
		return 1;
	if (n >= 2 && memcmp(s, "\xc2\x85", 2) == 0)
		return 2;
	if (n >= 3 && (memcmp(s, "\xe2\x80\xa8", 3) == 0 ||
		       memcmp(s, "\xe2\x80\xa9", 3) == 0))
		return 3;
	return 0;
}

struct scan {
	size_t run, longest, longest_at; /* of blanks and breaks, in bytes */
	uint64_t runs;
	unsigned directives;
	bool is_line_start;
};

static void blank_take(struct scan *s, const char *at, size_t len, size_t place)
{
	s->runs += s->run == 0;
	s->run += len;
	if (s->run > s->longest) {
		s->longest = s->run;
		s->longest_at = place + len - s->run;
	}
	s->is_line_start = *at != ' ' && *at != '\t';
}

static struct yaml_fault directives_fault(size_t offset)
{
	return (struct yaml_fault){ "yaml_directives",
				    "more than 64 %TAG directives", offset };
}

struct yaml_fault yaml_scan(const char *bytes, size_t n)
{
	struct scan s = { .is_line_start = true };
	size_t i = 0;

	while (i < n) {
		size_t len = blank_len(bytes + i, n - i);

		if (len > 0) {
			blank_take(&s, bytes + i, len, i);
			i += len;
			continue;
		}
		if (s.is_line_start && n - i >= 4 &&
		    memcmp(bytes + i, "%TAG", 4) == 0 &&
		    ++s.directives > YAML_TAG_DIRECTIVES)
			return directives_fault(i);
		s.run = 0;
		s.is_line_start = false;
		len = utf8_read(bytes + i, n - i, NULL);
		if (len == 0)
			return (struct yaml_fault){ "bad_utf8",
						    "expected UTF-8 throughout",
						    i };
		if (bytes[i] == '\0')
			return (struct yaml_fault){ "yaml_nul",
						    "contains a NUL byte", i };
		i += len;
	}
	if (s.runs * (2 * (uint64_t)s.longest) > CLEARED_BYTES_MAX * n)
		return (struct yaml_fault){
			"yaml_blanks",
			"has too many spaces in a row for its length",
			s.longest_at
		};
	return (struct yaml_fault){ 0 };
}
