/* call_name.h -- the name of a system call, for people. */
#ifndef CUPEL_PLAN_CALL_NAME_H
#define CUPEL_PLAN_CALL_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALL_NAME_BYTES 48

/* call_name -- "mount" for 165 of AUDIT_ARCH_X86_64.
 *
 * @arch	AUDIT_ARCH_*
 * @name	filled with room bytes at most, NUL-terminated; "" if unknown
 * Returns whether the number has a name. */
bool call_name(uint32_t arch, int number, char *name, size_t room);

#endif
