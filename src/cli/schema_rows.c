/* schema_rows.c -- prints the tables of options and walls as JSON, for
 * profiles/schemas/compose.py: the schemas of what the tables already say. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "plan/wall.h"
#include "spec/field.h"

#define TEXT  "{\"type\":\"string\",\"minLength\":1}"
#define ITEMS 4096 /* of a list */

static void print_words(const struct field *f)
{
	const char *between = "";

	printf("{\"enum\":[");
	for (const struct field_word *w = f->words; w->name != NULL; w++) {
		if (w->is_later)
			continue;
		printf("%s\"%s\"", between, w->name);
		between = ",";
	}
	printf("]}");
}

/* Thousandths as a number: 1500 is 1.5. */
static void print_thousandths(uint64_t value)
{
	printf("%" PRIu64, value / 1000);
	if (value % 1000 != 0)
		printf(".%03" PRIu64, value % 1000);
}

static void print_range(const struct field *f)
{
	if (f->type != FIELD_TIME) {
		printf("{\"type\":\"integer\",\"minimum\":%" PRIu64
		       ",\"maximum\":%" PRIu64 "}",
		       f->min, f->max);
		return;
	}
	printf("{\"type\":\"number\",\"minimum\":");
	print_thousandths(f->min);
	printf(",\"maximum\":");
	print_thousandths(f->max);
	printf("}");
}

/* A number, a size as people write it, or "unlimited". */
static void print_number(const struct field *f)
{
	bool is_size = f->type == FIELD_SIZE;
	bool can_be_off = (f->flags & FIELD_CAN_BE_OFF) != 0;

	if (!is_size && !can_be_off) {
		print_range(f);
		return;
	}
	printf("{\"anyOf\":[");
	print_range(f);
	if (is_size)
		printf(",{\"type\":\"string\",\"pattern\":"
		       "\"^[0-9]+(?:[KMGkmg](?:i?[Bb])?|[Bb])?$\"}");
	printf("%s]}", can_be_off ? ",{\"const\":\"unlimited\"}" : "");
}

static void print_schema(const struct field *f)
{
	switch (f->type) {
	case FIELD_COUNT:
	case FIELD_SIZE:
	case FIELD_TIME:
		print_number(f);
		break;
	case FIELD_BOOL:
		printf("{\"type\":\"boolean\"}");
		break;
	case FIELD_ENUM:
		print_words(f);
		break;
	case FIELD_LIST:
		printf("{\"type\":\"array\",\"items\":%s,\"maxItems\":%d}",
		       TEXT, ITEMS);
		break;
	default:
		printf(TEXT);
		break;
	}
}

static void print_option(const struct field *f, const char *between)
{
	char key[FIELD_KEY_MAX];

	field_write_key(f, key);
	printf("%s\n\"%s\":{\"in_spec\":%s,\"in_profile\":%s,\"schema\":",
	       between, key,
	       f->flags & (FIELD_CLI_ONLY | FIELD_PROFILE_ONLY) ? "false"
								: "true",
	       f->flags & FIELD_IN_PROFILE ? "true" : "false");
	print_schema(f);
	printf("}");
}

int main(void)
{
	printf("{\"options\":{");
	for (size_t i = 0; i < fields_len; i++)
		print_option(&fields[i], i > 0 ? "," : "");
	printf("},\n\"walls\":[");
	for (int w = 0; w < WALL_MAX_; w++)
		printf("%s\"%s\"", w > 0 ? "," : "", wall_name((enum wall)w));
	printf("],\n\"rlimits\":[");
	for (int i = 0; i < SPEC_RLIMIT_MAX_; i++)
		printf("%s\"%s\"", i > 0 ? "," : "", field_rlimits[i].name);
	printf("]}\n");
	return ferror(stdout) != 0;
}
