/* build_system.c -- fuzz: files for node_build_system.  See probe.h. */
#include <stdint.h>

#include "probe.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	fuzz_try(node_build_system_run, "node_build_system",
		 (const char *)bytes, n);
	return 0;
}
