/* ci_build.c -- see ci_build.h.
 * Source: docker-build(1), buildah-build(1), kaniko's README. */
#include "parsers/ci/ci_build.h"

#include <string.h>

#include "parsers/common/text_piece.h"

enum meaning { FLAG, DOCKERFILE, CONTEXT, TAG, OTHER };

/* An option that is not listed takes the word behind it and is ignored. */
static const struct {
	const char *name;
	enum meaning docker, kaniko;
} options[] = {
	{ "-f", DOCKERFILE, DOCKERFILE },
	{ "--file", DOCKERFILE, OTHER },
	{ "--dockerfile", OTHER, DOCKERFILE },
	{ "-t", TAG, OTHER },
	{ "--tag", TAG, OTHER },
	{ "--image", TAG, OTHER },
	{ "-d", OTHER, TAG },
	{ "--destination", OTHER, TAG },
	{ "-c", OTHER, CONTEXT },
	{ "--context", OTHER, CONTEXT },
	{ "--no-cache", FLAG, FLAG },
	{ "--pull", FLAG, FLAG },
	{ "--pull-always", FLAG, FLAG },
	{ "--push", FLAG, FLAG },
	{ "--load", FLAG, FLAG },
	{ "-q", FLAG, FLAG },
	{ "--quiet", FLAG, FLAG },
	{ "--rm", FLAG, FLAG },
	{ "--force-rm", FLAG, FLAG },
	{ "--squash", FLAG, FLAG },
	{ "--compress", FLAG, FLAG },
	{ "--layers", FLAG, FLAG },
	{ "--debug", FLAG, FLAG },
	{ "--check", FLAG, FLAG },
	{ "--no-push", FLAG, FLAG },
	{ "--cleanup", FLAG, FLAG },
	{ "--cache", OTHER, FLAG },
	{ "--no-logs", FLAG, FLAG },
	{ "--no-wait", FLAG, FLAG },
};

/* Tools whose first operand is the context. */
static const char *const with_context[] = { "docker",  "podman", "buildah",
					    "nerdctl", "img",    "acr" };

static bool has_context(struct json_text tool)
{
	for (size_t i = 0; i < sizeof with_context / sizeof *with_context; i++)
		if (text_is(tool, with_context[i]))
			return true;
	return false;
}

static enum meaning meaning_of(struct json_text name, bool kaniko)
{
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (text_is(name, options[i].name))
			return kaniko ? options[i].kaniko : options[i].docker;
	return OTHER;
}

static void value_take(struct ci_found *f, struct ci_build *b, enum meaning m,
		       struct json_text value)
{
	if (m == DOCKERFILE && b->dockerfile.bytes == NULL)
		b->dockerfile = value;
	else if (m == CONTEXT && b->context.bytes == NULL)
		b->context = value;
	else if (m == TAG && b->tags_len == CI_TAGS_MAX)
		f->is_cut = true;
	else if (m == TAG)
		b->tags[b->tags_len++] = value;
}

/* Read the option at w[i] with its value; returns where the words go on. */
static size_t option_take(struct ci_found *f, struct ci_build *b,
			  const struct ci_words *w, size_t i, bool kaniko)
{
	struct json_text name = w->items[i], value;
	const char *equals = memchr(name.bytes, '=', name.len);
	enum meaning m;

	if (equals != NULL) {
		value.bytes = equals + 1;
		value.len = name.len - (size_t)(equals + 1 - name.bytes);
		name.len = (size_t)(equals - name.bytes);
		value_take(f, b, meaning_of(name, kaniko), value);
		return i + 1;
	}
	m = meaning_of(name, kaniko);
	if (m == FLAG || i + 1 >= w->len)
		return i + 1;
	value_take(f, b, m, w->items[i + 1]);
	return i + 2;
}

/* "2>&1", "> log": the shell's, not the command's. */
static bool is_redirection(struct json_text word)
{
	size_t i = 0;

	while (i < word.len && word.bytes[i] >= '0' && word.bytes[i] <= '9')
		i++;
	return i < word.len && (word.bytes[i] == '>' || word.bytes[i] == '<');
}

void ci_build_take(struct ci_found *f, struct json_text tool,
		   const struct ci_words *w, size_t from)
{
	struct ci_build b = { .tool = tool };
	bool kaniko = text_is(tool, "kaniko"), docker = has_context(tool);

	if (f->builds_len == CI_BUILDS_MAX) {
		f->is_cut = true;
		return;
	}
	if (kaniko) /* its row ends at the first option */
		from--;
	for (size_t i = from; (kaniko || docker) && i < w->len;) {
		if (is_redirection(w->items[i]))
			break;
		if (w->items[i].len > 1 && w->items[i].bytes[0] == '-') {
			i = option_take(f, &b, w, i, kaniko);
			continue;
		}
		if (docker && b.context.bytes == NULL)
			b.context = w->items[i];
		i++;
	}
	f->builds[f->builds_len++] = b;
}
