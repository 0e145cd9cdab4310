/* relay.c -- see relay.h. */
#include "launch/native/relay.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include "base/error.h"
#include "plan/egress.h"
#include "relay/relay_image.h"

/* For one message.  The relay reads while we write, so after this time it
 * hangs. */
#define SEND_S 10

static long send_some(struct sys *k, int fd, uint32_t kind, const void *items,
		      size_t bytes, size_t count)
{
	struct relay_message head = { .kind = kind, .count = (uint32_t)count };
	struct iovec parts[2] = {
		{ .iov_base = &head, .iov_len = sizeof head },
		{ .iov_base = (void *)(uintptr_t)items, .iov_len = bytes },
	};
	const struct msghdr msg = { .msg_iov = parts, .msg_iovlen = 2 };
	long r = sys3(k, SYS_sendmsg, fd, &msg, MSG_NOSIGNAL);

	return r < 0 ? r : 0;
}

/* Send all items of one kind, in as many messages as it takes. */
static long send_all(struct sys *k, int fd, uint32_t kind, const void *items,
		     size_t size, size_t len)
{
	const size_t most =
		(RELAY_MESSAGE_BYTES - sizeof(struct relay_message)) / size;
	const char *at = items;
	long r = 0;

	while (r == 0 && len > 0) {
		size_t n = len < most ? len : most;

		r = send_some(k, fd, kind, at, n * size, n);
		at += n * size;
		len -= n;
	}
	return r;
}

static long config_send(struct sys *k, int fd, const struct egress_plan *p)
{
	const struct timeval most = { .tv_sec = SEND_S };
	long r = sys5(k, SYS_setsockopt, fd, SOL_SOCKET, SO_SNDTIMEO, &most,
		      sizeof most);

	if (r == 0)
		r = send_all(k, fd, RELAY_CONFIG, &p->config, sizeof p->config,
			     1);
	if (r == 0)
		r = send_all(k, fd, RELAY_RULES, p->rules, sizeof *p->rules,
			     p->rules_len);
	if (r == 0)
		r = send_all(k, fd, RELAY_HOSTS, p->hosts, sizeof *p->hosts,
			     p->hosts_len);
	if (r == 0)
		r = send_all(k, fd, RELAY_OWN, p->own, sizeof *p->own,
			     p->own_len);
	if (r == 0)
		r = send_some(k, fd, RELAY_CONFINE, NULL, 0, 0);
	return r;
}

int relay_start(struct sys *k, const struct egress_plan *plan,
		struct helper *ret, struct cupel_error *err)
{
	const struct helper_program program = {
		.name = "cupel-relay",
		.bytes = relay_image_bytes,
		.len = relay_image_len(),
	};
	struct helper relay = HELPER_NONE;
	int r = helper_start(k, &program, &relay, err);

	if (r < 0)
		return r;
	r = (int)config_send(k, relay.control_fd, plan);
	if (r < 0) {
		helper_close(&relay);
		return cupel_fail(err, CUPEL_STAGE_NAMESPACE, CUPEL_CAUSE_HOST,
				  -r, "the relay did not accept its rules");
	}
	*ret = relay;
	return 0;
}
