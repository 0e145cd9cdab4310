/* filter_reader.h -- what the two halves of the policy reader share.
 *
 * `where` is the JSON path so far, with its dot, such as "syscalls[3].", or
 * "". */
#ifndef CUPEL_PLAN_FILTER_READER_H
#define CUPEL_PLAN_FILTER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boundary/json.h"
#include "plan/filter_rule.h"

#define READER_WHERE 96U /* "syscalls[999999].includes.minKernel" */
#define EACH(item, list)                                                       \
	for (size_t item = 0; (list) && item < (list)->u.array.len; item++)

struct reader {
	struct filter_policy *p;
	struct cupel_error *err;
};

/* Both return -EINVAL with *err filled; the second shows v when it is text. */
int reader_refuse(const struct reader *r, const char *where, const char *why);
int reader_refuse_value(const struct reader *r, const char *where,
			const struct json_value *v, const char *why);

/* reader_member -- v[key]; NULL when absent or null, as Go's reader has it. */
const struct json_value *reader_member(const struct json_value *v,
				       const char *key);

/* reader_array -- v[key] as an array, of strings if is_text; *ret is NULL when
 * it is absent.  0 or -EINVAL. */
int reader_array(const struct reader *r, const struct json_value *v,
		 const char *key, bool is_text, const char *where,
		 const struct json_value **ret);

/* reader_verdict -- v.action with v.errnoRet, or v.defaultAction with
 * v.defaultErrnoRet.  0 or -EINVAL. */
int reader_verdict(const struct reader *r, const struct json_value *v,
		   bool is_default, const char *where, uint32_t *ret);

/* reader_parse -- parse the text of a policy, which must be an object.  *ret
 * lives in the policy's arena.  0 or -EINVAL. */
int reader_parse(const struct reader *r, const char *json, size_t n,
		 struct json_value *ret);

/* reader_applies -- whether an item of "syscalls" applies here, by its includes
 * and excludes; nobody here has a capability.  0, -EINVAL or -ENOMEM. */
int reader_applies(const struct reader *r, const struct json_value *entry,
		   const char *where, bool *ret);

/* The calls that an item names. */
struct reader_names {
	const struct json_value *items; /* strings */
	size_t len;
};

/* reader_names -- "names", or the "name" of Docker's older files.  0 or
 * -EINVAL. */
int reader_names(const struct reader *r, const struct json_value *entry,
		 const char *where, struct reader_names *ret);

/* reader_entry -- read one item of "syscalls" into the policy, without a look
 * at its includes and excludes.  0, -EINVAL or -ENOMEM. */
int reader_entry(const struct reader *r, const struct json_value *entry,
		 const char *where);

#endif
