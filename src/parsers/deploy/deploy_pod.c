/* deploy_pod.c -- a pod: its images, health probes and security contexts.
 *
 * Environment, arguments and the commands of probes are never read, because
 * people leave passwords there.  Source:
 * kubernetes.io/docs/reference/kubernetes-api/workload-resources. */
#include <string.h>

#include "parsers/deploy/deploy.h"

#define SETTINGS_MAX   64U /* of one security context */
#define SETTINGS_DEPTH 4U  /* capabilities.drop is 2 */
#define NAME_BYTES     512U

struct pod {
	struct deploy *d;
	const struct deploy_workload *owner;
};

static void owner_write(const struct pod *p, struct jsonw *w)
{
	text_put(w, "workload_kind", p->owner->kind);
	text_put(w, "workload", p->owner->name);
}

/* The member of n that says how the probe asks, or NULL. */
static const struct yaml_node *action_find(const struct yaml_node *n,
					   const char **ret_kind)
{
	static const struct {
		const char *key, *kind;
	} actions[] = {
		{ "httpGet", "http" },
		{ "tcpSocket", "tcp" },
		{ "exec", "exec" },
		{ "grpc", "grpc" },
	};

	*ret_kind = NULL;
	for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
		const struct yaml_node *a = yaml_find(n, actions[i].key);

		if (a != NULL && !yaml_is_null(a)) {
			*ret_kind = actions[i].kind;
			return a;
		}
	}
	return NULL;
}

static void probe_write(const struct pod *p, struct json_text container,
			const char *type, const struct yaml_node *n)
{
	struct slice_list *l = &p->d->lists[DEPLOY_PROBES];
	const struct parse_input *in = p->owner->in;
	const struct yaml_node *action;
	const char *kind;
	struct jsonw *w;

	if (n == NULL || n->type != YAML_MAPPING || slice_is_full(l))
		return;
	action = action_find(n, &kind);
	w = slice_item(l);
	jsonw_text(w, "type", type);
	jsonw_text_or_null(w, "kind", kind);
	text_put(w, "container", container);
	text_put(w, "path", deploy_text(p->d, in, action, "path"));
	text_put(w, "port", deploy_text(p->d, in, action, "port"));
	owner_write(p, w);
	source_write(w, "source", in);
	slice_item_end(l);
}

/* Settings of one security context, flattened. */
struct settings {
	const struct pod *pod;
	struct jsonw *w; /* at the open array */
	unsigned len;
	char name[NAME_BYTES]; /* "capabilities.drop" */
};

static void setting_write(struct settings *s, size_t name_len,
			  const struct yaml_node *value)
{
	struct json_text t =
		yaml_text(value, s->pod->owner->in, s->pod->d->report);

	if (s->len++ == SETTINGS_MAX)
		deploy_warn(s->pod->d, "truncated", s->pod->owner->in,
			    value->offset,
			    "a security context with more than 64 settings");
	if (s->len > SETTINGS_MAX)
		return;
	jsonw_object(s->w, NULL);
	jsonw_bytes(s->w, "name", s->name, name_len);
	text_put(s->w, "value", t);
	jsonw_end_object(s->w);
}

/* As deep as SETTINGS_DEPTH; name_len bytes of the name stand. */
static void settings_walk(struct settings *s, size_t name_len,
			  const struct yaml_node *n, unsigned depth)
{
	if (depth > SETTINGS_DEPTH || s->len > SETTINGS_MAX ||
	    !deploy_visit(s->pod->d, s->pod->owner->in))
		return;
	if (n->type == YAML_SCALAR) {
		setting_write(s, name_len, n);
		return;
	}
	if (n->type == YAML_SEQUENCE) {
		for (size_t i = 0;
		     i < n->u.sequence.len && s->len <= SETTINGS_MAX; i++)
			settings_walk(s, name_len, n->u.sequence.items[i],
				      depth + 1);
		return;
	}
	for (size_t i = 0; i < n->u.mapping.len && s->len <= SETTINGS_MAX;
	     i++) {
		struct json_text key =
			yaml_text(n->u.mapping.pairs[i].key, s->pod->owner->in,
				  s->pod->d->report);
		size_t at = name_len;

		if (key.len == 0 || key.len > NAME_BYTES - name_len - 1)
			continue;
		if (at > 0)
			s->name[at++] = '.';
		memcpy(s->name + at, key.bytes, key.len);
		settings_walk(s, at + key.len, n->u.mapping.pairs[i].value,
			      depth + 1);
	}
}

/* Settings beside the pod's security context that open the host to it. */
static void host_settings(struct settings *s, const struct yaml_node *spec)
{
	static const char *const keys[] = { "hostNetwork", "hostPID", "hostIPC",
					    "shareProcessNamespace" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct yaml_node *n = yaml_find(spec, keys[i]);

		if (n == NULL || n->type != YAML_SCALAR)
			continue;
		memcpy(s->name, keys[i], strlen(keys[i]));
		setting_write(s, strlen(keys[i]), n);
	}
}

/* holder: a pod's spec, or a container. */
static void security_write(const struct pod *p, const char *level,
			   struct json_text container,
			   const struct yaml_node *holder)
{
	struct slice_list *l = &p->d->lists[DEPLOY_SECURITY];
	const struct yaml_node *n = yaml_find(holder, "securityContext");
	struct settings s = { .pod = p };
	bool is_present = n != NULL && n->type == YAML_MAPPING;

	/* A patch need not repeat the rest. */
	if ((!is_present && p->owner->is_patch) || slice_is_full(l))
		return;
	s.w = slice_item(l);
	jsonw_text(s.w, "level", level);
	text_put(s.w, "container", container);
	jsonw_bool(s.w, "present", is_present);
	jsonw_array(s.w, "settings");
	if (is_present)
		settings_walk(&s, 0, n, 0);
	if (strcmp(level, "pod") == 0)
		host_settings(&s, holder);
	jsonw_end_array(s.w);
	owner_write(p, s.w);
	source_write(s.w, "source", p->owner->in);
	slice_item_end(l);
}

static void container_read(const struct pod *p, const struct yaml_node *n)
{
	static const struct {
		const char *key, *type;
	} probes[] = {
		{ "livenessProbe", "liveness" },
		{ "readinessProbe", "readiness" },
		{ "startupProbe", "startup" },
	};
	const struct parse_input *in = p->owner->in;
	struct json_text name = deploy_text(p->d, in, n, "name");
	struct deploy_reference ref = { .name = deploy_text(p->d, in, n,
							    "image") };

	if (n->type != YAML_MAPPING)
		return;
	deploy_image_add(p->d, in, "manifest", &ref);
	for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
		probe_write(p, name, probes[i].type,
			    yaml_find(n, probes[i].key));
	security_write(p, "container", name, n);
}

void deploy_pod_read(struct deploy *d, const struct deploy_workload *owner,
		     const struct yaml_node *spec)
{
	static const char *const keys[] = { "initContainers", "containers",
					    "ephemeralContainers" };
	struct json_text none = { NULL, 0 };
	struct pod p = { d, owner };

	if (spec == NULL || spec->type != YAML_MAPPING ||
	    deploy_count(yaml_find(spec, "containers")) +
			    deploy_count(yaml_find(spec, "initContainers")) ==
		    0)
		return;
	security_write(&p, "pod", none, spec);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct yaml_node *list = yaml_find(spec, keys[i]);

		for (size_t k = 0;
		     k < deploy_count(list) && deploy_visit(d, owner->in); k++)
			container_read(&p, list->u.sequence.items[k]);
	}
}
