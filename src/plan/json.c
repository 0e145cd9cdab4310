/* json.c -- a plan as JSON: what `cupel plan` prints and the golden tests
 * compare.
 */
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "plan/backend.h"
#include "plan/build.h"
#include "plan/shape.h"

struct word {
	uint64_t bit;
	const char *name;
};

/* Without namespaces the scratch has another name each time, so its random part
 * is written as a star. */
static void write_path(struct jsonw *w, const char *key, const struct plan *p,
		       const char *text)
{
	const char *at = p->scratch != NULL ? strstr(text, p->scratch) : NULL;
	size_t n = p->scratch != NULL ? strlen(p->scratch) : 0;
	owned_buf struct buf b = { 0 };

	if (at == NULL || n < HOST_SCRATCH_DIGITS) {
		jsonw_text(w, key, text);
		return;
	}
	buf_add(&b, text, (size_t)(at - text) + n - HOST_SCRATCH_DIGITS);
	buf_char(&b, '*');
	buf_add(&b, at + n, strlen(at + n));
	jsonw_bytes(w, key, b.bytes != NULL ? b.bytes : "", b.len);
}

static void write_words(struct jsonw *w, const char *key,
			const struct word words[], size_t n, uint64_t set)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < n; i++)
		if (set & words[i].bit)
			jsonw_text(w, NULL, words[i].name);
	jsonw_end_array(w);
}
#define WRITE_WORDS(w, key, words, set)                                        \
	write_words(w, key, words, sizeof(words) / sizeof *(words), set)

static const struct word namespaces[] = {
	{ CLONE_NEWUSER, "user" },     { CLONE_NEWNS, "mount" },
	{ CLONE_NEWPID, "pid" },       { CLONE_NEWNET, "net" },
	{ CLONE_NEWIPC, "ipc" },       { CLONE_NEWUTS, "uts" },
	{ CLONE_NEWCGROUP, "cgroup" },
};

static const struct word attrs[] = {
	{ MOUNT_ATTR_RDONLY, "ro" },
	{ MOUNT_ATTR_NOSUID, "nosuid" },
	{ MOUNT_ATTR_NODEV, "nodev" },
	{ MOUNT_ATTR_NOEXEC, "noexec" },
};

static const char *const kinds[] = {
	[STEP_DIR] = "dir",           [STEP_FILE] = "file",
	[STEP_LINK] = "link",         [STEP_BIND] = "bind",
	[STEP_OVERLAY] = "overlay",   [STEP_EXPOSE] = "tmpfs",
	[STEP_DEVICE] = "device",     [STEP_PROC] = "proc",
	[STEP_TERMINAL] = "terminal", [STEP_COVER] = "cover",
};
_Static_assert(sizeof kinds / sizeof *kinds == STEP_MAX_,
	       "a word for every step");

/* A single file is written as its directory and its name there. */
static void write_source(struct jsonw *w, const struct plan_source *s)
{
	owned_buf struct buf b = { 0 };

	buf_add(&b, s->path, strlen(s->path));
	if (s->leaf != NULL && strcmp(s->path, "/") != 0)
		buf_char(&b, '/');
	if (s->leaf != NULL)
		buf_add(&b, s->leaf, strlen(s->leaf));
	jsonw_bytes(w, "source", b.bytes != NULL ? b.bytes : "", b.len);
	if (s->needs_idmap)
		jsonw_bool(w, "idmapped", true);
}

static void write_step(struct jsonw *w, const struct plan *p,
		       const struct plan_step *s)
{
	owned_buf struct buf target = { 0 };

	buf_char(&target, '/');
	buf_add(&target, s->target, strlen(s->target));
	jsonw_object(w, NULL);
	jsonw_text(w, "kind", kinds[s->kind]);
	jsonw_bytes(w, "target", target.bytes != NULL ? target.bytes : "",
		    target.len);
	if ((s->kind == STEP_BIND || s->kind == STEP_OVERLAY) &&
	    s->source != PLAN_NO_SOURCE)
		write_source(w, &p->sources[s->source]);
	if (s->text != NULL)
		jsonw_text(w, s->kind == STEP_LINK ? "to" : "from", s->text);
	if (s->kind == STEP_FILE && s->content_len > 0)
		jsonw_uint(w, "bytes", s->content_len);
	if (s->kind == STEP_OVERLAY)
		jsonw_bool(w, "writable", s->writable);
	if (s->kind == STEP_PROC)
		jsonw_bool(w, "subset_pid", s->subset_pid);
	if (s->attr != 0)
		WRITE_WORDS(w, "flags", attrs, s->attr);
	jsonw_end_object(w);
}

