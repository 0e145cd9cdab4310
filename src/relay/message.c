/* message.c -- see message.h. */
#include "relay/message.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "relay/address.h"

/* Whether the field is a host's name, ended by a NUL, with only zeros behind
 * it. */
static bool is_name(const char name[RELAY_NAME_BYTES])
{
	size_t len = strnlen(name, RELAY_NAME_BYTES);

	for (size_t i = len; i < RELAY_NAME_BYTES; i++)
		if (name[i] != '\0')
			return false;
	return len < RELAY_NAME_BYTES && name_is_host(name);
}

static bool is_address(const struct relay_address *a)
{
	return a->family == AF_INET || a->family == AF_INET6;
}

static int config_put(struct policy *p, const uint8_t *item)
{
	struct relay_config *c = &p->config;

	if (c->connections_max != 0) /* a second one */
		return -EINVAL;
	memcpy(c, item, sizeof *c);
	if (c->is_audit > 1 || c->connections_max == 0 ||
	    c->connections_max > RELAY_CONNECTIONS_MAX ||
	    c->servers_len > RELAY_SERVERS_MAX)
		return -EINVAL;
	for (size_t i = 0; i < c->servers_len; i++)
		if (!is_address(&c->servers[i]) || c->servers[i].port == 0)
			return -EINVAL;
	return 0;
}

/* Whether the number is right: the next one for a new name, otherwise the one
 * that the name already has. */
static bool is_number_right(struct policy *p, const struct relay_rule *r)
{
	for (size_t i = 0; i < p->rules_len; i++) {
		const struct relay_rule *old = &p->rules[i];

		if (old->kind == RELAY_RULE_NAME &&
		    (old->host == r->host || strcmp(old->name, r->name) == 0))
			return old->host == r->host &&
			       strcmp(old->name, r->name) == 0;
	}
	if (r->host != p->names_len + 1 || p->names_len == RELAY_NAMES_MAX)
		return false;
	p->names_len++;
	return true;
}

static bool is_rule(struct policy *p, const struct relay_rule *r)
{
	if (r->low == 0 || r->low > r->high || r->is_raw > 1)
		return false;
	switch (r->kind) {
	case RELAY_RULE_NAME:
		return is_name(r->name) && is_number_right(p, r);
	case RELAY_RULE_SUFFIX:
		return is_name(r->name) && r->host == 0;
	case RELAY_RULE_CIDR4:
		return r->bits <= 32 && r->host == 0;
	case RELAY_RULE_CIDR6:
		return r->bits <= 128 && r->host == 0;
	default:
		return false;
	}
}

static int rule_put(struct policy *p, const uint8_t *item)
{
	struct relay_rule r;

	memcpy(&r, item, sizeof r);
	if (p->rules_len == RELAY_RULES_MAX || !is_rule(p, &r))
		return -EINVAL;
	p->rules[p->rules_len++] = r;
	return 0;
}

static int host_put(struct policy *p, const uint8_t *item)
{
	struct relay_host h;

	memcpy(&h, item, sizeof h);
	if (p->hosts_len == RELAY_HOSTS_MAX || !is_address(&h.address) ||
	    !is_name(h.name))
		return -EINVAL;
	address_unmap(&h.address);
	p->hosts[p->hosts_len++] = h;
	return 0;
}

static int own_put(struct policy *p, const uint8_t *item)
{
	struct relay_address a;

	memcpy(&a, item, sizeof a);
	if (p->own_len == RELAY_OWN_MAX || !is_address(&a))
		return -EINVAL;
	address_unmap(&a);
	p->own[p->own_len++] = a;
	return 0;
}

static const struct kind {
	size_t bytes; /* of an item */
	int (*put)(struct policy *p, const uint8_t *item);
} kinds[RELAY_MESSAGE_MAX_] = {
	[RELAY_CONFIG] = { sizeof(struct relay_config), config_put },
	[RELAY_RULES] = { sizeof(struct relay_rule), rule_put },
	[RELAY_HOSTS] = { sizeof(struct relay_host), host_put },
	[RELAY_OWN] = { sizeof(struct relay_address), own_put },
};

int message_read(struct policy *p, const uint8_t *bytes, size_t len)
{
	struct relay_message head;
	const struct kind *k;

	if (len < sizeof head || len > RELAY_MESSAGE_BYTES)
		return -EINVAL;
	memcpy(&head, bytes, sizeof head);
	/* The configuration comes first and only once. */
	if ((head.kind == RELAY_CONFIG) != (p->config.connections_max == 0))
		return -EINVAL;
	if (head.kind == RELAY_CONFINE)
		return len == sizeof head && head.count == 0 ? 1 : -EINVAL;
	if (head.kind >= RELAY_MESSAGE_MAX_ || kinds[head.kind].put == NULL)
		return -EINVAL;
	k = &kinds[head.kind];
	if (head.count > RELAY_MESSAGE_BYTES / k->bytes ||
	    len != sizeof head + head.count * k->bytes ||
	    (head.kind == RELAY_CONFIG && head.count != 1))
		return -EINVAL;
	for (size_t i = 0; i < head.count; i++)
		if (k->put(p, bytes + sizeof head + i * k->bytes) < 0)
			return -EINVAL;
	return 0;
}
