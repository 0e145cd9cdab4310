/* project_tool.h -- finds tools of a kind by files, dependencies and
 * scripts. */
#ifndef CUPEL_PARSERS_PROJECT_TOOL_H
#define CUPEL_PARSERS_PROJECT_TOOL_H

#include "parsers/common/slice_list.h"
#include "parsers/project/project.h"
#include "parsers/project/project_program.h"

#define TOOLS_MAX 64U

/* Lists are words that spaces part; NULL is none. */
struct tool {
	const char *name;
	/* Names of files; one that ends in a dot is the head of names that go
	 * on to .js, .ts, .json and so on. */
	const char *configs;
	const char *keys;     /* members of a package.json */
	const char *packages; /* dependencies */
	/* Programs in scripts; "bun:test" is "bun test", "node:--test" is a
	 * node with that flag. */
	const char *programs;
};

struct tools {
	const struct tool *items;
	size_t len; /* at most TOOLS_MAX */
};

/* A fact is {name, evidence, version, source}; each is given once for each
 * file.  Sets of tools are bits by their index.
 *
 * project_tools_in_files	evidence "config" for the files that configure one;
 *			returns those that were found
 * project_tools_in_manifest	"dependency", "config" (a member) and "script"; returns
 *			those of the first two; ret_scripts (may be NULL) those
 *			of the last
 * project_tools_in_command	those that a script's command runs */
uint64_t project_tools_in_files(const struct tools *t, const struct project *p,
				enum role_subject subject,
				struct slice_list *f);
uint64_t project_tools_in_manifest(const struct tools *t,
				   const struct project *p,
				   const struct manifest *m,
				   struct slice_list *f, uint64_t *ret_scripts);
uint64_t project_tools_in_command(const struct tools *t,
				  struct json_text command);

/* project_tool_fits_config -- whether a file with that base name configures
 * t. */
bool project_tool_fits_config(const struct tool *t, struct json_text base);

/* project_tool_fact -- write one by hand.
 *
 * @version	bytes NULL: not known */
void project_tool_fact(struct slice_list *f, const char *name,
		       const char *evidence, struct json_text version,
		       const struct parse_input *in);

#endif
