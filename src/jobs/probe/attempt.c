/* attempt.c -- see attempt.h. */
#include "jobs/probe/attempt.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "service/sealed.h"

#define NUMBER_BYTES 24
#define WORDS_MAX    64 /* of a manifest's command */
#define FIRST_INPUT  4  /* the first descriptor behind the result's */

/* A parser writes its facts to descriptor 3: 1 MiB of slice, and the notes
 * around it. */
static const struct vessel_option parser_options[] = {
	{ "result-bytes", "2M" },
	{ NULL, NULL },
};

/* 1 GiB of inputs does not fit in 512 MiB of address space. */
static const struct vessel_option parser_modules_options[] = {
	{ "result-bytes", "2M" },
	{ "as-bytes", "2G" },
	{ "mem-bytes", "1536M" },
	{ NULL, NULL },
};

/* The run reads its stdin while it goes on. */
static int list_seal(const struct attempt_request *req, struct attempt *ret,
		     struct cupel_error *err)
{
	const struct buf *list = &req->in->list;

	ret->stdin_fd = sealed_of(list->bytes, list->len, false, err);
	return ret->stdin_fd < 0 ? ret->stdin_fd : 0;
}

static int parser_start(const struct attempt_request *req, struct attempt *ret,
			struct cupel_error *err)
{
	const char *argv[] = { "cupel-parse", req->in->probe->name, NULL };
	struct vessel_request v = {
		.profile = "parser",
		.options = req->with_node_modules ? parser_modules_options
						  : parser_options,
		.argv = argv,
		.stdin_fd = ret->stdin_fd,
		.inputs = &req->in->bytes_fd,
		.inputs_len = 1,
		.exec_fd = req->program_fd,
	};

	return vessel_start(&v, &ret->run, err);
}

/* --- a probe of somebody else's -------------------------------------------- */

/* A manifest's caps as the texts of the vessel's options. */
struct caps_texts {
	char wall[NUMBER_BYTES], cpu[NUMBER_BYTES], mem[NUMBER_BYTES];
	struct vessel_option options[4];
};

static void caps_write(const struct probe_caps *caps, struct caps_texts *ret)
{
	struct vessel_option *o = ret->options;

	if (caps->wall_time_s > 0) {
		(void)snprintf(ret->wall, sizeof ret->wall, "%u",
			       caps->wall_time_s);
		*o++ = (struct vessel_option){ "wall-time-s", ret->wall };
	}
	if (caps->cpu_time_s > 0) {
		(void)snprintf(ret->cpu, sizeof ret->cpu, "%u",
			       caps->cpu_time_s);
		*o++ = (struct vessel_option){ "cpu-time-s", ret->cpu };
	}
	if (caps->mem_bytes > 0) {
		(void)snprintf(ret->mem, sizeof ret->mem, "%llu",
			       (unsigned long long)caps->mem_bytes);
		*o++ = (struct vessel_option){ "mem-bytes", ret->mem };
	}
	*o = (struct vessel_option){ NULL, NULL };
}

static int words_fill(const struct probe *probe, const char *program,
		      const char *argv[WORDS_MAX + 1], struct cupel_error *err)
{
	size_t n = 0;

	while (probe->command[n] != NULL) {
		if (n == WORDS_MAX)
			return cupel_fail(
				err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, E2BIG,
				"probe %s: its command has more than %d words",
				probe->name, WORDS_MAX);
		argv[n] = strcmp(probe->command[n], "{program}") == 0
				  ? program
				  : probe->command[n];
		n++;
	}
	argv[n] = NULL;
	return 0;
}

static int command_start(const struct attempt_request *req, struct attempt *ret,
			 struct cupel_error *err)
{
	const struct probe *probe = req->in->probe;
	const char *argv[WORDS_MAX + 1];
	char program[NUMBER_BYTES];
	int inputs[PROBES_MAX + 1];
	owned_fd int program_fd = -1;
	struct caps_texts caps = { 0 };
	struct vessel_request v = {
		.profile = "probe",
		.options = caps.options,
		.repo = ret->tree.path,
		.argv = argv,
		.stdin_fd = ret->stdin_fd,
		.inputs = inputs,
		.inputs_len = req->required_len,
		.exec_fd = -1,
	};
	int e;

	for (size_t i = 0; i < req->required_len; i++)
		inputs[i] = req->required[i];
	if (probe->program != NULL) {
		program_fd = sealed_of(probe->program, probe->program_len, true,
				       err);
		if (program_fd < 0)
			return program_fd;
		inputs[v.inputs_len++] = program_fd;
	}
	(void)snprintf(program, sizeof program, "/dev/fd/%zu",
		       FIRST_INPUT + req->required_len);
	caps_write(&probe->caps, &caps);
	e = words_fill(probe, program, argv, err);
	return e == 0 ? vessel_start(&v, &ret->run, err) : e;
}

int attempt_start(const struct attempt_request *req, struct attempt *ret,
		  struct cupel_error *err)
{
	int e;

	*ret = ATTEMPT_NONE;
	e = list_seal(req, ret, err);
	if (e < 0)
		return e;
	if (req->in->probe->command == NULL)
		return parser_start(req, ret, err);
	e = tree_make(req->in, NULL, &ret->tree, err);
	return e == 0 ? command_start(req, ret, err) : e;
}

void attempt_done(struct attempt *a)
{
	vessel_free(a->run);
	a->run = NULL;
	cleanup_fd(&a->stdin_fd);
	tree_remove(&a->tree);
}
