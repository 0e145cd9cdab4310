/* phases.c -- see phases.h, and spec_phases_build() of spec.h. */
#include "spec/phases.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

#define NAME_BYTES_MAX 64
#define PLACE_MAX      200

/* The keys of a phase besides its name, its command and whether the list goes
 * on after it.  Everything else is for all phases: they see the same files and
 * run one after the other in the place of one vessel. */
static const char *const keys[] = {
	"profile",      "chdir",       "env",          "pass-env",
	"network",      "egress",      "egress-audit", "seccomp",
	"wall-time-s",  "cpu-time-s",  "cpu-max",      "kill-after-s",
	"mem-bytes",    "as-bytes",    "data-bytes",   "fsize-bytes",
	"nofile",       "nproc",       "pids-max",     "rlimit",
	"output-bytes", "output-mode", "result-from",  "result-bytes",
	"report",       "artifact",    "trace",        "env-dummy",
};

static bool is_phase_key(const struct field *f)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(keys[i], f->name) == 0)
			return true;
	return false;
}

static const struct json_value *member_find(const struct json_value *object,
					    const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < object->u.object.len; i++) {
		const struct json_member *m = &object->u.object.members[i];

		if (m->name.len == n && memcmp(m->name.bytes, name, n) == 0)
			return &m->value;
	}
	return NULL;
}

/* --- reading the list --------------------------------------------------------- */

static bool is_name(const char *text)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "abcdefghijklmnopqrstuvwxyz"
				       "0123456789._-";
	size_t n = strlen(text);

	return n > 0 && n <= NAME_BYTES_MAX && strspn(text, alphabet) == n;
}

static int name_read(const struct put *p, const struct json_value *item,
		     const struct spec_phase before[], size_t n,
		     struct spec_phase *ret, struct cupel_error *err)
{
	const struct json_value *v = member_find(item, "name");
	const char *text;

	if (v == NULL)
		return spec_refuse(err, EINVAL, "%s: name is missing",
				   p->place);
	text = document_text(p, v, err);
	if (text == NULL)
		return -EINVAL;
	if (!is_name(text))
		return spec_refuse(err, EINVAL,
				   "%s.name: '%.80s' is not 1 to %d letters, "
				   "digits, '.', '_' or '-'",
				   p->place, text, NAME_BYTES_MAX);
	for (size_t i = 0; i < n; i++)
		if (strcmp(before[i].name, text) == 0)
			return spec_refuse(err, EINVAL,
					   "%s.name: '%s' is already the name "
					   "of phases[%zu]",
					   p->place, text, i);
	ret->name = arena_text(&p->spec->arena, text);
	return 0;
}

static int phase_read(const struct put *p, const struct json_value *item,
		      const struct spec_phase before[], size_t n,
		      struct cupel_error *err)
{
	owned_buf struct buf text = { 0 };
	struct spec_phase phase = { 0 };
	const struct json_value *goes_on;
	int r;

	if (item->type != JSON_OBJECT)
		return spec_refuse(err, EINVAL, "%s: expected an object",
				   p->place);
	r = name_read(p, item, before, n, &phase, err);
	if (r < 0)
		return r;
	goes_on = member_find(item, "goes_on");
	if (goes_on != NULL && goes_on->type != JSON_BOOL)
		return spec_refuse(err, EINVAL,
				   "%s.goes_on: expected true or false",
				   p->place);
	if (member_find(item, "command") == NULL)
		return spec_refuse(err, EINVAL, "%s: command is missing",
				   p->place);
	phase.goes_on = goes_on != NULL && goes_on->u.boolean;
	json_write(item, &text);
	phase.place = arena_text(&p->spec->arena, p->place);
	phase.text_len = text.len;
	phase.text = text.bytes != NULL
			     ? arena_copy(&p->spec->arena, text.bytes, text.len)
			     : NULL;
	if (buf_has_failed(&text) || phase.name == NULL ||
	    phase.place == NULL || phase.text == NULL)
		return spec_refuse(err, ENOMEM, "%s: no memory", p->place);
	((struct spec_phase *)p->spec->phases)[n] = phase;
	return 0;
}

