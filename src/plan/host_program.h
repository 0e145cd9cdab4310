/* host_program.h -- the command's program and its interpreters, found as the
 * caller's shell finds them. */
#ifndef CUPEL_PLAN_HOST_PROGRAM_H
#define CUPEL_PLAN_HOST_PROGRAM_H

struct cupel_error;
struct host;
struct spec;

/* host_programs_read -- look the command's program up in the caller's PATH, and
 * the interpreter that its first line names, and so on: fill programs, path, and
 * what of runtime they need (cupel-run(1), "THE RUNTIME").
 *
 * Nothing in the repository decides what of the host is shown, but which of the
 * caller's versions and interpreters: a link in it that leads to an interpreter
 * is followed when the caller's PATH or --runtime names the prefix, too.
 *
 * Returns 0, or -errno with cause caller: the caller's shell would take a
 * program that cannot be shown.  Another one is never taken instead. */
int host_programs_read(struct host *h, const struct spec *spec,
		       struct cupel_error *err);

#endif
