/* json_diff.h -- the difference between two JSON values, as lines for a person.
 *
 *	/network: "none" -> "loopback"
 *	/environment after "TZ=UTC":
 *	- "PYTHONHASHSEED=0"
 *	+ "CARGO_NET_OFFLINE=true"
 *	/rlimits after "nofile":
 *	+ "nproc": {"soft":64,"hard":64}
 *
 * A path is a JSON Pointer.  Elements of an array are compared by their text and
 * members of an object by their name; both in order.  The place of an element is
 * given by the one before it in the first value, so it stays the same when
 * something is added elsewhere. */
#ifndef CUPEL_TESTS_GOLDEN_JSON_DIFF_H
#define CUPEL_TESTS_GOLDEN_JSON_DIFF_H

struct buf;
struct json_value;

/* json_diff_write -- what makes to of from, added to out; nothing if they are the
 * same.  Two values that differ have different differences from the same from. */
void json_diff_write(const struct json_value *from, const struct json_value *to,
		     struct buf *out);

/* lines_diff_write -- the lines of from that to lacks, after "# -", and those that
 * to has beside, after "# +", each below the path that it belongs to. */
void lines_diff_write(const char *from, const char *to, struct buf *out);

#endif
