/* deploy_compose.c -- compose files: services, images, builds, ports.
 *
 * Environment and arguments are never read.  Source: the Compose specification
 * (compose-spec.io). */
#include <string.h>

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
	text_put(w, "context", context);
	text_put(w, "dockerfile",
		 is_mapping ? deploy_text(c->d, c->in, n, "dockerfile")
			    : (struct json_text){ NULL, 0 });
	text_put(w, "target",
		 is_mapping ? deploy_text(c->d, c->in, n, "target")
			    : (struct json_text){ NULL, 0 });
	source_write(w, "source", c->in);
	jsonw_end_object(w);
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

	deploy_check_path(c->d, c->in,
			  deploy_text(c->d, c->in, extends, "file"),
			  extends != NULL ? extends->offset : 0);
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
			deploy_check_path(c->d, c->in,
					  yaml_text(path->u.sequence.items[k],
						    c->in, c->d->report),
					  item->offset);
		deploy_check_path(c->d, c->in,
				  yaml_text(path, c->in, c->d->report),
				  item->offset);
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

void deploy_compose_read(struct deploy *d, const struct parse_input *in)
{
	struct compose c = { d, in };
	struct arena arena = { 0 };
	struct yaml_documents docs;
	const struct yaml_node *top = NULL, *services = NULL;

	deploy_read(d, in, &arena, &docs);
	if (docs.len > 0) {
		top = docs.items[0];
		services = services_find(top);
		includes_check(&c, yaml_find(top, "include"));
	}
	if (services != NULL || deploy_count(yaml_find(top, "include")) > 0) {
		deploy_found(d, DEPLOY_COMPOSE, in);
		file_write(&c, top, services_read(&c, services));
	} else if (docs.len > 0) {
		deploy_manifest_read(d, in); /* only called like one */
	}
	arena_done(&arena);
}
