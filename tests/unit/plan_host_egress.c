/* plan_host_egress.c -- resolv.conf and /etc/hosts, as they are found. */
#include "tap.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/arena.h"
#include "plan/host_egress.h"

static struct arena arena;

static void text_of(const struct relay_address *a, char out[64])
{
	char at[INET6_ADDRSTRLEN] = "";

	(void)inet_ntop(a->family, a->bytes, at, sizeof at);
	(void)snprintf(out, 64, "%s %u", at, a->port);
}

static void the_first_three_servers_count(void)
{
	static const char text[] = "# nameserver 1.1.1.1\n"
				   "search example\n"
				   "nameserver 192.0.2.1\n"
				   "  nameserver\t2001:db8::53 # near\n"
				   "nameservers 192.0.2.9\n"
				   "nameserver fe80::1%eth0\n"
				   "nameserver 192.0.2.2.9\n"
				   "nameserver\n"
				   "nameserver 192.0.2.3;x\r\n"
				   "nameserver 192.0.2.4";
	struct host_egress e = { 0 };
	char at[64];

	host_servers_read(text, &e);
	ok_int((intmax_t)e.servers_len, 3);
	text_of(&e.servers[0], at);
	ok_has(at, "192.0.2.1 53");
	text_of(&e.servers[1], at);
	ok_has(at, "2001:db8::53 53");
	text_of(&e.servers[2], at);
	ok_has(at, "192.0.2.3 53");
	e = (struct host_egress){ 0 };
	host_servers_read("", &e);
	ok_int((intmax_t)e.servers_len, 0);
}

static void names_of_two_labels_are_kept(void)
{
	static const char text[] =
		"127.0.0.1 localhost\n"
		"192.0.2.1\tRegistry.Example mirror other.example # x.example\n"
		"not-an-address a.example\n"
		"2001:db8::1 six.example\n"
		"#192.0.2.2 no.example\n"
		"192.0.2.3";
	struct host_egress e = { 0 };

	ok_int(host_hosts_read(&arena, text, &e), 0);
	ok_int((intmax_t)e.hosts_len, 3);
	ok_has(e.hosts[0].name, "registry.example");
	ok_has(e.hosts[1].name, "other.example");
	ok_has(e.hosts[2].name, "six.example");
	ok_int(e.hosts[2].address.family, AF_INET6);
	ok_int(e.hosts[0].address.port, 0);
	arena_done(&arena);
}

static void a_long_file_is_cut(void)
{
	struct host_egress e = { 0 };
	size_t n = 0, room = (size_t)20 * (HOST_HOSTS_MAX + 100);
	char *text = malloc(room);

	ok(text != NULL);
	for (int i = 0; text != NULL && i < HOST_HOSTS_MAX + 50; i++)
		n += (size_t)snprintf(text + n, room - n, "192.0.2.1 a.b\n");
	ok_int(host_hosts_read(&arena, text, &e), 0);
	ok_int((intmax_t)e.hosts_len, HOST_HOSTS_MAX);
	free(text);
	arena_done(&arena);
}

static void this_machine_has_loopback(void)
{
	struct host_egress e = { 0 };
	bool has = false;

	ok_int(host_egress_read(&arena, &e), 0);
	ok(e.servers_len > 0);
	for (size_t i = 0; i < e.own_len; i++)
		has |= e.own[i].family == AF_INET && e.own[i].bytes[0] == 127;
	ok(has || e.own_len == 0);
	arena_done(&arena);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_first_three_servers_count),
		CASE(names_of_two_labels_are_kept),
		CASE(a_long_file_is_cut),
		CASE(this_machine_has_loopback),
		TAP_END,
	});
}
