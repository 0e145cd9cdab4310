/* deploy.h -- what the pieces of deployment share; private to the probe. */
#ifndef CUPEL_PARSERS_DEPLOY_H
#define CUPEL_PARSERS_DEPLOY_H

#include <stdbool.h>
#include <stdint.h>

#include "parsers/common/parse.h"
#include "parsers/common/slice_list.h"
#include "parsers/common/text_piece.h"
#include "parsers/yaml/yaml.h"

#define DEPLOY_FACTS_BYTES ((size_t)48 << 20) /* strings that outlive a file */
#define DEPLOY_IMAGES_MAX  100000U /* beyond, a slice is full anyway */
#define DEPLOY_VISITS_MAX  ((size_t)16 << 20) /* of nodes, in all files */
#define DEPLOY_TEXT_BYTES  4096U /* of a reference or a Dockerfile's word */
#define DEPLOY_ITEMS_MAX   1000U /* of a list within one fact */
#define DEPLOY_PATH_BYTES  4096U
/* Limits notes, so that a file full of mistakes leaves room for notes about
 * other files and about what was left out (PARSE_NOTES_MAX). */
#define DEPLOY_WARNINGS_FILE 20U
#define DEPLOY_WARNINGS_MAX  150U
/* cupel-probes(5), "BUILT-IN PROBES". */
#define DEPLOY_OVERLAY_DEPTH 5U
#define DEPLOY_OVERLAY_FILES 50U

/* What an input is, by its name and its neighbours. */
enum deploy_class {
	DEPLOY_NONE,
	DEPLOY_CHART,
	DEPLOY_REQUIREMENTS, /* the dependencies of a chart of version 1 */
	DEPLOY_VALUES,
	DEPLOY_TEMPLATE, /* of a chart: Go template, never read as YAML */
	DEPLOY_KUSTOMIZATION,
	DEPLOY_COMPOSE,
	DEPLOY_DOCKERFILE,
	DEPLOY_TERRAFORM,
	DEPLOY_YAML, /* a manifest, if it has apiVersion and kind */
	DEPLOY_CLASS_MAX_
};

enum deploy_list {
	DEPLOY_CHARTS,
	DEPLOY_KUSTOMIZATIONS,
	DEPLOY_OVERLAYS,
	DEPLOY_MANIFESTS,
	DEPLOY_OBJECTS,
	DEPLOY_TERRAFORMS,
	DEPLOY_COMPOSE_FILES,
	DEPLOY_COMPOSE_SERVICES,
	DEPLOY_DOCKERFILES,
	DEPLOY_IMAGES,
	DEPLOY_PROBES,
	DEPLOY_SECURITY,
	DEPLOY_LISTS
};

struct deploy_image {
	struct json_text reference; /* in deploy.facts */
	struct json_text written; /* where variables were replaced; else NULL */
	const char *from;
	const struct parse_input *in;
};

/* What one entry of a kustomization refers to. */
enum deploy_ref_kind {
	DEPLOY_RESOURCE,
	DEPLOY_BASE,
	DEPLOY_COMPONENT,
	DEPLOY_PATCH,
	DEPLOY_OTHER, /* read only for where it points */
	DEPLOY_REF_MAX_
};

struct deploy_ref {
	struct json_text text; /* as written, in deploy.facts */
	size_t offset;
	enum deploy_ref_kind kind;
	const struct parse_input *file; /* or NULL: not among the inputs */
	bool is_noted;                  /* that it was not followed */
};

struct deploy_overlay {
	const struct parse_input *in;
	struct deploy_ref *refs;
	size_t refs_len;
};

/* Whether a compose file includes a file that is none by its name. */
enum deploy_included {
	DEPLOY_NOT_INCLUDED,
	DEPLOY_TO_BE_READ,
	DEPLOY_INCLUDED,
};

struct deploy {
	const struct parse_inputs *inputs;
	struct parse_report *report;
	uint8_t *classes;  /* enum deploy_class of each input */
	bool *is_patch;    /* of each input: some kustomization says so */
	uint8_t *included; /* of each input: enum deploy_included */
	struct arena facts;
	struct deploy_image *images;
	size_t images_len, images_room;
	struct deploy_overlay *overlays; /* in order of the inputs */
	size_t overlays_len;
	size_t visits;
	size_t nodes;  /* in all trees, with aliases written out */
	bool is_spent; /* visits or nodes ran out, and that was noted */
	const struct parse_input *warned; /* the last one warned of */
	size_t warned_len;                /* how often */
	size_t unsaid;                    /* warnings over the caps */
	size_t found[DEPLOY_CLASS_MAX_];
	bool has_own[DEPLOY_CLASS_MAX_]; /* of the project's own files */
	struct slice_list lists[DEPLOY_LISTS];
};

