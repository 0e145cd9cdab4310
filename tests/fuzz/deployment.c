/* deployment.c -- fuzz: a small repository; see probe_repo.h. */
#include "parsers/common/parse.h"
#include "probe_repo.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	repo_hold("deployment", deployment_run, bytes, n);
	return 0;
}