int phases_put(const struct put *p, const struct json_member *m,
	       struct cupel_error *err)
{
	struct spec *s = p->spec;
	size_t n = m->value.type == JSON_ARRAY ? m->value.u.array.len : 0;

	if (m->name.len != 6 || memcmp(m->name.bytes, "phases", 6) != 0)
		return DOCUMENT_OTHER;
	if (m->value.type != JSON_ARRAY || n == 0 || n > SPEC_PHASES_MAX)
		return spec_refuse(err, EINVAL,
				   "%s: expected an array of 1 to %d objects",
				   p->place, SPEC_PHASES_MAX);
	s->phases_len = 0;
	s->phases = arena_array(&s->arena, n, sizeof *s->phases);
	if (s->phases == NULL)
		return spec_refuse(err, ENOMEM, "%s: no memory", p->place);
	for (size_t i = 0; i < n; i++) {
		char place[PLACE_MAX + 24];
		const struct put inner = { s, p->rank, place };
		int r;

		(void)snprintf(place, sizeof place, "%.190s[%zu]", p->place, i);
		r = phase_read(&inner, &m->value.u.array.items[i], s->phases, i,
			       err);
		if (r < 0)
			return r;
	}
	s->phases_len = n;
	return 0;
}

/* --- one of them --------------------------------------------------------------- */

/* document.c reads "command"; the other keys were read with the list. */
static int put_own(const struct put *p, const struct json_member *m,
		   struct cupel_error *err)
{
	static const char *const own[] = { "name", "goes_on" };

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (m->name.len == strlen(own[i]) &&
		    memcmp(m->name.bytes, own[i], m->name.len) == 0)
			return 0;
	return document_put_command(p, m, err);
}

/* Give each phase arrays of its own, as large as put_list.c expects, because
 * items may be moved within them. */
static int list_copy(struct spec *s, struct spec_list *list)
{
	size_t room = 1;
	const char **items;

	while (room < list->len)
		room *= 2;
	items = arena_array(&s->arena, room, sizeof *items);
	if (items == NULL)
		return -ENOMEM;
	if (list->len > 0)
		memcpy(items, list->items, list->len * sizeof *items);
	list->items = items;
	return 0;
}

int spec_copy(const struct spec *from, struct spec *ret)
{
	*ret = *from;
	ret->arena = (struct arena){ .cap_bytes = SPEC_ARENA_BYTES };
	ret->phases = NULL;
	ret->phases_len = 0;
	for (size_t i = 0; i < fields_len; i++)
		if (fields[i].type == FIELD_LIST &&
		    list_copy(ret, (struct spec_list *)((char *)ret +
							fields[i].offset)) < 0)
			return -ENOMEM;
	return 0;
}

/* Egress rules belong to the network that they were given with.  Those of the
 * whole request are a phase's default as long as the phase has that network. */
static void egress_forget(struct spec *s)
{
	put_list_clear(&s->egress);
	s->ranks[field_find("egress") - fields] = RANK_PROFILE;
	s->egress_audit = false;
	s->ranks[field_find("egress-audit") - fields] = RANK_PROFILE;
}

static bool has_own_rules(const struct json_value *root)
{
	const struct json_value *network = member_find(root, "network");

	return member_find(root, "egress") != NULL ||
	       member_find(root, "egress_audit") != NULL ||
	       (network != NULL && network->type == JSON_STRING &&
		strcmp(network->u.string.bytes, "scoped") != 0);
}

int spec_overlay(struct spec *s, const struct document_kind *kind,
		 const char *text, size_t n, const char *place,
		 struct cupel_error *err)
{
	const struct json_caps caps = { .text_bytes = SPEC_DOCUMENT_BYTES };
	struct arena arena = { 0 };
	struct json_value root = { 0 };
	struct json_error e = { 0 };
	int r = json_parse(text, n, &caps, &arena, &root, &e);

	/* faults in it are reported where it is read */
	if (r == 0 && root.type == JSON_OBJECT && has_own_rules(&root))
		egress_forget(s);
	arena_done(&arena);
	if (r < 0 && e.code == JSON_NO_MEMORY)
		return spec_refuse(err, ENOMEM, "%s: no memory", place);
	r = document_read(s, kind, text, n, place, err);
	if (r == 0 && s->network != NETWORK_SCOPED)
		egress_forget(s);
	return r;
}