/* deploy_yaml.c */

/* deploy_read -- every document of an input.  A file with "{{" that is not
 * valid YAML gives a warning ("templated"); other invalid files give an error
 * as from yaml_read().
 *
 * @arena	zeroed by the caller, who frees it
 * @ret		documents; perhaps none */
void deploy_read(struct deploy *d, const struct parse_input *in,
		 struct arena *arena, struct yaml_documents *ret);
/* The text of n's member, as yaml_text(). */
struct json_text deploy_text(struct deploy *d, const struct parse_input *in,
			     const struct yaml_node *n, const char *key);
/* Whether one more node may be looked at. */
bool deploy_visit(struct deploy *d, const struct parse_input *in);
/* Length of n's items when it is a sequence, else 0. */
size_t deploy_count(const struct yaml_node *n);
/* A warning, if there is room; deploy_warnings_end() says when there was not. */
void deploy_warnings_end(struct deploy *d);
void deploy_warn(struct deploy *d, const char *code,
		 const struct parse_input *in, size_t offset,
		 const char *message);

/* deploy_path.c */

enum deploy_place {
	DEPLOY_INSIDE,
	DEPLOY_OUTSIDE, /* above the root, absolute, or an address */
	DEPLOY_NO_PATH, /* empty, too long, or with a NUL */
};

/* deploy_resolve -- resolve a reference from a directory, by segments, removing
 * "." and "..".  No file is looked up.
 *
 * @out		emptied; a path from the root, "" for the root itself */
enum deploy_place deploy_resolve(const char *dir, size_t dir_len,
				 struct json_text ref, struct buf *out);
bool deploy_is_address(struct json_text ref);
/* The first input whose name is prefix (of at least a byte) or sorts behind it;
 * those that begin with it follow each other. */
size_t deploy_first(const struct parse_inputs *in, const struct buf *prefix);
bool deploy_begins(const struct parse_input *in, const struct buf *prefix);
/* Whether some input lies in that directory. */
bool deploy_has_dir(const struct parse_inputs *in, const struct buf *dir);
/* Warn when a path that in mentions leaves the repository. */
void deploy_check_path(struct deploy *d, const struct parse_input *in,
		       struct json_text ref, size_t offset);
/* A compose file takes services from another file: that is read, too, whatever its
 * name is.  Warns when it cannot be. */
void deploy_include(struct deploy *d, const struct parse_input *in,
		    struct json_text ref, size_t offset);
/* The kustomization in a directory, or NULL. */
const struct parse_input *deploy_kustomization_in(const struct deploy *d,
						  const char *dir, size_t len);

/* deploy_image.c */

/* [registry/]name[:tag][@digest]; the parts but name may be empty. */
struct deploy_reference {
	struct json_text registry, name, tag, digest;
	struct json_text written; /* bytes NULL: without a condition */
};
void deploy_image_add(struct deploy *d, const struct parse_input *in,
		      const char *from, const struct deploy_reference *ref);
void deploy_images_write(struct deploy *d);
/* Images that a chart's values name. */
void deploy_values_read(struct deploy *d, const struct parse_input *in);

/* deploy_probe.c: one more file of that class. */
void deploy_found(struct deploy *d, enum deploy_class class,
		  const struct parse_input *in);

/* deploy_class.c */
void deploy_classify(struct deploy *d);
enum deploy_class deploy_class_of(const struct deploy *d,
				  const struct parse_input *in);

/* Whether a file of that path would be read as a Dockerfile. */
bool deploy_is_dockerfile(struct json_text path);

/* One file of each kind. */
void deploy_chart_read(struct deploy *d, const struct parse_input *in);
void deploy_compose_read(struct deploy *d, const struct parse_input *in);
void deploy_dockerfile_read(struct deploy *d, const struct parse_input *in);
/* The same for a Dockerfile that stands in a file of another kind. */
void deploy_dockerfile_text_read(struct deploy *d, const struct parse_input *in,
				 struct json_text text);
void deploy_manifest_read(struct deploy *d, const struct parse_input *in);

/* deploy_kustomize.c: all of them, into deploy.overlays too. */
int deploy_kustomizations_read(struct deploy *d);
/* deploy_overlay.c: what each of them reaches. */
void deploy_overlays_write(struct deploy *d);

/* What a pod, or the template of one, belongs to. */
struct deploy_workload {
	const struct parse_input *in;
	struct json_text kind, name;
	bool is_patch; /* what it lacks says nothing */
};
void deploy_pod_read(struct deploy *d, const struct deploy_workload *owner,
		     const struct yaml_node *spec);

#endif
