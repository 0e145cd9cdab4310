/* template_private.h -- the contents of a template, for the service's own
 * files. */
#ifndef CUPEL_SERVICE_TEMPLATE_PRIVATE_H
#define CUPEL_SERVICE_TEMPLATE_PRIVATE_H

#include "base/blake3.h"
#include "service/prepare.h"
#include "service/template.h"

struct cupel_spec;
struct template;

struct vessel_template {
	struct cupel_spec *spec;  /* of every copy; shared */
	struct prepared prepared; /* the same: looked and planned once */
	char spec_hash[BLAKE3_TEXT_BYTES];
	struct template *template;
};

#endif
