/* deploy_docker.c -- Dockerfiles: the stages, what they start from, USER,
 * EXPOSE, HEALTHCHECK.  "$NAME" and "${NAME}" are replaced by a literal default of
 * an ARG before the first FROM; all else stays as it is written. */
#include <string.h>

#include "parsers/deploy/deploy.h"
#include "parsers/deploy/deploy_argument.h"
#include "parsers/deploy/deploy_line.h"

#define STAGES_MAX       200U               /* of one file */
#define DOCKERFILE_BYTES ((size_t)16 << 20) /* of what is kept of one file */
#define PORTS_MAX        64U                /* of one stage */

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
	struct arena arena;                /* of DOCKERFILE_BYTES */
	struct deploy_arguments arguments; /* before the first FROM */
	struct stage *stages[STAGES_MAX];
	size_t len;
	bool is_full; /* of something there is more than is kept */
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
			    (int64_t)offset,
			    "a word longer than 4 KiB is left out");
		return none;
	}
	word.bytes = arena_copy(&f->arena, word.bytes, word.len);
	if (word.bytes != NULL)
		return word;
	f->is_full = true;
	return none;
}

static bool is_stage(const struct dockerfile *f, struct json_text name)
{
	for (size_t i = 0; i < f->len; i++) {
		const struct json_text *own = &f->stages[i]->name;

		if (own->len == name.len && name.len > 0 &&
		    strncasecmp(own->bytes, name.bytes, name.len) == 0)
			return true;
	}
	return false;
}

/* What a generator fills in: "ruby:<%= version %>", "{{ image }}". */
static bool is_template(struct json_text image)
{
	return text_has(image, "<%") || text_has(image, "{{") ||
	       text_has(image, "{%");
}

/* Cut the next "--flag" off, blanks in quotes with it. */
static bool flag_next(struct instruction *i, struct json_text *ret)
{
	const char *from = i->at;
	char quote = '\0';

	while (from < i->end && strchr(" \t", *from) != NULL)
		from++;
	*ret = (struct json_text){ from, (size_t)(i->end - from) };
	if (!text_begins(*ret, "--"))
		return false;
	for (i->at = from;
	     i->at < i->end && (quote != '\0' || strchr(" \t", *i->at) == NULL);
	     i->at++)
		if (*i->at == quote)
			quote = '\0';
		else if (quote == '\0' && (*i->at == '"' || *i->at == '\''))
			quote = *i->at;
	ret->len = (size_t)(i->at - from);
	return true;
}

/* FROM [--platform=p] image [AS name] */
static void from_read(struct dockerfile *f, struct instruction *i)
{
	owned_buf struct buf image = { .cap_bytes = DEPLOY_TEXT_BYTES };
	struct json_text word;
	struct deploy_reference ref = { 0 };
	struct stage s = { 0 };

	while (flag_next(i, &word))
		;
	word = text_unquote(deploy_word_next(&i->at, i->end));
	if (word.len == 0)
		return;
	if (f->len == STAGES_MAX) {
		f->is_full = true;
		return;
	}
	s.image = word_keep(f, word, i->offset);
	if (deploy_arguments_put(&f->arguments, s.image, &image)) {
		s.written = s.image;
		s.image = word_keep(
			f, (struct json_text){ image.bytes, image.len },
			i->offset);
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
	f->stages[f->len] = arena_alloc(&f->arena, sizeof s);
	if (f->stages[f->len] == NULL)
		f->is_full = true;
	else
		*f->stages[f->len++] = s;
}

/* ARG NAME[=default] ... */
static void arg_read(struct dockerfile *f, struct instruction *i)
{
	struct json_text word = deploy_word_next(&i->at, i->end);

	for (; f->len == 0 && word.len > 0;
	     word = deploy_word_next(&i->at, i->end))
		deploy_argument_add(&f->arguments, word, &f->arena);
}

static bool is_number(struct json_text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.bytes[i] < '0' || t.bytes[i] > '9')
			return false;
	return true;
}

