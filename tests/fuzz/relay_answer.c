/* relay_answer.c -- fuzz: bytes as what a name server answers.
 *
 * What must hold: nothing but addresses of the kind that was asked for comes of
 * it, and none with an error or a cut answer. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "mask.h"
#include "relay/dns.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void try_message(const uint8_t *bytes, size_t n)
{
	static const uint16_t types[] = { DNS_A, DNS_AAAA };

	for (size_t i = 0; i < 2; i++) {
		struct dns_query q = { .id = 0x1234,
				       .type = types[i],
				       .name = "a.test" };
		struct dns_answer a;
		int e = dns_answer_read(bytes, n, &q, &a);

		must(e == 0 || e == -EBADMSG);
		if (e < 0)
			continue;
		must(a.len <= DNS_ADDRESSES_MAX);
		must(a.len == 0 || (a.code == DNS_NOERROR && !a.is_cut));
		for (size_t k = 0; k < a.len; k++)
			must(a.addresses[k].family ==
			     (types[i] == DNS_A ? AF_INET : AF_INET6));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	uint8_t *message = mask_take(bytes, n);

	try_message(message, n);
	free(message);
	return 0;
}
