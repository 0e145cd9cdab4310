/* env_name.c -- see env_name.h. */
#include "spec/env_name.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *part;
	const char *why;
} credentials[] = {
	{ "PASSWORD", "its name contains PASSWORD" },
	{ "PASSWD", "its name contains PASSWD" },
	{ "CREDENTIAL", "its name contains CREDENTIAL" },
	{ "SECRET", "its name contains SECRET" },
	{ "TOKEN", "its name contains TOKEN" },
	{ "KEY", "its name contains KEY" },
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether a word of the name ends before its character at. */
static bool is_word_end(const char *name, size_t n, size_t at)
{
	return at >= n || !is_letter(name[at]) ||
	       (name[at] <= 'Z' && name[at - 1] >= 'a'); /* tokenFile */
}

/* Whether a word of the name ends with part, or is its plural: PGPASSWORD,
 * API_KEYS, and not TOKENIZERS.  How a word begins is left open, because names
 * of secrets are written together (APIKEY). */
static bool has_part(const char *name, size_t n, const char *part)
{
	size_t m = strlen(part);

	for (size_t i = 0; i + m <= n; i++)
		if (strncasecmp(name + i, part, m) == 0 &&
		    (is_word_end(name, n, i + m) ||
		     ((name[i + m] | 0x20) == 's' &&
		      is_word_end(name, n, i + m + 1))))
			return true;
	return false;
}

/* http_proxy, ALL_PROXY, npm_config_https_proxy, no_proxy ... */
static bool is_proxy(const char *name, size_t n)
{
	static const char end[] = "_proxy";
	size_t m = sizeof end - 1;

	return (n >= m && strncasecmp(name + n - m, end, m) == 0) ||
	       (n == m - 1 && strncasecmp(name, end + 1, n) == 0);
}

/* Why a name is refused whatever its value is. */
static const char *form_refusal(const char *name, size_t n)
{
	static const char *const own[] = { "CUPEL_RESULT_FD",
					   "CUPEL_REPORT_DIR" };

	if (n == 0)
		return "it has no name";
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)name[i] < 0x20 || name[i] == '=')
			return "its name contains '=' or a control character";
	if (is_proxy(name, n))
		return "it is a proxy variable";
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (n == strlen(own[i]) && memcmp(name, own[i], n) == 0)
			return "cupel sets it itself";
	return NULL;
}

static const char *credential_refusal(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof credentials / sizeof *credentials; i++)
		if (has_part(name, n, credentials[i].part))
			return credentials[i].why;
	return NULL;
}

const char *env_name_refusal(const char *name, size_t n)
{
	const char *why = form_refusal(name, n);

	return why != NULL ? why : credential_refusal(name, n);
}

const char *env_name_dummy_refusal(const char *name, size_t n)
{
	const char *why = form_refusal(name, n);

	if (why == NULL && credential_refusal(name, n) == NULL)
		why = "its name is not that of a secret; use --env to set it";
	return why;
}
