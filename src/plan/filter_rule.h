/* filter_rule.h -- a policy between its JSON and its BPF.
 *
 * Private to src/plan/filter*.c and the build tool.  The reader fills a struct
 * filter_policy.  The merger adds the floor and cuts the whole range of numbers
 * into segments, each with one leaf.  The generator writes the segments as a
 * tree.  A verdict is a SECCOMP_RET_* value throughout. */
#ifndef CUPEL_PLAN_FILTER_RULE_H
#define CUPEL_PLAN_FILTER_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/filter.h"

struct cupel_error;
struct buf;

/* Call numbers that a policy can name; the kernel has reached about 470. */
#define FILTER_NR_MAX 1024

/* What x86-64 ORs into the numbers of its x32 ABI.  Nothing at or above it
 * is a native call on either architecture. */
#define FILTER_NR_X32 0x40000000U

#define FILTER_ARGS 6

/* Entries for one call.  This bounds the code that a file can ask for, and how
 * deep the generator goes. */
#define FILTER_CLAUSES_MAX 256U
/* Warnings that are kept; a file can have a name in every ten bytes. */
#define FILTER_WARNINGS_MAX 64U

enum filter_op {
	FILTER_NE,
	FILTER_LT,
	FILTER_LE,
	FILTER_EQ,
	FILTER_GE,
	FILTER_GT,
	FILTER_MASKED_EQ, /* (arg & value) == two */
	FILTER_ANY_BITS,  /* (arg & value) != 0; the floor's, not in a file */
	FILTER_OP_MAX_
};

/* One comparison of a whole 64-bit argument, unsigned. */
struct filter_cond {
	unsigned arg; /* 0 to 5 */
	enum filter_op op;
	uint64_t value, two; /* two: FILTER_MASKED_EQ only */
};

/* The verdict if all conditions match, or if there are none. */
struct filter_clause {
	struct filter_clause *next;
	const struct filter_cond *conds;
	size_t len;
	uint32_t verdict;
};

/* What a file says about one call number. */
struct filter_call {
	struct filter_clause *first, **last; /* in the file's order */
	unsigned len;
	bool has_otherwise;
	uint32_t otherwise; /* when there are clauses and none matches */
};

struct filter_policy {
	struct arena *arena; /* owns everything here */
	const char *name;    /* for messages */
	uint32_t arch;       /* AUDIT_ARCH_* */
	uint32_t kernel;     /* LINUX_VERSION_CODE style; 0 = newest */
	bool has_floor;      /* false only for one that is stacked on another */
	uint32_t fallback;   /* the verdict for calls that no entry names */
	struct filter_call *calls; /* FILTER_NR_MAX of them */
	const char *warnings[FILTER_WARNINGS_MAX];
	size_t warnings_len;
};

/* What one number leads to: the clauses in turn, then verdict.  If the result
 * is ALLOW, the floor's clauses still follow. */
struct filter_leaf {
	const struct filter_clause *clauses;
	const struct filter_clause *floor;
	uint32_t verdict;
};

/* The numbers from start up to the next segment's start all lead to leaf.
 * Equal leaves are one object, so pointers can be compared. */
struct filter_segment {
	uint32_t start;
	const struct filter_leaf *leaf;
};

/* filter_read -- read json into p, whose arena, name, arch and kernel are set.
 * Returns 0, -EINVAL (the error has the JSON path) or -ENOMEM. */
int filter_read(struct filter_policy *p, const char *json, size_t n,
		struct cupel_error *err);

/* filter_add -- append a clause to the call nr; conds are borrowed.
 * Returns 0, -ENOMEM, or -E2BIG for more than FILTER_CLAUSES_MAX. */
int filter_add(struct filter_policy *p, unsigned nr,
	       const struct filter_cond *conds, size_t len, uint32_t verdict);

/* filter_warn -- remember one line about the file, or drop it when there are
 * FILTER_WARNINGS_MAX.  Returns 0 or -ENOMEM. */
int filter_warn(struct filter_policy *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* filter_floor_read -- the floor of arch: FILTER_NR_MAX lists of clauses in the
 * arena, NULL for a call that the floor does not touch.  A list is either one
 * clause without conditions or several with.  The verdicts are errnos.  Returns
 * 0, -ENOMEM, or -ENOENT for a row with an unknown name. */
int filter_floor_read(uint32_t arch, struct arena *arena,
		      const struct filter_clause ***ret);

/* filter_merge -- merge the policy and the floor into segments over the whole
 * range of numbers; ret[0].start is 0.  Returns 0 or -ENOMEM. */
int filter_merge(const struct filter_policy *p,
		 const struct filter_segment **ret, size_t *ret_len);

/* The numbers from first to last. */
struct filter_range {
	uint32_t first, last;
};

/* filter_set_len -- how many clauses from c on (at least 1) differ only in the
 * value that the last condition wants for the low half of its argument:
 * together they ask whether it is in a set. */
size_t filter_set_len(const struct filter_clause *c);

/* filter_set_ranges -- write the values of such a set, in order, to ret, which
 * has room for len.  Returns how many ranges they make. */
size_t filter_set_ranges(const struct filter_clause *c, size_t len,
			 struct filter_range *ret);

/* filter_assemble -- turn segments into BPF in the arena (insns and len of
 * *ret).  Returns 0, -E2BIG over FILTER_INSNS_MAX, or -ENOMEM. */
int filter_assemble(uint32_t arch, const struct filter_segment *segments,
		    size_t len, struct arena *arena, struct filter *ret);

/* filter_number -- the number for a call's name.  Returns it (0 to
 * FILTER_NR_MAX - 1), -ENOSYS when only another architecture has such a call,
 * or -ENOENT when the name is unknown. */
int filter_number(const char *name, uint32_t arch);

/* filter_newer_name -- the name of a call that libseccomp may not know yet, or
 * NULL. */
const char *filter_newer_name(unsigned nr, uint32_t arch);

#endif