static const char *limit_name(int resource)
{
	static const char *const names[] = {
		[RLIMIT_CPU] = "cpu",
		[RLIMIT_AS] = "as",
		[RLIMIT_DATA] = "data",
		[RLIMIT_NOFILE] = "nofile",
		[RLIMIT_FSIZE] = "fsize",
		[RLIMIT_NPROC] = "nproc",
		[RLIMIT_CORE] = "core",
		[RLIMIT_STACK] = "stack",
		[RLIMIT_MEMLOCK] = "memlock",
		[RLIMIT_MSGQUEUE] = "msgqueue",
		[RLIMIT_SIGPENDING] = "sigpending",
		[RLIMIT_RTPRIO] = "rtprio",
		[RLIMIT_NICE] = "nice",
		[RLIMIT_RSS] = "rss",
		[RLIMIT_LOCKS] = "locks",
		[RLIMIT_RTTIME] = "rttime",
	};

	return (size_t)resource < sizeof names / sizeof *names ? names[resource]
							       : "?";
}

static void write_limit_value(struct jsonw *w, const char *key, uint64_t value)
{
	if (value == SPEC_UNLIMITED)
		jsonw_null(w, key);
	else
		jsonw_uint(w, key, value);
}

static void write_limits(struct jsonw *w, const struct plan *p)
{
	const struct plan_watch *watch = &p->watch;

	jsonw_object(w, "rlimits");
	for (size_t i = 0; i < p->limits_len; i++) {
		if (p->limits[i].wall == WALL_PIDS)
			continue;
		jsonw_object(w, limit_name(p->limits[i].resource));
		write_limit_value(w, "soft", p->limits[i].soft);
		write_limit_value(w, "hard", p->limits[i].hard);
		jsonw_end_object(w);
	}
	jsonw_end_object(w);
	jsonw_object(w, "watch");
	write_limit_value(w, "wall_ms", watch->wall_ms);
	write_limit_value(w, "cpu_tree_ms", watch->cpu_ms);
	write_limit_value(w, "memory_total_bytes", watch->mem_bytes);
	write_limit_value(w, "kill_after_ms", watch->kill_after_ms);
	write_limit_value(w, "output_bytes", watch->output_bytes);
	jsonw_text(w, "output_mode",
		   watch->output_mode == OUTPUT_KILL ? "kill" : "truncate");
	write_limit_value(w, "result_bytes", watch->result_bytes);
	jsonw_end_object(w);
	jsonw_object(w, "tmpfs");
	jsonw_uint(w, "bytes", p->tmpfs_bytes);
	jsonw_uint(w, "inodes", p->tmpfs_inodes);
	jsonw_end_object(w);
}

static void write_cgroup_limit(struct jsonw *w, const char *key,
			       const struct plan_cgroup *c, unsigned controller,
			       uint64_t value)
{
	write_limit_value(w, key, c->can & controller ? value : SPEC_UNLIMITED);
}

static void write_cgroup(struct jsonw *w, const struct plan_cgroup *c)
{
	if (c->kind == CGROUP_NONE) {
		jsonw_null(w, "cgroup");
		return;
	}
	jsonw_object(w, "cgroup");
	jsonw_text(w, "kind", cgroup_kind_name(c->kind));
	jsonw_text(w, "directory", c->dir);
	write_cgroup_limit(w, "memory_max", c, CGROUP_MEMORY, c->memory_bytes);
	write_cgroup_limit(w, "pids_max", c, CGROUP_PIDS, c->pids);
	write_cgroup_limit(w, "cpu_max_milli", c, CGROUP_CPU, c->cpu_milli);
	jsonw_end_object(w);
}

static void write_report(struct jsonw *w, const struct plan *p)
{
	const struct report_source *r = &p->report;

	if (r->format == REPORT_NONE) {
		jsonw_null(w, "report");
		return;
	}
	jsonw_object(w, "report");
	jsonw_text(w, "format", report_format_name(r->format));
	if (r->path != NULL)
		write_path(w, "from", p, r->path);
	else
		jsonw_text(w, "from",
			   r->from == REPORT_FROM_STDOUT ? "stdout" : "stderr");
	if (r->has_names)
		jsonw_bool(w, "names", true);
	jsonw_end_object(w);
}

static void write_ids(struct jsonw *w, const struct plan *p)
{
	bool has_own = backend_has(p->backend, WALL_USERNS);

	jsonw_object(w, "ids");
	jsonw_uint(w, "uid_inside",
		   has_own ? PLAN_UID_INSIDE : p->ids.host_uid);
	jsonw_uint(w, "gid_inside",
		   has_own ? PLAN_GID_INSIDE : p->ids.host_gid);
	jsonw_uint(w, "uid_outside", p->ids.host_uid);
	jsonw_uint(w, "gid_outside", p->ids.host_gid);
	jsonw_bool(w, "groups_emptied", p->ids.by_root);
	jsonw_uint(w, "groups_kept", p->ids.kept_groups);
	jsonw_end_object(w);
}

