/* put.c -- see put.h. */
#include "spec/put.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "spec/number.h"

#define TRACE_DIGITS 32

static_assert(sizeof(enum spec_repo_mode) == sizeof(unsigned) &&
		      sizeof(enum spec_network) == sizeof(unsigned) &&
		      sizeof(enum spec_proc) == sizeof(unsigned) &&
		      sizeof(enum spec_output_mode) == sizeof(unsigned) &&
		      sizeof(enum spec_result_from) == sizeof(unsigned) &&
		      sizeof(enum spec_trace) == sizeof(unsigned) &&
		      sizeof(enum spec_backend) == sizeof(unsigned),
	      "put_enum stores through unsigned");

static void *slot(struct spec *s, const struct field *f)
{
	return (char *)s + f->offset;
}

static unsigned char *rank_of(struct spec *s, const struct field *f)
{
	return &s->ranks[f - fields];
}

bool put_is_low(const struct put *p, const struct field *f)
{
	return p->rank < *rank_of(p->spec, f);
}

void put_mark(const struct put *p, const struct field *f)
{
	*rank_of(p->spec, f) = (unsigned char)p->rank;
}

void put_place(char out[PUT_PLACE_MAX], const char *origin, const char *between,
	       const char *key)
{
	size_t n = strnlen(origin, 100);

	memcpy(out, origin, n);
	out += n;
	n = strnlen(between, 2);
	memcpy(out, between, n);
	out += n;
	n = strnlen(key, 80);
	memcpy(out, key, n);
	out[n] = '\0';
}

static int fail_memory(const struct put *p, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY, ENOMEM,
			  "%s: no memory, or a request over %zu MiB", p->place,
			  SPEC_ARENA_BYTES >> 20);
}

/* "1M..64G", with the units that the option takes. */
static void write_range(const struct field *f, char *out, size_t n)
{
	char low[NUMBER_TEXT], high[NUMBER_TEXT];

	if (f->type == FIELD_SIZE) {
		number_write_size(f->min, low);
		number_write_size(f->max, high);
	} else if (f->type == FIELD_TIME) {
		number_write_ms(f->min, low);
		number_write_ms(f->max, high);
	} else {
		(void)snprintf(low, sizeof low, "%" PRIu64, f->min);
		(void)snprintf(high, sizeof high, "%" PRIu64, f->max);
	}
	(void)snprintf(out, n, "%s..%s", low, high);
}

static int fail_range(const struct put *p, const struct field *f,
		      const char *shown, struct cupel_error *err)
{
	char range[3 * NUMBER_TEXT];

	write_range(f, range, sizeof range);
	return spec_refuse(err, ERANGE, "%s: %.80s is outside %s%s", p->place,
			   shown, range,
			   f->flags & FIELD_CAN_BE_OFF
				   ? ", and is not the word unlimited"
				   : "");
}

/* A COUNT, SIZE or TIME in the unit of the struct.
 *
 * @shown	what the message calls the value */
static int put_number(const struct put *p, const struct field *f,
		      uint64_t value, const char *shown,
		      struct cupel_error *err)
{
	bool is_off =
		value == SPEC_UNLIMITED && (f->flags & FIELD_CAN_BE_OFF) != 0;

	if (!is_off && (value < f->min || value > f->max))
		return fail_range(p, f, shown, err);
	if (put_is_low(p, f))
		return 0;
	*(uint64_t *)slot(p->spec, f) = value;
	put_mark(p, f);
	return 0;
}

int put_bool(const struct put *p, const struct field *f, bool value)
{
	if (put_is_low(p, f))
		return 0;
	*(bool *)slot(p->spec, f) = value;
	put_mark(p, f);
	return 0;
}

static const char *number_form(const struct field *f)
{
	switch (f->type) {
	case FIELD_SIZE:
		return "a size (bytes, or like 512K, 20M, 2G)";
	case FIELD_TIME:
		return "a time (seconds, or like 1h30m, 5m, 250ms)";
	default:
		return "a whole number";
	}
}

