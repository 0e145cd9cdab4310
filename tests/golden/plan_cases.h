/* plan_cases.h -- which plans are held to a file, for plan.c. */
#ifndef CUPEL_TESTS_GOLDEN_PLAN_CASES_H
#define CUPEL_TESTS_GOLDEN_PLAN_CASES_H

#include <stddef.h>

#include "golden/fake_host.h"

#define OPTIONS_MAX 8

struct plan_case {
	const char *name; /* of the file */
	const char *options[OPTIONS_MAX][2];
	void (*change[3])(struct host *h);
	int landlock_abi; /* ABI_AS_IS, or what the kernel has */
};
#define ABI_AS_IS 0
#define ABI_NONE  (-1)

/* The first is held whole, the others to their difference from it. */
static const struct plan_case cases[] = {
	{ .name = "user-default", .options = { { "profile", "default" } } },
	{ .name = "root-owned-repo", .change = { fake_root } },
	{ .name = "root-of-root", .change = { fake_repo_of_root } },
	{ .name = "host-uid",
	  .options = { { "host-uid", "70000:80000" } },
	  .change = { fake_root } },
	{ .name = "overlay", .options = { { "repo-mode", "overlay" } } },
	{ .name = "overlay-root",
	  .options = { { "repo-mode", "overlay" } },
	  .change = { fake_root } },
	{ .name = "repo-at-same",
	  .options = { { "repo-at", "same" }, { "chdir", "/repo/src" } } },
	{ .name = "repo-at-path",
	  .options = { { "repo-at", "/srv/work" },
		       { "repo-mode", "overlay" } } },
	{ .name = "env-dummy",
	  .options = { { "env-dummy", "DJANGO_SECRET_KEY" } } },
	{ .name = "cache", .change = { fake_cache } },
	{ .name = "cache-used",
	  .options = { { "repo-mode", "overlay" },
		       { "cache-bytes", "1G" },
		       { "env", "CARGO_HOME=/scratch/cargo" } },
	  .change = { fake_root, fake_cache_used } },
	{ .name = "no-repo", .options = { { "repo-mode", "none" } } },
	{ .name = "no-scratch",
	  .options = { { "repo-mode", "none" }, { "scratch-bytes", "0" } } },
	{ .name = "ro-sources",
	  .options = { { "ro", "/srv/data:/data/a" },
		       { "ro", "/srv/other" },
		       { "ro", "/srv/one-file:/data/one" } } },
	{ .name = "ro-sources-root",
	  .options = { { "ro", "/srv/data:/data" },
		       { "ro", "/srv/one-file:/one" } },
	  .change = { fake_repo_of_root } },
	{ .name = "runtime", .change = { fake_runtime } },
	{ .name = "runtime-path",
	  .options = { { "env", "PATH=/x" }, { "chdir", "/scratch" } },
	  .change = { fake_runtime } },
	{ .name = "loopback", .options = { { "network", "loopback" } } },
	{ .name = "scoped",
	  .options = { { "network", "scoped" },
		       { "egress", "Registry.NPMJS.org:443" },
		       { "egress", "*.cdn.example:443/raw" },
		       { "egress", "git.example:22-23" },
		       { "egress", "203.0.113.7/32:5432" },
		       { "egress", "[2001:db8::]/32:8443" } },
	  .change = { fake_resolver } },
	{ .name = "scoped-any-port",
	  .options = { { "network", "scoped" },
		       { "egress", "a.example:*" },
		       { "egress", "*.a.example:80-81" },
		       { "egress", "203.0.113.0/24:443" } },
	  .change = { fake_resolver } },
	{ .name = "scoped-audit",
	  .options = { { "network", "scoped" },
		       { "egress-audit", NULL },
		       { "trace", "exec,connect" } },
	  .change = { fake_resolver } },
	{ .name = "landlock",
	  .options = { { "backend", "landlock" } },
	  .change = { fake_scratch } },
	{ .name = "landlock-root",
	  .options = { { "backend", "landlock" }, { "network", "loopback" } },
	  .change = { fake_root, fake_scratch } },
	{ .name = "landlock-overlay",
	  .options = { { "backend", "landlock" },
		       { "repo-mode", "overlay" },
		       { "allow-partial", NULL } },
	  .change = { fake_scratch } },
	{ .name = "rlimits",
	  .options = { { "backend", "rlimits" } },
	  .change = { fake_scratch } },
	{ .name = "rlimits-nproc-0",
	  .options = { { "backend", "rlimits" }, { "nproc", "0" } },
	  .change = { fake_scratch } },
	{ .name = "abi-none", .landlock_abi = ABI_NONE },
	{ .name = "abi-1", .landlock_abi = 1 },
	{ .name = "abi-2", .landlock_abi = 2 },
	{ .name = "abi-3", .landlock_abi = 3 },
	{ .name = "abi-4", .landlock_abi = 4 },
	{ .name = "abi-5", .landlock_abi = 5 },
	{ .name = "low-limits", .change = { fake_low_limits } },
	{ .name = "more-limits",
	  .options = { { "rlimit", "STACK=8M" },
		       { "rlimit", "RTPRIO=0" },
		       { "rlimit", "CORE=1M" },
		       { "cpu-time-s", "1.5" },
		       { "wall-time-s", "2.25" } } },
	{ .name = "split-usr", .change = { fake_split_usr } },
	{ .name = "cgroup",
	  .options = { { "cpu-max", "1.5" }, { "pids-max", "0" } },
	  .change = { fake_cgroup } },
};

#endif
