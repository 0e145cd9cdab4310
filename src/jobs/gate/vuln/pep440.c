/* pep440.c -- compares Python's versions. */
#include <errno.h>

#include "jobs/gate/vuln/digits.h"
#include "jobs/gate/vuln/version.h"

#define RELEASE_MAX 32U /* numbers of a release; real ones have four */

/* The stages before a release, in their order. */
enum pre { PRE_NONE, PRE_A, PRE_B, PRE_RC };

struct pep440 {
	char text[VERSION_BYTES]; /* small letters; the rest points here */
	struct digits epoch, release[RELEASE_MAX], pre_number, post, dev;
	size_t release_len;
	enum pre pre;
	bool has_post, has_dev;
	const char *local; /* or NULL */
};

static const struct {
	const char *word;
	enum pre pre;
} pre_words[] = {
	/* A word comes before the words that are its beginning. */
	{ "alpha", PRE_A }, { "beta", PRE_B }, { "preview", PRE_RC },
	{ "pre", PRE_RC },  { "rc", PRE_RC },  { "a", PRE_A },
	{ "b", PRE_B },     { "c", PRE_RC },
};

static bool is_separator(char c)
{
	return c == '-' || c == '_' || c == '.';
}

static bool word_take(const char **s, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*s, word, n) != 0)
		return false;
	*s += n;
	return true;
}

static struct digits number_take(const char **s)
{
	size_t n = digits_len(*s);
	struct digits d = digits_read(*s, n);

	*s += n;
	return d;
}

/* The number after a suffix.  It may follow a separator, or be missing, with or
 * without the separator ("1.0a.", PEP 440's appendix B). */
static struct digits suffix_number_take(const char **s)
{
	*s += is_separator(**s);
	return number_take(s);
}

static bool release_take(const char **s, struct pep440 *v)
{
	size_t n = digits_len(*s);

	if (n > 0 && (*s)[n] == '!') {
		v->epoch = number_take(s);
		++*s;
	}
	for (;;) {
		if (!digit_is(**s) || v->release_len == RELEASE_MAX)
			return false;
		v->release[v->release_len++] = number_take(s);
		if (**s != '.' || !digit_is((*s)[1]))
			break;
		++*s;
	}
	while (v->release_len > 0 && v->release[v->release_len - 1].len == 0)
		v->release_len--;
	return true;
}

static void pre_take(const char **s, struct pep440 *v)
{
	const char *at = *s + is_separator(**s);

	for (size_t i = 0; i < sizeof pre_words / sizeof *pre_words; i++)
		if (word_take(&at, pre_words[i].word)) {
			v->pre = pre_words[i].pre;
			v->pre_number = suffix_number_take(&at);
			*s = at;
			return;
		}
}

static void post_take(const char **s, struct pep440 *v)
{
	const char *at = *s + is_separator(**s);

	if (**s == '-' && digit_is((*s)[1])) {
		++*s;
		v->post = number_take(s);
		v->has_post = true;
	} else if (word_take(&at, "post") || word_take(&at, "rev") ||
		   word_take(&at, "r")) {
		v->post = suffix_number_take(&at);
		v->has_post = true;
		*s = at;
	}
}

static void dev_take(const char **s, struct pep440 *v)
{
	const char *at = *s + is_separator(**s);

	if (!word_take(&at, "dev"))
		return;
	v->dev = suffix_number_take(&at);
	v->has_dev = true;
	*s = at;
}

/* Whether letters and digits with single separators between them go to the
 * end. */
static bool local_is_whole(const char *s)
{
	bool has_part = false;

	for (; *s != '\0'; s++) {
		bool is_part = digit_is(*s) || (*s >= 'a' && *s <= 'z');

		if (!is_part && (!is_separator(*s) || !has_part))
			return false;
		has_part = is_part;
	}
	return has_part;
}

static bool pep440_read(const char *text, struct pep440 *v)
{
	size_t n = strlen(text);
	const char *s = v->text;

	*v = (struct pep440){ 0 };
	if (n >= sizeof v->text)
		return false;
	for (size_t i = 0; i < n; i++)
		v->text[i] = (char)(text[i] >= 'A' && text[i] <= 'Z'
					    ? text[i] - 'A' + 'a'
					    : text[i]);
	(void)word_take(&s, "v");
	if (!release_take(&s, v))
		return false;
	pre_take(&s, v);
	post_take(&s, v);
	dev_take(&s, v);
	if (*s == '+') {
		v->local = s + 1;
		return local_is_whole(v->local);
	}
	return *s == '\0';
}

/* --- the order -------------------------------------------------------------------- */

static int release_order(const struct pep440 *a, const struct pep440 *b)
{
	static const struct digits zero;
	int c = digits_order(a->epoch, b->epoch);

	for (size_t i = 0; c == 0 && (i < a->release_len || i < b->release_len);
	     i++)
		c = digits_order(i < a->release_len ? a->release[i] : zero,
				 i < b->release_len ? b->release[i] : zero);
	return c;
}

/* A development release of the release itself comes first of all; a release
 * comes after its alphas, betas and candidates. */
static int pre_rank(const struct pep440 *v)
{
	if (v->pre == PRE_NONE && !v->has_post && v->has_dev)
		return -1;
	return v->pre == PRE_NONE ? PRE_RC + 1 : (int)v->pre;
}

static size_t part_len(const char *s)
{
	size_t n = 0;

	while (s[n] != '\0' && !is_separator(s[n]))
		n++;
	return n;
}

static int part_order(const char *a, size_t n, const char *b, size_t m)
{
	bool a_number = digits_len(a) >= n, b_number = digits_len(b) >= m;
	int c;

	if (a_number && b_number)
		return digits_order(digits_read(a, n), digits_read(b, m));
	if (a_number != b_number)
		return a_number ? 1 : -1;
	c = memcmp(a, b, n < m ? n : m);
	return c != 0 ? c : (n > m) - (n < m);
}

static int local_order(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	for (;;) {
		size_t n = part_len(a), m = part_len(b);
		int c = part_order(a, n, b, m);

		if (c != 0)
			return c;
		if (a[n] == '\0' || b[m] == '\0')
			return (a[n] != '\0') - (b[m] != '\0');
		a += n + 1;
		b += m + 1;
	}
}

static int order(const struct pep440 *a, const struct pep440 *b)
{
	int c = release_order(a, b);

	if (c == 0)
		c = pre_rank(a) - pre_rank(b);
	if (c == 0)
		c = digits_order(a->pre_number, b->pre_number);
	if (c == 0)
		c = a->has_post - b->has_post;
	if (c == 0)
		c = digits_order(a->post, b->post);
	if (c == 0)
		c = b->has_dev - a->has_dev;
	if (c == 0)
		c = digits_order(a->dev, b->dev);
	return c != 0 ? c : local_order(a->local, b->local);
}

int version_pep440_find(const char *a, const char *b, int *ret)
{
	struct pep440 x, y;

	if (!pep440_read(a, &x) || !pep440_read(b, &y))
		return -EINVAL;
	*ret = order(&x, &y);
	return 0;
}
