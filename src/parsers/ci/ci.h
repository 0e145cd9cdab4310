/* ci.h -- what the pieces of the probe ci share; private to it.
 *
 * A flow is one workflow, pipeline or action: what the slice's "workflows"
 * lists.  The reader of a provider's file opens a flow, adds what the file
 * says, and closes it. */
#ifndef CUPEL_PARSERS_CI_H
#define CUPEL_PARSERS_CI_H

#include <stdbool.h>

#include "parsers/ci/ci_match.h"
#include "parsers/common/parse.h"
#include "parsers/common/slice_list.h"
#include "parsers/common/text_piece.h"
#include "parsers/yaml/yaml.h"

/* Nine lists of one flow fit in the slice together. */
#define CI_LIST_BYTES    ((size_t)64 << 10)
#define CI_COMMAND_BYTES 1000U /* of a command, as the slice has it */
#define CI_FLOWS_MAX     2000U /* of one file */
/* The work that may be spent on scripts, counted in bytes read (about 2 s).  It
 * is limited because jobs share scripts and a line may be compared with many
 * rows.  Each file may use a quarter of what the files before it left, so that
 * no file takes it all. */
#define CI_SCRIPT_WORK  ((size_t)64 << 20)
#define CI_SCRIPT_SHARE 4
#define CI_NESTED_MAX   12U /* scripts in scripts, steps in steps */

/* What is told about a file: what is left out because of a cap.  Each is told
 * once for each file, so that a thousand of them do not hide the rest. */
enum ci_told {
	CI_TOLD_CUT,    /* a command is cut where it is written out */
	CI_TOLD_LONG,   /* only the first part of a command is read */
	CI_TOLD_NESTED, /* deeper than CI_NESTED_MAX */
	CI_TOLD_STRING, /* over PARSE_STRING_BYTES */
	CI_TOLD_SPENT,  /* the file's share of CI_SCRIPT_WORK */
	CI_TOLD_MAX_,
};

enum ci_list {
	CI_TRIGGERS,
	CI_FILTERS,
	CI_JOBS,
	CI_HIDDEN,
	CI_STAGES,
	CI_USES,
	CI_RUNS_ON,
	CI_IMAGES,
	CI_TESTS,
	CI_LIST_MAX_
};

enum ci_provider {
	CI_GITHUB,
	CI_GITLAB,
	CI_CIRCLECI,
	CI_AZURE,
	CI_JENKINS,
	CI_TRAVIS,
	CI_BITBUCKET,
	CI_DRONE,
	CI_WOODPECKER,
	CI_BUILDKITE,
	CI_TEKTON,
	CI_CLOUD_BUILD,
	CI_APPVEYOR,
	CI_CIRRUS,
	CI_FORGEJO, /* Gitea's and Forgejo's are written as GitHub's */
	CI_GITEA,
	CI_SOURCEHUT,
	CI_SEMAPHORE,
	CI_TEAMCITY, /* by presence alone, as the next one */
	CI_ZUUL,
	CI_PROVIDER_MAX_
};

struct ci {
	const struct parse_inputs *inputs;
	struct parse_report *report;
	struct ci_table *table;
	struct slice_list flows;
	const struct parse_input *seen[CI_PROVIDER_MAX_]; /* first file */
	/* Line ends before each block of the file under way. */
	const struct parse_input *placed;
	uint32_t *ends;
	size_t script_work; /* put in so far */
	size_t script_end;  /* where the current file has used its share */
	uint32_t *told; /* for each input a bit for each ci_told; NULL: none */
};

/* The place of a script in its file. */
struct ci_origin {
	size_t offset;
	size_t header;   /* lines before its first one */
	bool is_literal; /* its lines are the file's; else only the first is */
};

struct ci_flow {
	struct ci *ci;
	const struct parse_input *in;
	enum ci_provider provider;
	const char *kind;           /* "workflow", "action" or "template" */
	struct json_text name, job; /* bytes NULL: none */
	struct slice_list lists[CI_LIST_MAX_];
};

/* ci_flow_open -- begin one; ci_flow_close() puts it into the slice and frees it. */
void ci_flow_open(struct ci_flow *f, struct ci *ci, enum ci_provider provider,
		  const struct parse_input *in);
void ci_flow_close(struct ci_flow *f);

/* ci_flow_line -- the line, from 1, of a byte of the file. */
size_t ci_flow_line(struct ci_flow *f, size_t offset);

/* ci_flow_text -- a string of CI_TRIGGERS, CI_JOBS, CI_HIDDEN or CI_STAGES; one
 * without bytes is left out. */
void ci_flow_text(struct ci_flow *f, enum ci_list list, struct json_text t);
/* ci_flow_texts -- the same for a scalar, or for each scalar of a sequence. */
void ci_flow_texts(struct ci_flow *f, enum ci_list list,
		   const struct yaml_node *n);

/* ci_flow_item -- begin an object of another list with its job, line and
 * source.  The caller adds the rest and calls ci_flow_item_end(). */
struct jsonw *ci_flow_item(struct ci_flow *f, enum ci_list list, size_t line);
void ci_flow_item_end(struct ci_flow *f, enum ci_list list);

