/* host_rustup.h -- finds the toolchain's program that one of rustup's proxies
 * stands for. */
#ifndef CUPEL_PLAN_HOST_RUSTUP_H
#define CUPEL_PLAN_HOST_RUSTUP_H

#include <stdbool.h>
#include <stddef.h>

struct cupel_error;
struct host;

/* host_rustup_is -- whether dir/name is rustup under the name of another program,
 * which it looks for in a toolchain. */
bool host_rustup_is(const char *dir, const char *name);

/* host_rustup_follow -- find the program in the toolchain that rustup would take
 * for the repository: the one of RUSTUP_TOOLCHAIN; else of the nearest directory,
 * from the repository upwards, that has an override of the caller's or a file
 * rust-toolchain or rust-toolchain.toml; else the default.  A file can only name
 * one of the toolchains that the caller has.
 *
 * @ret		room bytes; its path on the host
 *
 * Returns 0, or -ENOENT with an error that says what is missing and names
 * --runtime. */
int host_rustup_follow(const struct host *h, const char *name, char *ret,
		       size_t room, struct cupel_error *err);

#endif
