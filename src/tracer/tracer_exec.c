/* tracer_exec.c -- programs that are executed, and failed tries. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

#include "tracer/tracer.h"

/* --- tries ---------------------------------------------------------------------- */

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* The errors after which a search along PATH goes on: execvp(3). */
static bool is_searched(int error)
{
	return error == ENOENT || error == EACCES || error == ENOTDIR;
}

/* Whether the new call is the next try of the same name. */
static bool is_next_try(const struct task *task, const char *claim)
{
	return task->has_failed && is_searched(task->record.result) &&
	       strcmp(name_of(task->claim), name_of(claim)) == 0;
}

/* execveat(2) with a descriptor: the file that it leads to. */
static void claim_read_at(const struct tracer *t, pid_t tid,
			  const struct call *call, char ret[CLAIM_BYTES])
{
	char name[32];

	if (text_read(tid, call->args[1], ret, CLAIM_BYTES) != 0)
		return;
	(void)snprintf(name, sizeof name, "fd/%d", (int)call->args[0]);
	(void)link_read(t, tid, name, ret, CLAIM_BYTES);
}

static bool claim_read(const struct tracer *t, pid_t tid,
		       const struct call *call, char ret[CLAIM_BYTES])
{
	ret[0] = '\0';
	if (call->what == TRACER_EXEC_AT)
		claim_read_at(t, tid, call, ret);
	else
		(void)text_read(tid, call->args[0], ret, CLAIM_BYTES);
	return ret[0] != '\0';
}

bool exec_begin(struct tracer *t, pid_t tid, const struct call *call)
{
	struct task *task = task_find(t, tid);
	char claim[CLAIM_BYTES];
	uint32_t repeats = 0;

	if (is_full(t)) {
		task_end(t, task);
		task = NULL;
	}
	(void)claim_read(t, tid, call, claim);
	if (task != NULL && is_next_try(task, claim)) {
		repeats = task->record.repeats + 1;
		task->has_failed = false;
	}
	task_end(t, task);
	task = task_add(t, tid);
	if (task == NULL)
		return false;
	task->call = call->what;
	task->record.repeats = repeats;
	memcpy(task->claim, claim, sizeof claim);
	return true;
}

void exec_end(struct tracer *t, struct task *task, long result)
{
	task->call = 0;
	if (result >= 0) { /* PTRACE_EVENT_EXEC has reported it */
		task_end(t, task);
		return;
	}
	task->has_failed = true;
	task->record.kind = TRACER_SAYS_EXEC;
	task->record.result = (int32_t)-result;
	task->record.t_ns = now_ns();
	if (!is_full(t))
		pids_read(t, task->tid, &task->record);
}

/* --- what runs now ----------------------------------------------------------------- */

struct program {
	char path[TRACER_PATH_BYTES + 16]; /* as the kernel has it */
	size_t path_len;
	char name[TRACER_PATH_BYTES + 1]; /* as it was asked for */
	char argv[TRACER_WORDS * (TRACER_WORD_BYTES + 1)];
	size_t argv_len;
	bool is_cut;
};

/* The kernel lays the words of argv end to end, so one read gets most of
 * them. */
struct words {
	uint64_t at;
	ssize_t len; /* negative: nothing was read */
	char bytes[TRACER_WORDS * (TRACER_WORD_BYTES + 2)];
};

/* As text_read, of at most TRACER_WORD_BYTES + 1 bytes. */
static ssize_t word_read(pid_t pid, const struct words *w, uint64_t at,
			 char ret[TRACER_WORD_BYTES + 2])
{
	const size_t most = TRACER_WORD_BYTES + 1;
	uint64_t from = at - w->at;
	size_t left = w->len > 0 && from < (uint64_t)w->len
			      ? (size_t)w->len - from
			      : 0;
	size_t len = strnlen(w->bytes + (left > 0 ? from : 0),
			     left < most ? left : most);

	if (len == left && len < most)
		return text_read(pid, at, ret, most + 1);
	memcpy(ret, w->bytes + from, len);
	ret[len] = '\0';
	return (ssize_t)len;
}

/* Read the first words of argv.  A new stack has argc, then the addresses of
 * the words.  When the process is killed meanwhile, they cannot be read any
 * more. */
static void argv_read(pid_t pid, struct program *p)
{
	uint64_t head[1 + TRACER_WORDS] = { 0 };
	ssize_t n = memory_read(pid, stack_read(pid), head, sizeof head);
	bool has_argc = n >= (ssize_t)sizeof *head;
	uint64_t argc = has_argc ? head[0] : 0;
	struct words words = { .at = head[1] };

	words.len = memory_read(pid, words.at, words.bytes, sizeof words.bytes);
	p->is_cut = !has_argc || argc > TRACER_WORDS;
	for (uint64_t i = 0; i < argc && i < TRACER_WORDS; i++) {
		char *at = p->argv + p->argv_len;
		char word[TRACER_WORD_BYTES + 2];
		ssize_t len = word_read(pid, &words, head[1 + i], word);

		if (len < 0) {
			p->is_cut = true;
			break;
		}
		if (len > TRACER_WORD_BYTES) {
			len = TRACER_WORD_BYTES;
			p->is_cut = true;
		}
		memcpy(at, word, (size_t)len);
		at[len] = '\0';
		p->argv_len += (size_t)len + 1;
	}
}

