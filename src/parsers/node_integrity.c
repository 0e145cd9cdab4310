/* node_integrity.c -- one name, one version, two hashes: something is wrong.
 *
 * An integrity value is a list of "algorithm-digest" separated by blanks; two
 * values contradict each other when they share an algorithm and agree in no
 * digest.  Source: W3C Subresource Integrity, 3.5.
 */
#include <stdlib.h>
#include <string.h>

#include "parsers/node.h"

#define ALGORITHM_BYTES 16

static struct json_text text_keep(struct node *n, struct json_text t)
{
	t.bytes = t.bytes ? arena_copy(&n->facts, t.bytes, t.len) : NULL;
	return t;
}

void pin_add(struct node *n, const struct node_pin *pin)
{
	struct node_pin kept = *pin;
	size_t room = n->pins_room > 0 ? n->pins_room * 2 : 256;

	if (n->pins_len >= NODE_PINS_MAX) {
		if (n->pins_len++ == NODE_PINS_MAX)
			report_note(&n->report->errors, "too_many_packages",
				    pin->in, -1,
				    "more than 600000 hashes; the rest is not "
				    "compared");
		n->pins_len = NODE_PINS_MAX + 1;
		return;
	}
	if (n->pins_len == n->pins_room) {
		void *more = realloc(n->pins, room * sizeof *n->pins);

		if (more == NULL)
			return;
		n->pins = more;
		n->pins_room = room;
	}
	kept.name = text_keep(n, pin->name);
	kept.version = text_keep(n, pin->version);
	kept.integrity = text_keep(n, pin->integrity);
	if (!kept.name.bytes || !kept.version.bytes || !kept.integrity.bytes)
		return;
	kept.order = n->pins_len;
	n->pins[n->pins_len++] = kept;
}

static int pin_compare(const void *x, const void *y)
{
	const struct node_pin *a = x, *b = y;
	int c = text_compare(a->name, b->name);

	if (c == 0)
		c = text_compare(a->version, b->version);
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

/* What b says of a's digest: 1 the same, 0 another, -1 nothing. */
static int digest_check(struct json_text digest, struct json_text b)
{
	size_t len = algorithm_len(digest);
	struct json_text token;
	int verdict = -1;

	while (len > 0 && token_take(&b, &token)) {
		if (algorithm_len(token) != len ||
		    memcmp(token.bytes, digest.bytes, len) != 0)
			continue;
		if (text_compare(token, digest) == 0)
			return 1;
		verdict = 0;
	}
	return verdict;
}

static bool contradicts(struct json_text a, struct json_text b)
{
	struct json_text token;
	bool differs = false;
	unsigned looked = 0;

	while (looked++ < 64 && token_take(&a, &token)) {
		int verdict = digest_check(token, b);

		if (verdict > 0)
			return false;
		differs = differs || verdict == 0;
	}
	return differs;
}

void pins_write(struct node *n)
{
	size_t len = n->pins_len < NODE_PINS_MAX ? n->pins_len : NODE_PINS_MAX;
	size_t first = 0;

	if (len > 0)
		qsort(n->pins, len, sizeof *n->pins, pin_compare);
	for (size_t i = 1; i < len; i++) {
		const struct node_pin *a = &n->pins[first], *b = &n->pins[i];

		if (text_compare(a->name, b->name) != 0 ||
		    text_compare(a->version, b->version) != 0) {
			first = i;
			continue;
		}
		if (contradicts(a->integrity, b->integrity))
			mismatch_write(n,
				       &(struct node_mismatch){
					       .name = b->name,
					       .version = b->version,
					       .expected = a->integrity,
					       .found = b->integrity,
					       .reason = "integrity_conflict",
					       .in = b->in });
	}
}
