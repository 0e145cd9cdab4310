/* attest.h -- writes a gate that has ended as an in-toto Statement, for a
 * signer.
 *
 * Sources: the in-toto attestation framework's Statement v1; its predicate
 * test-result v0.1; SLSA's verification_summary v1.
 */
#ifndef CUPEL_JOBS_GATE_SHOW_ATTEST_H
#define CUPEL_JOBS_GATE_SHOW_ATTEST_H

#include <stdbool.h>

struct json_value;
struct jsonw;
struct story;

/* What a statement is about. */
enum attest_predicate { ATTEST_TEST_RESULT, ATTEST_VERIFICATION, ATTEST_MAX_ };

/* attest_find -- "test-result" or "verification-summary"; ATTEST_MAX_ for any
 * other word. */
enum attest_predicate attest_find(const char *word);

/* attest_tree -- the tree that the last attempt judged: {blake3, git_tree}.  NULL:
 * nobody can say which one it was, so there is nothing to attest. */
const struct json_value *attest_tree(const struct story *s);

/* attest_has_digest -- whether "blake3:HEX" or "gitTree:HEX" is that tree's. */
bool attest_has_digest(const struct json_value *tree, const char *digest);

/* attest_write -- write the statement of a gate that has ended and has a tree.
 *
 * @predicate	below ATTEST_MAX_
 * @subject	the name of what was judged; its digests are the ledger's */
void attest_write(const struct story *s, enum attest_predicate predicate,
		  const char *subject, struct jsonw *w);

#endif
