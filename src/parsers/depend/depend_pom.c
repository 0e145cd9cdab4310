/* depend_pom.c -- see depend_pom.h.
 *
 * Source: maven.apache.org, "POM Reference", "Properties". */
#include "parsers/depend/depend_pom.h"

#include <stdlib.h>
#include <string.h>

void depend_property_put(struct pom_properties *p, struct json_text name,
			 struct json_text value)
{
	if (p->len == POM_PROPERTIES_MAX) {
		p->is_cut = true;
		return;
	}
	p->items[p->len] = (struct pom_property){ name, value, p->len };
	p->len++;
}

/* By name; of two with one name the last one in the file comes first, because a
 * project comes after its parent. */
static int property_order(const void *x, const void *y)
{
	const struct pom_property *a = x, *b = y;
	int c = text_order(a->name, b->name);

	return c != 0 ? c : (a->order < b->order) - (a->order > b->order);
}

void depend_properties_sort(struct pom_properties *p)
{
	if (p->len > 0)
		qsort(p->items, p->len, sizeof *p->items, property_order);
}

static const struct pom_property *property_find(struct depend *d,
						const struct pom_properties *p,
						struct json_text name)
{
	const size_t at = text_place(p->items, p->len, sizeof *p->items, name);

	d->lookups++;
	if (at == p->len || text_order(p->items[at].name, name) != 0)
		return NULL;
	return &p->items[at];
}

/* What stands for "${...}" at the beginning of rest; *ret_rest begins behind it. */
static void variable_put(struct depend *d, const struct pom_properties *p,
			 struct json_text rest, struct buf *out,
			 struct json_text *ret_rest)
{
	struct json_text after,
		name = text_cut(text_from(rest, 2), '}', &after);
	const struct pom_property *found =
		after.bytes != NULL ? property_find(d, p, name) : NULL;

	*ret_rest = after;
	if (found != NULL && found->value.bytes != NULL)
		buf_add(out, found->value.bytes, found->value.len);
	else
		buf_add(out, rest.bytes,
			after.bytes != NULL ? (size_t)(after.bytes - rest.bytes)
					    : rest.len);
}

/* Once; false if t stays as it is. */
static bool text_replace(struct depend *d, struct pom_properties *p,
			 struct json_text *t)
{
	owned_buf struct buf out = { .cap_bytes = POM_TEXT_BYTES };
	struct json_text rest = *t;

	if (!text_has(*t, "${"))
		return false;
	if (d->lookups > DEPEND_LOOKUPS_MAX) {
		p->is_cut = true;
		return false;
	}
	while (rest.len > 0 && !buf_has_failed(&out)) {
		const char *at = memmem(rest.bytes, rest.len, "${", 2);
		size_t before = at ? (size_t)(at - rest.bytes) : rest.len;

		buf_add(&out, rest.bytes, before);
		rest = text_from(rest, before);
		if (at != NULL)
			variable_put(d, p, rest, &out, &rest);
	}
	if (buf_has_failed(&out))
		return false;
	*t = depend_keep(d, (struct json_text){ out.bytes, out.len });
	return true;
}

struct json_text depend_text_expand(struct depend *d, struct pom_properties *p,
				    struct json_text t)
{
	if (text_replace(d, p, &t))
		(void)text_replace(d, p, &t);
	return t;
}
