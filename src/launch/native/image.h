/* image.h -- a plan as flat bytes: what init reads from descriptor 0.
 *
 * Every reference is an offset from the start of the image (0 = none), so the
 * bytes mean the same in the process that wrote them and in the one that maps
 * them.  Written by image.c, read by init/, both from the same build.
 */
#ifndef CUPEL_LAUNCH_IMAGE_H
#define CUPEL_LAUNCH_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/egress.h"
#include "plan/wall.h"

#define IMAGE_MAGIC UINT32_C(0x43555031)

/* The descriptors that init finds at its start, before it opens anything. */
#define IMAGE_FD   0
#define CONTROL_FD 1

/* The identity of a file, whatever its name. */
struct file_id {
	uint64_t dev, ino;
};

struct image_source {
	uint32_t path;   /* text */
	int32_t tree_fd; /* detached clone made by the supervisor, or -1 */
	struct file_id id, leaf_id;
	uint32_t leaf; /* text; 0 = the directory itself is shown */
	uint32_t is_dir, is_runtime;
};

struct image_step {
	uint32_t kind; /* enum step_kind */
	uint32_t target, text;
	uint32_t content; /* 0: the file is only there to be mounted on */
	uint32_t content_len, source;
	uint32_t mode, wall;
	uint64_t attr;
	uint32_t dev_major, dev_minor;
	uint8_t writable, is_dir, subset_pid;
};

struct image_limit {
	int32_t resource;
	uint32_t wall;
	uint64_t soft, hard;
};

struct image_rule {
	uint32_t path;
	uint64_t access;
	uint64_t dev, ino; /* that the file must have; 0 = any */
};

struct image_list {
	uint32_t at, len;
};

/* Before the policy's filter stand some instructions with which the command's
 * process can finish its own confinement while the filter is loaded.  They ask
 * for a key that nobody else has: init writes it into two of them, or leaves
 * all of them out (launch/native/init/filter.c). */
#define FILTER_FRONT   18
#define FRONT_KEY_LOW  14
#define FRONT_KEY_HIGH 16

struct image {
	uint32_t magic, bytes;
	uint64_t tmpfs_bytes, tmpfs_inodes;
	wall_set requested;
	uint64_t landlock_fs, landlock_net, landlock_scoped;
	uint32_t uid, gid; /* inside */
	int32_t stdio[4];  /* stdin, stdout, stderr, result */
	int32_t exec_fd;   /* -1 = look argv[0] up */
	uint8_t terminal;  /* stdio is the terminal of STEP_TERMINAL */
	uint8_t core_scheduling;
	uint8_t by_root, loopback, inotify, allow_partial, landlock;
	uint8_t carry_tmpfs;
	uint32_t hostname, cwd, path, scratch;
	struct image_list sources, steps, limits, rules;
	struct image_list filter, cross, offline, lesser; /* sock_filter */
	struct image_list argv, envp; /* uint64_t offsets, ending in 0 */
	struct image_list inputs;     /* int32_t descriptors */
	struct image_list network;    /* struct egress_socket; scoped egress */
	struct image_list trace;      /* sock_filter; for a trace */
};

#endif
