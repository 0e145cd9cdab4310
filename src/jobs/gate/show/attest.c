/* attest.c -- see attest.h. */
#include "jobs/gate/show/attest.h"

#include <string.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/show/story.h"

static const char *const words[ATTEST_MAX_] = {
	[ATTEST_TEST_RESULT] = "test-result",
	[ATTEST_VERIFICATION] = "verification-summary",
};

static const char *const types[ATTEST_MAX_] = {
	[ATTEST_TEST_RESULT] =
		"https://in-toto.io/attestation/test-result/v0.1",
	[ATTEST_VERIFICATION] = "https://slsa.dev/verification_summary/v1",
};

enum attest_predicate attest_find(const char *word)
{
	int i = 0;

	while (i < ATTEST_MAX_ && strcmp(words[i], word) != 0)
		i++;
	return (enum attest_predicate)i;
}

/* --- what was judged ------------------------------------------------------ */

const struct json_value *attest_tree(const struct story *s)
{
	const struct story_attempt *a =
		s->attempts_len > 0 ? &s->attempts[s->attempts_len - 1] : NULL;
	const struct json_value *begin, *end;

	if (a == NULL || story_text(a->ended, "tree_changed")[0] != '\0')
		return NULL;
	begin = json_find(&s->book->records[a->first], "tree");
	end = json_find(a->ended, "tree");
	return strcmp(story_text(begin, "blake3"), story_text(end, "blake3")) ==
				       0 &&
			       story_text(end, "blake3")[0] != '\0'
		       ? end
		       : NULL;
}

bool attest_has_digest(const struct json_value *tree, const char *digest)
{
	static const char git[] = "gitTree:";
	const char *id = story_text(tree, "git_tree");

	if (strncmp(digest, git, sizeof git - 1) == 0)
		return id[0] != '\0' &&
		       strcmp(digest + sizeof git - 1, id) == 0;
	return strcmp(digest, story_text(tree, "blake3")) == 0;
}

/* Write the tree as DigestSet has it. */
static void subject_write(const char *name, const struct json_value *tree,
			  struct jsonw *w)
{
	const char *hex = strchr(story_text(tree, "blake3"), ':');

	jsonw_object(w, NULL);
	jsonw_text(w, "name", name);
	jsonw_object(w, "digest");
	jsonw_text(w, "blake3", hex != NULL ? hex + 1 : "");
	if (story_text(tree, "git_tree")[0] != '\0')
		jsonw_text(w, "gitTree", story_text(tree, "git_tree"));
	jsonw_end_object(w);
	jsonw_end_object(w);
}

/* --- URIs -------------------------------------------------------------------- */

static bool is_one_of(char c, const char *more)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c != '\0' && strchr(more, c) != NULL);
}

/* Whether it is a lower-case scheme followed only by what a URI may have (RFC
 * 3986, sections 2 and 3.1). */
static bool is_uri(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789+-.");

	if (n == 0 || text[0] < 'a' || text[n] != ':' || text[n + 1] == '\0')
		return false;
	for (const char *c = text + n; *c != '\0'; c++)
		if (!is_one_of(*c, "-._~:/?#[]@!$&'()*+,;=%"))
			return false;
	return true;
}

/* Write what was judged as a URI: the caller's, if he gave one. */
static void uri_write(const char *name, struct buf *out)
{
	if (is_uri(name)) {
		buf_text(out, name);
		return;
	}
	buf_text(out, "cupel:subject/");
	for (; *name != '\0'; name++) {
		if (is_one_of(*name, "-._~/"))
			buf_char(out, *name);
		else
			buf_format(out, "%%%02X", (unsigned char)*name);
	}
}

/* Write {"digest": {ALGORITHM: HEX}} from "ALGORITHM:HEX". */
static void digest_write(struct jsonw *w, const char *digest)
{
	owned_buf struct buf name = { 0 };
	const char *hex = strchr(digest, ':');

	jsonw_object(w, "digest");
	buf_add(&name, digest, hex != NULL ? (size_t)(hex - digest) : 0);
	if (hex != NULL && !buf_has_failed(&name))
		jsonw_text(w, name.bytes, hex + 1);
	jsonw_end_object(w);
}

/* Write a resource: a name or uri, and its digest. */
static void resource_write(struct jsonw *w, const char *key, const char *name,
			   const char *text, const char *digest)
{
	jsonw_object(w, key);
	jsonw_text(w, name, text);
	digest_write(w, digest);
	jsonw_end_object(w);
}

