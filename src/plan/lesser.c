/* lesser.c -- runs without namespaces: host paths stay as they are, Landlock
 * limits which of them can be opened and which processes can be signalled, and
 * what cannot be had is declared. */
#include <linux/landlock.h>
#include <string.h>

#include "plan/backend.h"
#include "plan/build.h"

static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full",
				       "/dev/random", "/dev/urandom" };
static const char *const proc_files[] = {
	"/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg", "/proc/meminfo",
	"/proc/stat",    "/proc/uptime",      "/proc/version",
};

static void rule_of_ro(struct build *b, const struct host_source *s)
{
	struct host_source file = { .dev = s->leaf_dev, .ino = s->leaf_ino };

	if (s->leaf == NULL) {
		build_rule_source(b, s, build_rights_to_read());
		return;
	}
	file.path = arena_format(&b->plan->arena, "%s/%s", s->path, s->leaf);
	if (file.path == NULL)
		b->no_memory = true;
	else
		build_rule_source(b, &file,
				  LANDLOCK_ACCESS_FS_READ_FILE |
					  LANDLOCK_ACCESS_FS_EXECUTE);
}

static void rules_read(struct build *b)
{
	const struct host *h = b->host;
	uint64_t dir = build_rights_to_read();

	for (size_t i = 0; i < h->root_len; i++)
		if (h->root[i].kind == HOST_DIR)
			build_rule_source(b, &h->root[i].source, dir);
	for (size_t i = 0; i < h->etc_len; i++) {
		const struct host_entry *e = &h->etc[i];

		if (e->kind == HOST_DIR)
			build_rule_source(b, &e->source, dir);
		else if (e->kind == HOST_FILE)
			build_rule_source(b, &e->source,
					  LANDLOCK_ACCESS_FS_READ_FILE);
	}
	if (h->has_repo)
		build_rule_source(b, &h->repo, dir);
	for (size_t i = 0; i < h->ro_len; i++)
		rule_of_ro(b, &h->ro[i]);
	for (size_t i = 0; i < h->runtime_len; i++)
		build_rule_source(b, &h->runtime[i], dir);
}

/* Of /proc a command sees only itself: it could look into another process of
 * the same user, except for what Landlock's ptrace rule hides. */
static void rules_add(struct build *b)
{
	struct plan *p = b->plan;

	rules_read(b);
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		build_rule(b, devices[i], build_rights_of_file());
	for (size_t i = 0; i < sizeof proc_files / sizeof *proc_files; i++)
		build_rule(b, proc_files[i], LANDLOCK_ACCESS_FS_READ_FILE);
	build_rule(b, "/proc/self/", build_rights_to_read());
	if (p->scratch != NULL)
		build_rule(b, p->scratch, p->landlock.handled_fs);
}

/* Translate "/repo/x" and "/scratch/x" to paths of the host; others stay. */
static const char *path_outside(struct build *b, const char *path)
{
	const struct {
		const char *inside, *outside;
	} table[] = {
		{ "/repo", b->host->has_repo ? b->host->repo.path : NULL },
		{ "/scratch", b->plan->scratch },
		{ "/tmp", b->plan->scratch },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		size_t n = strlen(table[i].inside);

		if (table[i].outside == NULL ||
		    strncmp(path, table[i].inside, n) != 0 ||
		    (path[n] != '/' && path[n] != '\0'))
			continue;
		path = arena_format(&b->plan->arena, "%s%s", table[i].outside,
				    path + n);
		b->no_memory |= path == NULL;
		return path;
	}
	return path;
}

static void env_change(struct build *b, const char *name)
{
	struct plan *p = b->plan;
	size_t n = strlen(name);

	for (size_t i = 0; i < p->envc && p->scratch != NULL; i++) {
		if (strncmp(p->envp[i], name, n) != 0 || p->envp[i][n] != '=')
			continue;
		if (strcmp(p->envp[i] + n, "=/scratch") != 0)
			continue;
		p->envp[i] = arena_format(&p->arena, "%s=%s", name, p->scratch);
		b->no_memory |= p->envp[i] == NULL;
	}
}

/* The walls for which the supervisor has init end the run.  None of them held a
 * command that killed init first and left a process behind. */
