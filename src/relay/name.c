/* name.c -- see name.h. */
#include "relay/name.h"

#include <string.h>
#include <sys/socket.h>

#include "relay/address.h"

static void text_put(struct name *to, const char *text)
{
	size_t len = strnlen(text, sizeof to->text - 1);

	memset(to, 0, sizeof *to);
	memcpy(to->text, text, len);
}

void names_init(struct names *n, const struct policy *p)
{
	n->len = p->names_len;
	for (size_t i = 0; i < p->rules_len; i++)
		if (p->rules[i].kind == RELAY_RULE_NAME)
			text_put(&n->items[p->rules[i].host], p->rules[i].name);
}

uint16_t names_find(const struct names *n, const char *text)
{
	for (size_t i = 1; i <= n->len; i++)
		if (strcmp(n->items[i].text, text) == 0)
			return (uint16_t)i;
	return 0;
}

uint16_t names_add(struct names *n, const char *text)
{
	if (n->len == RELAY_NAMES_MAX)
		return 0;
	text_put(&n->items[++n->len], text);
	return (uint16_t)n->len;
}

void names_take(struct names *n)
{
	n->items[n->len--].text[0] = '\0';
}

struct relay_address name_address(uint16_t n)
{
	uint32_t v4 = RELAY_SYNTHETIC + n;

	return (struct relay_address){
		.family = AF_INET,
		.bytes = { (uint8_t)(v4 >> 24), (uint8_t)(v4 >> 16),
			   (uint8_t)(v4 >> 8), (uint8_t)v4 }
	};
}

int names_find_address(const struct names *n, const struct relay_address *a)
{
	static const uint8_t ours[16] = { 198, 18 };

	if (!address_is_in(a, AF_INET, ours, 15))
		return -1;
	for (size_t i = 1; i <= n->len; i++) {
		struct relay_address own = name_address((uint16_t)i);

		if (address_is_same(a, &own))
			return (int)i;
	}
	return 0;
}
