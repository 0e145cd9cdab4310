/* yarn_lock.c -- fuzz: bytes as a yarn.lock, of either format. */
#include "node_probe.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	lockfile_hold("yarn.lock", bytes, n);
	return 0;
}