static int fail_form(const struct put *p, const struct field *f,
		     const char *text, struct cupel_error *err)
{
	char range[3 * NUMBER_TEXT];

	write_range(f, range, sizeof range);
	return spec_refuse(err, EINVAL, "%s: '%.80s' is not %s in %s%s",
			   p->place, text, number_form(f), range,
			   f->flags & FIELD_CAN_BE_OFF ? ", or unlimited" : "");
}

/* A negative number is a number all the same, but out of range. */
static bool is_negative(const char *text)
{
	return text[0] == '-' && text[1] >= '0' && text[1] <= '9';
}

static int put_number_text(const struct put *p, const struct field *f,
			   const char *text, struct cupel_error *err)
{
	uint64_t value = 0;
	int r;

	if (strcmp(text, "unlimited") == 0 && f->flags & FIELD_CAN_BE_OFF)
		return put_number(p, f, SPEC_UNLIMITED, text, err);
	if (f->type == FIELD_SIZE)
		r = number_read_size(text, &value);
	else if (f->type == FIELD_TIME)
		r = number_read_ms(text, &value);
	else
		r = number_read_count(text, &value);
	if (r == -ERANGE || is_negative(text) || value == SPEC_UNLIMITED)
		return fail_range(p, f, text, err);
	if (r < 0)
		return fail_form(p, f, text, err);
	return put_number(p, f, value, text, err);
}

static int put_bool_text(const struct put *p, const struct field *f,
			 const char *text, struct cupel_error *err)
{
	if (text == NULL || strcmp(text, "true") == 0)
		return put_bool(p, f, true);
	if (strcmp(text, "false") == 0)
		return put_bool(p, f, false);
	return spec_refuse(err, EINVAL, "%s: '%.80s' is neither true nor false",
			   p->place, text);
}

static int put_enum(const struct put *p, const struct field *f,
		    const char *text, struct cupel_error *err)
{
	char words[80] = "";
	size_t len = 0;
	int value = field_find_word(f, text);

	if (value >= 0) {
		if (!put_is_low(p, f)) {
			*(unsigned *)slot(p->spec, f) = (unsigned)value;
			put_mark(p, f);
		}
		return 0;
	}
	for (const struct field_word *w = f->words; w->name != NULL; w++) {
		if (w->is_later && strcmp(w->name, text) == 0)
			return spec_refuse(
				err, EINVAL,
				"%s: %s is not supported yet; use %s", p->place,
				text, words);
		if (!w->is_later && len < sizeof words)
			len += (size_t)snprintf(words + len, sizeof words - len,
						"%s%s", len > 0 ? ", " : "",
						w->name);
	}
	return spec_refuse(err, EINVAL, "%s: '%.80s' is not one of %s",
			   p->place, text, words);
}

static int put_string(const struct put *p, const struct field *f,
		      const char *text, struct cupel_error *err)
{
	char *copy;

	/* --json without a file is the empty text; no other option may be
	 * empty */
	if (text == NULL && f->flags & FIELD_OPT_ARG)
		text = "";
	else if (text[0] == '\0')
		return spec_refuse(err, EINVAL, "%s: the %s is empty", p->place,
				   f->arg);
	if (put_is_low(p, f))
		return 0;
	copy = arena_text(&p->spec->arena, text);
	if (copy == NULL)
		return fail_memory(p, err);
	*(const char **)slot(p->spec, f) = copy;
	put_mark(p, f);
	return 0;
}

/* W3C Trace Context 3.2.2.3: lower-case hex, and not all zeros. */
static int put_trace(const struct put *p, const struct field *f,
		     const char *text, struct cupel_error *err)
{
	char id[TRACE_DIGITS + 1] = "";
	size_t n = strlen(text);
	bool is_good = n == TRACE_DIGITS && strspn(text, "0") < n;

	for (size_t i = 0; is_good && i < n; i++) {
		is_good = isxdigit((unsigned char)text[i]) != 0;
		id[i] = (char)tolower((unsigned char)text[i]);
	}
	if (!is_good)
		return spec_refuse(err, EINVAL,
				   "%s: '%.80s' is not 32 hexadecimal digits, "
				   "at least one of them not 0",
				   p->place, text);
	return put_string(p, f, id, err);
}

