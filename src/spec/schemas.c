/* schemas.c -- see schemas.h. */
#include "spec/schemas.h"

#include <string.h>

const struct data_text *schema_text_find(const char *name)
{
	for (size_t i = 0; i < schema_texts_len; i++)
		if (strcmp(schema_texts[i].name, name) == 0)
			return &schema_texts[i];
	return NULL;
}

const struct data_text *schema_text_at(size_t i)
{
	return i < schema_texts_len ? &schema_texts[i] : NULL;
}
