/* call_name.c -- from number to name, by libseccomp's table and our
 * additions. */
#include "plan/call_name.h"

#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "plan/filter_rule.h"

bool call_name(uint32_t arch, int number, char *name, size_t room)
{
	owned_mem char *known = NULL;
	const char *found;

	if (number >= 0)
		known = seccomp_syscall_resolve_num_arch(arch, number);
	found = known;
	if (found == NULL && number >= 0)
		found = filter_newer_name((unsigned)number, arch);
	(void)snprintf(name, room, "%s", found != NULL ? found : "");
	return found != NULL;
}
