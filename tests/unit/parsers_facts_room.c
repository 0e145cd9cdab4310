/* parsers_facts_room.c -- when the arena of a probe's facts is full, what is left
 * out is told. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json_at.h"
#include "parsers/depend/depend.h"
#include "parsers/deploy/deploy.h"
#include "parsers/deploy/deploy_argument.h"
#include "parsers/node/node.h"

#define FACTS_ROOM 4096U /* of an arena that is soon full */

static struct json_text text_of(const char *bytes)
{
	return (struct json_text){ bytes, strlen(bytes) };
}

static struct parse_input input_of(const char *name, const char *text)
{
	return (struct parse_input){ .name = name,
				     .name_len = strlen(name),
				     .bytes = text,
				     .len = strlen(text) };
}

/* Fill the arena but for a few bytes. */
static void fill(struct arena *facts, size_t left)
{
	ok(arena_alloc(facts, facts->cap_bytes - facts->used - left) != NULL);
}

/* The output of a report. */
static char *written(struct parse_report *r)
{
	struct buf out = { 0 };

	report_write(r, "test", &out);
	parse_report_done(r);
	return buf_take(&out);
}

/* --- node --------------------------------------------------------------------- */

/* Add natives as long as there is room and one for which there is none, and write
 * the list: how many are in it, and whether it says that it is cut. */
static size_t natives_written(size_t left, bool *ret_is_cut)
{
	const struct parse_input in = input_of("package-lock.json", "{}");
	const struct node_native one = { .name = text_of("aaaaaaaaaaaaaaa"),
					 .version = text_of("1.0.0"),
					 .reason = "install-script",
					 .in = &in };
	struct node n = { .facts.cap_bytes = FACTS_ROOM,
			  .lists[NODE_NATIVES].key = "native_modules" };
	size_t len;

	fill(&n.facts, left);
	node_native_add(&n, &one);
	node_natives_write(&n);
	len = n.lists[NODE_NATIVES].len;
	*ret_is_cut = n.lists[NODE_NATIVES].is_cut;
	slice_lists_done(n.lists, NODE_LISTS_MAX_);
	free(n.natives);
	arena_done(&n.facts);
	return len;
}

static void a_native_module_without_room_is_told(void)
{
	bool is_cut;

	ok_int(natives_written(64, &is_cut), 1);
	ok(!is_cut);
	ok_int(natives_written(16, &is_cut), 0); /* its name, no version */
	ok(is_cut);
	ok_int(natives_written(0, &is_cut), 0);
	ok(is_cut);
}

/* Those that were kept are written all the same. */
static void what_had_room_is_written(void)
{
	const struct parse_input in = input_of("yarn.lock", "");
	struct node_native one = { .name = text_of("a"),
				   .reason = "install-script",
				   .in = &in };
	struct node n = { .facts.cap_bytes = FACTS_ROOM,
			  .lists[NODE_NATIVES].key = "native_modules" };

	node_native_add(&n, &one);
	fill(&n.facts, 0);
	one.name = text_of("b");
	node_native_add(&n, &one);
	node_natives_write(&n);
	ok_int(n.lists[NODE_NATIVES].len, 1);
	ok(n.lists[NODE_NATIVES].is_cut);
	ok_has(n.lists[NODE_NATIVES].text.bytes, "\"name\":\"a\"");
	slice_lists_done(n.lists, NODE_LISTS_MAX_);
	free(n.natives);
	arena_done(&n.facts);
}

/* --- depend ------------------------------------------------------------------- */

static char *requires_told(size_t left)
{
	struct depend_file file = { 0 };
	const struct parse_input in = input_of("Cargo.lock", "");
	struct parse_report r;
	struct depend d = { .report = &r, .facts.cap_bytes = FACTS_ROOM };
	size_t len = 4;

	parse_report_init(&r);
	file.in = &in;
	d.current = &file;
	fill(&d.facts, left);
	ok((depend_requires_new(&d, &len) != NULL) == (left >= 64));
	ok((depend_requires_new(&d, &len) != NULL) == (left >= 128));
	ok_int(len, 4);
	arena_done(&d.facts);
	return written(&r);
}

static void requirements_without_room_are_told_once(void)
{
	char *o = requires_told(128);

	ok_json(o, "/errors", "[]");
	free(o);
	for (size_t left = 0; left < 128; left += 64) {
		o = requires_told(left);
		ok_int(json_count(o, "/errors/ANY/code", "\"truncated\""), 1);
		ok_json(o, "/errors/0/source", "\"Cargo.lock\"");
		free(o);
	}
}

/* --- deploy ------------------------------------------------------------------- */

