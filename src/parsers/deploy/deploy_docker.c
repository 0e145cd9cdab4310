/* deploy_docker.c -- Dockerfiles: the stages, what they start from, USER,
 * EXPOSE, HEALTHCHECK.  A variable of FROM is replaced by its default; others
 * stay as they are written. */
#include <string.h>

#include "parsers/deploy/deploy.h"
#include "parsers/deploy/deploy_line.h"
#include "parsers/deploy/deploy_variable.h"

#define STAGES_MAX 200U /* of one file */
#define PORTS_MAX  64U  /* of one stage */

struct stage {
	struct json_text name, image, user; /* bytes NULL: not given */
	struct json_text written; /* of the image; NULL: as image has it */
	struct json_text ports[PORTS_MAX];
	size_t ports_len;
	const char *healthcheck;
	bool is_from_stage; /* image is the name of an earlier one */
};

struct dockerfile {
	struct deploy *d;
	const struct parse_input *in;
	struct arena arena;
	struct deploy_variables variables; /* declared before the first FROM */
	struct stage *stages;
	size_t len;
	bool is_full;
};

/* One instruction. */
struct instruction {
	const char *at, *end; /* behind its first word */
	size_t offset;
};

static struct json_text word_keep(struct dockerfile *f, struct json_text word,
				  size_t offset)
{
	struct json_text none = { NULL, 0 };

	if (word.len == 0)
		return none;
	if (word.len > DEPLOY_TEXT_BYTES) {
		report_note(&f->d->report->errors, "string_too_long", f->in,
			    (int64_t)offset, "a word over 4 KiB");
		return none;
	}
	word.bytes = arena_copy(&f->arena, word.bytes, word.len);
	return word;
}

static bool is_stage(const struct dockerfile *f, struct json_text name)
{
	for (size_t i = 0; i < f->len; i++) {
		const struct json_text *own = &f->stages[i].name;

		if (own->len == name.len && name.len > 0 &&
		    strncasecmp(own->bytes, name.bytes, name.len) == 0)
			return true;
	}
	return false;
}

static bool is_flag(struct json_text word)
{
	return word.len > 2 && memcmp(word.bytes, "--", 2) == 0;
}

/* What a generator fills in: "ruby:<%= version %>", "{{ image }}". */
static bool is_template(struct json_text image)
{
	return text_has(image, "<%") || text_has(image, "{{") ||
	       text_has(image, "{%");
}

/* FROM [--platform=p] image [AS name] */
static void from_read(struct dockerfile *f, struct instruction *i)
{
	struct json_text word = deploy_word_next(&i->at, i->end);
	struct deploy_reference ref = { 0 };
	struct stage s = { 0 };

	while (is_flag(word))
		word = deploy_word_next(&i->at, i->end);
	if (word.len == 0)
		return;
	if (f->len == STAGES_MAX) {
		f->is_full = true;
		return;
	}
	s.image = word_keep(f, word, i->offset);
	if (deploy_variables_expand(&f->variables, s.image, &f->arena, &word)) {
		s.written = s.image;
		s.image = word;
	}
	s.is_from_stage = is_stage(f, s.image);
	if (deploy_word_is(deploy_word_next(&i->at, i->end), "as"))
		s.name = word_keep(f, deploy_word_next(&i->at, i->end),
				   i->offset);
	ref.name = s.image;
	ref.written = s.written;
	if (!s.is_from_stage && !text_is(s.image, "scratch") &&
	    !is_template(s.image))
		deploy_image_add(f->d, f->in, "dockerfile", &ref);
	f->stages[f->len++] = s;
}

/* ARG NAME[=default] ... */
static void arg_read(struct dockerfile *f, struct instruction *i)
{
	struct json_text word = deploy_word_next(&i->at, i->end);

	for (; f->len == 0 && word.len > 0;
	     word = deploy_word_next(&i->at, i->end))
		deploy_variables_add(&f->variables, word, &f->arena);
}

static bool is_number(struct json_text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.bytes[i] < '0' || t.bytes[i] > '9')
			return false;
	return true;
}

