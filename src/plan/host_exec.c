/* host_exec.c -- see host_exec.h.  Source: execve(2), elf(5). */
#include "plan/host_exec.h"

#include <elf.h>
#include <limits.h>
#include <linux/audit.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "plan/host.h"
#include "plan/host_runtime.h"
#include "plan/host_script.h"
#include "spec/inside.h"

#define HEAD_BYTES 4096 /* linkers put the loader's name into the first page */
#define CHAIN_MAX  5    /* interpreters of interpreters, execve(2) */

static const struct {
	uint16_t machine;
	uint32_t arch;
	const char *name;
} machines[] = {
	{ EM_X86_64, AUDIT_ARCH_X86_64, "x86-64" },
	{ EM_AARCH64, AUDIT_ARCH_AARCH64, "aarch64" },
	{ EM_386, AUDIT_ARCH_I386, "32-bit x86" },
	{ EM_ARM, AUDIT_ARCH_ARM, "32-bit ARM" },
	{ EM_RISCV, AUDIT_ARCH_RISCV64, "RISC-V" },
	{ EM_PPC64, AUDIT_ARCH_PPC64LE, "POWER" },
	{ EM_S390, AUDIT_ARCH_S390X, "s390" },
};

/* --- from a path inside to a file of the host ----------------------------- */

/* Write where what lies below dst inside is on the host. */
static bool source_find(const struct host_source *s, const char *path,
			char ret[PATH_MAX])
{
	char name[PATH_MAX];

	return s->dst != NULL && host_is_below(s->dst, path) &&
	       (size_t)snprintf(name, sizeof name, "%s%s", s->path,
				path + strlen(s->dst)) < sizeof name &&
	       realpath(name, ret) != NULL;
}

/* Find what is at path inside.  False when there is nothing. */
static bool inside_find(const struct host *h, bool has_root, const char *path,
			char ret[PATH_MAX])
{
	if (!has_root || host_is_system(path))
		return realpath(path, ret) != NULL;
	if (h->has_repo && source_find(&h->repo, path, ret))
		return true;
	for (size_t i = 0; i < h->ro_len; i++)
		if (source_find(&h->ro[i], path, ret))
			return true;
	for (size_t i = 0; i < h->runtime_len; i++)
		if (source_find(&h->runtime[i], path, ret))
			return true;
	return false;
}

static bool command_find(const struct host *h, bool has_root,
			 const char *command, char ret[PATH_MAX])
{
	if (h->programs_len > 0 && strcmp(h->programs[0].name, command) == 0)
		return realpath(h->programs[0].found, ret) != NULL;
	return command[0] == '/' && inside_find(h, has_root, command, ret);
}

static ssize_t head_read(const struct host *h, const char *file,
			 char ret[HEAD_BYTES])
{
	if (h->has_repo && strcmp(h->repo.path, "/") != 0 &&
	    host_is_below(h->repo.path, file) &&
	    file[strlen(h->repo.path)] == '/')
		return host_script_head(h->repo.path,
					file + strlen(h->repo.path) + 1, ret,
					HEAD_BYTES);
	return host_script_head(NULL, file, ret, HEAD_BYTES);
}

/* --- from a file to its interpreter --------------------------------------- */

/* What the kernel would look up: it ends the name at a blank, and takes a '\r'
 * for a part of it. */
static void line_interpreter(const char *head, size_t n, char ret[PATH_MAX])
{
	size_t at = 2, end;

	while (at < n && (head[at] == ' ' || head[at] == '\t'))
		at++;
	for (end = at; end < n && end < SCRIPT_LINE_BYTES; end++)
		if (head[end] == '\0' || strchr(" \t\n", head[end]) != NULL)
			break;
	(void)snprintf(ret, PATH_MAX, "%.*s", (int)(end - at), head + at);
}

/* The loader of a program of 64 bits; "" when it has none or it is not in
 * the first page. */
