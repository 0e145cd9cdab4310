/* validate.c -- cupel validate: runs the boundary by itself. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "boundary/schema.h"
#include "boundary/validate.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/file.h"
#include "service/file.h"

#define TEXT_BYTES   ((size_t)64 << 20) /* of one text, as for a lockfile */
#define SCHEMA_BYTES ((size_t)16 << 20)
#define READ_BYTES   ((size_t)256 << 10)

enum { VALIDATE_SCHEMA, VALIDATE_REF, VALIDATE_LINES };

const struct option_row validate_options[] = {
	[VALIDATE_SCHEMA] = { "schema", OPTION_WORD, "FILE", VALUES_FILES,
			      "JSON Schema (draft 2020-12) that each text has "
			      "to satisfy" },
	[VALIDATE_REF] = { "ref", OPTION_LIST, "URI=FILE", VALUES_FILES,
			   "what a $ref to URI means; may be repeated" },
	[VALIDATE_LINES] = { "lines", OPTION_FLAG, NULL, VALUES_NONE,
			     "every line is a text of its own (JSON Lines)" },
	{ NULL, OPTION_FLAG, NULL, VALUES_NONE, NULL },
};

struct validator {
	struct schema_set *set; /* NULL: only check for strict JSON */
	const char *name;       /* of the input, for messages */
	bool is_lines;
	size_t line;  /* with is_lines: the line of the text */
	int status;   /* exit status so far, from the worst text */
	bool is_over; /* stdout is gone */
};

static void worsen(struct validator *v, int status)
{
	if (status > v->status)
		v->status = status;
}

/* Print the object for a text, and a line on stderr when there is no answer. */
static void print_answer(struct validator *v, const struct buf *out,
			 const struct buf *why)
{
	if (why->len > 0)
		cli_complain("%s: %s", v->name, why->bytes);
	if (cli_print(out) != CLI_OK) {
		worsen(v, CLI_FAILED);
		v->is_over = true;
	}
}

static void judge_text(struct validator *v, const char *bytes, size_t n)
{
	owned_buf struct buf out = { 0 };
	owned_buf struct buf why = { 0 };
	struct validate_input in = { .bytes = bytes, .n = n };

	v->line++;
	if (v->is_lines)
		in.line = v->line;
	worsen(v, (int)validate_text(v->set, &in, &out, &why));
	print_answer(v, &out, &why);
}

/* The input cannot be read any further, so the text gets no answer. */
static void refuse(struct validator *v, const char *message)
{
	owned_buf struct buf out = { 0 };
	owned_buf struct buf why = { 0 };
	struct jsonw w = { .out = &out };

	jsonw_object(&w, NULL);
	jsonw_bool(&w, "valid", false);
	jsonw_array(&w, "errors");
	jsonw_object(&w, NULL);
	jsonw_text(&w, "instance", "");
	jsonw_text(&w, "schema", "");
	jsonw_text(&w, "message", message);
	jsonw_end_object(&w);
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	buf_char(&out, '\n');
	buf_text(&why, message);
	worsen(v, CLI_USAGE);
	print_answer(v, &out, &why);
}

/* Judge the complete lines in `in`; the rest moves to its start. */
static void judge_lines(struct validator *v, struct buf *in)
{
	size_t at = 0;

	while (at < in->len && !v->is_over) {
		const char *end = memchr(in->bytes + at, '\n', in->len - at);

		if (end == NULL)
			break;
		judge_text(v, in->bytes + at, (size_t)(end - (in->bytes + at)));
		at = (size_t)(end - in->bytes) + 1;
	}
	memmove(in->bytes, in->bytes + at, in->len - at);
	in->len -= at;
}

/* Read to the end.  With is_lines at most one line is in memory, otherwise the
 * whole text.  A line or text over TEXT_BYTES is refused. */
