/* node_stream.c -- see node_stream.h. */
#include "parsers/node/node_stream.h"

#include <errno.h>

#include "parsers/yaml/yaml_events.h"

struct level {
	bool is_mapping;
	bool has_key;   /* the next thing is a value */
	bool is_hidden; /* in a sequence: not told */
};

struct stream {
	const struct parse_input *in;
	const struct stream_sink *sink;
	struct parse_report *report;
	struct level levels[PARSE_DEPTH + 2]; /* 0: the document */
	unsigned depth;                       /* of levels */
	struct stream_place place;
	struct buf keys[STREAM_KEYS];
};

static int fail(struct stream *s, const char *code, size_t at,
		const char *message)
{
	report_note(&s->report->errors, code, s->in, (int64_t)at, message);
	return -EINVAL;
}

/* A value begins.  Returns whether to report it, as the value of a name. */
static bool value_begin(struct stream *s)
{
	struct level *l = &s->levels[s->depth];

	s->place.depth = s->depth;
	l->has_key = false;
	return s->depth > 0 && l->is_mapping && !l->is_hidden;
}

static int key_take(struct stream *s, const struct yaml_ev *e)
{
	unsigned i = s->depth - 1; /* how many names are above */
	struct buf *key;

	if (e->kind != YAML_EV_SCALAR)
		return fail(s, "yaml_syntax", e->offset,
			    "expected a name, not a mapping or sequence");
	if (e->text.len > PARSE_STRING_BYTES)
		return fail(s, "string_too_long", e->offset,
			    "a name longer than 64 KiB");
	s->levels[s->depth].has_key = true;
	if (i >= STREAM_KEYS)
		return 0;
	key = &s->keys[i];
	key->len = 0;
	buf_add(key, e->text.bytes, e->text.len);
	if (buf_has_failed(key))
		return fail(s, "memory", e->offset, "no memory");
	s->place.keys[i] =
		(struct json_text){ key->bytes ? key->bytes : "", e->text.len };
	s->place.key_at[i] = e->offset;
	return 0;
}

static void scalar_take(struct stream *s, const struct yaml_ev *e)
{
	if (!value_begin(s))
		return;
	if (e->text.len > PARSE_STRING_BYTES)
		report_note(&s->report->errors, "string_too_long", s->in,
			    (int64_t)e->offset, "a string over 64 KiB");
	else if (s->sink->scalar != NULL)
		s->sink->scalar(s->sink->ctx, &s->place, e->text, e->offset);
}

/* Into a mapping or a sequence; yaml_events.h holds the depth. */
static void level_push(struct stream *s, const struct yaml_ev *e)
{
	bool is_mapping = e->kind == YAML_EV_MAPPING;
	bool told = value_begin(s) && is_mapping;

	s->depth++;
	s->levels[s->depth] = (struct level){
		.is_mapping = is_mapping,
		.is_hidden = s->depth > 1 && !told,
	};
	if (told && s->sink->open != NULL)
		s->sink->open(s->sink->ctx, &s->place);
}

static void level_pop(struct stream *s)
{
	const struct level *l = &s->levels[s->depth];
	bool told = s->depth > 1 && l->is_mapping && !l->is_hidden;

	s->place.depth = --s->depth;
	if (told && s->sink->close != NULL)
		s->sink->close(s->sink->ctx, &s->place);
}

static int event_take(struct stream *s, const struct yaml_ev *e)
{
	const struct level *l = &s->levels[s->depth];

	if (e->kind == YAML_EV_ALIAS || e->anchor.bytes != NULL)
		return fail(s, "yaml_alias", e->offset,
			    "an alias or anchor in a lockfile");
	switch (e->kind) {
	case YAML_EV_SCALAR:
	case YAML_EV_MAPPING:
	case YAML_EV_SEQUENCE:
		if (s->depth > 0 && l->is_mapping && !l->has_key)
			return key_take(s, e);
		if (e->kind == YAML_EV_SCALAR)
			scalar_take(s, e);
		else
			level_push(s, e);
		return 0;
	case YAML_EV_END:
		level_pop(s);
		return 0;
	case YAML_EV_DOCUMENT_END:
		s->place.document++;
		return 0;
	default:
		return 0;
	}
}

int node_stream_read(const struct parse_input *in,
		     const struct stream_sink *sink, struct parse_report *r)
{
	struct stream s = { .in = in, .sink = sink, .report = r };
	struct yaml_events events;
	struct yaml_ev ev;
	int e = yaml_events_open(&events, in, r);

	while (e == 0) {
		e = yaml_events_next(&events, &ev);
		if (e <= 0)
			break;
		e = event_take(&s, &ev);
	}
	yaml_events_done(&events);
	for (size_t i = 0; i < STREAM_KEYS; i++)
		buf_done(&s.keys[i]);
	return e;
}
