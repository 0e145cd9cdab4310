/* vessel_end.c -- describes how vessels of ours ended.  See vessel.h. */
#include <string.h>

#include "base/hooks.h"
#include "service/vessel.h"

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
		{ "sandbox_failed", "the vessel could not be started; the run "
				    "record and the events say more" },
		{ "wall_time", "its wall time was used up" },
		{ "cpu_time", "its CPU time was used up" },
		{ "memory", "it used more memory than it may" },
		{ "output", "it wrote more than it may" },
		{ "forbidden_syscall", "it made a forbidden system call" },
		{ "parser_failed", "it ended with a failure" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].code, code) == 0)
			return rows[i].sentence;
	return "";
}