static wall_set walls_of_init(const struct build *b)
{
	wall_set set = WALL_BIT(WALL_WALL_TIME);

	if (b->spec->output_mode == OUTPUT_KILL)
		set |= WALL_BIT(WALL_OUTPUT_STDOUT) |
		       WALL_BIT(WALL_OUTPUT_STDERR);
	return set & b->plan->requested;
}

/* No signal leaves the scope.  A process of the same user can otherwise be
 * ended or stopped only by the files of its cgroup, and Landlock's rules keep
 * those closed. */
static bool is_init_safe(const struct build *b)
{
	const struct plan *p = b->plan;

	return p->landlock.scoped != 0 &&
	       (p->landlock.wanted || !b->host->has_own_cgroup);
}

/* The walls between processes of one user that are missing: any kind of
 * Landlock domain keeps /proc/PID of another process closed. */
static wall_set processes_missing(const struct build *b)
{
	const struct plan *p = b->plan;
	wall_set set = 0;

	if (p->landlock.scoped == 0)
		set |= WALL_BIT(WALL_LANDLOCK_SCOPE);
	if (!is_init_safe(b))
		set |= p->on_init;
	if (p->landlock.scoped == 0 && !p->landlock.wanted)
		set |= WALL_BIT(WALL_DESCRIPTORS) | WALL_BIT(WALL_ENV);
	return set;
}

static const char *why_missing(const struct build *b)
{
	if (backend_has(b->plan->backend, WALL_LANDLOCK))
		return is_init_safe(b)
			       ? "without namespaces: Landlock, the system "
				 "call filter and rlimits hold"
			       : "without namespaces: Landlock, the system "
				 "call filter and rlimits hold; before Linux "
				 "6.12 a command can kill other processes of "
				 "its user, also cupel's init, and outlive the "
				 "run";
	return is_init_safe(b) ? "without namespaces and Landlock's rules for "
				 "files: the system call filter and rlimits "
				 "hold"
			       : "without namespaces and Landlock: the system "
				 "call filter and rlimits hold; a command can "
				 "end other processes of its user, also "
				 "cupel's init, and outlive the run";
}

static void missing_fill(struct build *b)
{
	struct plan *p = b->plan;
	const struct backend *row = backend_of(p->backend);
	wall_set set = p->missing | row->never | (p->requested & ~row->has);

	if (b->spec->network != NETWORK_NONE)
		set |= WALL_BIT(WALL_NETWORK);
	if (!p->ids.by_root)
		set |= WALL_BIT(WALL_SECUREBITS);
	if (!p->ids.by_root && !b->host->is_bounded)
		set |= WALL_BIT(WALL_CAPABILITIES);
	p->requested |= WALL_BIT(WALL_LANDLOCK_SCOPE);
	set |= processes_missing(b);
	if (b->spec->pids_max != 0 && b->spec->pids_max != SPEC_UNLIMITED)
		set |= WALL_BIT(WALL_PIDS) | WALL_BIT(WALL_RLIMIT_NPROC);
	p->requested |= set;
	p->missing |= set;
	if (p->missing_why == NULL)
		p->missing_why = why_missing(b);
}

void build_lesser(struct build *b)
{
	const struct filter *offline = filter_find("offline");
	const struct filter *lesser = filter_find("lesser");
	struct plan *p = b->plan;

	p->scratch = b->host->scratch;
	p->hostname = NULL;
	p->loopback = false;
	p->terminal = false;
	if (offline != NULL && b->spec->network == NETWORK_NONE)
		p->offline = *offline;
	if (lesser != NULL)
		p->lesser = *lesser;
	if (p->landlock.wanted)
		rules_add(b);
	p->cwd = path_outside(b, p->cwd);
	env_change(b, "HOME");
	env_change(b, "TMPDIR");
	/* none of our files is in /etc */
	build_reporters_take(b);
	if (b->host->has_repo)
		p->requested |= WALL_BIT(WALL_REPO_OBJECTS) |
				WALL_BIT(WALL_REPO_READONLY);
	if (b->spec->repo_mode == REPO_OVERLAY)
		p->requested |= WALL_BIT(WALL_REPO_OVERLAY);
	p->on_init = walls_of_init(b);
	missing_fill(b);
}