/* A limit that has no option of its own. */
static int put_other_rlimit(const struct put *p, int which, const char *text,
			    struct cupel_error *err)
{
	const struct field_rlimit *row = &field_rlimits[which];
	struct spec *s = p->spec;
	const struct field like = {
		.type = row->is_size ? FIELD_SIZE : FIELD_COUNT,
		.flags = FIELD_CAN_BE_OFF,
		.max = row->max,
	};
	uint64_t value = SPEC_UNLIMITED;
	int r = 0;

	if (strcmp(text, "unlimited") != 0)
		r = row->is_size ? number_read_size(text, &value)
				 : number_read_count(text, &value);
	if (r == -EINVAL && !is_negative(text))
		return fail_form(p, &like, text, err);
	if (r < 0 || (value != SPEC_UNLIMITED && value > row->max))
		return fail_range(p, &like, text, err);
	if (p->rank < s->rlimit_ranks[which])
		return 0;
	s->rlimits[which] = value;
	s->rlimit_is_set[which] = true;
	s->rlimit_ranks[which] = (unsigned char)p->rank;
	return 0;
}

int put_rlimit(const struct put *p, const char *name, size_t name_len,
	       const char *text, struct cupel_error *err)
{
	int which = field_rlimit_find(name, name_len);
	char place[160];
	struct put inner = { p->spec, p->rank, place };

	if (which < 0)
		return spec_refuse(
			err, EINVAL,
			"%s: unknown limit '%.*s'; expected cpu, as, data, "
			"nofile, fsize, nproc, core, stack, memlock, msgqueue, "
			"sigpending, rtprio, nice, rss, locks or rttime",
			p->place, (int)(name_len < 80 ? name_len : 80), name);
	(void)snprintf(place, sizeof place, "%s: %s", p->place,
		       field_rlimits[which].name);
	if (field_rlimits[which].option == NULL)
		return put_other_rlimit(&inner, which, text, err);
	return put_text(&inner, field_find(field_rlimits[which].option), text,
			err);
}

static int put_rlimit_text(const struct put *p, const char *text,
			   struct cupel_error *err)
{
	const char *eq = strchr(text, '=');

	if (eq == NULL)
		return spec_refuse(err, EINVAL,
				   "%s: expected NAME=N, found '%.80s'",
				   p->place, text);
	return put_rlimit(p, text, (size_t)(eq - text), eq + 1, err);
}

int put_text(const struct put *p, const struct field *f, const char *text,
	     struct cupel_error *err)
{
	if (text == NULL && f->type != FIELD_BOOL && f->type != FIELD_HELP &&
	    (f->flags & FIELD_OPT_ARG) == 0)
		return spec_refuse(err, EINVAL, "%s needs %s", p->place,
				   f->arg);
	switch (f->type) {
	case FIELD_COUNT:
	case FIELD_SIZE:
	case FIELD_TIME:
		return put_number_text(p, f, text, err);
	case FIELD_BOOL:
		return put_bool_text(p, f, text, err);
	case FIELD_ENUM:
		return put_enum(p, f, text, err);
	case FIELD_TEXT:
		return put_string(p, f, text, err);
	case FIELD_LIST:
		return put_list_add(p, f, text, err);
	case FIELD_RLIMIT:
		return put_rlimit_text(p, text, err);
	case FIELD_TRACE:
		return put_trace(p, f, text, err);
	case FIELD_PROFILE:
		return profile_put(p, text, err);
	case FIELD_SPEC:
		return document_put(p, text, err);
	case FIELD_HELP:
	case FIELD_TYPE_MAX_:
		break;
	}
	return spec_refuse(err, EINVAL, "%s: takes no value here", p->place);
}
