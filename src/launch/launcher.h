/* launcher.h -- what makes vessels, behind launch.h.
 *
 * Private to the room.  Only launch.c calls a launcher, which it finds in a
 * table by the backend.  All launchers hand out the same, whatever they make
 * the vessel of: struct child, whose control socket carries the packets of
 * launch/record.h, written by the same init.
 */
#ifndef CUPEL_LAUNCH_LAUNCHER_H
#define CUPEL_LAUNCH_LAUNCHER_H

#include "launch/launch.h"

struct launcher;

/* A vessel that was begun: the first member of what its launcher keeps about
 * it. */
struct launch {
	const struct launcher *by;
};

/* The files of a run of phases: the first member of what its launcher keeps. */
struct holder {
	const struct launcher *by;
	int tmpfs_fd; /* owned */
};

/* Each function does what launch.h says of the function with the same name;
 * none is NULL. */
struct launcher {
	int (*start)(const struct plan *plan, const struct launch_extra *extra,
		     struct child *ret, struct cupel_error *err);
	int (*begin)(const struct launch_extra *extra, struct launch **ret,
		     struct cupel_error *err);
	bool (*fits)(const struct launch *l, const struct plan *plan);
	int (*finish)(struct launch *l, const struct plan *plan,
		      struct child *ret, struct cupel_error *err);
	void (*abandon)(struct launch *l);
	int (*hold)(const struct plan *plan, bool is_scoped,
		    struct holder **ret, struct cupel_error *err);
	int (*tree)(const struct plan *plan, struct holder **ret,
		    struct cupel_error *err);
	bool (*lives)(const struct holder *h);
	int (*phase)(struct holder *h, const struct plan *plan,
		     const struct launch_extra *extra, struct child *ret,
		     struct cupel_error *err);
	int (*take)(struct holder *h, const struct plan *plan, struct child *c,
		    int *ret_pidfd, struct cupel_error *err);
	int (*asked_fd)(const struct holder *h);
	void (*release)(struct holder *h);
	void (*end)(const struct child *c);
	void (*kill)(const struct child *c);
	void (*close)(struct child *c);
};

/* launcher_native -- clone3(2), the mount API and init as PID 1, by ourselves:
 * launch/native/. */
extern const struct launcher launcher_native;

#endif
