/* host_program.h -- finds the command's program and its interpreters as the
 * caller's shell finds them. */
#ifndef CUPEL_PLAN_HOST_PROGRAM_H
#define CUPEL_PLAN_HOST_PROGRAM_H

struct cupel_error;
struct host;
struct spec;

/* host_programs_read -- look up the command's program in the caller's PATH,
 * then the interpreter that its first line names, and so on.  Fill programs,
 * path, and what they need of runtime (cupel-run(1), "THE RUNTIME").
 *
 * The repository only chooses among the caller's own versions and interpreters;
 * it decides nothing else about what is shown of the host.  A link in it that
 * leads to an interpreter is followed only when the caller's PATH or --runtime
 * names the prefix, too.
 *
 * Returns 0, or -errno with cause caller: the caller's shell would take a
 * program that cannot be shown.  Another one is never taken instead. */
int host_programs_read(struct host *h, const struct spec *spec,
		       struct cupel_error *err);

#endif
