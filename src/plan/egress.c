/* egress.c -- see egress.h. */
#include "plan/egress.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "plan/backend.h"
#include "plan/build.h"
#include "spec/egress.h"

#define DNS_PORT        53
#define CONNECTIONS_MAX 1024 /* at once: a package manager opens 50 */

/* The ports that "*" stands for and that --egress-audit listens on.  A listener
 * is made for each port beforehand, so "every port" is not possible.  They are
 * ssh, http, https, rsync, and the usual second ports of registries, proxies,
 * git and key servers. */
static const uint16_t usual[] = { 22,   80,   443,  873,  4873,
				  8080, 8081, 8443, 9418, 11371 };
#define USUAL (sizeof usual / sizeof *usual)

/* The rules while they are planned.  any: ports that are listened on at every
 * address. */
struct planner {
	struct build *b;
	struct egress_plan *e;
	size_t rules_max, listeners;
	bool is_over;       /* more listeners than there may be */
	uint64_t any[1024]; /* one bit for each port */
};

static bool has_any(const struct planner *p, unsigned port)
{
	return (p->any[port / 64] >> port % 64 & 1) != 0;
}

/* --- rules and names ------------------------------------------------------ */

/* The number of a name inside the vessel, from 1; 0 without memory. */
static uint16_t name_number(struct planner *p, const char *name)
{
	struct egress_plan *e = p->e;

	for (size_t i = 0; i < e->names_len; i++)
		if (strcmp(e->names[i], name) == 0)
			return (uint16_t)(i + 1);
	e->names[e->names_len] = arena_text(&p->b->plan->arena, name);
	if (e->names[e->names_len] == NULL) {
		p->b->no_memory = true;
		return 0;
	}
	return (uint16_t)++e->names_len;
}

static void rule_add(struct planner *p, const struct egress_rule *from,
		     uint16_t low, uint16_t high)
{
	static const uint16_t kinds[] = {
		[EGRESS_NAME] = RELAY_RULE_NAME,
		[EGRESS_SUFFIX] = RELAY_RULE_SUFFIX,
		[EGRESS_CIDR4] = RELAY_RULE_CIDR4,
		[EGRESS_CIDR6] = RELAY_RULE_CIDR6,
	};
	struct egress_plan *e = p->e;
	struct relay_rule *rule;

	if (e->rules_len == RELAY_RULES_MAX) {
		p->is_over = true;
		return;
	}
	rule = &e->rules[e->rules_len++];
	*rule = (struct relay_rule){
		.kind = kinds[from->kind],
		.bits = from->bits,
		.is_raw = from->raw,
		.low = low,
		.high = high,
	};
	memcpy(rule->address, from->address, sizeof rule->address);
	memcpy(rule->name, from->name, sizeof from->name);
	if (from->kind == EGRESS_NAME)
		rule->host = name_number(p, from->name);
}
_Static_assert(EGRESS_NAME_SIZE == RELAY_NAME_BYTES, "names fit exactly");

static void rule_plan(struct planner *p, const char *text)
{
	struct egress_rule from;

	if (egress_rule_read(text, &from) != NULL)
		return; /* spec_check has refused it */
	if (from.low != 1 || from.high != UINT16_MAX) {
		rule_add(p, &from, from.low, from.high);
		return;
	}
	p->e->any_ports = usual;
	p->e->any_ports_len = USUAL;
	for (size_t i = 0; i < USUAL; i++)
		rule_add(p, &from, usual[i], usual[i]);
}

/* --- sockets -------------------------------------------------------------- */

static void socket_add(struct planner *p, enum relay_socket_kind kind,
		       uint16_t port, const struct relay_address *at)
{
	struct egress_socket *s = &p->e->sockets[p->e->sockets_len++];
	bool is_tcp = kind == RELAY_SOCKET_TCP;

	*s = (struct egress_socket){ .socket.kind = (uint16_t)kind,
				     .socket.port = is_tcp ? port : 0 };
	s->at = *at;
	s->at.port = port;
}

static void listener_add(struct planner *p, unsigned port,
			 const struct relay_address *at)
{
	struct egress_plan *e = p->e;

	for (size_t i = 0; i < e->sockets_len; i++)
		if (e->sockets[i].at.port == port &&
		    e->sockets[i].at.family == at->family &&
		    memcmp(e->sockets[i].at.bytes, at->bytes,
			   sizeof at->bytes) == 0)
			return;
	if (p->listeners == EGRESS_LISTENERS_MAX) {
		p->is_over = true;
		return;
	}
	p->listeners++;
	socket_add(p, RELAY_SOCKET_TCP, (uint16_t)port, at);
}

/* A prefix, and a domain's range of ports, need listeners at every address. */
static bool wants_any(const struct relay_rule *rule)
{
	switch (rule->kind) {
	case RELAY_RULE_CIDR4:
		return rule->bits < 32;
	case RELAY_RULE_CIDR6:
		return rule->bits < 128;
	case RELAY_RULE_SUFFIX:
		return rule->high > rule->low;
	default:
		return false;
	}
}

static void any_add(struct planner *p, unsigned port)
{
	static const struct relay_address everywhere = { .family = AF_INET6 };

	if (port == DNS_PORT || has_any(p, port))
		return;
	p->any[port / 64] |= UINT64_C(1) << port % 64;
	listener_add(p, port, &everywhere);
}

/* The address to which the listeners of a rule are bound; false: it needs none
 * of its own. */
