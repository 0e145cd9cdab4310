/* idle_words.c -- what the status of one command says; see idle.h.
 *
 * Source: POSIX, "Shell Command Language", 2.9 "Shell Commands". */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "jobs/gate/kinds/idle_scan.h"

static bool is_assignment(struct json_text w)
{
	size_t i = 0;

	while (i < w.len &&
	       (isalnum((unsigned char)w.bytes[i]) || w.bytes[i] == '_'))
		i++;
	return i > 0 && i < w.len && w.bytes[i] == '=';
}

/* How many words a redirection takes at w[0]; 0: it is not one. */
static size_t redirection_len(struct json_text w)
{
	size_t i = w.len > 0 && w.bytes[0] == '&';

	while (i < w.len && isdigit((unsigned char)w.bytes[i]))
		i++;
	if (i == w.len || (w.bytes[i] != '<' && w.bytes[i] != '>'))
		return 0;
	while (i < w.len && strchr("<>&|", w.bytes[i]) != NULL)
		i++;
	return i < w.len ? 1 : 2;
}

/* What is run for another command: its options, and a number, come first. */
static const char *const prefixes[] = {
	"exec",   "command", "builtin", "nohup", "nice",      "time",
	"env",    "timeout", "stdbuf",  "sudo",  "setsid",    "xargs",
	"npx",    "busybox", "doas",    "chrt",  "cross-env", "ionice",
	"dotenv", "nyc",     "c8",      NULL,
};

/* The first word of w from *i that is the command itself. */
static const char *name_find(struct idle_scan *s, const struct idle_words *w,
			     size_t *i, char text[IDLE_WORD_BYTES])
{
	bool has_prefix = false;

	for (; *i < w->len; ++*i) {
		const char *slash, *name;

		if (is_assignment(w->items[*i]))
			continue;
		if (redirection_len(w->items[*i]) > 0) {
			*i += redirection_len(w->items[*i]) - 1;
			continue;
		}
		name = idle_word_plain(w->items[*i], text);
		slash = strrchr(name, '/');
		name = slash != NULL ? slash + 1 : name;
		if (has_prefix &&
		    (name[0] == '-' || isdigit((unsigned char)name[0])))
			continue;
		if (!idle_is_in(name, prefixes))
			return name;
		has_prefix = true;
		s->is_judge = s->is_judge || strcmp(name, "xargs") == 0;
	}
	return NULL;
}

static bool has_text(const struct idle_words *w, const char *text)
{
	for (size_t i = 0; i < w->len; i++)
		if (memmem(w->items[i].bytes, w->items[i].len, text,
			   strlen(text)) != NULL)
			return true;
	return false;
}

static enum idle_said exit_read(const struct idle_words *w, size_t i)
{
	char text[IDLE_WORD_BYTES], *end;
	unsigned long status;

	if (i + 1 >= w->len || redirection_len(w->items[i + 1]) > 0)
		return SAID_KEEPS;
	if (strcmp(idle_word_plain(w->items[i + 1], text), "$?") == 0)
		return SAID_KEEPS;
	status = strtoul(text, &end, 10);
	if (strncmp(text, "$((", 3) == 0)
		return SAID_EXITS;
	return *end == '\0' && status % 256 == 0 ? SAID_EXITS : SAID_RUNS;
}

/* Read the words from i on as a command line. */
static enum idle_said text_read(struct idle_scan *s, const struct idle_words *w,
				size_t i, size_t end)
{
	owned_buf struct buf all = { 0 };
	char text[IDLE_WORD_BYTES];
	struct idle_scan in = { .is_test = s->is_test,
				.deep = s->deep + 1,
				.has_errexit = s->has_errexit,
				.has_pipefail = s->has_pipefail };
	enum idle_said said;

	for (; i < end; i++)
		buf_format(&all, "%s ", idle_word_plain(w->items[i], text));
	if (in.deep > IDLE_DEEP_MAX || buf_has_failed(&all) || all.len == 0)
		return SAID_IDLE;
	in.rest = (struct json_text){ all.bytes, all.len };
	in.token = idle_token_take(&in.rest);
	said = idle_list_read(&in);
	return said == SAID_RUNS && !in.is_hidden ? SAID_RUNS : SAID_IDLE;
}

