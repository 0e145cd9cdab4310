/* host_script.c -- see host_script.h. */
#include "plan/host_script.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
#define BLANKS     " \t"

/* Open a name below dir, through no link, because the repository belongs to
 * somebody else.  On a kernel without this call nothing is read. */
static int open_below(const char *dir, const char *name)
{
	struct open_how how = { .flags = OPEN_FLAGS,
				.resolve = RESOLVE_BENEATH |
					   RESOLVE_NO_SYMLINKS |
					   RESOLVE_NO_MAGICLINKS };
	owned_fd int at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (at < 0)
		return -1;
	return (int)syscall(SYS_openat2, at, name, &how, sizeof how);
}

ssize_t host_script_head(const char *dir, const char *name, char *ret,
			 size_t room)
{
	owned_fd int fd =
		dir != NULL ? open_below(dir, name) : open(name, OPEN_FLAGS);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	return pread(fd, ret, room, 0);
}

/* Returns the number of bytes of the first line, or -1 when there is none. */
static ssize_t line_read(const char *dir, const char *name,
			 char line[SCRIPT_LINE_BYTES + 1])
{
	ssize_t n = host_script_head(dir, name, line, SCRIPT_LINE_BYTES);

	if (n < 2 || memcmp(line, "#!", 2) != 0)
		return -1;
	line[n] = '\0';
	line[strcspn(line, "\r\n")] = '\0';
	return n;
}

/* Take the next word of *at, and end it in place; NULL at the end. */
static char *word_take(char **at)
{
	char *word = *at + strspn(*at, BLANKS);
	size_t n = strcspn(word, BLANKS);

	if (n == 0)
		return NULL;
	*at = word + n;
	if (**at != '\0')
		*(*at)++ = '\0';
	return word;
}

/* The program among env's words: the one after options and variables. */
static const char *env_program(char *rest)
{
	const char *word = word_take(&rest);

	while (word != NULL && (word[0] == '-' || strchr(word, '=') != NULL))
		word = word_take(&rest);
	return word;
}

void host_script_read(const char *dir, const char *name,
		      struct script_line *ret)
{
	char *rest = ret->text + 2;
	const char *program;

	ret->name = NULL;
	ret->path = NULL;
	if (line_read(dir, name, ret->text) < 0)
		return;
	program = word_take(&rest);
	if (program == NULL || program[0] != '/')
		return;
	if (strcmp(strrchr(program, '/'), "/env") != 0) {
		ret->path = program;
		return;
	}
	program = env_program(rest);
	if (program != NULL && program[0] == '/')
		ret->path = program;
	else if (program != NULL && strchr(program, '/') == NULL)
		ret->name = program;
}

bool host_script_is_language(const char *name)
{
	static const char *const languages[] = {
		"bun", "deno", "lua",    "node", "nodejs", "perl",
		"php", "pypy", "python", "ruby", "tclsh",
	};
	size_t version = strlen(name);

	while (version > 0 && strchr("0123456789.-", name[version - 1]))
		version--;
	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
		if (strlen(languages[i]) == version &&
		    memcmp(languages[i], name, version) == 0)
			return true;
	return false;
}

bool host_script_is_tool(const char *name)
{
	static const char *const tools[] = {
		"bundle", "cargo",   "corepack", "gem",  "go",    "jest",
		"mocha",  "npm",     "npx",      "pip",  "pip3",  "pnpm",
		"poetry", "py.test", "pytest",   "rake", "rspec", "tox",
		"uv",     "vitest",  "yarn",
	};

	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		if (strcmp(tools[i], name) == 0)
			return true;
	return host_script_is_language(name);
}
