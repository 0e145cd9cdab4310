/* yaml_events.c -- see yaml_events.h. */
#include "parsers/yaml/yaml_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/buf.h"
#include "parsers/yaml/yaml_scan.h"

#define MESSAGE_BYTES 400U
#define TAG_SHOWN     120 /* bytes of a tag in a warning */
#define CORE_PREFIX   "tag:yaml.org,2002:"

static int refuse(struct yaml_events *e, const char *code, size_t offset,
		  const char *message)
{
	report_note(&e->report->errors, code, e->in, (int64_t)offset, message);
	return -EINVAL;
}

int yaml_events_open(struct yaml_events *e, const struct parse_input *in,
		     struct parse_report *r)
{
	struct yaml_fault fault = yaml_scan(in->bytes, in->len);

	*e = (struct yaml_events){ .in = in, .report = r };
	if (fault.code != NULL)
		return refuse(e, fault.code, fault.offset, fault.message);
	e->skipped = input_bom_note(in, r);
	e->event = calloc(1, sizeof *e->event);
	e->parser = calloc(1, sizeof *e->parser);
	if (e->event == NULL || e->parser == NULL ||
	    yaml_parser_initialize(e->parser) == 0)
		return refuse(e, "memory", 0, "no memory to read it");
	yaml_parser_set_encoding(e->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		e->parser, (const unsigned char *)in->bytes + e->skipped,
		in->len - e->skipped);
	return 0;
}

void yaml_events_done(struct yaml_events *e)
{
	if (e->event != NULL)
		yaml_event_delete(e->event);
	if (e->parser != NULL)
		yaml_parser_delete(e->parser);
	free(e->event);
	free(e->parser);
	*e = (struct yaml_events){ 0 };
}

static bool is_continued(const struct yaml_events *e)
{
	size_t at = e->skipped + e->bytes;

	return at < e->in->len &&
	       ((unsigned char)e->in->bytes[at] & 0xc0) == 0x80;
}

/* Libyaml counts characters; places of events ascend, or nearly so. */
static size_t offset_of(struct yaml_events *e, size_t chars)
{
	size_t len = e->in->len - e->skipped;

	while (e->chars < chars && e->bytes < len) {
		e->chars++;
		do
			e->bytes++;
		while (is_continued(e));
	}
	while (e->chars > chars && e->bytes > 0) {
		e->chars--;
		do
			e->bytes--;
		while (is_continued(e));
	}
	return e->skipped + e->bytes;
}

static int refuse_parser(struct yaml_events *e)
{
	const yaml_parser_t *p = e->parser;
	owned_buf struct buf text = { .cap_bytes = MESSAGE_BYTES };
	const char *problem = p->problem ? p->problem : "not YAML";
	size_t at;

	if (p->error == YAML_MEMORY_ERROR)
		return refuse(e, "memory", e->skipped + e->bytes,
			      "no memory to read it");
	if (p->error == YAML_READER_ERROR) {
		buf_format(&text, "%s (%#x)", problem,
			   (unsigned)p->problem_value);
		at = e->skipped + p->problem_offset;
	} else {
		buf_format(&text, "line %zu, column %zu: %s",
			   p->problem_mark.line + 1, p->problem_mark.column + 1,
			   problem);
		if (p->context != NULL)
			buf_format(&text, " %s that began in line %zu",
				   p->context, p->context_mark.line + 1);
		at = offset_of(e, p->problem_mark.index);
	}
	return refuse(e, "yaml_syntax", at,
		      buf_has_failed(&text) ? problem : text.bytes);
}

/* The tags that only repeat what a node is. */
static bool is_core_tag(const char *tag)
{
	static const char *const core[] = { "str",  "int", "float", "bool",
					    "null", "seq", "map",   "merge" };

	if (strcmp(tag, "!") == 0)
		return true;
	if (strncmp(tag, CORE_PREFIX, strlen(CORE_PREFIX)) != 0)
		return false;
	for (size_t i = 0; i < sizeof core / sizeof *core; i++)
		if (strcmp(tag + strlen(CORE_PREFIX), core[i]) == 0)
			return true;
	return false;
}

static void tag_note(struct yaml_events *e, const unsigned char *bytes,
		     size_t offset)
{
	const char *tag = (const char *)bytes;
	owned_buf struct buf text = { 0 };

	if (tag == NULL || is_core_tag(tag) || e->tags++ >= YAML_TAG_NOTES)
		return;
	buf_format(&text, "the tag %.*s is ignored", TAG_SHOWN, tag);
	if (e->tags == YAML_TAG_NOTES)
		buf_text(&text, ", and so are those that follow");
	report_note(&e->report->warnings, "yaml_tag", e->in, (int64_t)offset,
		    buf_has_failed(&text) ? "a tag" : text.bytes);
}

static struct json_text text_of(const unsigned char *s)
{
	return (struct json_text){ (const char *)s,
				   s ? strlen((const char *)s) : 0 };
}

static void scalar_fill(struct yaml_events *e, struct yaml_ev *ret)
{
	ret->kind = YAML_EV_SCALAR;
	ret->text.bytes = (const char *)e->event->data.scalar.value;
	ret->text.len = e->event->data.scalar.length;
	ret->anchor = text_of(e->event->data.scalar.anchor);
	ret->is_plain =
		e->event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
		e->event->data.scalar.tag == NULL;
	tag_note(e, e->event->data.scalar.tag, ret->offset);
}

static int container_fill(struct yaml_events *e, struct yaml_ev *ret)
{
	const unsigned char *tag;

	if (e->depth++ == PARSE_DEPTH)
		return refuse(e, "depth", ret->offset,
			      "nested more than 64 deep");
	if (e->event->type == YAML_MAPPING_START_EVENT) {
		ret->kind = YAML_EV_MAPPING;
		ret->anchor = text_of(e->event->data.mapping_start.anchor);
		tag = e->event->data.mapping_start.tag;
	} else {
		ret->kind = YAML_EV_SEQUENCE;
		ret->anchor = text_of(e->event->data.sequence_start.anchor);
		tag = e->event->data.sequence_start.tag;
	}
	tag_note(e, tag, ret->offset);
	return 1;
}

/* Translate the current event.  Returns 1, 0 for an event that nobody needs, or
 * -EINVAL. */
static int event_fill(struct yaml_events *e, struct yaml_ev *ret)
{
	*ret = (struct yaml_ev){
		.offset = offset_of(e, e->event->start_mark.index),
		.depth = e->depth,
	};
	switch (e->event->type) {
	case YAML_DOCUMENT_START_EVENT:
		ret->kind = YAML_EV_DOCUMENT;
		return 1;
	case YAML_DOCUMENT_END_EVENT:
		ret->kind = YAML_EV_DOCUMENT_END;
		return 1;
	case YAML_ALIAS_EVENT:
		ret->kind = YAML_EV_ALIAS;
		ret->text = text_of(e->event->data.alias.anchor);
		return 1;
	case YAML_SCALAR_EVENT:
		scalar_fill(e, ret);
		return 1;
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		return container_fill(e, ret);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		ret->kind = YAML_EV_END;
		ret->depth = --e->depth;
		return 1;
	default:
		return 0;
	}
}

int yaml_events_next(struct yaml_events *e, struct yaml_ev *ret)
{
	int filled = 0;

	while (filled == 0) {
		yaml_event_delete(e->event);
		if (yaml_parser_parse(e->parser, e->event) == 0)
			return refuse_parser(e);
		if (e->event->type == YAML_STREAM_END_EVENT ||
		    e->event->type == YAML_NO_EVENT)
			return 0;
		filled = event_fill(e, ret);
	}
	return filled;
}
