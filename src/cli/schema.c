/* schema.c -- cupel schema: the published JSON Schemas. */
#include <string.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "spec/schemas.h"

static int list_schemas(void)
{
	owned_buf struct buf out = { 0 };

	for (size_t i = 0; schema_text_at(i) != NULL; i++)
		buf_format(&out, "%s\n", schema_text_at(i)->name);
	return cli_print(&out);
}

static int print_schema(const char *name)
{
	owned_buf struct buf out = { 0 };
	const struct data_text *text = schema_text_find(name);

	if (text == NULL)
		return cli_usage("schema: no schema is called '%.80s'; 'cupel "
				 "schema' lists them",
				 name);
	buf_add(&out, text->bytes, text->len);
	return cli_print(&out);
}

int schema_command(int argc, char *argv[])
{
	if (argc == 1)
		return list_schemas();
	if (argc > 2)
		return cli_usage(
			"schema: expected one NAME, found '%.80s' after it",
			argv[2]);
	return print_schema(argv[1]);
}
