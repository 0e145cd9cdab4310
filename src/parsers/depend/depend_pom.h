/* depend_pom.h -- the properties of a pom.xml; private to the probe dependencies. */
#ifndef CUPEL_PARSERS_DEPEND_POM_H
#define CUPEL_PARSERS_DEPEND_POM_H

#include "parsers/depend/depend.h"

#define POM_PROPERTIES_MAX 1000U
#define POM_TEXT_BYTES     ((size_t)4096)

struct pom_property {
	struct json_text name, value; /* the name is first: text_place() */
	size_t order;
};

struct pom_properties {
	struct pom_property items[POM_PROPERTIES_MAX];
	size_t len;
	bool is_cut; /* there were more, or more lookups than are done */
};

/* depend_property_put -- add one.  Both texts must have been kept. */
void depend_property_put(struct pom_properties *p, struct json_text name,
			 struct json_text value);

/* depend_properties_sort -- to be called once, before anything is expanded. */
void depend_properties_sort(struct pom_properties *p);

/* depend_text_expand -- t with "${name}" replaced, also in what a property has itself,
 * but no further.  What is not known stays as it is written.  The lookups are
 * counted in d (DEPEND_LOOKUPS_MAX). */
struct json_text depend_text_expand(struct depend *d, struct pom_properties *p,
				    struct json_text t);

#endif
