/* boundary_pattern.c -- ECMA-262 patterns, by what they match and refuse. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "boundary/pattern.h"
#include "tap.h"

static enum pattern_result match(const char *pattern, const char *subject)
{
	char why[200] = "";
	struct pattern *p =
		pattern_new(pattern, strlen(pattern), why, sizeof why);
	enum pattern_result r = PATTERN_LIMIT;
	uint64_t budget = 50000000;

	ok(p != NULL);
	if (p != NULL)
		r = pattern_match(p, subject, strlen(subject), &budget);
	if (p == NULL)
		fprintf(stderr, "# %s: %s\n", pattern, why);
	pattern_free(p);
	return r;
}

static const struct {
	const char *pattern, *subject;
	enum pattern_result want;
} rows[] = {
	{ "b", "abc", PATTERN_MATCH },
	{ "^b", "abc", PATTERN_MISMATCH },
	{ "^b|c$", "abc", PATTERN_MATCH },
	{ "a$", "a\n", PATTERN_MISMATCH },
	{ "^a", "b\na", PATTERN_MISMATCH },
	{ "", "", PATTERN_MATCH },
	{ "a{2}", "aa", PATTERN_MATCH },
	{ "^a{2,}$", "a", PATTERN_MISMATCH },
	{ "^a{1,2}?$", "aa", PATTERN_MATCH },
	{ "^.$", "\n", PATTERN_MISMATCH },
	{ "^.$", "\xe2\x80\xa8", PATTERN_MISMATCH },
	{ "^.$", "\xc2\x85", PATTERN_MATCH },
	{ "^.$", "\xf0\x9f\x98\x80", PATTERN_MATCH },
	{ "^\\d$", "\xd9\xa1", PATTERN_MISMATCH },
	{ "^\\D$", "\xd9\xa1", PATTERN_MATCH },
	{ "^\\w$", "\xc3\xa9", PATTERN_MISMATCH },
	{ "^\\W$", "\xc3\xa9", PATTERN_MATCH },
	{ "^\\s$", "\xef\xbb\xbf", PATTERN_MATCH },
	{ "^\\s$", "\xc2\xa0", PATTERN_MATCH },
	{ "^\\s$", "\v", PATTERN_MATCH },
	{ "^\\s$", "\xe1\xa0\x8e", PATTERN_MISMATCH },
	{ "^\\S$", "\xe2\x80\xa9", PATTERN_MISMATCH },
	{ "^[\\s\\S]$", "\n", PATTERN_MATCH },
	{ "^[^\\S]$", "\xe3\x80\x80", PATTERN_MATCH },
	{ "^[\\D]$", "5", PATTERN_MISMATCH },
	{ "^\\cC$", "\x03", PATTERN_MATCH },
	{ "^\\cc$", "\x03", PATTERN_MATCH },
	{ "^\\x41\\u0042\\u{43}$", "ABC", PATTERN_MATCH },
	{ "^\\ud83d\\ude00$", "\xf0\x9f\x98\x80", PATTERN_MATCH },
	{ "^\\u{1F600}+$", "\xf0\x9f\x98\x80\xf0\x9f\x98\x80", PATTERN_MATCH },
	{ "^[\\ud83d\\ude00-\\u{1F64F}]$", "\xf0\x9f\x98\x81", PATTERN_MATCH },
	{ "^\xf0\x9f\x98\x80{2}$", "\xf0\x9f\x98\x80\xf0\x9f\x98\x80",
	  PATTERN_MATCH },
	{ "\\ud83d", "\xf0\x9f\x98\x80", PATTERN_MISMATCH },
	{ "^[\\ud800-\\udfff]?$", "a", PATTERN_MISMATCH },
	{ "^[^\\ud800-\\udfff]$", "a", PATTERN_MATCH },
	{ "^[\\udc00-\\uffff]$", "\xef\xbf\xbd", PATTERN_MATCH },
	{ "[]", "a", PATTERN_MISMATCH },
	{ "^[^]$", "\n", PATTERN_MATCH },
	{ "^[a-]$", "-", PATTERN_MATCH },
	{ "^[-a]$", "-", PATTERN_MATCH },
	{ "^[\\b]$", "\b", PATTERN_MATCH },
	{ "^[[:alpha:]\\]$", ":]", PATTERN_MATCH },
	{ "^[a&&b]$", "&", PATTERN_MATCH },
	{ "^[\\]\\\\^]$", "^", PATTERN_MATCH },
	{ "\\bfoo\\b", "a foo b", PATTERN_MATCH },
	{ "\\Boo", "foo", PATTERN_MATCH },
	{ "^(a)(b)\\2\\1$", "abba", PATTERN_MATCH },
	{ "^\\1(a)$", "a", PATTERN_MATCH },
	{ "^(?:(a)|b)\\1$", "b", PATTERN_MATCH },
	{ "^(?<x>a)\\k<x>$", "aa", PATTERN_MATCH },
	{ "^\\k<x>(?<x>a)$", "a", PATTERN_MATCH },
	{ "^(?<$\xc3\xa9>a)\\k<$\xc3\xa9>$", "aa", PATTERN_MATCH },
	{ "a(?=b)", "ab", PATTERN_MATCH },
	{ "a(?!b)", "ab", PATTERN_MISMATCH },
	{ "(?<=a)b", "ab", PATTERN_MATCH },
	{ "(?<!a)b", "ab", PATTERN_MISMATCH },
	{ "\\p{Letter}cole",
	  "\xc3\xa9"
	  "cole",
	  PATTERN_MATCH },
	{ "^\\p{Lu}$", "\xc3\x89", PATTERN_MATCH },
	{ "^\\P{Lu}$", "\xc3\x89", PATTERN_MISMATCH },
	{ "^\\p{Script=Greek}$", "\xce\xb1", PATTERN_MATCH },
	{ "^\\p{sc=Greek}$", "a", PATTERN_MISMATCH },
	{ "^[\\p{Nd}_]$", "\xd9\xa1", PATTERN_MATCH },
	{ "^\\p{gc=digit}$", "\xd9\xa1", PATTERN_MATCH },
	{ "^\\p{Any}$", "\n", PATTERN_MATCH },
	{ "\\P{Any}", "a", PATTERN_MISMATCH },
	{ "^\\p{Alphabetic}$", "\xce\xb1", PATTERN_MATCH },
	{ "^\\p{ASCII}$", "\xce\xb1", PATTERN_MISMATCH },
	{ "^\\/\\-\\@\\_\\\"$", "/-@_\"", PATTERN_MATCH },
	{ "^#x y$", "#x y", PATTERN_MATCH },
	{ "^\\0$", "", PATTERN_MISMATCH },
	{ "(?:){3}", "", PATTERN_MATCH },
	{ "a||b", "", PATTERN_MATCH },
};

static void matches_as_ecma_262_says(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enum pattern_result got =
			match(rows[i].pattern, rows[i].subject);

		fprintf(stderr, "# %s on %s\n", rows[i].pattern,
			rows[i].subject);
		ok_int(got, rows[i].want);
	}
}

static const char *const refused[] = {
	"(",
	")",
	"[",
	"(?:a",
	"a)",
	"[b-a]",
	"[a",
	"\\",
	"[\\",
	"*",
	"a**",
	"a++",
	"a?+",
	"a{2}+",
	"?",
	"+a",
	"|*",
	"(*a)",
	"{",
	"a{",
	"a{,2}",
	"a{2",
	"a{2,1}",
	"a}",
	"]",
	"a{x}",
	"^*",
	"$+",
	"\\b?",
	"(?=a)*",
	"(?<=a){2}",
	"(?>a)",
	"(?|a)",
	"(?#c)",
	"(?i)a",
	"(?i:a)",
	"(?P<n>a)",
	"(?'n'a)",
	"(?R)",
	"(?1)(a)",
	"(?&n)",
	"(?C)",
	"(?(1)a)",
	"(*ACCEPT)",
	"(*UTF)a",
	"\\Qa\\E",
	"\\A",
	"\\z",
	"\\Z",
	"\\G",
	"\\K",
	"\\R",
	"\\X",
	"\\h",
	"\\H",
	"\\N",
	"\\C",
	"\\a",
	"\\e",
	"\\g1",
	"\\l",
	"\\o{1}",
	"\\y",
	"\\V",
	"[\\B]",
	"[\\k]",
	"\\1",
	"(a)\\2",
	"\\k<n>",
	"\\k",
	"(?<n>a)(?<n>b)",
	"(?<1>a)",
	"(?<>a)",
	"(?<n",
	"\\01",
	"\\00",
	"[\\1]",
	"\\c",
	"\\c1",
	"\\x4",
	"\\xg0",
	"\\u004",
	"\\u{}",
	"\\u{110000}",
	"\\u{12",
	"\\p",
	"\\pL",
	"\\p{}",
	"\\p{L",
	"\\p{^L}",
	"\\p{Greek}",
	"\\p{Nope}",
	"\\p{Script=}",
	"\\p{gc=Nope}",
	"\\p{lu}",
	"[\\d-x]",
	"[a-\\d]",
	"[\\w-\\s]",
	"(?<=a*)b",
	"a{65536}",
	"\\\xc3\xa9",
};

static void refuses_what_is_no_ecma_262(void)
{
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		char why[200] = "";
		struct pattern *p = pattern_new(refused[i], strlen(refused[i]),
						why, sizeof why);

		fprintf(stderr, "# %s\n", refused[i]);
		ok(p == NULL && why[0] != '\0');
		pattern_free(p);
	}
}

static void survives_patterns_without_end(void)
{
	static const char *const units[] = { "(",   "[",    "\\", "(?:",  "a|",
					     "(a)", "a{9}", "[a", "(?<a>" };
	size_t n = 60000;
	char *text = malloc(n);

	for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
		size_t len = strlen(units[u]);
		char why[200];

		for (size_t i = 0; i < n; i++)
			text[i] = units[u][i % len];
		pattern_free(pattern_new(text, n, why, sizeof why));
	}
	free(text);
}

static void gives_up_within_its_limits(void)
{
	static const char *const patterns[] = { "^(a+)+$", "(a|aa)+$",
						"^(a|a)*$",
						"(.*)(.*)(.*)(.*)(.*)x" };
	char subject[2000];

	memset(subject, 'a', sizeof subject);
	subject[sizeof subject - 1] = '\0';
	subject[sizeof subject - 2] = 'b';
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		ok_int(match(patterns[i], subject), PATTERN_LIMIT);
}

static void finds_its_way_through_long_texts(void)
{
	size_t n = 1000000;
	char *subject = malloc(n + 1);

	memset(subject, 'a', n);
	subject[n] = '\0';
	ok_int(match("^[a-z]*$", subject), PATTERN_MATCH);
	ok_int(match("b", subject), PATTERN_MISMATCH);
	ok_int(match("a$", subject), PATTERN_MATCH);
	ok_int(match("^b", subject), PATTERN_MISMATCH);
	free(subject);
}

static void spends_one_budget_over_many_matches(void)
{
	char why[200];
	struct pattern *p = pattern_new("^(a+)+$", 7, why, sizeof why);
	uint64_t budget = 3000000;
	int n = 0;

	while (n < 1000 && pattern_match(p, "aaaaaaaaaaaaaaaab", 17, &budget) ==
				   PATTERN_MISMATCH)
		n++;
	ok(n > 0 && n < 1000);
	pattern_free(p);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(matches_as_ecma_262_says),
		CASE(refuses_what_is_no_ecma_262),
		CASE(survives_patterns_without_end),
		CASE(gives_up_within_its_limits),
		CASE(finds_its_way_through_long_texts),
		CASE(spends_one_budget_over_many_matches), TAP_END });
}