/* What a flag names: another stage by name or number, or an image. */
static void origin_take(struct dockerfile *f, struct json_text name)
{
	owned_buf struct buf image = { .cap_bytes = DEPLOY_TEXT_BYTES };
	struct deploy_reference ref = { .name = name };

	if (deploy_arguments_put(&f->arguments, name, &image)) {
		ref.name = (struct json_text){ image.bytes, image.len };
		ref.written = name;
	}
	if (ref.name.len > 0 && !is_stage(f, ref.name) && !is_number(ref.name))
		deploy_image_add(f->d, f->in, "dockerfile", &ref);
}

/* COPY --from=x */
static void copy_read(struct dockerfile *f, struct instruction *i)
{
	static const char from[] = "--from=";
	struct json_text flag;

	while (flag_next(i, &flag))
		if (text_begins(flag, from))
			origin_take(
				f, text_unquote(text_from(flag, strlen(from))));
}

/* RUN --mount=type=bind,from=x,target=/y */
static void run_read(struct dockerfile *f, struct instruction *i)
{
	static const char mount[] = "--mount=", from[] = "from=";
	struct json_text part, rest;

	while (flag_next(i, &rest)) {
		if (!text_begins(rest, mount))
			continue;
		rest = text_unquote(text_from(rest, strlen(mount)));
		while (rest.bytes != NULL) {
			part = text_unquote(text_cut(rest, ',', &rest));
			if (text_begins(part, from))
				origin_take(f, text_from(part, strlen(from)));
		}
	}
}

/* ONBUILD COPY --from=x: what builds on this image takes it. */
static void onbuild_read(struct dockerfile *f, struct instruction *i)
{
	const struct json_text word = deploy_word_next(&i->at, i->end);

	if (deploy_word_is(word, "copy"))
		copy_read(f, i);
	else if (deploy_word_is(word, "run"))
		run_read(f, i);
}

static void user_read(struct dockerfile *f, struct instruction *i)
{
	struct json_text word = deploy_word_next(&i->at, i->end);

	if (f->len > 0 && word.len > 0)
		f->stages[f->len - 1]->user = word_keep(f, word, i->offset);
}

static void expose_read(struct dockerfile *f, struct instruction *i)
{
	struct stage *s = f->len > 0 ? f->stages[f->len - 1] : NULL;
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
		f->stages[f->len - 1]->healthcheck =
			deploy_word_is(word, "none") ? "disabled" : "declared";
}

static const struct {
	const char *word;
	void (*read)(struct dockerfile *f, struct instruction *i);
} table[] = {
	{ "arg", arg_read },       { "from", from_read },
	{ "copy", copy_read },     { "user", user_read },
	{ "expose", expose_read }, { "healthcheck", healthcheck_read },
	{ "run", run_read },       { "onbuild", onbuild_read },
};

static void instruction_read(struct dockerfile *f, const struct docker_lines *l)
{
	struct instruction i = { l->line.bytes, l->line.bytes + l->line.len,
				 (size_t)(l->from - l->start) };
	struct json_text word;

	if (l->is_too_long) {
		deploy_warn(f->d, "line_too_long", f->in, i.offset,
			    "an instruction longer than 64 KiB is left out");
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
		stage_write(f, f->stages[i], w);
	jsonw_end_array(w);
	source_write(w, "source", f->in);
	slice_item_end(l);
}

void deploy_dockerfile_text_read(struct deploy *d, const struct parse_input *in,
				 struct json_text text)
{
	struct dockerfile f = { .d = d,
				.in = in,
				.arena.cap_bytes = DOCKERFILE_BYTES };
	struct docker_lines l;

	deploy_lines_init(&l, text.bytes, text.len);
	while (deploy_line_next(&l))
		instruction_read(&f, &l);
	deploy_lines_done(&l);
	if (f.is_full || f.arguments.is_cut)
		report_note(&d->report->warnings, "truncated", in, -1,
			    "more than 200 stages, 64 ports of one stage, 64 "
			    "variables or 16 MiB of text: the rest is not "
			    "known");
	file_write(&f);
	arena_done(&f.arena);
}

void deploy_dockerfile_read(struct deploy *d, const struct parse_input *in)
{
	deploy_dockerfile_text_read(d, in,
				    (struct json_text){ in->bytes, in->len });
}
