/* wall.c -- see wall.h. */
#include "relay/wall.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/hooks.h"
#include "relay/connection.h"
#include "relay/resolver.h"
#include "relay/stub.h"
#include "relay/wall_filter.h"

/* Descriptors other than those of connections: the vessel's sockets, questions,
 * and a few more. */
#define OTHER_FDS                                                              \
	(RELAY_SOCKETS_MAX + RESOLVER_QUERIES_MAX + STUB_PEERS_MAX +           \
	 2 * PIPES_MAX + 32)
#define CONNECTION_FDS 3 /* one inside, up to two outside */
/* Eight times what the relay uses, and a ClientHello for each connection. */
#define MEMORY_BYTES                                                           \
	(((rlim_t)16 << 20) + (rlim_t)RELAY_CONNECTIONS_MAX * HELLO_BYTES_MAX)
#define PORTS_MAX 4096 /* with more, Landlock does not hold them */
#define DNS_PORT  53

/* The newest Landlock version whose rights we know.  Later versions only add
 * rights over objects that the relay has no descriptor for. */
#define FS_ALL_1     ((UINT64_C(1) << 13) - 1)
#define FS_REFER     (UINT64_C(1) << 13)
#define FS_TRUNCATE  (UINT64_C(1) << 14)
#define FS_IOCTL_DEV (UINT64_C(1) << 15)
#define NET_BIND     (UINT64_C(1) << 0)
#define NET_CONNECT  (UINT64_C(1) << 1)
#define SCOPE_ALL    UINT64_C(3) /* abstract sockets, signals */
#define RULE_PORT    2

struct ruleset {
	uint64_t fs, net, scoped;
};

struct port_rule {
	uint64_t allowed, port;
};

static int limit_put(int resource, rlim_t value)
{
	struct rlimit old, l = { value, value };

	if (getrlimit((__rlimit_resource_t)resource, &old) < 0)
		return -errno;
	if (old.rlim_max < value)
		l.rlim_cur = l.rlim_max = old.rlim_max;
	return setrlimit((__rlimit_resource_t)resource, &l) < 0 ? -errno : 0;
}

int wall_limit(const struct policy *p, size_t *ret_connections)
{
	static const struct {
		int resource;
		rlim_t value;
	} limits[] = {
		{ RLIMIT_CORE, 0 },          { RLIMIT_FSIZE, 0 },
		{ RLIMIT_AS, MEMORY_BYTES }, { RLIMIT_MEMLOCK, 0 },
		{ RLIMIT_MSGQUEUE, 0 },
	};
	size_t wanted = p->config.connections_max;
	struct rlimit files;
	int e = limit_put(RLIMIT_NOFILE, OTHER_FDS + CONNECTION_FDS * wanted);

	for (size_t i = 0; e == 0 && i < sizeof limits / sizeof *limits; i++)
		e = limit_put(limits[i].resource, limits[i].value);
	if (e < 0)
		return e;
	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return -errno;
	if (files.rlim_cur < OTHER_FDS + CONNECTION_FDS)
		return -EMFILE;
	wanted = (files.rlim_cur - OTHER_FDS) / CONNECTION_FDS;
	*ret_connections = wanted < p->config.connections_max
				   ? wanted
				   : p->config.connections_max;
	return 0;
}

/* How many ports the rules have: only of rules with a wildcard, or of all. */
static size_t ports_count(const struct policy *p, bool is_bound)
{
	size_t n = 0;

	for (size_t i = 0; i < p->rules_len; i++)
		if (!is_bound || p->rules[i].kind == RELAY_RULE_SUFFIX)
			n += (size_t)p->rules[i].high - p->rules[i].low + 1;
	return n;
}

static int port_add(int ruleset, uint64_t allowed, uint16_t port)
{
	struct port_rule rule = { allowed, port };

	return syscall(SYS_landlock_add_rule, ruleset, RULE_PORT, &rule, 0) < 0
		       ? -errno
		       : 0;
}

static int ports_add(int ruleset, const struct policy *p, uint64_t net)
{
	int e = 0;

	for (size_t i = 0; i < p->rules_len; i++) {
		const struct relay_rule *r = &p->rules[i];
		uint64_t allowed = net & NET_CONNECT;

		if (r->kind == RELAY_RULE_SUFFIX)
			allowed |= net & NET_BIND;
		if (allowed == 0)
			continue;
		for (uint32_t port = r->low; e == 0 && port <= r->high; port++)
			e = port_add(ruleset, allowed, (uint16_t)port);
	}
	for (size_t i = 0; e == 0 && i < p->config.servers_len; i++)
		if ((net & NET_CONNECT) != 0)
			e = port_add(ruleset, NET_CONNECT,
				     p->config.servers[i].port);
	return e;
}

/* The part of it that this kernel's version knows.  What is handled and has no
 * rule is forbidden. */
static struct ruleset ruleset_build(const struct policy *p, long version)
{
	struct ruleset r = { .fs = FS_ALL_1 };

	r.fs |= version >= 2 ? FS_REFER : 0;
	r.fs |= version >= 3 ? FS_TRUNCATE : 0;
	r.fs |= version >= 5 ? FS_IOCTL_DEV : 0;
	if (version >= 4 && ports_count(p, true) <= PORTS_MAX)
		r.net |= NET_BIND;
	if (version >= 4 && !p->config.is_audit &&
	    ports_count(p, false) <= PORTS_MAX)
		r.net |= NET_CONNECT;
	r.scoped = version >= 6 ? SCOPE_ALL : 0;
	return r;
}

static int landlock_raise(const struct policy *p)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
			       LANDLOCK_CREATE_RULESET_VERSION);
	struct ruleset r;
	int fd, e;

	if (version < 0) /* not in this kernel, so the filter stands alone */
		return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -errno;
	r = ruleset_build(p, version);
	fd = (int)syscall(SYS_landlock_create_ruleset, &r,
			  r.scoped ? sizeof r
			  : r.net  ? 2 * sizeof(uint64_t)
				   : sizeof(uint64_t),
			  0);
	if (fd < 0)
		return -errno;
	e = ports_add(fd, p, r.net);
	if (e == 0 && syscall(SYS_landlock_restrict_self, fd, 0) < 0)
		e = -errno;
	(void)close(fd);
	return e;
}

/* Drop all capabilities from every set.  Binding in the vessel's namespaces
 * still works because they belong to our uid. */
static int capabilities_drop(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct none[2] = { { 0 }, { 0 } };

	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
		return -errno;
	return syscall(SYS_capset, &head, none) < 0 ? -errno : 0;
}

int relay_wall_raise(const struct policy *p, enum relay_stage *ret_stage)
{
	int e;

	*ret_stage = RELAY_STAGE_LIMITS;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return -errno;
	e = capabilities_drop();
	if (e < 0)
		return e;
	*ret_stage = RELAY_STAGE_LANDLOCK;
	e = test_wall_is_down(TEST_WALL_RELAY_LANDLOCK) ? 0 : landlock_raise(p);
	if (e < 0)
		return e;
	*ret_stage = RELAY_STAGE_SECCOMP;
	return test_wall_is_down(TEST_WALL_RELAY_FILTER) ? 0 : filter_raise();
}
