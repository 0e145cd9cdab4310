/* catalogue.c -- see catalogue.h. */
#include "jobs/probe/catalogue.h"

#include <string.h>

#define MIB ((uint64_t)1 << 20)

static const struct probe_input_rule language_detection_rules[] = {
	{ "package.json", 5 * MIB },
	{ "pnpm-workspace.yaml", 10 * MIB },
	{ "{Cargo.toml,pyproject.toml,go.work}", 1 * MIB },
	{ "**/*", 0 },
	{ NULL, 0 },
};

static const struct probe_input_rule node_manifest_rules[] = {
	{ "**/package.json", 5 * MIB },
	{ "**/{package-lock,npm-shrinkwrap}.json", 50 * MIB },
	{ "**/binding.gyp", 1 * MIB },
	{ NULL, 0 },
};

const struct probe probes[] = {
	{ .name = "language_detection",
	  .version = "1.0",
	  .schema_version = "1.0",
	  .schema = "language_detection",
	  .rules = language_detection_rules },
	{ .name = "node_manifest",
	  .version = "1.0",
	  .schema_version = "1.0",
	  .schema = "node_manifest",
	  .rules = node_manifest_rules },
};
const size_t probes_len = sizeof probes / sizeof *probes;

const struct probe *probe_find(const char *name)
{
	for (size_t i = 0; i < probes_len; i++)
		if (strcmp(probes[i].name, name) == 0)
			return &probes[i];
	return NULL;
}
