/* yaml_scan.h -- checks a text before libyaml sees a byte of it. */
#ifndef CUPEL_PARSERS_YAML_SCAN_H
#define CUPEL_PARSERS_YAML_SCAN_H

#include <stddef.h>

/* A fault in a text; code NULL: none. */
struct yaml_fault {
	const char *code, *message;
	size_t offset;
};

/* yaml_scan -- bytes[0..n-1]: UTF-8, no NUL, few directives, and no white space
 * that libyaml would need more than linear time for (it clears a buffer as
 * long as the longest run for every word of the same scalar). */
struct yaml_fault yaml_scan(const char *bytes, size_t n);

#endif
