/* data.h -- files of this project that are compiled in; profiles/embed makes
 * the tables. */
#ifndef CUPEL_SPEC_DATA_H
#define CUPEL_SPEC_DATA_H

#include <stddef.h>

struct data_text {
	const char *name;
	const char *bytes; /* NUL after len */
	size_t len;
};

extern const struct data_text profile_texts[];
extern const size_t profile_texts_len;
extern const struct data_text schema_texts[];
extern const size_t schema_texts_len;
extern const struct data_text rule_texts[]; /* profiles/data/flag-rules.txt */
extern const size_t rule_texts_len;
extern const struct data_text trace_texts[]; /* profiles/data/trace-*.txt */
extern const size_t trace_texts_len;
extern const struct data_text advice_texts[]; /* .../advice-words.txt */
extern const size_t advice_texts_len;
extern const struct data_text role_texts[]; /* profiles/data/roles.txt */
extern const size_t role_texts_len;
extern const struct data_text reporter_texts[]; /* profiles/reporters */
extern const size_t reporter_texts_len;
extern const struct data_text gate_texts[]; /* profiles/gates/shipped.yaml */
extern const size_t gate_texts_len;
extern const struct data_text policy_texts[]; /* profiles/gates/rules.json */
extern const size_t policy_texts_len;
extern const struct data_text script_texts[]; /* profiles/reproduce */
extern const size_t script_texts_len;

#endif
