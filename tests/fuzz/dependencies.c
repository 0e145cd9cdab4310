/* dependencies.c -- fuzz: bytes as a small repository; see probe_repo.h. */
#include "probe_repo.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	repo_hold("dependencies", dependencies_run, bytes, n);
	return 0;
}
