/* deploy_compose.c -- compose files: services, images, builds, ports.
 *
 * Environment and arguments are never read.  Source: the Compose specification
 * (compose-spec.io). */
#include <string.h>

#include "parsers/common/address_clean.h"
#include "parsers/deploy/deploy.h"

#define PORTS_MAX 200U /* of one service */

struct compose {
	struct deploy *d;
	const struct parse_input *in;
};

/* "context": a path, or an address. */
static void build_write(const struct compose *c, struct jsonw *w,
			const struct yaml_node *n)
{
	bool is_mapping = n != NULL && n->type == YAML_MAPPING;
	struct json_text context =
		is_mapping ? deploy_text(c->d, c->in, n, "context")
			   : yaml_text(n, c->in, c->d->report);

	if (n == NULL || yaml_is_null(n)) {
		jsonw_null(w, "build");
		return;
	}
	deploy_check_path(c->d, c->in, context, n->offset);
	jsonw_object(w, "build");
	address_put(w, "context", context, ADDRESS_TEXT);
	text_put(w, "dockerfile",
		 is_mapping ? deploy_text(c->d, c->in, n, "dockerfile")
			    : (struct json_text){ NULL, 0 });
	text_put(w, "target",
		 is_mapping ? deploy_text(c->d, c->in, n, "target")
			    : (struct json_text){ NULL, 0 });
	source_write(w, "source", c->in);
	jsonw_end_object(w);
}

/* {name: docker-image://x}, or ["name=docker-image://x"]. */
static void contexts_read(const struct compose *c, const struct yaml_node *n)
{
	static const char head[] = "docker-image://";
	const bool is_mapping = n != NULL && n->type == YAML_MAPPING;
	const size_t len = is_mapping ? n->u.mapping.len : deploy_count(n);

	for (size_t i = 0; i < len; i++) {
		struct deploy_reference ref = { 0 };
		struct json_text t =
			yaml_text(is_mapping ? n->u.mapping.pairs[i].value
					     : n->u.sequence.items[i],
				  c->in, c->d->report);

		if (!is_mapping)
			(void)text_cut(t, '=', &t);
		ref.name = text_from(t, strlen(head));
		if (text_begins(t, head))
			deploy_image_add(c->d, c->in, "compose", &ref);
	}
}

static void file_include(const struct compose *c, const struct yaml_node *name,
			 size_t offset)
{
	deploy_include(c->d, c->in, yaml_text(name, c->in, c->d->report),
		       offset);
}

/* What of "build" is an image: a Dockerfile that stands here is read, and one whose
 * name does not show what it is cannot be. */
static void build_read(const struct compose *c, const struct yaml_node *n)
{
	const struct json_text name = deploy_text(c->d, c->in, n, "dockerfile");
	const struct json_text text =
		deploy_text(c->d, c->in, n, "dockerfile_inline");

	contexts_read(c, yaml_find(n, "additional_contexts"));
	if (text.len > 0)
		deploy_dockerfile_text_read(c->d, c->in, text);
	if (name.len > 0 && !deploy_is_dockerfile(name))
		deploy_warn(c->d, "not_found", c->in, n->offset,
			    "names a Dockerfile that is not called like one, "
			    "and is not read");
}

/* The long form {host_ip, published, target, protocol} in the short one:
 * [host_ip:][published:]target[/protocol]. */
static void port_join(const struct compose *c, const struct yaml_node *n,
		      struct buf *out)
{
	static const struct {
		const char *key, *before, *after;
	} parts[] = {
		{ "host_ip", "", ":" },
		{ "published", "", ":" },
		{ "target", "", "" },
		{ "protocol", "/", "" },
	};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct json_text t = deploy_text(c->d, c->in, n, parts[i].key);

		if (t.len == 0)
			continue;
		buf_text(out, parts[i].before);
		buf_add(out, t.bytes, t.len);
		buf_text(out, parts[i].after);
	}
}

static void port_write(const struct compose *c, struct jsonw *w,
		       const struct yaml_node *n)
{
	owned_buf struct buf joined = { .cap_bytes = DEPLOY_TEXT_BYTES };
	struct json_text t = yaml_text(n, c->in, c->d->report);

	if (n->type == YAML_MAPPING)
		port_join(c, n, &joined);
	if (joined.len > 0 && !buf_has_failed(&joined))
		jsonw_bytes(w, NULL, joined.bytes, joined.len);
	else if (t.bytes != NULL)
		jsonw_bytes(w, NULL, t.bytes, t.len);
}

static void ports_write(const struct compose *c, struct jsonw *w,
			const struct yaml_node *n)
{
	size_t len = deploy_count(n);

	if (len > PORTS_MAX) {
		len = PORTS_MAX;
		deploy_warn(c->d, "truncated", c->in, n->offset,
			    "a service with more than 200 ports");
	}
	jsonw_array(w, "ports");
	for (size_t i = 0; i < len; i++)
		port_write(c, w, n->u.sequence.items[i]);
	jsonw_end_array(w);
}

