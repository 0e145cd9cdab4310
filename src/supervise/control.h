/* control.h -- records from init, with the descriptors that come with them. */
#ifndef CUPEL_SUPERVISE_CONTROL_H
#define CUPEL_SUPERVISE_CONTROL_H

#include "launch/record.h"

/* A record and the descriptors that it carried; -1 where there is none. */
struct control_message {
	struct record record;
	int proc_fd, tmpfs_fd, shm_fd, terminal_fd, sockets_fd;
	size_t sockets_len; /* RECORD_NETWORK */
	int sockets[EGRESS_SOCKETS_MAX];
};

/* control_read -- the next record, without waiting.
 *
 * @ret		the descriptors in it are the caller's
 * Returns 0, -EAGAIN (none now), -EPIPE (init closed its end), -EPROTO (wrong
 * size, kind, range or number of descriptors; those that came are closed),
 * -EMFILE (there was no room for those that came), or another -errno. */
int control_read(int control_fd, struct control_message *ret);

/* control_ask_carry -- order init to hand over what it offered.  Returns like
 * control_send_signal. */
int control_ask_carry(int control_fd);

/* control_send_network -- tell init that the relay serves, so that it may start
 * the command.  Returns like control_send_signal. */
int control_send_network(int control_fd);

/* control_send_signal -- order init to signal the command's process group.
 * Never waits, never raises SIGPIPE.  Returns 0 or -errno. */
int control_send_signal(int control_fd, int signal);

#endif
