/* parse_exit.h -- how cupel-parse ends. */
#ifndef CUPEL_PARSERS_PARSE_EXIT_H
#define CUPEL_PARSERS_PARSE_EXIT_H

enum parse_exit {
	PARSE_EXIT_DONE,       /* the output was written whole */
	PARSE_EXIT_PROBE = 2,  /* no such probe */
	PARSE_EXIT_WALL = 3,   /* the second filter could not be had */
	PARSE_EXIT_INPUTS = 4, /* the list and the bytes disagree */
	/* Memory was refused; PARSE_PROGRAM_MEMORY of service/parse_program.h. */
	PARSE_EXIT_MEMORY = 5,
	PARSE_EXIT_OUTPUT = 6, /* the output is too long, or not taken */
};

#endif