/* "sh -c text", and a shell with a script, which is a program. */
static enum idle_said shell_read(struct idle_scan *s,
				 const struct idle_words *w, size_t i)
{
	const bool had_errexit = s->has_errexit, had_pipefail = s->has_pipefail;
	enum idle_said said = SAID_RUNS;
	char text[IDLE_WORD_BYTES];

	while (++i < w->len) {
		idle_word_plain(w->items[i], text);
		s->has_pipefail |= strcmp(text, "pipefail") == 0;
		if (text[0] == '-')
			s->has_errexit |=
				strchr(text, 'e') != NULL && text[1] != '-';
		if (text[0] != '-' || strchr(text, 'c') == NULL)
			continue;
		if (i + 1 < w->len)
			said = text_read(s, w, i + 1, i + 2);
		break;
	}
	s->has_errexit = had_errexit;
	s->has_pipefail = had_pipefail;
	return said;
}

static void set_read(struct idle_scan *s, const struct idle_words *w, size_t i)
{
	char text[IDLE_WORD_BYTES];

	while (++i < w->len) {
		idle_word_plain(w->items[i], text);
		if (strcmp(text, "pipefail") == 0)
			s->has_pipefail = w->items[i - 1].bytes[0] == '-';
		else if (strcmp(text, "errexit") == 0 ||
			 (text[0] != '\0' && text[1] != 'o' &&
			  strchr(text + 1, 'e') != NULL))
			s->has_errexit = (text[0] == '+' ||
					  w->items[i - 1].bytes[0] == '+')
						 ? false
						 : true;
	}
}

/* It only says what it is. */
static bool is_version(const struct idle_words *w, size_t i)
{
	static const char *const options[] = { "--version", "--help", "-v",
					       "-V",        "-h",     NULL };
	char text[IDLE_WORD_BYTES];

	return i + 2 == w->len &&
	       idle_is_in(idle_word_plain(w->items[i + 1], text), options);
}

static bool name_is_idle(const struct idle_scan *s, const struct idle_words *w,
			 const char *name)
{
	static const char *const always[] = {
		"echo",  "printf", "true",     ":",       "sleep", "export",
		"unset", "set",    "readonly", "declare", "local", "typeset",
		"shift", "umask",  "alias",    "trap",    "cd",    "pwd",
		"[",     "[[",     "test",     "jobs",    "type",  "hash",
		"yes",   "date",   NULL,
	};
	static const char *const tests[] = {
		"cat",  "tee",   "ls",    "rm",     "rmdir", "mkdir", "cp",
		"mv",   "ln",    "touch", "chmod",  "head",  "tail",  "grep",
		"sed",  "awk",   "wc",    "sort",   "uniq",  "tr",    "cut",
		"find", "seq",   "kill",  "pkill",  "which", "read",  "less",
		"more", "egrep", "fgrep", "rimraf", "clear", NULL,
	};

	if ((name[0] == '[' || strcmp(name, "test") == 0) && has_text(w, "$?"))
		return false;
	if (strcmp(name, "wait") == 0)
		return w->len == 1; /* with a process, it has its status */
	return idle_is_in(name, always) ||
	       (s->is_test && idle_is_in(name, tests));
}

enum idle_said idle_words_read(struct idle_scan *s, const struct idle_words *w)
{
	static const char *const shells[] = { "sh",  "bash", "dash", "ash",
					      "zsh", "ksh",  NULL };
	static const char *const judges[] = { "diff", "cmp", "faucet", NULL };
	char text[IDLE_WORD_BYTES];
	size_t i = 0;
	const char *name;

	s->is_judge = false;
	name = name_find(s, w, &i, text);
	if (name == NULL)
		return has_text(w, "$(") || has_text(w, "`") ? SAID_RUNS
							     : SAID_IDLE;
	if (strcmp(name, "exit") == 0)
		return exit_read(w, i);
	if (strcmp(name, "eval") == 0)
		return text_read(s, w, i + 1, w->len);
	if (idle_is_in(name, shells))
		return shell_read(s, w, i);
	if (strcmp(name, "set") == 0)
		set_read(s, w, i);
	if (strcmp(name, "trap") == 0 && has_text(w, "exit"))
		s->is_hidden = true;
	s->is_judge |= strstr(name, "tap") != NULL || idle_is_in(name, judges);
	return name_is_idle(s, w, name) || is_version(w, i) ? SAID_IDLE
							    : SAID_RUNS;
}
