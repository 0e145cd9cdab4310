/* help.c -- the option lists of --help and of the man page; see help.h. */
#include "spec/help.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "spec/field.h"
#include "spec/number.h"

#define HELP_COLUMN 27
#define HELP_WIDTH  80

static void write_spaces(struct buf *out, size_t n)
{
	while (n-- > 0)
		buf_char(out, ' ');
}

/* Write text word by word from column `at` on, breaking lines before
 * HELP_WIDTH. */
static void write_wrapped(struct buf *out, const char *text, size_t at)
{
	while (*text != '\0') {
		size_t n = strcspn(text, " ");

		if (at + 1 + n > HELP_WIDTH && at > HELP_COLUMN) {
			buf_char(out, '\n');
			write_spaces(out, HELP_COLUMN);
			at = HELP_COLUMN;
		} else if (at > HELP_COLUMN) {
			buf_char(out, ' ');
			at++;
		}
		buf_add(out, text, n);
		at += n;
		text += n;
		text += *text == ' ';
	}
	buf_char(out, '\n');
}

static void write_option(struct buf *out, const struct field *f)
{
	size_t from = out->len;
	size_t at;

	buf_format(out, "  --%s", f->name);
	if (f->arg != NULL && f->flags & FIELD_OPT_ARG)
		buf_format(out, "[=%s]", f->arg);
	else if (f->arg != NULL)
		buf_format(out, " %s", f->arg);
	at = out->len - from;
	if (at + 2 > HELP_COLUMN) {
		buf_char(out, '\n');
		at = 0;
	}
	write_spaces(out, HELP_COLUMN - at);
	write_wrapped(out, f->help, HELP_COLUMN);
}

void field_write_help(struct buf *out)
{
	for (int g = 0; g < GROUP_MAX_; g++) {
		buf_format(out, "%s%s:\n", g > 0 ? "\n" : "",
			   field_group_title((enum field_group)g));
		for (size_t i = 0; i < fields_len; i++)
			if ((int)fields[i].group == g &&
			    field_is_option(&fields[i]))
				write_option(out, &fields[i]);
	}
	buf_text(out, "\nSIZE is in bytes or like 512K, 20M, 2GB; S is in "
		      "seconds or like 1.5, 5m, 1h30m.\n");
}

void help_write_roff(struct buf *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		buf_text(out, "\\&");
	for (; *text != '\0'; text++) {
		if (*text == '-')
			buf_text(out, "\\-");
		else if (*text == '\\')
			buf_text(out, "\\e");
		else
			buf_char(out, *text);
	}
}

/* "1 to 1048576", in the unit of the option. */
static void write_roff_range(struct buf *out, const struct field *f)
{
	char low[NUMBER_TEXT], high[NUMBER_TEXT];

	if (f->type == FIELD_SIZE) {
		number_write_size(f->min, low);
		number_write_size(f->max, high);
		buf_format(out, "From %s to %s", low, high);
	} else if (f->type == FIELD_TIME) {
		number_write_ms(f->min, low);
		number_write_ms(f->max, high);
		buf_format(out, "From %s to %s%s", low, high,
			   strcmp(f->arg, "S") == 0 ? " seconds" : "");
	} else if (f->type == FIELD_COUNT) {
		buf_format(out, "From %" PRIu64 " to %" PRIu64, f->min, f->max);
	} else {
		return;
	}
	buf_text(out,
		 f->flags & FIELD_CAN_BE_OFF ? ", or unlimited.\n" : ".\n");
}

static void write_man_option(struct buf *out, const struct field *f)
{
	buf_text(out, ".TP\n\\fB\\-\\-");
	help_write_roff(out, f->name);
	buf_text(out, "\\fR");
	if (f->arg != NULL) {
		bool may_miss = (f->flags & FIELD_OPT_ARG) != 0;

		buf_text(out, may_miss ? "[=\\fI" : " \\fI");
		help_write_roff(out, f->arg);
		buf_text(out, may_miss ? "\\fR]" : "\\fR");
	}
	buf_char(out, '\n');
	help_write_roff(out, f->help);
	buf_text(out, ".\n");
	write_roff_range(out, f);
	if (f->flags & FIELD_CLI_ONLY)
		buf_text(out, "Not a key of a spec document.\n");
}

void field_write_man(struct buf *out)
{
	for (int g = 0; g < GROUP_MAX_; g++) {
		buf_format(out, ".SS %s\n",
			   field_group_title((enum field_group)g));
		for (size_t i = 0; i < fields_len; i++)
			if ((int)fields[i].group == g &&
			    field_is_option(&fields[i]))
				write_man_option(out, &fields[i]);
	}
}
