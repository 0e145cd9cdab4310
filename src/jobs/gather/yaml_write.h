/* yaml_write.h -- a JSON value as block YAML that every reader takes alike. */
#ifndef CUPEL_JOBS_GATHER_YAML_WRITE_H
#define CUPEL_JOBS_GATHER_YAML_WRITE_H

struct buf;
struct json_value;

/* yaml_write -- append v, newline at its end; members in their order.
 *
 * A string stands plain only when no reader of YAML 1.1 or 1.2 could take it
 * for anything else; any other is in double quotes on one line, with what does
 * not print (or would reorder what a person sees) escaped.  A number is the
 * number that was written, in a spelling that YAML 1.1 also reads as one.
 *
 * @v	of at most JSON_DEPTH_MAX levels
 * @out	check buf_has_failed
 * Source: YAML 1.2.2 chapters 5, 7, 8 and 10.3; YAML 1.1's type repository. */
void yaml_write(const struct json_value *v, struct buf *out);

#endif
