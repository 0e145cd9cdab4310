/* node_integrity.c -- one name, one version, two hashes: something is wrong.
 *
 * An integrity value is a list of "algorithm-digest" separated by blanks; two
 * values contradict each other when they share an algorithm and agree in no
 * digest.  Source: W3C Subresource Integrity, 3.5.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/node/node.h"

#define ALGORITHM_BYTES 16
/* Of a longer value only this much is compared: each digest of one is looked
 * for in the other. */
#define INTEGRITY_BYTES 1024
#define DIGESTS_MAX     16U

void node_pin_add(struct node *n, const struct node_pin *pin)
{
	if (n->pins_len == NODE_PINS_MAX || n->has_lost)
		return;
	if (!array_grow((void **)&n->pins, n->pins_len, &n->pins_room,
			sizeof *n->pins)) {
		n->has_lost = true;
		report_note(&n->report->errors, "memory", pin->in, -1,
			    "no room for more packages; the rest is not "
			    "compared");
		return;
	}
	n->pins[n->pins_len] = *pin;
	n->pins[n->pins_len].order = n->pins_len;
	if (++n->pins_len == NODE_PINS_MAX)
		report_note(&n->report->warnings, "truncated", pin->in, -1,
			    "more than 600000 locked packages; the rest is "
			    "not compared");
}

static int pin_compare(const void *x, const void *y)
{
	const struct node_pin *a = x, *b = y;
	int c = text_order(a->name, b->name);

	if (c == 0)
		c = text_order(a->version, b->version);
	return c != 0 ? c : (a->order > b->order) - (a->order < b->order);
}

/* Cut the next token off *rest; false at the end. */
static bool token_take(struct json_text *rest, struct json_text *ret)
{
	size_t i = 0, from;

	while (i < rest->len && rest->bytes[i] == ' ')
		i++;
	from = i;
	while (i < rest->len && rest->bytes[i] != ' ')
		i++;
	*ret = (struct json_text){ rest->bytes + from, i - from };
	rest->bytes += i;
	rest->len -= i;
	return ret->len > 0;
}

/* Length of "sha512" in "sha512-..."; 0 when it is no such thing. */
static size_t algorithm_len(struct json_text token)
{
	const char *dash = memchr(token.bytes, '-', token.len);
	size_t len = dash ? (size_t)(dash - token.bytes) : 0;

	return len < ALGORITHM_BYTES ? len : 0;
}

/* Compare b with a's digest: 1 the same, 0 another, -1 b has none of that
 * kind. */
static int digest_check(struct json_text digest, struct json_text b)
{
	size_t len = algorithm_len(digest);
	struct json_text token;
	int verdict = -1;

	while (len > 0 && token_take(&b, &token)) {
		if (algorithm_len(token) != len ||
		    memcmp(token.bytes, digest.bytes, len) != 0)
			continue;
		if (text_order(token, digest) == 0)
			return 1;
		verdict = 0;
	}
	return verdict;
}

/* Source: Subresource Integrity, 3.3.4: any digest in common is enough. */
static bool digests_differ(struct json_text a, struct json_text b)
{
	struct json_text token;
	bool differs = false;
	unsigned looked = 0;

	a.len = a.len < INTEGRITY_BYTES ? a.len : INTEGRITY_BYTES;
	b.len = b.len < INTEGRITY_BYTES ? b.len : INTEGRITY_BYTES;
	while (looked++ < DIGESTS_MAX && token_take(&a, &token)) {
		int verdict = digest_check(token, b);

		if (verdict > 0)
			return false;
		differs = differs || verdict == 0;
	}
	return differs;
}

/* yarn 2 and later hash their own archive: "key/digest", the key of the
 * lockfile when it is left out. */
static struct json_text digest_cut(const struct node_pin *p,
				   struct json_text *ret_key)
{
	struct json_text t = p->integrity;
	const char *slash = memchr(t.bytes, '/', t.len);
	size_t len = slash != NULL ? (size_t)(slash - t.bytes) + 1 : 0;

	*ret_key = *p->scheme;
	if (slash != NULL)
		*ret_key = (struct json_text){ t.bytes, len - 1 };
	return (struct json_text){ t.bytes + len, t.len - len };
}

/* Both have a scheme, or neither has. */
static bool contradicts(const struct node_pin *a, const struct node_pin *b)
{
	struct json_text key_a, key_b, x, y;

	if (a->scheme == NULL)
		return digests_differ(a->integrity, b->integrity);
	x = digest_cut(a, &key_a);
	y = digest_cut(b, &key_b);
	return text_order(key_a, key_b) == 0 && text_order(x, y) != 0;
}

void node_pins_sort(struct node *n)
{
	if (n->pins_len > 0)
		qsort(n->pins, n->pins_len, sizeof *n->pins, pin_compare);
}

const struct node_pin *node_pins_find(const struct node *n,
				      struct json_text name)
{
	const size_t at =
		text_place(n->pins, n->pins_len, sizeof *n->pins, name);

	if (at == n->pins_len || text_order(n->pins[at].name, name) != 0)
		return NULL;
	return &n->pins[at];
}

/* Pins of one name, version and way of hashing: each against the first. */
static void group_write(struct node *n, const struct node_pin *pins, size_t len,
			bool has_scheme)
{
	const struct node_pin *first = NULL;

	for (size_t i = 0; i < len; i++) {
		const struct node_pin *p = &pins[i];

		if (p->integrity.bytes == NULL ||
		    (p->scheme != NULL) != has_scheme)
			continue;
		if (first == NULL)
			first = p;
		else if (contradicts(first, p))
			node_mismatch_write(
				n, &(struct node_mismatch){
					   .name = p->name,
					   .version = p->version,
					   .expected = first->integrity,
					   .found = p->integrity,
					   .reason = "integrity_conflict",
					   .in = p->in });
	}
}

void node_pins_write(struct node *n)
{
	size_t first = 0;

	for (size_t i = 1; i <= n->pins_len; i++) {
		const struct node_pin *a = &n->pins[first];

		if (i < n->pins_len &&
		    text_order(a->name, n->pins[i].name) == 0 &&
		    text_order(a->version, n->pins[i].version) == 0)
			continue;
		group_write(n, a, i - first, false);
		group_write(n, a, i - first, true);
		first = i;
	}
}