/* What a kustomization comes to, with so much room for facts. */
static char *kustomization_told(size_t room)
{
	const struct parse_input items[] = {
		input_of("a.yaml", "kind: A\n"),
		input_of("kustomization.yaml",
			 "resources: [a.yaml, gone.yaml]\n"),
	};
	const struct parse_inputs in = { items, 2 };
	struct parse_report r;
	struct deploy d = { .inputs = &in,
			    .report = &r,
			    .facts.cap_bytes = FACTS_ROOM };

	parse_report_init(&r);
	d.classes = calloc(3, sizeof *d.classes);
	d.is_patch = calloc(3, sizeof *d.is_patch);
	ok(d.classes != NULL && d.is_patch != NULL);
	deploy_classify(&d);
	fill(&d.facts, room);
	ok_int(deploy_kustomizations_read(&d), 0);
	ok_int(d.overlays_len, 1);
	slice_lists_done(d.lists, DEPLOY_LISTS);
	free(d.classes);
	free(d.is_patch);
	free(d.overlays);
	arena_done(&d.facts);
	return written(&r);
}

static void a_reference_without_room_is_told(void)
{
	const size_t refs = 2 * sizeof(struct deploy_ref);
	const size_t rooms[] = { 0, refs, refs + 16 };
	char *o = kustomization_told(1024);

	ok_int(json_count(o, "/warnings/ANY/code", "\"truncated\""), 0);
	ok_int(json_count(o, "/warnings/ANY/code", "\"not_found\""), 1);
	free(o);
	for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
		o = kustomization_told(rooms[i]);
		ok_json(o, "/warnings",
			"[{\"code\":\"truncated\",\"source\":"
			"\"kustomization.yaml\"}]");
		free(o);
	}
}

static void an_image_without_room_for_what_was_written_is_told(void)
{
	const struct parse_input in = input_of("Dockerfile", "FROM x\n");
	const struct deploy_reference ref = { .name = text_of("a/b"),
					      .written = text_of("${A}/b") };

	for (size_t left = 0; left <= 32; left += 16) {
		struct deploy d = { .facts.cap_bytes = FACTS_ROOM };

		fill(&d.facts, left);
		deploy_image_add(&d, &in, "dockerfile", &ref);
		ok_int(d.images_len, left == 32);
		ok(d.lists[DEPLOY_IMAGES].is_cut == (left < 32));
		free(d.images);
		arena_done(&d.facts);
	}
}

/* A default for which there is no room is not known, and neither is what it would have
 * replaced. */
static void a_default_without_room_is_told(void)
{
	struct deploy_arguments a = { .len = 0 };
	struct arena facts = { .cap_bytes = FACTS_ROOM };
	owned_buf struct buf out = { 0 };

	deploy_argument_add(&a, text_of("A=x"), &facts);
	ok(!a.is_cut);
	ok(deploy_arguments_put(&a, text_of("$A"), &out));
	fill(&facts, 0);
	deploy_argument_add(&a, text_of("A=y"), &facts);
	ok(a.is_cut);
	ok(!deploy_arguments_put(&a, text_of("$A"), &out));
	arena_done(&facts);
}

/* What is said of a file with a template's expression in it. */
static char *templated_told(const char *text, size_t arena_bytes)
{
	const struct parse_input in = input_of("t.yaml", text);
	struct arena arena = { .cap_bytes = arena_bytes };
	struct yaml_documents docs;
	struct parse_report r;
	struct deploy d = { .report = &r };

	parse_report_init(&r);
	deploy_read(&d, &in, &arena, &docs);
	arena_done(&arena);
	return written(&r);
}

static void a_template_that_needs_too_much_memory_is_truncated(void)
{
	static const char whole[] = "kind: Pod # {{ }}\nlist: [a, b, c, d]\n";
	char *o = templated_told(whole, 1 << 20);

	ok_json(o, "/warnings", "[]");
	free(o);
	o = templated_told("kind: {{ .a }}\n- x\n", 1 << 20);
	ok_json(o, "/warnings", "[{\"code\":\"templated\"}]");
	free(o);
	o = templated_told(whole, 256);
	ok_json(o, "/warnings",
		"[{\"code\":\"truncated\",\"source\":\"t.yaml\"}]");
	ok_json(o, "/errors", "[]");
	free(o);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_native_module_without_room_is_told),
		CASE(what_had_room_is_written),
		CASE(requirements_without_room_are_told_once),
		CASE(a_reference_without_room_is_told),
		CASE(an_image_without_room_for_what_was_written_is_told),
		CASE(a_default_without_room_is_told),
		CASE(a_template_that_needs_too_much_memory_is_truncated),
		TAP_END });
}