/* COPY --from=x: another stage by name or number, or an image. */
static void copy_read(struct dockerfile *f, struct instruction *i)
{
	static const char flag[] = "--from=";
	struct json_text word = deploy_word_next(&i->at, i->end);

	for (; is_flag(word); word = deploy_word_next(&i->at, i->end)) {
		struct deploy_reference ref = { 0 };

		if (word.len <= strlen(flag) ||
		    memcmp(word.bytes, flag, strlen(flag)) != 0)
			continue;
		ref.name = (struct json_text){ word.bytes + strlen(flag),
					       word.len - strlen(flag) };
		if (!is_stage(f, ref.name) && !is_number(ref.name))
			deploy_image_add(f->d, f->in, "dockerfile", &ref);
	}
}

static void user_read(struct dockerfile *f, struct instruction *i)
{
	struct json_text word = deploy_word_next(&i->at, i->end);

	if (f->len > 0 && word.len > 0)
		f->stages[f->len - 1].user = word_keep(f, word, i->offset);
}

static void expose_read(struct dockerfile *f, struct instruction *i)
{
	struct stage *s = f->len > 0 ? &f->stages[f->len - 1] : NULL;
	struct json_text word = deploy_word_next(&i->at, i->end);

	for (; s != NULL && word.len > 0 && word.bytes[0] != '#';
	     word = deploy_word_next(&i->at, i->end)) {
		struct json_text kept;

		if (s->ports_len == PORTS_MAX) {
			f->is_full = true;
			return;
		}
		kept = word_keep(f, word, i->offset);
		if (kept.bytes != NULL)
			s->ports[s->ports_len++] = kept;
	}
}

static void healthcheck_read(struct dockerfile *f, struct instruction *i)
{
	struct json_text word = deploy_word_next(&i->at, i->end);

	if (f->len > 0 && word.len > 0)
		f->stages[f->len - 1].healthcheck =
			deploy_word_is(word, "none") ? "disabled" : "declared";
}

static const struct {
	const char *word;
	void (*read)(struct dockerfile *f, struct instruction *i);
} table[] = {
	{ "arg", arg_read },       { "from", from_read },
	{ "copy", copy_read },     { "user", user_read },
	{ "expose", expose_read }, { "healthcheck", healthcheck_read },
};

static void instruction_read(struct dockerfile *f, const struct docker_lines *l)
{
	struct instruction i = { l->line.bytes, l->line.bytes + l->line.len,
				 (size_t)(l->from - l->start) };
	struct json_text word;

	if (l->is_too_long) {
		deploy_warn(f->d, "line_too_long", f->in, i.offset,
			    "an instruction over 64 KiB is passed over");
		return;
	}
	word = deploy_word_next(&i.at, i.end);
	for (size_t k = 0; k < sizeof table / sizeof *table; k++)
		if (deploy_word_is(word, table[k].word))
			table[k].read(f, &i);
}

static void stage_write(const struct dockerfile *f, const struct stage *s,
			struct jsonw *w)
{
	jsonw_object(w, NULL);
	text_put(w, "name", s->name);
	text_put(w, "image", s->image);
	if (s->written.bytes != NULL)
		text_put(w, "image_written", s->written);
	jsonw_bool(w, "from_stage", s->is_from_stage);
	text_put(w, "user", s->user);
	jsonw_array(w, "exposes");
	for (size_t i = 0; i < s->ports_len; i++)
		text_put(w, NULL, s->ports[i]);
	jsonw_end_array(w);
	jsonw_text_or_null(w, "healthcheck", s->healthcheck);
	source_write(w, "source", f->in);
	jsonw_end_object(w);
}

static void file_write(const struct dockerfile *f)
{
	struct slice_list *l = &f->d->lists[DEPLOY_DOCKERFILES];
	struct jsonw *w;

	if (slice_is_full(l))
		return;
	w = slice_item(l);
	jsonw_array(w, "stages");
	for (size_t i = 0; i < f->len; i++)
		stage_write(f, &f->stages[i], w);
	jsonw_end_array(w);
	source_write(w, "source", f->in);
	slice_item_end(l);
}

void deploy_dockerfile_read(struct deploy *d, const struct parse_input *in)
{
	struct dockerfile f = { .d = d, .in = in };
	struct docker_lines l;

	f.stages = arena_array(&f.arena, STAGES_MAX, sizeof *f.stages);
	deploy_lines_init(&l, in->bytes, in->len);
	while (f.stages != NULL && deploy_line_next(&l))
		instruction_read(&f, &l);
	deploy_lines_done(&l);
	if (f.is_full)
		report_note(&d->report->warnings, "truncated", in, -1,
			    "more than 200 stages, or 64 ports of one");
	file_write(&f);
	arena_done(&f.arena);
}
