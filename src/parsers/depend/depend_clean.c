/* depend_clean.c -- the texts of the probe dependencies without users, passwords and
 * tokens (common/address_clean.h). */
#include "parsers/common/address_clean.h"
#include "parsers/depend/depend.h"

static void text_clean(struct depend *d, struct json_text *t,
		       enum address_kind kind)
{
	owned_buf struct buf out = { .cap_bytes = DEPEND_CONSTRAINT_MAX };

	if (!address_clean(*t, kind, &out))
		return;
	if (buf_has_failed(&out))
		*t = (struct json_text){ NULL, 0 };
	else
		*t = depend_keep(d, (struct json_text){ out.bytes, out.len });
}

static void fragment_clean(struct depend *d, struct json_text *t)
{
	owned_buf struct buf out = { .cap_bytes = DEPEND_CONSTRAINT_MAX + 1 };

	if (!address_fragment_clean(*t, &out))
		return;
	*t = (struct json_text){ NULL, 0 };
	if (!buf_has_failed(&out) && out.len > 0)
		*t = depend_keep(d, (struct json_text){ out.bytes, out.len });
}

/* A gate compares registries, so a query stays; only what is secret by its name is
 * removed from it.  npm's "${NAME?}" begins no query: if anything would be removed
 * from a text with one, it is only told that there is one. */
static void registry_clean(struct depend *d, struct json_text *t)
{
	const bool has_variable = text_has(*t, "?}");
	const size_t len = t->len;

	text_clean(d, t, text_has(*t, "://") ? ADDRESS_COMMAND : ADDRESS_TEXT);
	if (has_variable && t->len != len)
		*t = (struct json_text){ NULL, 0 };
}

void depend_clean(struct depend *d)
{
	for (size_t i = 0; i < d->files_len; i++) {
		text_clean(d, &d->files[i].name, ADDRESS_NAME);
		text_clean(d, &d->files[i].version, ADDRESS_TEXT);
	}
	for (size_t i = 0; i < d->wishes_len; i++) {
		text_clean(d, &d->wishes[i].name, ADDRESS_NAME);
		text_clean(d, &d->wishes[i].constraint, ADDRESS_TEXT);
		text_clean(d, &d->wishes[i].url, ADDRESS_TEXT);
		text_clean(d, &d->wishes[i].resolved, ADDRESS_TEXT);
	}
	for (size_t i = 0; i < d->registries_len; i++)
		registry_clean(d, &d->registries[i].text);
	for (size_t i = 0; i < d->pins_len; i++) {
		struct depend_pin *p = &d->pins[i];

		text_clean(d, &p->name, ADDRESS_NAME);
		if (p->origin != DEPEND_REGISTRY)
			fragment_clean(d, &p->version);
		text_clean(d, &p->version, ADDRESS_TEXT);
		text_clean(d, &p->url, ADDRESS_TEXT);
		for (size_t k = 0; k < p->requires_len; k++)
			text_clean(d, &p->requires[k], ADDRESS_TEXT);
	}
}