static int phase_apply(const struct spec_phase *phase, struct spec *s,
		       struct cupel_error *err)
{
	const struct document_kind kind = { .rank = RANK_PHASE,
					    .name = "phase",
					    .is_part = true,
					    .allows = is_phase_key,
					    .put_other = put_own };

	return spec_overlay(s, &kind, phase->text, phase->text_len,
			    phase->place, err);
}

/* Phases are meant for a view that can be written to, so they get one unless
 * somebody asks for another view. */
static void view_choose(struct spec *s)
{
	if (s->ranks[field_find("repo-mode") - fields] == RANK_PROFILE &&
	    s->repo_mode == REPO_RO && s->scratch_bytes > 0)
		s->repo_mode = REPO_OVERLAY;
}

/* Take over what all phases of a request have in common, whatever their
 * profiles: the largest scratch that one of them asks for, and every name below
 * /etc. */
static int common_take(struct spec *s, const struct spec *other,
		       struct cupel_error *err)
{
	const struct put p = { s, RANK_PROFILE, "phases: etc" };
	const struct field *etc = field_find_json("etc", 3);

	if (other->scratch_bytes > s->scratch_bytes)
		s->scratch_bytes = other->scratch_bytes;
	if (other->scratch_inodes > s->scratch_inodes)
		s->scratch_inodes = other->scratch_inodes;
	for (size_t i = 0; i < other->etc.len; i++) {
		bool is_there = false;
		int r;

		for (size_t k = 0; k < s->etc.len && !is_there; k++)
			is_there = strcmp(s->etc.items[k],
					  other->etc.items[i]) == 0;
		r = is_there ? 0
			     : put_list_add(&p, etc, other->etc.items[i], err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int common_check(const struct spec *s, struct cupel_error *err)
{
	if (s->argc > 0)
		return spec_refuse(err, EINVAL,
				   "phases: each phase has its own command; "
				   "the spec itself may not have one");
	if (s->artifacts.len > 0)
		return spec_refuse(err, EINVAL,
				   "--artifact: belongs in a phase, not in the "
				   "whole spec");
	if (s->stdin_path != NULL)
		return spec_refuse(err, EINVAL,
				   "--stdin: phases have no stdin");
	if (s->terminal)
		return spec_refuse(err, EINVAL,
				   "phases: cannot have a terminal");
	return 0;
}

static int phase_build(const struct spec *whole, size_t i, struct spec *ret,
		       struct cupel_error *err)
{
	int r;

	if (spec_copy(whole, ret) < 0)
		return spec_refuse(err, ENOMEM, "phases: no memory");
	r = phase_apply(&whole->phases[i], ret, err);
	if (r == 0 && ret->bare)
		return spec_refuse(err, EINVAL,
				   "%s.profile: %s shows no files, but phases "
				   "share their files",
				   whole->phases[i].place, ret->profile);
	if (r == 0)
		view_choose(ret);
	return r;
}

int spec_phases_build(const struct spec *whole, struct spec ret[],
		      struct cupel_error *err)
{
	size_t n = whole->phases_len;
	int r = common_check(whole, err);

	for (size_t i = 0; i < n; i++)
		ret[i] = (struct spec){ 0 };
	for (size_t i = 0; r == 0 && i < n; i++)
		r = phase_build(whole, i, &ret[i], err);
	for (size_t i = 1; r == 0 && i < n; i++)
		r = common_take(&ret[0], &ret[i], err);
	for (size_t i = 1; r == 0 && i < n; i++) {
		put_list_clear(&ret[i].etc);
		r = common_take(&ret[i], &ret[0], err);
	}
	for (size_t i = 0; r == 0 && i < n; i++)
		r = ret[i].repo_mode == ret[0].repo_mode
			    ? 0
			    : spec_refuse(err, EINVAL,
					  "%s.profile: %s shows the repository "
					  "in another way than phases[0]; set "
					  "repo_mode in the spec",
					  whole->phases[i].place,
					  ret[i].profile);
	return r;
}