/* A file without a name has the last one it had, followed by " (deleted)".  A
 * memory file never had one. */
static void file_name(struct program *p)
{
	static const char tail[] = " (deleted)";
	size_t n = sizeof tail - 1;

	if (p->path_len > n && memcmp(p->path + p->path_len - n, tail, n) == 0)
		p->path_len -= n;
	if (p->path_len > 7 && memcmp(p->path, "/memfd:", 7) == 0)
		memmove(p->path, p->path + 1, --p->path_len);
	p->path[p->path_len] = '\0';
}

static bool program_read(const struct tracer *t, pid_t pid, struct program *p,
			 struct trace_record *record)
{
	char exe[PROC_PATH_BYTES];
	struct stat st;
	ssize_t n = link_read(t, pid, "exe", p->path, sizeof p->path);

	(void)snprintf(exe, sizeof exe, "%d/exe", (int)pid);
	if (n <= 0 || fstatat(t->proc_fd, exe, &st, 0) < 0)
		return false;
	p->path_len = (size_t)n;
	record->dev = st.st_dev;
	record->ino = st.st_ino;
	if (st.st_nlink == 0) {
		file_name(p);
		record->flags |= TRACE_SEALED;
	}
	return true;
}

/* The kernel starts a script's interpreter with the script's name as an
 * argument, perhaps after one other argument.  An interpreter may itself be a
 * script, up to LEVELS deep.  Of a word that is too long to keep, the kept part
 * is compared. */
#define LEVELS 5
static bool is_script(const struct program *p, const char *name)
{
	const char *word = p->argv, *end = p->argv + p->argv_len;

	if (name[0] == '\0' || strcmp(name, p->path) == 0)
		return false;
	for (int i = 0; i <= 2 * LEVELS && word < end; i++) {
		if (i > 0 && strncmp(word, name, TRACER_WORD_BYTES) == 0)
			return true;
		word += strlen(word) + 1;
	}
	return false;
}

/* The name of a script.  The kernel leaves a copy of the name that it was given
 * above the program's stack.  Where it was given a descriptor, it is the file
 * that the descriptor led to before. */
static const char *script_name(pid_t pid, const struct tracer *t,
			       const char *claim, struct program *p)
{
	static const char by_fd[] = "/dev/fd/";
	ssize_t n = text_read(pid, name_find(t, pid), p->name, sizeof p->name);

	if (n <= 0)
		p->name[0] = '\0';
	if (!is_script(p, p->name))
		return NULL;
	return strncmp(p->name, by_fd, sizeof by_fd - 1) == 0 &&
			       claim[0] != '\0'
		       ? claim
		       : p->name;
}

static void exec_tell(struct tracer *t, pid_t pid, const struct task *task)
{
	struct program p;
	struct trace_record record = { .kind = TRACER_SAYS_EXEC,
				       .t_ns = now_ns() };
	struct text none = { 0 }, path, interpreter = none;
	const char *claim = task != NULL ? task->claim : "";
	const char *script = NULL;

	p.argv_len = 0;
	pids_read(t, pid, &record);
	argv_read(pid, &p);
	if (task != NULL)
		record.repeats = task->record.repeats;
	if (program_read(t, pid, &p, &record)) {
		record.flags |= TRACE_VERIFIED;
		script = script_name(pid, t, claim, &p);
	} else {
		p.path_len =
			(size_t)snprintf(p.path, sizeof p.path, "%s", claim);
	}
	path = (struct text){ p.path, p.path_len };
	if (script != NULL) {
		interpreter = path;
		path = (struct text){ script, strlen(script) };
		record.flags |= TRACE_NAMED;
	}
	if (p.is_cut)
		record.flags |= TRACE_CUT;
	if (p.is_cut && argv_hash(t, pid, record.argv_hash))
		record.flags |= TRACE_HASHED;
	record_put(t, &record, path, interpreter,
		   (struct text){ p.argv, p.argv_len });
}

void exec_note(struct tracer *t, pid_t pid)
{
	unsigned long former = 0;
	struct task *task;

	/* A thread that executes a program takes over the number of its
	 * process, and the process's first thread ends without an event. */
	if (ptrace(PTRACE_GETEVENTMSG, pid, NULL, &former) < 0)
		former = (unsigned long)pid;
	if ((pid_t)former != pid)
		task_end(t, task_find(t, pid));
	pid_end(t, (pid_t)former);
	task = task_find(t, (pid_t)former);
	if (is_full(t))
		t->end.omitted++;
	else
		exec_tell(t, pid, task);
	if (task != NULL)
		task->call = 0;
	task_end(t, task);
}
