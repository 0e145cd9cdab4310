/* yaml_events.h -- reads YAML as events, for callers that need no tree.
 *
 * Time is linear in the text: constructs that would cost libyaml more are
 * searched for first and refused.  Memory is one scalar and the open
 * containers.  Duplicate names and anchors are not checked here but in
 * yaml.h. */
#ifndef CUPEL_PARSERS_YAML_EVENTS_H
#define CUPEL_PARSERS_YAML_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "boundary/json.h"
#include "parsers/common/parse.h"

enum yaml_event_kind {
	YAML_EV_DOCUMENT,     /* one begins */
	YAML_EV_DOCUMENT_END, /* after its one root node */
	YAML_EV_SCALAR,
	YAML_EV_ALIAS,
	YAML_EV_SEQUENCE, /* one begins */
	YAML_EV_MAPPING, /* one begins; its children are key, value, key, ... */
	YAML_EV_END,     /* of the innermost sequence or mapping */
	YAML_EV_MAX_
};

/* One event.  Its texts last until the next call. */
struct yaml_ev {
	enum yaml_event_kind kind;
	bool is_plain;           /* a scalar without quotes and without a tag */
	size_t offset;           /* of its first byte in the input */
	struct json_text text;   /* a scalar's, or the name behind the '*' */
	struct json_text anchor; /* bytes NULL: none */
	unsigned depth;          /* containers around it */
};

#define YAML_TAG_DIRECTIVES 64U /* libyaml compares each with every other */
#define YAML_TAG_NOTES      20U /* warnings about tags, of one input */

struct yaml_parser_s;
struct yaml_event_s;

/* Between open and done; private to yaml_events.c. */
struct yaml_events {
	const struct parse_input *in;
	struct parse_report *report;
	struct yaml_parser_s *parser;
	struct yaml_event_s *event;
	size_t skipped;      /* bytes of a byte order mark */
	size_t chars, bytes; /* one place behind it, counted both ways */
	unsigned depth;
	unsigned tags;
};

/* yaml_events_open -- look at the bytes, get ready.
 *
 * Refused: invalid UTF-8 and so UTF-16 and UTF-32 ("bad_utf8"), NUL
 * ("yaml_nul"), over YAML_TAG_DIRECTIVES ("yaml_directives"), runs of white
 * space that would take too long ("yaml_blanks"), no memory ("memory").
 * Returns 0, or -EINVAL (noted as an error of r).  yaml_events_done() after
 * either. */
int yaml_events_open(struct yaml_events *e, const struct parse_input *in,
		     struct parse_report *r);

/* yaml_events_next -- one event.
 *
 * Returns 1, 0 at the end of the text, or -EINVAL (noted: "yaml_syntax",
 * "depth", "memory"), after which it must not be called again. */
int yaml_events_next(struct yaml_events *e, struct yaml_ev *ret);

void yaml_events_done(struct yaml_events *e);

#endif
