/* vessel.c -- see vessel.h. */
#include "lib/vessel.h"

#include <string.h>

#include "base/test_wall.h"
#include "lib/template.h"

static int spec_fill(struct cupel_spec *spec, const struct vessel_request *req,
		     struct cupel_error *err)
{
	const struct vessel_option *o = req->options;
	int e = cupel_spec_set(spec, "profile", req->profile, err);

	for (; e == 0 && o != NULL && o->name != NULL; o++)
		e = cupel_spec_set(spec, o->name, o->value, err);
	if (e == 0 && req->repo != NULL)
		e = cupel_spec_set(spec, "repo", req->repo, err);
	if (e == 0 && req->repo == NULL)
		e = cupel_spec_set(spec, "repo-mode", "none", err);
	if (e == 0)
		e = cupel_spec_set_command(spec, req->argv, err);
	return e;
}

static struct cupel_hooks hooks_of(const struct vessel_request *req)
{
	return (struct cupel_hooks){
		.size = sizeof(struct cupel_hooks),
		.stdin_fd = req->stdin_fd,
		.inputs = req->inputs,
		.inputs_len = req->inputs_len,
		.exec_fd = req->exec_fd,
	};
}

int vessel_template_start(const struct vessel_request *req, int program_fd,
			  struct lib_template **ret, struct cupel_error *err)
{
	struct cupel_spec *spec = NULL;
	int e = cupel_spec_new(&spec, err);

	if (e == 0)
		e = spec_fill(spec, req, err);
	if (e == 0)
		e = lib_template_start(spec, req->inputs_len, program_fd, ret,
				       err);
	cupel_spec_free(spec);
	return e;
}

int vessel_copy_make(struct lib_template *t, const struct vessel_request *req,
		     struct lib_copy **ret, struct cupel_error *err)
{
	return lib_copy_make(t, req->inputs, req->inputs_len, ret, err);
}

int vessel_copy_run(struct lib_copy *copy, int stdin_fd, struct cupel_run **ret,
		    struct cupel_error *err)
{
	const struct cupel_hooks hooks = {
		.size = sizeof hooks,
		.stdin_fd = stdin_fd,
		.exec_fd = -1,
	};

	return lib_copy_run(copy, &hooks, ret, err);
}

int vessel_start(const struct vessel_request *req, struct cupel_run **ret,
		 struct cupel_error *err)
{
	struct cupel_hooks hooks = hooks_of(req);
	struct cupel_spec *spec = NULL;
	int e = cupel_spec_new(&spec, err);

	if (e == 0)
		e = spec_fill(spec, req, err);
	if (e == 0)
		e = cupel_run_start(spec, &hooks, ret, err);
	cupel_spec_free(spec);
	return e;
}

const char *vessel_end_code(enum cupel_status status)
{
	switch (status) {
	case CUPEL_OK:
		return NULL;
	case CUPEL_INTERNAL_ERROR:
		return "sandbox_failed";
	case CUPEL_TIMEOUT:
		return "wall_time";
	case CUPEL_CPU_LIMIT:
		return "cpu_time";
	case CUPEL_MEM_LIMIT:
		return "memory";
	case CUPEL_OUTPUT_LIMIT:
		return "output";
	case CUPEL_FORBIDDEN_SYSCALL:
		return "forbidden_syscall";
	default:
		return test_wall_is_down(TEST_WALL_EXIT_STATUS)
			       ? NULL
			       : "parser_failed";
	}
}

const char *vessel_end_sentence(const char *code)
{
	static const struct {
		const char *code, *sentence;
	} rows[] = {
		{ "sandbox_failed", "the vessel could not be had; the run "
				    "record and the events say more" },
		{ "wall_time", "the wall clock ran out" },
		{ "cpu_time", "the processor time ran out" },
		{ "memory", "the memory ran out" },
		{ "output", "it wrote more than it may" },
		{ "forbidden_syscall", "it made a forbidden system call" },
		{ "parser_failed", "it ended with a failure" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].code, code) == 0)
			return rows[i].sentence;
	return "";
}
