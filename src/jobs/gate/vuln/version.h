/* version.h -- compares two versions by the rules of their ecosystem. */
#ifndef CUPEL_JOBS_GATE_VULN_VERSION_H
#define CUPEL_JOBS_GATE_VULN_VERSION_H

#define VERSION_BYTES 256U /* a longer text is no version */

/* version_semver_find -- compare a and b: *ret becomes negative, 0 or positive.
 *
 * "v1.2.3" is 1.2.3, and missing numbers ("1.2") are 0; what follows "+" does
 * not count.
 * Returns 0, or -EINVAL: one of them is no version.
 * Source: Semantic Versioning 2.0.0, sections 9 to 11. */
int version_semver_find(const char *a, const char *b, int *ret);

/* version_pep440_find -- the same for Python.
 * Source: PEP 440, "Summary of permitted suffixes and relative ordering",
 * "Normalization" and "Local version identifiers". */
int version_pep440_find(const char *a, const char *b, int *ret);

#endif