/* ci_flow_uses -- add something that the flow takes from elsewhere. */
void ci_flow_uses(struct ci_flow *f, const char *kind,
		  const struct yaml_node *n);
/* ci_flow_runs_on -- where it runs: "label", "image", "service", "executor". */
void ci_flow_runs_on(struct ci_flow *f, const char *kind,
		     const struct yaml_node *n);
/* ci_flow_image -- an image written as a scalar or as a mapping with key. */
void ci_flow_image(struct ci_flow *f, const char *kind,
		   const struct yaml_node *n, const char *key);
/* ci_flow_filter -- each value of a trigger's filter ("branches", "cron"). */
void ci_flow_filter(struct ci_flow *f, struct json_text trigger,
		    const char *filter, const struct yaml_node *n);

/* ci_flow_fact_uses, ci_flow_fact_runs_on -- the same from text without a tree. */
void ci_flow_fact_uses(struct ci_flow *f, const char *kind, struct json_text t,
		       size_t line);
void ci_flow_fact_runs_on(struct ci_flow *f, const char *kind,
			  struct json_text t, size_t line);

void ci_flow_fact_filter(struct ci_flow *f, struct json_text trigger,
			 const char *filter, struct json_text value,
			 size_t line);
/* ci_flow_build -- an image that is built; texts with bytes NULL are unknown. */
void ci_flow_build(struct ci_flow *f, struct json_text command,
		   struct json_text step, size_t line,
		   const struct ci_build *b);

/* ci_flow_script -- commands: a scalar, or sequences of them. */
void ci_flow_script(struct ci_flow *f, const struct yaml_node *n);
/* ci_flow_commands -- the same from text that is written at from. */
void ci_flow_commands(struct ci_flow *f, struct json_text text,
		      struct ci_origin from);
/* ci_flow_test -- a command, or a step with its input, that tests something. */
void ci_flow_test(struct ci_flow *f, struct json_text command,
		  struct json_text step, size_t line,
		  const struct ci_found *found);
/* ci_flow_tell -- warn about the text at offset (-1: not known), once for each
 * file. */
void ci_flow_tell(struct ci_flow *f, enum ci_told what, int64_t offset);
/* ci_is_spent -- whether the file under way has no work left. */
bool ci_is_spent(const struct ci *ci);
/* ci_flow_may_go_on -- whether the file has work left for the text at offset.
 * If it has none, this is noted once for all files. */
bool ci_flow_may_go_on(struct ci_flow *f, size_t offset);
/* ci_flow_step -- an action, task or orb with its inputs (NULL: none). */
void ci_flow_step(struct ci_flow *f, const struct yaml_node *name,
		  const struct yaml_node *inputs);

/* What a provider's files have in common with others': names of keys, each list
 * ended by a NULL (or full). */
#define CI_KEYS 12U
struct ci_keys {
	const char *scripts[CI_KEYS];
	const char *jobs[CI_KEYS]; /* whose value names the mapping's job */
	const char *stages[CI_KEYS];
	const char *images[CI_KEYS]; /* a scalar, or a mapping with "name" */
	const char *labels[CI_KEYS];
	const char *services[CI_KEYS]; /* names, or images by name */
	const char *steps[CI_KEYS];    /* of something by name */
	const char *keyed[CI_KEYS];    /* mappings of jobs by name */
	const char *skipped[CI_KEYS];
	const char *values[CI_KEYS]; /* mappings that name no job */
	const char *inputs;          /* of a step, beside its name */
	const char *step_kind;       /* of uses; NULL: the key's name */
};

/* ci_flow_walk -- add everything below n that these keys describe. */
void ci_flow_walk(struct ci_flow *f, const struct ci_keys *keys,
		  const struct yaml_node *n);

/* ci_text -- yaml_text() of the flow's file. */
struct json_text ci_text(struct ci_flow *f, const struct yaml_node *n);

/* What each provider's reader does with one document of one file.  index is
 * the document's place in the file. */
typedef void ci_reader(struct ci *ci, const struct parse_input *in,
		       const struct yaml_node *doc, size_t index);
ci_reader ci_github_read, ci_gitlab_read, ci_circleci_read, ci_azure_read,
	ci_travis_read;
ci_reader ci_bitbucket_read, ci_drone_read, ci_woodpecker_read,
	ci_buildkite_read;
ci_reader ci_tekton_read, ci_cloud_build_read, ci_appveyor_read, ci_cirrus_read;
ci_reader ci_sourcehut_read, ci_semaphore_read;
/* Jenkins has no YAML. */
void ci_jenkins_read(struct ci *ci, const struct parse_input *in);

/* ci_provider_find -- which provider a file belongs to, by its name and, where
 * the name is not enough, by its keys.
 *
 * Returns false when it belongs to none. */
bool ci_provider_find(const struct parse_input *in, enum ci_provider *ret);

/* ci_is_action -- whether it is an action's metadata file, by its name. */
bool ci_is_action(const struct parse_input *in);
extern const char *const ci_provider_names[CI_PROVIDER_MAX_];

#endif