/* Write the gate itself, and whether it is a loose one. */
static void gate_write(const struct story *s, const char *key, const char *name,
		       const char *text, struct jsonw *w)
{
	jsonw_object(w, key);
	jsonw_text(w, name, text);
	digest_write(w, story_text(s->begun, "gate_hash"));
	if (story_is_loose(s)) {
		jsonw_object(w, "annotations");
		jsonw_text(w, "catalogue", "loose");
		jsonw_end_object(w);
	}
	jsonw_end_object(w);
}

/* Write the last attempt's signals that passed, or those that did not. */
static void kinds_write(const struct story *s, const char *key, bool passed,
			struct jsonw *w)
{
	const struct story_attempt *a =
		s->attempts_len > 0 ? &s->attempts[s->attempts_len - 1] : NULL;

	jsonw_array(w, key);
	for (size_t i = a != NULL ? a->first : 0; a != NULL && i < a->last;
	     i++) {
		const struct json_value *signal =
			json_find(&s->book->records[i], "signal");

		if (story_is(&s->book->records[i], "signal") &&
		    story_bool(signal, "passed") == passed)
			jsonw_text(w, NULL, story_text(signal, "kind"));
	}
	jsonw_end_array(w);
}

static bool has_passed(const struct story *s)
{
	return strcmp(story_text(s->ended, "outcome"), "passed") == 0;
}

static void test_result_write(const struct story *s, const char *subject,
			      struct jsonw *w)
{
	(void)subject;
	jsonw_text(w, "result", has_passed(s) ? "PASSED" : "FAILED");
	jsonw_array(w, "configuration");
	gate_write(s, NULL, "name", story_text(s->begun, "gate"), w);
	if (story_text(s->begun, "baseline")[0] != '\0')
		resource_write(w, NULL, "name", "baseline",
			       story_text(s->begun, "baseline"));
	jsonw_end_array(w);
	kinds_write(s, "passedTests", true, w);
	jsonw_array(w, "warnedTests");
	jsonw_end_array(w);
	kinds_write(s, "failedTests", false, w);
}

static void verification_write(const struct story *s, const char *subject,
			       struct jsonw *w)
{
	owned_buf struct buf uri = { 0 }, resource = { 0 };

	uri_write(subject, &resource);
	w->out->failed |= buf_has_failed(&resource);
	jsonw_object(w, "verifier");
	jsonw_text(w, "id", "cupel:gate");
	jsonw_object(w, "version");
	jsonw_text(w, "cupel", story_text(s->begun, "version"));
	jsonw_end_object(w);
	jsonw_end_object(w);
	jsonw_text(w, "timeVerified", story_text(s->ended, "at"));
	jsonw_text(w, "resourceUri",
		   resource.bytes != NULL ? resource.bytes : "");
	buf_format(&uri, "cupel:gate/%s", story_text(s->begun, "gate"));
	gate_write(s, "policy", "uri", uri.bytes != NULL ? uri.bytes : "", w);
	jsonw_array(w, "inputAttestations");
	resource_write(w, NULL, "uri", "cupel:ledger",
		       story_text(s->ended, "hash"));
	jsonw_end_array(w);
	jsonw_text(w, "verificationResult",
		   has_passed(s) ? "PASSED" : "FAILED");
	jsonw_array(w, "verifiedLevels");
	jsonw_text(w, NULL,
		   !has_passed(s)      ? "FAILED"
		   : story_is_loose(s) ? "CUPEL_GATE_PASSED_LOOSE"
				       : "CUPEL_GATE_PASSED");
	jsonw_end_array(w);
}

void attest_write(const struct story *s, enum attest_predicate predicate,
		  const char *subject, struct jsonw *w)
{
	static void (*const writers[ATTEST_MAX_])(
		const struct story *s, const char *subject, struct jsonw *w) = {
		[ATTEST_TEST_RESULT] = test_result_write,
		[ATTEST_VERIFICATION] = verification_write,
	};

	jsonw_object(w, NULL);
	jsonw_text(w, "_type", "https://in-toto.io/Statement/v1");
	jsonw_array(w, "subject");
	subject_write(subject, attest_tree(s), w);
	jsonw_end_array(w);
	jsonw_text(w, "predicateType", types[predicate]);
	jsonw_object(w, "predicate");
	writers[predicate](s, subject, w);
	jsonw_end_object(w);
	jsonw_end_object(w);
}
