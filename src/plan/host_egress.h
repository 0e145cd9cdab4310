/* host_egress.h -- what this machine knows of names, and its own addresses. */
#ifndef CUPEL_PLAN_HOST_EGRESS_H
#define CUPEL_PLAN_HOST_EGRESS_H

#include <stddef.h>

#include "base/arena.h"
#include "relay/protocol.h"

#define HOST_HOSTS_MAX 4096 /* names of /etc/hosts that are read */

struct host_egress {
	struct relay_address servers[RELAY_SERVERS_MAX];
	size_t servers_len;
	struct relay_host *hosts; /* of /etc/hosts */
	size_t hosts_len;
	struct relay_address *own; /* of all interfaces, with loopback */
	size_t own_len;
};

/* host_egress_read -- fill ret.  A file that is missing counts as empty;
 * without a name server in it the host itself is asked, as in resolv.conf(5).
 * Returns 0 or -ENOMEM. */
int host_egress_read(struct arena *arena, struct host_egress *ret);

/* host_servers_read -- read the name servers of resolv.conf's text, the first
 * three.  Source: resolv.conf(5). */
void host_servers_read(const char *text, struct host_egress *ret);

/* host_hosts_read -- read the names in the text of /etc/hosts that have two
 * labels or more.  Source: hosts(5).  Returns 0 or -ENOMEM. */
int host_hosts_read(struct arena *arena, const char *text,
		    struct host_egress *ret);

#endif
