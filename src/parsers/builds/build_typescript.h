/* build_typescript.h -- tsconfig.json and what it extends; private. */
#ifndef CUPEL_PARSERS_BUILD_TYPESCRIPT_H
#define CUPEL_PARSERS_BUILD_TYPESCRIPT_H

#include "parsers/builds/build_system.h"

#define TS_DEPTH_MAX   4U       /* cupel-probes(5), "BUILT-IN PROBES" */
#define TS_OPTIONS_MAX 4096U    /* of one file with all that it extends */
#define TS_CHAIN_MAX   64U      /* files that one extends, all told */
#define TS_WORK_MAX    1000000U /* files followed, over all of them */

/* One file, read when it is first asked for. */
struct ts_file {
	const struct parse_input *in;
	struct json_value tree;
	bool is_read, is_bad;
	bool is_open;  /* in progress: coming here again means a circle */
	bool is_noted; /* its warnings were given */
	bool is_deep_noted, is_circle_noted;
};

struct ts_option {
	struct json_text name;
	const struct json_value *value;
	const struct parse_input *in;
	size_t order;
};

struct ts {
	struct build *build;
	struct ts_file *files; /* one for each input that may be one */
	size_t files_len;
	size_t work; /* of TS_WORK_MAX */
	/* of the file at hand */
	struct ts_option *options;
	size_t options_len;
	const struct parse_input *chain[TS_CHAIN_MAX];
	size_t chain_len;
	bool is_cut; /* more options, files or work than the caps */
};

/* build_ts_file_find -- the file of that input, read; NULL when it cannot be. */
struct ts_file *build_ts_file_find(struct ts *t, const struct parse_input *in);

/* build_ts_collect -- c's options into t->options, those that it extends first.
 *
 * @depth	of extends that led here */
void build_ts_collect(struct ts *t, struct ts_file *c, unsigned depth);

#endif
