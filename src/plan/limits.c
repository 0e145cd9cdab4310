/* limits.c -- rlimits, from the request and from the caller's own limits. */
#include <linux/seccomp.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "plan/backend.h"
#include "plan/build.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Nobody can raise a hard limit of the caller's, so if it is lower, it
 * applies. */
static void add(struct build *b, int resource, uint64_t soft, uint64_t hard,
		enum wall wall)
{
	uint64_t most = b->host->rlimits[resource].rlim_max;
	struct plan *p = b->plan;

	if (wall < WALL_MAX_)
		p->requested |= WALL_BIT(wall);
	p->limits[p->limits_len++] = (struct plan_limit){
		.resource = resource,
		.soft = smaller(soft, most),
		.hard = smaller(hard, most),
		.wall = wall,
	};
}

static void add_value(struct build *b, int resource, uint64_t value,
		      enum wall wall)
{
	if (value != SPEC_UNLIMITED)
		add(b, resource, value, value, wall);
}

/* RLIMIT_CPU counts whole seconds.  The hard limit is a second more, so that
 * SIGXCPU can show what happened; the function profiles have no second to
 * spare. */
static void cpu_add(struct build *b)
{
	uint64_t s = b->spec->cpu_ms;

	if (s == SPEC_UNLIMITED)
		return;
	s = s / 1000 + (s % 1000 != 0);
	add(b, RLIMIT_CPU, s, s + !b->spec->cpu_hard, WALL_RLIMIT_CPU);
}

static void others_add(struct build *b)
{
	static const int resources[SPEC_RLIMIT_MAX_] = {
		[SPEC_RLIMIT_STACK] = RLIMIT_STACK,
		[SPEC_RLIMIT_MEMLOCK] = RLIMIT_MEMLOCK,
		[SPEC_RLIMIT_MSGQUEUE] = RLIMIT_MSGQUEUE,
		[SPEC_RLIMIT_SIGPENDING] = RLIMIT_SIGPENDING,
		[SPEC_RLIMIT_RTPRIO] = RLIMIT_RTPRIO,
		[SPEC_RLIMIT_NICE] = RLIMIT_NICE,
		[SPEC_RLIMIT_RSS] = RLIMIT_RSS,
		[SPEC_RLIMIT_LOCKS] = RLIMIT_LOCKS,
		[SPEC_RLIMIT_RTTIME] = RLIMIT_RTTIME,
	};
	const struct spec *s = b->spec;

	for (int i = SPEC_RLIMIT_STACK; i < SPEC_RLIMIT_MAX_; i++)
		if (s->rlimit_is_set[i])
			add_value(b, resources[i], s->rlimits[i], WALL_MAX_);
}

/* Only the limit 1 stops a core that would be piped to a program of the host
 * (core(5), "Piping core dumps to a program"). */
static void core_add(struct build *b)
{
	uint64_t core = 0;

	if (b->spec->rlimit_is_set[SPEC_RLIMIT_CORE])
		core = b->spec->rlimits[SPEC_RLIMIT_CORE];
	if (core == 0 && b->host->has_core_pipe)
		core = 1;
	add_value(b, RLIMIT_CORE, core, WALL_RLIMIT_CORE);
}

/* Whether the command may get an instance of inotify, whose counts init then
 * lowers (docs/memory.md).  Only for a shipped policy can that be ruled out:
 * its entries look only at the flags, and these are all that exist. */
static bool has_inotify(const struct build *b)
{
	static const uint64_t flags[] = { 0, IN_CLOEXEC, IN_NONBLOCK,
					  IN_CLOEXEC | IN_NONBLOCK };
	static const int calls[] = { SYS_inotify_init1,
#ifdef SYS_inotify_init
				     SYS_inotify_init
#endif
	};
	const struct filter *f = &b->plan->filter;
	const struct filter *shipped = filter_find(f->name);

	if (shipped == NULL || shipped->insns != f->insns)
		return true;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		for (size_t j = 0; j < sizeof flags / sizeof *flags; j++) {
			const uint64_t args[6] = { flags[j] };

			if (filter_run(f, b->host->arch, calls[i], args) ==
			    SECCOMP_RET_ALLOW)
				return true;
		}
	return false;
}

void build_limits(struct build *b)
{
	const struct spec *s = b->spec;
	struct plan *p = b->plan;
	uint64_t nproc = smaller(s->nproc, s->pids_max);

	p->inotify = has_inotify(b);
	p->limits = arena_array(&p->arena, RLIM_NLIMITS + 2, sizeof *p->limits);
	if (p->limits == NULL) {
		b->no_memory = true;
		return;
	}
	cpu_add(b);
	add_value(b, RLIMIT_AS, s->as_bytes, WALL_RLIMIT_AS);
	add_value(b, RLIMIT_DATA, s->data_bytes, WALL_RLIMIT_DATA);
	add_value(b, RLIMIT_FSIZE, s->fsize_bytes, WALL_RLIMIT_FSIZE);
	core_add(b);
	others_add(b);
	add_value(b, RLIMIT_NOFILE, s->nofile, WALL_RLIMIT_NOFILE);
	/* Set last, inside, for an ordinary kuid: only then does it count just
	 * what is inside (outside, only zero would make sense).  Without a
	 * cgroup it is the value of pids_max (cupel-profile(1)); the same limit
	 * stands for both walls. */
	if (!backend_has(p->backend, WALL_USERNS) && nproc != 0)
		return;
	if (nproc != SPEC_UNLIMITED)
		add_value(b, RLIMIT_NPROC, nproc, WALL_RLIMIT_NPROC);
	if (s->pids_max != SPEC_UNLIMITED)
		add_value(b, RLIMIT_NPROC, nproc, WALL_PIDS);
}