static void write_landlock(struct jsonw *w, const struct plan *p)
{
	const struct plan_landlock *l = &p->landlock;
	char hex[24];

	if (!l->wanted && l->scoped == 0) {
		jsonw_null(w, "landlock");
		return;
	}
	jsonw_object(w, "landlock");
	jsonw_bool(w, "tcp_refused", l->handled_net != 0);
	jsonw_bool(w, "scoped", l->scoped != 0);
	jsonw_array(w, "rules");
	for (size_t i = 0; i < l->rules_len; i++) {
		jsonw_object(w, NULL);
		write_path(w, "path", p, l->rules[i].path);
		(void)snprintf(hex, sizeof hex, "0x%" PRIx64,
			       l->rules[i].access);
		jsonw_text(w, "access", hex);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_end_object(w);
}

static void write_trace(struct jsonw *w, const struct trace_plan *t)
{
	jsonw_object(w, "trace");
	jsonw_bool(w, "exec", t->exec);
	jsonw_bool(w, "connect", t->connect);
	jsonw_end_object(w);
}

static void write_texts(struct jsonw *w, const char *key, const struct plan *p,
			const char *const *texts, size_t n)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < n; i++)
		write_path(w, NULL, p, texts[i]);
	jsonw_end_array(w);
}

static void write_walls(struct jsonw *w, const char *key, wall_set set)
{
	jsonw_array(w, key);
	for (unsigned i = 0; i < WALL_MAX_; i++)
		if (set & WALL_BIT(i))
			jsonw_text(w, NULL, wall_name(i));
	jsonw_end_array(w);
}

static void write_cache(struct jsonw *w, const struct plan_cache *c)
{
	jsonw_object(w, "cache");
	jsonw_text(w, "dir", c->dir);
	jsonw_text_or_null(w, "tree", c->tree);
	jsonw_uint(w, "bytes", c->bytes);
	jsonw_end_object(w);
}

static void write_view(struct jsonw *w, const struct plan *p)
{
	bool is_host =
		!backend_has(p->backend, WALL_NETNS) && p->offline.len == 0;

	jsonw_text_or_null(w, "hostname", p->hostname);
	jsonw_text(w, "network",
		   is_host               ? "host"
		   : p->egress.is_wanted ? "scoped"
		   : p->loopback         ? "loopback"
					 : "none");
	if (p->egress.is_wanted)
		egress_plan_write(&p->egress, w);
	jsonw_array(w, "mounts");
	for (size_t i = 0; i < p->steps_len; i++)
		write_step(w, p, &p->steps[i]);
	jsonw_end_array(w);
	write_texts(w, "visible_host_paths", p, p->visible_host_paths,
		    p->visible_len);
	if (p->cache.dir != NULL)
		write_cache(w, &p->cache);
}

/* What a batch would make once for many runs like this one. */
static void write_template(struct jsonw *w, const struct plan *p, bool is_phase)
{
	const char *why = is_phase ? "a phase" : shape_refusal(p);

	jsonw_object(w, "template");
	jsonw_array(w, "shared");
	for (size_t i = 0; why == NULL && i < STEP_MAX_; i++)
		if (shape_is_shared((enum step_kind)i))
			jsonw_text(w, NULL, kinds[i]);
	jsonw_end_array(w);
	jsonw_text_or_null(w, "why", why);
	jsonw_end_object(w);
}

static void write_plan(const struct plan *p, bool is_phase, struct buf *out)
{
	struct jsonw w = { .out = out, .indent = 2 };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "version", "1.0");
	jsonw_text(&w, "backend", backend_of(p->backend)->name);
	write_texts(&w, "command", p, p->argv, p->argc);
	if (p->programs_len > 0)
		programs_write(&w, p->programs, p->programs_len);
	write_path(&w, "cwd", p, p->cwd);
	write_texts(&w, "environment", p, p->envp, p->envc);
	WRITE_WORDS(&w, "namespaces", namespaces, p->clone_flags);
	write_ids(&w, p);
	write_view(&w, p);
	write_limits(&w, p);
	write_cgroup(&w, &p->cgroup);
	write_report(&w, p);
	jsonw_object(&w, "seccomp");
	jsonw_text(&w, "name", p->filter.name);
	jsonw_text_or_null(&w, "hash", p->filter.hash);
	jsonw_uint(&w, "instructions", p->filter.len);
	jsonw_end_object(&w);
	write_landlock(&w, p);
	write_walls(&w, "requested", p->requested);
	write_walls(&w, "missing", p->missing);
	jsonw_bool(&w, "allow_partial", p->allow_partial);
	jsonw_bool(&w, "core_scheduling", p->core_scheduling);
	write_template(&w, p, is_phase);
	if (p->trace.exec || p->trace.connect)
		write_trace(&w, &p->trace);
	jsonw_text_or_null(&w, "policy_hash", p->policy_hash);
	jsonw_end_object(&w);
	buf_char(out, '\n');
}

void plan_write_json(const struct plan *p, struct buf *out)
{
	write_plan(p, false, out);
}

void plan_write_json_phase(const struct plan *p, struct buf *out)
{
	write_plan(p, true, out);
}