static bool place_find(const struct relay_rule *rule, struct relay_address *ret)
{
	uint32_t synthetic = htonl(RELAY_SYNTHETIC + rule->host);

	*ret = (struct relay_address){ .family = AF_INET };
	switch (rule->kind) {
	case RELAY_RULE_NAME:
		memcpy(ret->bytes, &synthetic, sizeof synthetic);
		return true;
	case RELAY_RULE_CIDR6:
		ret->family = AF_INET6;
		/* fall through */
	case RELAY_RULE_CIDR4:
		memcpy(ret->bytes, rule->address, sizeof ret->bytes);
		return true;
	default:
		return false;
	}
}

static void any_plan(struct planner *p)
{
	const struct egress_plan *e = p->e;

	for (size_t i = 0; e->config.is_audit && i < USUAL; i++)
		any_add(p, usual[i]);
	for (size_t i = 0; i < e->rules_len; i++)
		for (unsigned port = e->rules[i].low;
		     !p->is_over && port <= e->rules[i].high &&
		     (e->config.is_audit || wants_any(&e->rules[i]));
		     port++)
			any_add(p, port);
}

/* The recorders see what finds no listener. */
static void recorders_add(struct planner *p)
{
	static const uint16_t families[] = { AF_INET, AF_INET6 };

	for (size_t i = 0; i < 2; i++) {
		struct relay_address at = { .family = families[i] };

		socket_add(p, RELAY_SOCKET_RECORDER_TCP, 0, &at);
		socket_add(p, RELAY_SOCKET_RECORDER_UDP, 0, &at);
	}
}

static void sockets_plan(struct planner *p)
{
	const struct egress_plan *e = p->e;
	struct relay_address at;
	bool has_wildcard = e->config.is_audit != 0;

	any_plan(p);
	for (size_t i = 0; i < e->rules_len; i++) {
		const struct relay_rule *rule = &e->rules[i];

		has_wildcard |= rule->kind == RELAY_RULE_SUFFIX;
		if (!place_find(rule, &at))
			continue;
		for (unsigned port = rule->low;
		     !p->is_over && port <= rule->high; port++)
			if (port != DNS_PORT && !has_any(p, port))
				listener_add(p, port, &at);
	}
	at = (struct relay_address){ .family = AF_INET6 };
	socket_add(p, RELAY_SOCKET_DNS_UDP, DNS_PORT, &at);
	socket_add(p, RELAY_SOCKET_DNS_TCP, DNS_PORT, &at);
	recorders_add(p);
	at.family = AF_INET;
	for (int i = 0; has_wildcard && i < EGRESS_POOL_SOCKETS; i++)
		socket_add(p, RELAY_SOCKET_POOL, 0, &at);
}

/* --- what the machine says ------------------------------------------------ */

/* Whether a rule covers name: exactly, or as a name below its domain. */
static bool rule_names(const struct relay_rule *rule, const char *name)
{
	size_t n = strlen(name), len = strlen(rule->name);

	if (rule->kind == RELAY_RULE_NAME)
		return strcmp(rule->name, name) == 0;
	return rule->kind == RELAY_RULE_SUFFIX && n > len + 1 &&
	       name[n - len - 1] == '.' &&
	       strcmp(name + n - len, rule->name) == 0;
}

static bool is_named(const struct egress_plan *e, const char *name)
{
	for (size_t i = 0; i < e->rules_len; i++)
		if (rule_names(&e->rules[i], name))
			return true;
	return e->config.is_audit != 0;
}

static void host_plan(struct planner *p)
{
	const struct host_egress *from = &p->b->host->egress;
	struct egress_plan *e = p->e;

	e->config.servers_len = (uint32_t)from->servers_len;
	memcpy(e->config.servers, from->servers, sizeof e->config.servers);
	e->own = from->own;
	e->own_len = from->own_len;
	for (size_t i = 0;
	     i < from->hosts_len && e->hosts_len < RELAY_HOSTS_MAX; i++)
		if (is_named(e, from->hosts[i].name))
			e->hosts[e->hosts_len++] = from->hosts[i];
}

/* --- all of it ------------------------------------------------------------ */

static bool arrays_make(struct planner *p)
{
	struct arena *a = &p->b->plan->arena;
	struct egress_plan *e = p->e;

	e->rules = arena_array(a, RELAY_RULES_MAX, sizeof *e->rules);
	e->names = arena_array(a, RELAY_RULES_MAX, sizeof *e->names);
	e->hosts = arena_array(a, RELAY_HOSTS_MAX, sizeof *e->hosts);
	e->sockets = arena_array(a, EGRESS_SOCKETS_MAX, sizeof *e->sockets);
	e->texts = egress_texts(a, &p->b->spec->egress, &e->texts_len);
	p->b->no_memory |= e->rules == NULL || e->names == NULL ||
			   e->hosts == NULL || e->sockets == NULL ||
			   e->texts == NULL;
	return !p->b->no_memory;
}

int build_egress(struct build *b, struct cupel_error *err)
{
	struct planner p = { .b = b, .e = &b->plan->egress };
	const struct spec_list *list = &b->spec->egress;

	if (b->spec->network != NETWORK_SCOPED)
		return 0;
	/* Without a network namespace there is nothing that could be scoped,
	 * and a partial run would reach everything. */
	if (!backend_has(b->plan->backend, WALL_NETNS))
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER,
				  EOPNOTSUPP,
				  "--network: scoped needs --backend "
				  "namespaces");
	if (!arrays_make(&p))
		return 0;
	p.e->is_wanted = true;
	p.e->config.is_audit = b->spec->egress_audit;
	p.e->config.connections_max = CONNECTIONS_MAX;
	for (size_t i = 0; i < list->len; i++)
		rule_plan(&p, list->items[i]);
	sockets_plan(&p);
	host_plan(&p);
	if (!p.is_over)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER, E2BIG,
			  "--egress: the rules need more than %d listening "
			  "sockets, one for each host and port; name fewer "
			  "ports",
			  EGRESS_LISTENERS_MAX);
}
