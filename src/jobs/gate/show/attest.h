/* attest.h -- writes a gate that has ended as an in-toto Statement, for a
 * signer.
 *
 * Sources: the in-toto attestation framework's Statement v1; its predicate
 * test-result v0.1; SLSA's verification_summary v1.
 */
#ifndef CUPEL_JOBS_GATE_SHOW_ATTEST_H
#define CUPEL_JOBS_GATE_SHOW_ATTEST_H

struct jsonw;
struct story;

/* What a statement is about. */
enum attest_predicate { ATTEST_TEST_RESULT, ATTEST_VERIFICATION, ATTEST_MAX_ };

/* attest_find -- "test-result" or "verification-summary"; ATTEST_MAX_ for any
 * other word. */
enum attest_predicate attest_find(const char *word);

/* The subject of a statement: what was judged. */
struct attest_subject {
	const char *name; /* of the change: a commit, an artifact */
	const char
		*digest; /* "ALGORITHM:HEX", "sha256:..." or "gitCommit:..." */
};

/* attest_write -- write the statement of a gate that has ended.
 *
 * @predicate	below ATTEST_MAX_ */
void attest_write(const struct story *s, enum attest_predicate predicate,
		  const struct attest_subject *subject, struct jsonw *w);

/* attest_is_digest -- whether text is such a digest: a word, a colon, hex. */
int attest_is_digest(const char *text);

#endif
