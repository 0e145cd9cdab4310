/* address.c -- reads the options that both commands have. */
#include "worker/address.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/worker.h"

void worker_address_read(const struct option_value values[],
			 struct worker_address *ret)
{
	ret->url = option_text(&values[WORKER_NATS], "nats://127.0.0.1:4222");
	ret->stream = option_text(&values[WORKER_STREAM], "cupel");
	ret->creds = option_text(&values[WORKER_CREDS], NULL);
	ret->tls_ca = option_text(&values[WORKER_TLS_CA], NULL);
}

int worker_number_read(const struct option_value *v, const char *name,
		       const uint64_t range[2], uint64_t fallback,
		       uint64_t *ret)
{
	const char *text = option_text(v, NULL);
	size_t n = text != NULL ? strspn(text, "0123456789") : 0;
	uint64_t value = n > 0 && n < 10 ? strtoull(text, NULL, 10) : 0;

	if (text == NULL) {
		*ret = fallback;
		return 0;
	}
	if (n == 0 || n > 9 || text[n] != '\0' || value < range[0] ||
	    value > range[1])
		return cli_usage("--%s: '%.80s' is outside %llu..%llu", name,
				 text, (unsigned long long)range[0],
				 (unsigned long long)range[1]);
	*ret = value;
	return 0;
}
