/* policy_read.c -- see policy_read.h. */
#include "jobs/gate/policy_read.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/gate/checked.h"
#include "jobs/gate/held.h"
#include "spec/data.h"

#define RULES_BYTES ((size_t)1 << 20)

static int refuse(const char *file, const char *why, const char *more,
		  struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "the rules %.200s: %s%s", file, why, more);
}

/* Check that every rule's schema can be used. */
static int rules_check(const char *file, const struct json_value *root,
		       struct cupel_error *err)
{
	const struct json_value *list = json_find(root, "rules");
	int e = 0;

	for (size_t i = 0; e == 0 && i < list->u.array.len; i++) {
		const struct json_value *rule = &list->u.array.items[i];
		struct schema_set *set = schema_set_new();
		struct schema_fault fault = { .text = "no memory" };
		owned_buf struct buf text = { 0 };

		json_write(json_find(rule, "schema"), &text);
		if (set == NULL || buf_has_failed(&text) ||
		    schema_set_add(set, NULL, text.bytes, text.len, &fault) <
			    0 ||
		    schema_set_use(set, NULL, &fault) < 0)
			e = cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				       EINVAL,
				       "the rules %.150s: /rules/%zu/schema: "
				       "%.200s",
				       file, i, fault.text);
		schema_set_free(set);
	}
	return e;
}

static int rules_take(const struct catalogue_source *s, const char *file,
		      const char *bytes, size_t n, struct gate_ask *ret,
		      struct cupel_error *err)
{
	static const char *const refs[] = { NULL };
	struct json_value *root = arena_alloc(s->arena, sizeof *root);
	const char *hash = json_find(ret->params, "blake3")->u.string.bytes;
	struct schema_set *set = NULL;
	char found[BLAKE3_TEXT_BYTES];
	int e;

	blake3_hex_text(bytes, n, found);
	if (strcmp(found, hash) != 0)
		return refuse(file,
			      "the catalogue gives another hash than that of "
			      "this file, ",
			      found, err);
	if (root == NULL)
		return refuse(file, "no memory", "", err);
	e = checked_schema_make("gate-rules", refs, &set, err);
	if (e == 0)
		e = checked_read(&(struct checked_source){ file, bytes, n },
				 set, s->arena, root, err);
	schema_set_free(set);
	if (e == 0)
		e = rules_check(file, root, err);
	if (e == 0) {
		ret->rules = root;
		ret->rules_hash = hash;
	}
	return e;
}

int policy_read(const struct catalogue_source *s, struct gate_ask *ret,
		struct cupel_error *err)
{
	const struct json_value *file = json_find(ret->params, "file");
	struct held_request held = {
		.what = "the rules",
		.dir_fd = s->dir_fd,
		.worktree_fd = s->worktree_fd,
		.cap_bytes = RULES_BYTES,
	};
	owned_buf struct buf text = { 0 };
	int e;

	if (file == NULL)
		return rules_take(s, policy_texts[0].name,
				  policy_texts[0].bytes, policy_texts[0].len,
				  ret, err);
	held.path = file->u.string.bytes;
	e = held_read(&held, &text, NULL, err);
	return e < 0 ? e
		     : rules_take(s, held.path,
				  text.bytes != NULL ? text.bytes : "",
				  text.len, ret, err);
}