static void judge_input(struct validator *v, int fd)
{
	owned_buf struct buf in = { 0 };
	ssize_t r = 1;

	while (r > 0 && !v->is_over) {
		char *room = buf_reserve(&in, READ_BYTES);

		r = room != NULL ? read(fd, room, READ_BYTES) : -1;
		if (r < 0 && room != NULL && errno == EINTR) {
			r = 1;
			continue;
		}
		if (r < 0) {
			refuse(v, strerror(room != NULL ? errno : ENOMEM));
			return;
		}
		in.len += (size_t)r;
		if (v->is_lines)
			judge_lines(v, &in);
		if (in.len > TEXT_BYTES) {
			refuse(v, "the text is longer than 64 MiB");
			return;
		}
	}
	if (!v->is_over && (!v->is_lines || in.len > 0))
		judge_text(v, in.bytes, in.len);
}

static int add_document(struct schema_set *set, const char *uri,
			const char *path, struct schema_fault *fault)
{
	owned_buf struct buf text = { 0 };
	struct cupel_error err = { 0 };

	if (file_read_all(path, SCHEMA_BYTES, &text, &err) < 0)
		return cli_usage("%s", err.what);
	if (schema_set_add(set, uri, text.bytes != NULL ? text.bytes : "",
			   text.len, fault) < 0)
		return cli_usage("%s: %s", path, fault->text);
	return 0;
}

static int add_refs(struct schema_set *set, const struct option_value *refs,
		    struct schema_fault *fault)
{
	for (size_t i = 0; i < refs->count; i++) {
		owned_buf struct buf uri = { 0 };
		const char *eq = strchr(refs->texts[i], '=');
		int r;

		if (eq == NULL || eq == refs->texts[i] || eq[1] == '\0')
			return cli_usage(
				"--ref: expected URI=FILE, found '%.200s'",
				refs->texts[i]);
		buf_add(&uri, refs->texts[i], (size_t)(eq - refs->texts[i]));
		r = add_document(set, uri.bytes, eq + 1, fault);
		if (r != 0)
			return r;
	}
	return 0;
}

/* Returns 0 or an exit status after one line on stderr. */
static int read_schema(const struct option_value values[],
		       struct schema_set **ret)
{
	const char *path = option_text(&values[VALIDATE_SCHEMA], NULL);
	struct schema_fault fault = { 0 };
	int r;

	if (path == NULL && values[VALIDATE_REF].count > 0)
		return cli_usage(
			"--ref: needs --schema, the schema that refers to it");
	if (path == NULL)
		return 0;
	*ret = schema_set_new();
	if (*ret == NULL)
		return cli_usage("--schema: no memory");
	r = add_document(*ret, NULL, path, &fault);
	if (r == 0)
		r = add_refs(*ret, &values[VALIDATE_REF], &fault);
	if (r == 0 && schema_set_use(*ret, NULL, &fault) < 0)
		r = cli_usage("%s: %s", path, fault.text);
	return r;
}

static int validate(const struct option_value values[], const char *path)
{
	struct validator v = { .name = path };
	owned_fd int own = -1;
	int r = read_schema(values, &v.set);
	int fd = STDIN_FILENO;

	v.is_lines = values[VALIDATE_LINES].count > 0;
	if (strcmp(path, "-") == 0)
		v.name = "stdin";
	else if (r == 0)
		fd = own = file_open(path);
	if (r == 0 && fd < 0)
		r = cli_usage("%s: %s", path, file_why(-fd));
	if (r == 0)
		judge_input(&v, fd);
	schema_set_free(v.set);
	return r != 0 ? r : v.status;
}

int validate_command(int argc, char *argv[])
{
	struct option_value values[3] = { 0 };
	int rest = argc;
	int r = option_read(argc, argv, validate_options, values, &rest);

	if (r == OPTION_HELP)
		r = command_show_help(argv[0]);
	else if (r == 0 && argc - rest > 1)
		r = cli_usage(
			"validate: expected one FILE, found '%.80s' after it",
			argv[rest + 1]);
	else if (r == 0)
		r = validate(values, rest < argc ? argv[rest] : "-");
	option_done(validate_options, values);
	return r;
}