/* "declared", "disabled" or NULL. */
static const char *healthcheck_of(const struct yaml_node *service)
{
	const struct yaml_node *n = yaml_find(service, "healthcheck");
	const struct yaml_node *test = yaml_find(n, "test");

	if (n == NULL || n->type != YAML_MAPPING)
		return NULL;
	if (yaml_is_text(yaml_find(n, "disable"), "true") ||
	    yaml_is_text(test, "NONE") ||
	    (deploy_count(test) == 1 &&
	     yaml_is_text(test->u.sequence.items[0], "NONE")))
		return "disabled";
	return "declared";
}

static void service_read(const struct compose *c, struct json_text name,
			 const struct yaml_node *n)
{
	struct slice_list *l = &c->d->lists[DEPLOY_COMPOSE_SERVICES];
	struct deploy_reference ref = { .name = deploy_text(c->d, c->in, n,
							    "image") };
	const struct yaml_node *extends = yaml_find(n, "extends");
	struct jsonw *w;

	file_include(c, yaml_find(extends, "file"),
		     extends != NULL ? extends->offset : 0);
	build_read(c, yaml_find(n, "build"));
	deploy_image_add(c->d, c->in, "compose", &ref);
	if (slice_is_full(l))
		return;
	w = slice_item(l);
	text_put(w, "name", name);
	text_put(w, "image", ref.name);
	build_write(c, w, yaml_find(n, "build"));
	ports_write(c, w, yaml_find(n, "ports"));
	jsonw_text_or_null(w, "healthcheck", healthcheck_of(n));
	source_write(w, "source", c->in);
	slice_item_end(l);
}

/* include: [path], or [{path: path or [path]}] */
static void includes_check(const struct compose *c, const struct yaml_node *n)
{
	for (size_t i = 0; i < deploy_count(n) && deploy_visit(c->d, c->in);
	     i++) {
		const struct yaml_node *item = n->u.sequence.items[i];
		const struct yaml_node *path = item->type == YAML_MAPPING
						       ? yaml_find(item, "path")
						       : item;

		for (size_t k = 0; k < deploy_count(path); k++)
			file_include(c, path->u.sequence.items[k],
				     item->offset);
		file_include(c, path, item->offset);
	}
}

/* The services; before version 2 they stood at the top. */
static const struct yaml_node *services_find(const struct yaml_node *top)
{
	const struct yaml_node *services = yaml_find(top, "services");

	if (services != NULL || yaml_find(top, "version") != NULL ||
	    top->type != YAML_MAPPING)
		return services;
	for (size_t i = 0; i < top->u.mapping.len; i++) {
		const struct yaml_node *v = top->u.mapping.pairs[i].value;

		if (yaml_find(v, "image") != NULL ||
		    yaml_find(v, "build") != NULL)
			return top;
	}
	return NULL;
}

static void file_write(const struct compose *c, const struct yaml_node *top,
		       size_t services)
{
	struct slice_list *l = &c->d->lists[DEPLOY_COMPOSE_FILES];
	struct jsonw *w;

	if (slice_is_full(l))
		return;
	w = slice_item(l);
	text_put(w, "name", deploy_text(c->d, c->in, top, "name"));
	text_put(w, "version", deploy_text(c->d, c->in, top, "version"));
	jsonw_uint(w, "services", services);
	source_write(w, "source", c->in);
	slice_item_end(l);
}

/* How many there are. */
static size_t services_read(const struct compose *c, const struct yaml_node *n)
{
	if (n == NULL || n->type != YAML_MAPPING)
		return 0;
	for (size_t i = 0; i < n->u.mapping.len && deploy_visit(c->d, c->in);
	     i++)
		service_read(c,
			     yaml_text(n->u.mapping.pairs[i].key, c->in,
				       c->d->report),
			     n->u.mapping.pairs[i].value);
	return n->u.mapping.len;
}

/* Several documents are merged, so each may have services. */
void deploy_compose_read(struct deploy *d, const struct parse_input *in)
{
	struct compose c = { d, in };
	struct arena arena = { 0 };
	struct yaml_documents docs;
	bool is_compose = false;
	size_t services = 0;

	deploy_read(d, in, &arena, &docs);
	for (size_t i = 0; i < docs.len; i++) {
		const struct yaml_node *top = docs.items[i];
		const struct yaml_node *found = services_find(top);
		const struct yaml_node *include = yaml_find(top, "include");

		includes_check(&c, include);
		services += services_read(&c, found);
		is_compose = is_compose || found != NULL ||
			     deploy_count(include) > 0;
	}
	if (is_compose) {
		deploy_found(d, DEPLOY_COMPOSE, in);
		file_write(&c, docs.items[0], services);
	}
	arena_done(&arena);
}