static void elf_interpreter(const char *head, size_t n, char ret[PATH_MAX])
{
	Elf64_Ehdr e;
	Elf64_Phdr p;

	ret[0] = '\0';
	memcpy(&e, head, sizeof e);
	for (size_t i = 0; i < e.e_phnum; i++) {
		if (e.e_phoff > n || e.e_phentsize != sizeof p ||
		    (i + 1) * sizeof p > n - e.e_phoff)
			return;
		memcpy(&p, head + e.e_phoff + i * sizeof p, sizeof p);
		if (p.p_type != PT_INTERP)
			continue;
		if (p.p_offset < n && p.p_filesz <= n - p.p_offset)
			(void)snprintf(ret, PATH_MAX, "%.*s", (int)p.p_filesz,
				       head + p.p_offset);
		return;
	}
}

static const char *machine_of(uint16_t machine)
{
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].machine == machine)
			return machines[i].name;
	return "another processor";
}

static bool is_foreign(const struct host *h, uint16_t machine)
{
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].arch == h->arch)
			return machines[i].machine != machine;
	return false;
}

/* --- what is said --------------------------------------------------------- */

/* What is wrong with a file's form; "" when the kernel's word is not about
 * that.  Otherwise the interpreter that it names is in *wants, or "" there. */
static void form_say(const struct host *h, const char *head, ssize_t n,
		     char wants[PATH_MAX], char *ret, size_t room)
{
	uint16_t machine = 0;

	wants[0] = '\0';
	if (n >= 2 && memcmp(head, "#!", 2) == 0) {
		line_interpreter(head, (size_t)n, wants);
		return;
	}
	if (n < (ssize_t)sizeof(Elf64_Ehdr) ||
	    memcmp(head, ELFMAG, SELFMAG) != 0) {
		if (n >= 0)
			(void)snprintf(
				ret, room, "%s",
				n == 0 ? "is empty"
				       : "is neither a program nor a script: "
					 "its "
					 "first line does not begin with #!");
		return;
	}
	memcpy(&machine, head + offsetof(Elf64_Ehdr, e_machine),
	       sizeof machine);
	if (is_foreign(h, machine))
		(void)snprintf(ret, room,
			       "is a program for %s, which is not this "
			       "machine's processor",
			       machine_of(machine));
	else if (head[EI_CLASS] == ELFCLASS64)
		elf_interpreter(head, (size_t)n, wants);
}

/* Whether --repo-at same would put it inside. */
static bool is_at_same(const struct host *h, const char *path)
{
	return h->has_repo && host_is_below(h->repo.path, path) &&
	       strcmp(h->repo.path, h->repo.dst) != 0 &&
	       inside_repo_at_find(h->repo.path) == NULL;
}

static void missing_say(const struct host *h, const char *wants, char *ret,
			size_t room)
{
	size_t n = strlen(wants);
	const char *cure = ", and not on this host";

	if (n > 0 && wants[n - 1] == '\r') {
		(void)snprintf(ret, room,
			       "has a first line that ends with CR LF, so its "
			       "interpreter is '%.*s' and a CR: write its "
			       "lines with LF alone",
			       (int)(n - 1), wants);
		return;
	}
	if (wants[0] == '/' && access(wants, F_OK) == 0)
		cure = is_at_same(h, wants)
			       ? "; --repo-at same shows the repository at its "
				 "own path"
			       : "; show its directory with --ro DIR";
	(void)snprintf(ret, room,
		       "needs the interpreter %s, which is not inside%s", wants,
		       cure);
}

void host_exec_say(const struct host *h, bool has_root, const char *command,
		   char *ret, size_t room)
{
	char file[PATH_MAX], wants[PATH_MAX], head[HEAD_BYTES];

	ret[0] = '\0';
	if (!command_find(h, has_root, command, file))
		return;
	for (size_t i = 0; i < CHAIN_MAX && ret[0] == '\0'; i++) {
		ssize_t n = head_read(h, file, head);

		form_say(h, head, n, wants, ret, room);
		if (ret[0] != '\0' || wants[0] == '\0')
			return;
		if (!inside_find(h, has_root, wants, file))
			missing_say(h, wants, ret, room);
	}
}
