/* suite_jest.c -- reads the JSON of jest --json, and of vitest --reporter=json.
 *
 * A file that failed without a failed test is a failure itself: it could not be
 * loaded, or something that runs after its tests failed. */
#include <errno.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/suite/suite.h"

#define TREE_BYTES ((size_t)320 << 20) /* of 32 MiB; the vessel has 512 */

static const struct {
	const char *status;
	enum suite_end end;
} ends[] = {
	{ "passed", SUITE_PASSED },   { "failed", SUITE_FAILED },
	{ "pending", SUITE_SKIPPED }, { "skipped", SUITE_SKIPPED },
	{ "todo", SUITE_SKIPPED },    { "disabled", SUITE_SKIPPED },
	{ "focused", SUITE_PASSED },
};

static int form(struct suite *s, const struct json_value *at,
		const char *expected)
{
	return suite_fail(s, "not_jest", at != NULL ? at->offset : 0, expected);
}

static struct json_text text_of(const struct json_value *v, const char *name)
{
	const struct json_value *m = json_find(v, name);
	struct json_text none = { NULL, 0 };

	return m != NULL && m->type == JSON_STRING &&
			       memchr(m->u.string.bytes, '\0',
				      m->u.string.len) == NULL
		       ? m->u.string
		       : none;
}

/* The file without /repo/, which all files are in. */
static struct json_text file_of(const struct json_value *v)
{
	static const char repo[] = "/repo/";
	struct json_text t = text_of(v, "name");

	if (t.len > sizeof repo - 1 && memcmp(t.bytes, repo, 6) == 0) {
		t.bytes += sizeof repo - 1;
		t.len -= sizeof repo - 1;
	}
	return t;
}

/* Add the message and the place of the first failure; a place only if its file
 * is known. */
static void test_tell(struct suite *s, struct json_text file,
		      const struct json_value *v)
{
	const struct json_value *list = json_find(v, "failureMessages");
	const struct json_value *took = json_find(v, "duration");
	const struct json_value *place = json_find(v, "location");
	struct suite_test *t = &s->tests[s->len - 1];
	struct json_text text = { NULL, 0 };
	uint64_t at = 0;
	int64_t line = -1;

	if (list != NULL && list->type == JSON_ARRAY && list->u.array.len > 0 &&
	    list->u.array.items[0].type == JSON_STRING)
		text = list->u.array.items[0].u.string;
	if (place != NULL && json_find(place, "line") != NULL &&
	    json_read_u64(json_find(place, "line"), &at) == 0 && at > 0 &&
	    at <= SUITE_LINE_MAX)
		line = (int64_t)at;
	if (text.len > PARSE_STRING_BYTES)
		text.len = PARSE_STRING_BYTES;
	suite_say_message(s, t, text);
	(void)suite_place_of(text, &file, &line);
	suite_say_place(s, t, file, line);
	if (took != NULL && took->type == JSON_NUMBER)
		suite_say_duration(s, t, suite_whole_of(took->u.number));
}

static int test_take(struct suite *s, struct json_text file,
		     const struct json_value *v)
{
	struct json_text status = text_of(v, "status");
	struct json_text name = text_of(v, "fullName");

	if (name.bytes == NULL) /* jest before 23 */
		name = text_of(v, "title");
	if (name.bytes == NULL)
		return form(s, v, "expected a fullName without a NUL");
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (status.bytes != NULL &&
		    strlen(ends[i].status) == status.len &&
		    memcmp(status.bytes, ends[i].status, status.len) == 0) {
			int r = suite_add(s, file, " > ", name, ends[i].end);

			if (r == 0)
				test_tell(s, file, v);
			return r;
		}
	return form(s, v, "the status of a test is unknown");
}

/* Add why a file could not be loaded, which follows jest's heading, and
 * where. */
static void broken_tell(struct suite *s, struct json_text file,
			struct json_text text)
{
	static const char bullet[] = "\xe2\x97\x8f ";
	struct suite_test *t = &s->tests[s->len - 1];
	struct json_text rest = text, line = { NULL, 0 };
	int64_t at = -1;

	if (text.len > PARSE_STRING_BYTES)
		text.len = rest.len = PARSE_STRING_BYTES;
	while (rest.bytes != NULL && line.len == 0)
		line = text_trim(text_cut(rest, '\n', &rest));
	if (text_begins(line, bullet))
		suite_say_message(s, t, rest);
	suite_say_message(s, t, text);
	(void)suite_place_of(text, &file, &at);
	suite_say_place(s, t, file, at);
}

/* Add a file that failed without a failed test. */
static int broken_take(struct suite *s, struct json_text file,
		       const struct json_value *v)
{
	const struct json_text none = { NULL, 0 };
	int r = suite_add(s, none, "", file, SUITE_FAILED);

	if (r == 0)
		broken_tell(s, file, text_of(v, "message"));
	return r;
}

static int file_take(struct suite *s, const struct json_value *v,
		     uint64_t *broken)
{
	const struct json_value *tests = json_find(v, "assertionResults");
	const struct json_value *status = json_find(v, "status");
	struct json_text file = file_of(v);
	bool has_failed = false;
	int r = 0;

	if (tests == NULL || tests->type != JSON_ARRAY || file.bytes == NULL)
		return form(s, v, "expected a name and assertionResults");
	for (size_t i = 0; r == 0 && i < tests->u.array.len; i++) {
		r = test_take(s, file, &tests->u.array.items[i]);
		has_failed |=
			r == 0 && s->tests[s->len - 1].end == SUITE_FAILED;
	}
	if (r < 0 || has_failed || status == NULL ||
	    !json_is_text(status, "failed"))
		return r;
	*broken += 1;
	return broken_take(s, file, v);
}

static int hold(struct suite *s, const struct json_value *root,
		const char *name, uint64_t has)
{
	const struct json_value *v = json_find(root, name);
	uint64_t said = 0;

	if (v == NULL)
		return 0;
	if (json_read_u64(v, &said) < 0 || said != has)
		return suite_disagree(s, v->offset, name, said, has);
	return 0;
}

static int files_take(struct suite *s, const struct json_value *root)
{
	const struct json_value *files = json_find(root, "testResults");
	const struct json_value *success = json_find(root, "success");
	uint64_t broken = 0;
	int r = 0;

	if (files == NULL || files->type != JSON_ARRAY)
		return form(s, root, "expected testResults");
	for (size_t i = 0; r == 0 && i < files->u.array.len; i++)
		r = file_take(s, &files->u.array.items[i], &broken);
	if (r == 0)
		r = hold(s, root, "numTotalTests", s->len - broken);
	if (r == 0)
		r = hold(s, root, "numPassedTests",
			 suite_count(s, SUITE_PASSED));
	if (r == 0)
		r = hold(s, root, "numFailedTests",
			 suite_count(s, SUITE_FAILED) - broken);
	if (r == 0 && success != NULL && success->type == JSON_BOOL &&
	    !success->u.boolean && suite_count(s, SUITE_FAILED) == 0)
		r = suite_fail(
			s, "counts_disagree", success->offset,
			"the report says success: false, but has no failure");
	return r;
}

int suite_jest(struct suite *s)
{
	struct arena arena = { .cap_bytes = TREE_BYTES };
	struct json_value root;
	int r = parse_json(s->in, &arena, TREE_BYTES, &root, s->report);

	if (r == 0)
		r = files_take(s, &root);
	arena_done(&arena);
	return r;
}
