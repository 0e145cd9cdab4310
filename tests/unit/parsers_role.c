/* parsers_role.c -- to whom a file belongs, by its directories and by the files
 * that include it. */
#include <stdlib.h>

#include "parsers/common/role.h"
#include "parsers/common/text_piece.h"
#include "tap.h"

static struct role judge(const char *path, enum role_subject subject,
			 const struct role_homes *h)
{
	return role_of((struct json_text){ path, strlen(path) }, subject, h);
}

struct row {
	const char *path;
	enum role_kind manifest, deployment, source;
};

static void directories_have_roles(void)
{
	static const struct row rows[] = {
		{ "package.json", ROLE_OWN, ROLE_OWN, ROLE_OWN },
		{ "packages/a/package.json", ROLE_OWN, ROLE_OWN, ROLE_OWN },
		{ "lib/manager/__fixtures__/Chart.yaml", ROLE_FIXTURE,
		  ROLE_FIXTURE, ROLE_FIXTURE },
		{ "charts/x/tests/expected_templates/a.yaml", ROLE_FIXTURE,
		  ROLE_FIXTURE, ROLE_FIXTURE },
		{ "test/a/package.json", ROLE_FIXTURE, ROLE_FIXTURE, ROLE_OWN },
		{ "src/__tests__/a.js", ROLE_FIXTURE, ROLE_FIXTURE, ROLE_OWN },
		{ "examples/a/package.json", ROLE_EXAMPLE, ROLE_EXAMPLE,
		  ROLE_EXAMPLE },
		{ "docker-example/a/compose.yaml", ROLE_EXAMPLE, ROLE_EXAMPLE,
		  ROLE_EXAMPLE },
		{ "a/examples-go/go.mod", ROLE_EXAMPLE, ROLE_EXAMPLE,
		  ROLE_EXAMPLE },
		{ "counterexamples/a", ROLE_OWN, ROLE_OWN, ROLE_OWN },
		{ "x/testfiles-bad/a/Dockerfile", ROLE_FIXTURE, ROLE_FIXTURE,
		  ROLE_FIXTURE },
		{ "x-tests/a/go.mod", ROLE_FIXTURE, ROLE_FIXTURE, ROLE_OWN },
		{ "contests/a/go.mod", ROLE_OWN, ROLE_OWN, ROLE_OWN },
		{ "chart/templates/a.yaml", ROLE_EXAMPLE, ROLE_OWN, ROLE_OWN },
		{ "node_modules/a/package.json", ROLE_VENDORED, ROLE_VENDORED,
		  ROLE_VENDORED },
		{ "googletest/test/a_test.cc", ROLE_VENDORED, ROLE_VENDORED,
		  ROLE_VENDORED },
		{ "test/bats-core/test/a.bats", ROLE_FIXTURE, ROLE_FIXTURE,
		  ROLE_VENDORED },
		{ "dist/package.json", ROLE_GENERATED, ROLE_GENERATED,
		  ROLE_GENERATED },
		/* a file of that name is not one of them */
		{ "fixtures", ROLE_OWN, ROLE_OWN, ROLE_OWN },
		{ "a/fixtures.js", ROLE_OWN, ROLE_OWN, ROLE_OWN },
		{ "latest/package.json", ROLE_OWN, ROLE_OWN, ROLE_OWN },
		/* the outermost decides */
		{ "examples/a/fixtures/x", ROLE_EXAMPLE, ROLE_EXAMPLE,
		  ROLE_EXAMPLE },
		{ "cli/api-fixtures/x", ROLE_FIXTURE, ROLE_FIXTURE,
		  ROLE_FIXTURE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];

		ok_int(judge(r->path, ROLE_OF_MANIFEST, NULL).kind,
		       r->manifest);
		ok_int(judge(r->path, ROLE_OF_DEPLOYMENT, NULL).kind,
		       r->deployment);
		ok_int(judge(r->path, ROLE_OF_SOURCE, NULL).kind, r->source);
	}
}

static void the_evidence_is_told(void)
{
	struct role r = judge("a/__fixtures__/b/c", ROLE_OF_MANIFEST, NULL);
	struct buf out = { 0 };
	struct jsonw w = { .out = &out };

	jsonw_object(&w, NULL);
	role_write(&w, &r);
	jsonw_end_object(&w);
	ok(strcmp(out.bytes, "{\"role\":\"fixture\",\"role_reason\":"
			     "\"directory __fixtures__\"}") == 0);
	out.len = 0;
	w = (struct jsonw){ .out = &out };
	r = judge("a", ROLE_OF_MANIFEST, NULL);
	jsonw_object(&w, NULL);
	role_write(&w, &r);
	jsonw_end_object(&w);
	ok(strcmp(out.bytes, "{\"role\":\"own\",\"role_reason\":null}") == 0);
	buf_done(&out);
}

static void what_a_build_file_includes_is_own(void)
{
	const struct parse_input by = { .name = "package.json",
					.name_len = 12 };
	struct role_home items[] = {
		{ .dir = TEXT("examples/napi"), .includer = &by },
		{ .dir = TEXT("test/unit"), .includer = &by },
		{ .dir = TEXT("examples/napi"), .includer = &by }
	};
	struct role_homes h = { items, 3 };
	struct role r;

	role_homes_sort(&h);
	ok_int(h.len, 2);
	r = judge("examples/napi/package.json", ROLE_OF_MANIFEST, &h);
	ok_int(r.kind, ROLE_OWN);
	ok(r.includer == &by);
	r = judge("examples/napi/src/a/Cargo.toml", ROLE_OF_MANIFEST, &h);
	ok_int(r.kind, ROLE_OWN);
	r = judge("examples/napi/fixtures/Cargo.toml", ROLE_OF_MANIFEST, &h);
	ok_int(r.kind, ROLE_FIXTURE);
	r = judge("examples/napi2/package.json", ROLE_OF_MANIFEST, &h);
	ok_int(r.kind, ROLE_EXAMPLE);
	r = judge("examples/package.json", ROLE_OF_MANIFEST, &h);
	ok_int(r.kind, ROLE_EXAMPLE);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(directories_have_roles),
		CASE(the_evidence_is_told),
		CASE(what_a_build_file_includes_is_own),
		TAP_END,
	});
}
