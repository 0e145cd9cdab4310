/* schema_eval.h -- shared by the evaluator's files and nobody else. */
#ifndef CUPEL_BOUNDARY_SCHEMA_EVAL_H
#define CUPEL_BOUNDARY_SCHEMA_EVAL_H

#include "boundary/decimal.h"
#include "boundary/schema_private.h"

/* The work that one validation may do: a few seconds at most. */
#define SCHEMA_STEPS 50000000U

/* How deep schemas may be applied within each other: each level of the value
 * takes one or more, each $ref one.  About 500 bytes of stack each. */
#define SCHEMA_DEPTH 1024

/* One validation. */
struct eval {
	struct arena *arena;
	struct schema_report *report;
	struct schema_fault fault;
	uint64_t steps; /* left */
	unsigned depth;
	bool stop; /* fault is set: unwind, whatever the verdicts */
};

/* The resources that evaluation went through, innermost first. */
struct scope {
	const struct scope *up;
	const struct schema_resource *resource;
};

/* The current place in the value, innermost first; the root is NULL. */
struct path {
	const struct path *up;
	const struct json_text *name; /* NULL: index */
	size_t index;
};

/* The items or members of one value that some keyword has looked at. */
#define SEEN_FEW 128
struct seen {
	size_t n;
	bool all;
	uint64_t *bits;
	uint64_t few[SEEN_FEW / 64];
};

/* One schema at one place of the value. */
struct frame {
	struct eval *e;
	const struct schema_node *node;
	const struct json_value *v;
	const struct path *path;
	const struct scope *scope;
	struct seen *seen; /* NULL when nobody needs it */
	bool quiet;        /* a failure here is not a violation yet */
};

/* A keyword's verdict; false may also mean that e->stop is set. */
typedef bool schema_eval_fn(const struct frame *f,
			    const struct schema_rule *rule);

schema_eval_fn eval_type, eval_const, eval_enum, eval_multiple_of, eval_bound,
	eval_length, eval_pattern;
schema_eval_fn eval_item_count, eval_unique_items, eval_prefix_items,
	eval_items, eval_contains, eval_unevaluated_items;
schema_eval_fn eval_property_count, eval_required, eval_dependent_required,
	eval_property_names, eval_properties, eval_pattern_properties,
	eval_additional_properties, eval_dependent_schemas,
	eval_unevaluated_properties;
schema_eval_fn eval_ref, eval_dynamic_ref, eval_all_of, eval_any_of,
	eval_one_of, eval_not, eval_if;

/* schema_apply_here -- apply node at the same place as f.  If it holds, what it
 * looked at is added to f->seen. */
bool schema_apply_here(const struct frame *f, const struct schema_node *node,
		       bool quiet);
/* schema_apply_at -- apply node at an item or member of f's value. */
bool schema_apply_at(const struct frame *f, const struct schema_node *node,
		     const struct json_value *v, const struct path *at);
bool schema_apply_quietly(const struct frame *f, const struct schema_node *node,
			  const struct json_value *v);

/* schema_spend -- false, with e->stop set, when the steps have run out. */
bool schema_spend(struct eval *e, uint64_t steps);
bool schema_stop(struct eval *e, enum schema_code code, const char *why);
/* schema_matches -- whether p matches text; false and e->stop at a limit. */
bool schema_matches(struct eval *e, const struct pattern *p,
		    const struct json_text *text);

/* schema_violate -- report a violation unless f is quiet; returns false. */
bool schema_violate(const struct frame *f, const struct schema_rule *rule,
		    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* schema_sibling -- the rule of another keyword of the same schema, or NULL. */
const struct schema_rule *schema_sibling(const struct schema_node *node,
					 enum keyword_id id);

bool seen_init(struct seen *s, const struct json_value *v);
void seen_done(struct seen *s);
void seen_add(struct seen *s, size_t i); /* s may be NULL */
void seen_add_all(struct seen *s);       /* s may be NULL */
bool seen_has(const struct seen *s, size_t i);
void seen_merge(struct seen *into, const struct seen *from);

/* schema_hash -- equal values (json_equal) have equal hashes. */
uint64_t schema_hash(struct eval *e, const struct json_value *v);

#endif
