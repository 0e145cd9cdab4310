/* pnpm_lock.c -- fuzz: bytes as a pnpm-lock.yaml. */
#include "node_probe.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	lockfile_hold("pnpm-lock.yaml", bytes, n);
	return 0;
}
