/* pattern.h -- regular expressions as JSON Schema means them.
 *
 * The syntax is ECMA-262's with the u flag; a match may begin anywhere.  It is
 * translated to PCRE2: what only PCRE2 has (atomic groups, possessive
 * quantifiers, recursion, verbs, \Q, \A, \z, \K, inline options) is refused.
 *
 * Wider than ECMA-262: a backslash may escape any ASCII punctuation, not just
 * characters that have a meaning.  Narrower: a lookbehind has alternatives of
 * fixed length; a quantifier's bound is at most 65535; groups nest at most 250
 * deep; a group's capture is not forgotten when a loop around it goes on. */
#ifndef CUPEL_BOUNDARY_PATTERN_H
#define CUPEL_BOUNDARY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct pattern;

enum pattern_result {
	PATTERN_MISMATCH = 0,
	PATTERN_MATCH = 1,
	PATTERN_LIMIT = 2, /* no answer within the limits */
};

/* pattern_translate -- the PCRE2 pattern for the ECMA-262 one.
 * Returns 0, or -EINVAL with *why (static words) and *at (byte offset). */
int pattern_translate(const char *text, size_t n, struct buf *out,
		      const char **why, size_t *at);

/* pattern_new -- compile text[0..n-1] (UTF-8).
 * Returns NULL, with why[0..why_bytes-1] a line of reason. */
struct pattern *pattern_new(const char *text, size_t n, char *why,
			    size_t why_bytes);
void pattern_free(struct pattern *p); /* NULL is fine */

/* pattern_match -- whether the pattern matches somewhere in the subject, which
 * is well-formed UTF-8.
 *
 * @budget	steps that all matches together may still take; lowered
 * Safe in many threads at once with one pattern. */
enum pattern_result pattern_match(const struct pattern *p, const char *subject,
				  size_t n, uint64_t *budget);

#endif
