/* sbom_head.c -- see sbom_head.h. */
#include "jobs/gather/sbom_head.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "jobs/gather/model.h"
#include "jobs/gather/report_text.h"

#define UUID_HEX 32U

static const char *text_of(const struct json_value *v, const char *key)
{
	const struct json_value *t = json_find(v, key);

	return t != NULL && t->type == JSON_STRING ? t->u.string.bytes : "";
}

static bool is_own(const struct json_value *item)
{
	return strcmp(text_of(item, "role"), "own") == 0;
}

/* The package that the repository is: of its own manifest of the primary
 * ecosystem that lies nearest to the root. */
static const struct json_value *self_find(const struct json_value *slice)
{
	const struct json_value *files = json_find(slice, "files");
	const struct json_value *found = NULL;
	const char *primary = text_of(slice, "primary");
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < items_len(slice, "files"); i++) {
		const struct json_value *f = &files->u.array.items[i];
		size_t depth = 0;

		for (const char *s = text_of(f, "source"); *s != '\0'; s++)
			depth += *s == '/';
		if (!is_own(f) || depth >= least ||
		    strcmp(text_of(f, "ecosystem"), primary) != 0 ||
		    text_of(f, "name")[0] == '\0')
			continue;
		least = depth;
		found = f;
	}
	return found;
}

/* What lies in node_modules is not read for a bill of materials, whatever lockfiles
 * say, and whoever reads it has to know. */
static void left_out_write(struct jsonw *w)
{
	jsonw_array(w, "properties");
	jsonw_object(w, NULL);
	jsonw_text(w, "name", "cupel:left-out");
	jsonw_text(w, "value", "node_modules");
	jsonw_end_object(w);
	jsonw_end_array(w);
}

static void metadata_write(struct jsonw *w, const struct gather_run *run,
			   const struct json_value *slice)
{
	const struct json_value *self = self_find(slice);

	jsonw_object(w, "metadata");
	jsonw_object(w, "tools");
	jsonw_array(w, "components");
	jsonw_object(w, NULL);
	jsonw_text(w, "type", "application");
	jsonw_text(w, "name", "cupel");
	jsonw_text(w, "version", PACKAGE_VERSION);
	jsonw_end_object(w);
	jsonw_end_array(w);
	jsonw_end_object(w);
	jsonw_object(w, "component");
	jsonw_text(w, "type", "application");
	jsonw_text(w, "bom-ref", SBOM_ROOT_REF);
	jsonw_text(w, "name", self ? text_of(self, "name") : "repository");
	if (self != NULL && text_of(self, "version")[0] != '\0')
		jsonw_text(w, "version", text_of(self, "version"));
	jsonw_end_object(w);
	if (run->has_modules)
		left_out_write(w);
	jsonw_end_object(w);
}

/* A UUID of our own making (RFC 9562, version 8) of the digest's first bits. */
static void serial_write(struct jsonw *w, const struct gather_run *run)
{
	const char *hex = strchr(run->digest, ':');
	char u[UUID_HEX + 1];
	owned_buf struct buf text = { 0 };

	hex = hex != NULL ? hex + 1 : run->digest;
	if (strlen(hex) < UUID_HEX)
		return;
	memcpy(u, hex, UUID_HEX);
	u[UUID_HEX] = '\0';
	u[12] = '8';
	u[16] = '8';
	buf_format(&text, "urn:uuid:%.8s-%.4s-%.4s-%.4s-%.12s", u, u + 8,
		   u + 12, u + 16, u + 20);
	if (!buf_has_failed(&text))
		jsonw_text(w, "serialNumber", text.bytes);
}

void sbom_head_write(struct jsonw *w, const struct gather_run *run,
		     const struct json_value *slice)
{
	serial_write(w, run);
	jsonw_int(w, "version", 1);
	metadata_write(w, run, slice);
}
