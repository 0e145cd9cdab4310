/* relay_main.c -- cupel-relay: reads its policy, confines itself, serves, ends.
 *
 * Exit status: 0 at its end, 1 if it reported why it could not serve, 2 if it
 * could not even report that.
 * */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "relay/attack.h"
#include "relay/control.h"
#include "relay/relay.h"
#include "relay/wall.h"
#include "relay/watch.h"

#define LAST_ROUNDS 8 /* for questions that were open when the vessel ended */

static struct relay *relay_new(void)
{
	struct relay *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (r == MAP_FAILED)
		return NULL;
	r->next_ns = UINT64_MAX;
	r->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	return r->epoll_fd < 0 ? NULL : r;
}

/* The buffers for ClientHellos; their memory counts only once it is written
 * to. */
static int hellos_map(size_t connections, uint8_t (**ret)[HELLO_BYTES_MAX])
{
	void *at = mmap(NULL, connections * HELLO_BYTES_MAX,
			PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);

	if (at == MAP_FAILED)
		return -errno;
	*ret = at;
	return 0;
}

/* Read the policy, set the limits, confine.  Returns as control_read_policy
 * does; a failure has been reported. */
static int relay_start(struct relay *r)
{
	static const struct watch control = { .kind = WATCH_CONTROL };
	enum relay_stage stage = RELAY_STAGE_CONFIG;
	size_t connections = 0;
	uint8_t(*hellos)[HELLO_BYTES_MAX] = NULL;
	int e = control_read_policy(r);

	if (e > 0)
		return e;
	if (e == 0) {
		names_init(&r->names, &r->policy);
		stage = RELAY_STAGE_LIMITS;
		e = wall_limit(&r->policy, &connections);
	}
	if (e == 0)
		e = hellos_map(connections, &hellos);
	if (e == 0)
		e = relay_wall_raise(&r->policy, &stage);
	if (e == 0) {
		connection_init(&r->connections, connections, hellos);
		e = watch_add(r, RELAY_CONTROL_FD, control, EPOLLIN);
	}
	if (e < 0)
		control_fail(r, stage, -e);
	return e;
}

static void relay_run(struct relay *r)
{
	struct relay_record ready = { .kind = RELAY_READY };
	int rounds = LAST_ROUNDS;

	control_send(r, &ready);
	while (!r->is_ending && watch_run_all(r, true) >= 0)
		;
	/* The command may have ended right after it asked for something. */
	watch_end(r, RELAY_CONTROL_FD);
	while (rounds-- > 0 && watch_run_all(r, false) > 0)
		;
	connection_end_all(r);
}

int main(void)
{
	struct relay *r;
	int e;

	if (syscall(SYS_close_range, RELAY_CONTROL_FD + 1, UINT_MAX, 0) < 0 &&
	    errno != ENOSYS)
		_exit(2);
	/* splice(2) sends SIGPIPE when nobody reads any more. */
	if (signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		_exit(2);
	r = relay_new();
	if (r == NULL)
		_exit(2);
	e = relay_start(r);
	if (e < 0)
		_exit(1);
	attack_run(r);
	if (e == 0)
		relay_run(r);
	control_end(r);
	_exit(0);
}
