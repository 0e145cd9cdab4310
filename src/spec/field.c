/* field.c -- the table, and finding a row in it. */
#include "spec/field.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "spec/number.h"

#define AT(member) offsetof(struct spec, member)
#define MS         UINT64_C(1000)

static const struct field_word repo_mode_words[] = {
	[REPO_RO] = { "ro", false },
	[REPO_OVERLAY] = { "overlay", false },
	[REPO_NONE] = { "none", false },
	{ NULL, false },
};
static const struct field_word network_words[] = {
	[NETWORK_NONE] = { "none", false },
	[NETWORK_LOOPBACK] = { "loopback", false },
	[NETWORK_SCOPED] = { "scoped", false },
	{ NULL, false },
};
static const struct field_word trace_words[] = {
	[TRACE_NONE] = { "none", false },
	[TRACE_EXEC] = { "exec", false },
	[TRACE_CONNECT] = { "connect", false },
	[TRACE_EXEC_CONNECT] = { "exec,connect", false },
	{ NULL, false },
};
static const struct field_word proc_words[] = {
	[PROC_FULL] = { "full", false },
	[PROC_SUBSET_PID] = { "subset-pid", false },
	[PROC_NONE] = { "none", false },
	{ NULL, false },
};
static const struct field_word output_mode_words[] = {
	[OUTPUT_TRUNCATE] = { "truncate", false },
	[OUTPUT_KILL] = { "kill", false },
	{ NULL, false },
};
static const struct field_word result_from_words[] = {
	[RESULT_FROM_FD] = { "fd", false },
	[RESULT_FROM_STDOUT] = { "stdout", false },
	{ NULL, false },
};
static const struct field_word backend_words[] = {
	[BACKEND_AUTO] = { "auto", false },
	[BACKEND_NAMESPACES] = { "namespaces", false },
	[BACKEND_LANDLOCK] = { "landlock", false },
	[BACKEND_RLIMITS] = { "rlimits", false },
	{ "oci", true },
	{ "microvm", true },
	{ NULL, false },
};
static_assert(sizeof repo_mode_words / sizeof *repo_mode_words ==
			      REPO_MODE_MAX_ + 1 &&
		      sizeof network_words / sizeof *network_words ==
			      NETWORK_MAX_ + 1 &&
		      sizeof trace_words / sizeof *trace_words ==
			      TRACE_MAX_ + 1 &&
		      sizeof proc_words / sizeof *proc_words == PROC_MAX_ + 1 &&
		      sizeof output_mode_words / sizeof *output_mode_words ==
			      OUTPUT_MODE_MAX_ + 1 &&
		      sizeof result_from_words / sizeof *result_from_words ==
			      RESULT_FROM_MAX_ + 1 &&
		      sizeof backend_words / sizeof *backend_words ==
			      BACKEND_MAX_ + 3,
	      "a word for every value, the later ones, and the end");

/* Times: up to a year.  Sizes: 64 TiB is more than any machine's memory, and
 * less than 2^53, the largest number that RFC 8785 allows. */
#define YEAR_MS (UINT64_C(365) * 24 * 3600 * MS)
#define MOST    (UINT64_C(65536) * GIB)
#define PIDS    UINT64_C(4194304) /* PID_MAX_LIMIT of linux/threads.h */

/* A profile may set it, and it counts for spec_hash. */
#define LIMIT (FIELD_IN_PROFILE | FIELD_EFFECT)
#define LOOSE (LIMIT | FIELD_CAN_BE_OFF)
#define INNER (LIMIT | FIELD_PROFILE_ONLY)

/* clang-format off */
const struct field fields[] = {
	{ "profile", FIELD_PROFILE, GROUP_START, FIELD_IS_FILE, AT(profile),
	  0, 0, NULL, "NAME|FILE",
	  "limits and policy to start from (default: default)" },
	{ "spec", FIELD_SPEC, GROUP_START, FIELD_CLI_ONLY | FIELD_IS_FILE, 0,
	  0, 0, NULL, "FILE|-",
	  "read these options from a JSON document; options on the command "
	  "line win" },

	{ "repo", FIELD_TEXT, GROUP_VIEW, FIELD_IS_DIR, AT(repo),
	  0, 0, NULL, "DIR",
	  "directory shown at /repo (default: the current one)" },
	{ "repo-at", FIELD_TEXT, GROUP_VIEW, 0, AT(repo_at),
	  0, 0, NULL, "PATH|same",
	  "show it at PATH, or (same) at its path on the host; /repo then "
	  "leads there" },
	{ "repo-mode", FIELD_ENUM, GROUP_VIEW, LIMIT, AT(repo_mode),
	  0, 0, repo_mode_words, "ro|overlay|none",
	  "show it read-only, or writable with all writes thrown away at the "
	  "end, or not at all" },
	{ "ro", FIELD_LIST, GROUP_VIEW, FIELD_IS_FILE, AT(ro),
	  0, 0, NULL, "SRC[:DST]",
	  "show SRC read-only at DST; may be repeated" },
	{ "runtime", FIELD_LIST, GROUP_VIEW, FIELD_IS_DIR, AT(runtime),
	  0, 0, NULL, "DIR",
	  "show the interpreter installed in DIR; may be repeated" },
	{ "cache", FIELD_TEXT, GROUP_VIEW, FIELD_IS_DIR, AT(cache),
	  0, 0, NULL, "DIR",
	  "a cache at /cache that is kept after the run; DIR must exist" },
	{ "cache-bytes", FIELD_SIZE, GROUP_VIEW, 0, AT(cache_bytes),
	  0, MOST, NULL, "SIZE",
	  "most that is kept in it (default: 4G); 0 keeps no changes" },
	{ "chdir", FIELD_TEXT, GROUP_VIEW, FIELD_IN_PROFILE, AT(chdir),
	  0, 0, NULL, "DIR",
	  "start in DIR, a path inside (default: /repo, else /scratch)" },
	{ "env", FIELD_LIST, GROUP_VIEW, FIELD_IN_PROFILE | FIELD_PAIRS, AT(env),
	  0, 0, NULL, "K=V",
	  "set an environment variable; may be repeated" },
	{ "pass-env", FIELD_LIST, GROUP_VIEW, 0, AT(pass_env),
	  0, 0, NULL, "K",
	  "pass the caller's variable K, if it is set; may be repeated" },
	{ "env-dummy", FIELD_LIST, GROUP_VIEW, 0, AT(env_dummy),
	  0, 0, NULL, "K",
	  "set K to the word dummy, for tests that only need it to be set; "
	  "may be repeated" },
	{ "network", FIELD_ENUM, GROUP_VIEW, LIMIT, AT(network),
	  0, 0, network_words, "none|loopback|scoped",
	  "which network there is; scoped: only the hosts of --egress" },
	{ "egress", FIELD_LIST, GROUP_VIEW, FIELD_IN_PROFILE | FIELD_REPLACES,
	  AT(egress), 0, 0, NULL, "HOST:PORT",
	  "with scoped: allow HOST:PORT, *.DOMAIN:PORT or ADDRESS/BITS:PORT; "
	  "may be repeated; replaces the profile's rules" },
	{ "egress-audit", FIELD_BOOL, GROUP_VIEW, 0, AT(egress_audit),
	  0, 0, NULL, NULL,
	  "with scoped: allow every public host, and record each one that is "
	  "reached" },
	{ "seccomp", FIELD_TEXT, GROUP_VIEW, FIELD_IN_PROFILE | FIELD_IS_FILE,
	  AT(seccomp), 0, 0, NULL, "NAME|FILE",
	  "the system call policy: the name of a shipped one, or a file in "
	  "OCI JSON" },
	{ "proc", FIELD_ENUM, GROUP_VIEW, INNER, AT(proc),
	  0, 0, proc_words, "full|subset-pid|none",
	  "how much of /proc is visible" },
	{ "bare", FIELD_BOOL, GROUP_VIEW, INNER, AT(bare),
	  0, 0, NULL, NULL,
	  "show no file at all: the program is passed in by descriptor" },
	{ "etc", FIELD_LIST, GROUP_VIEW, INNER, AT(etc),
	  0, 0, NULL, "NAME",
	  "more names below the host's /etc to show" },

	{ "wall-time-s", FIELD_TIME, GROUP_LIMITS, LOOSE, AT(wall_ms),
	  1, YEAR_MS, NULL, "S", "end the run after S seconds" },
	{ "wall-alarm", FIELD_BOOL, GROUP_LIMITS, INNER, AT(wall_alarm),
	  0, 0, NULL, NULL,
	  "a harness inside also uses the wall time as its own alarm" },
	{ "cpu-time-s", FIELD_TIME, GROUP_LIMITS, LOOSE, AT(cpu_ms),
	  1, YEAR_MS, NULL, "S", "CPU seconds of each process, and of all "
				 "together" },
	{ "cpu-max", FIELD_TIME, GROUP_LIMITS, FIELD_EFFECT | FIELD_CAN_BE_OFF,
	  AT(cpu_milli),
	  10, 4096 * MS, NULL, "N",
	  "how many processors may be kept busy, such as 1.5; needs a cgroup" },
	{ "cpu-hard", FIELD_BOOL, GROUP_LIMITS, INNER, AT(cpu_hard),
	  0, 0, NULL, NULL,
	  "kill at the CPU limit at once, without sending SIGXCPU first" },
	{ "kill-after-s", FIELD_TIME, GROUP_LIMITS, LIMIT, AT(kill_after_ms),
	  0, 3600 * MS, NULL, "S",
	  "seconds between passing on a signal and killing" },
	{ "mem-bytes", FIELD_SIZE, GROUP_LIMITS, LOOSE, AT(mem_bytes),
	  MIB, MOST, NULL, "SIZE", "memory of all processes together" },
	{ "as-bytes", FIELD_SIZE, GROUP_LIMITS, LOOSE, AT(as_bytes),
	  MIB, MOST, NULL, "SIZE", "address space of a process" },
	{ "data-bytes", FIELD_SIZE, GROUP_LIMITS, LOOSE, AT(data_bytes),
	  MIB, MOST, NULL, "SIZE", "private writable memory of a process" },
	{ "fsize-bytes", FIELD_SIZE, GROUP_LIMITS, LOOSE, AT(fsize_bytes),
	  0, MOST, NULL, "SIZE", "size of a file that is written" },
	{ "nofile", FIELD_COUNT, GROUP_LIMITS, LIMIT, AT(nofile),
	  1, 1048576, NULL, "N", "open descriptors of a process" },
	{ "nproc", FIELD_COUNT, GROUP_LIMITS, LOOSE, AT(nproc),
	  0, PIDS, NULL, "N",
	  "RLIMIT_NPROC, if it is to be lower than --pids-max" },
	{ "pids-max", FIELD_COUNT, GROUP_LIMITS, LOOSE, AT(pids_max),
	  0, PIDS, NULL, "N", "processes and threads in the vessel" },
	{ "rlimit", FIELD_RLIMIT, GROUP_LIMITS, LIMIT | FIELD_PAIRS, 0,
	  0, 0, NULL, "NAME=N",
	  "any resource limit of setrlimit(2); may be repeated" },
	{ "output-bytes", FIELD_SIZE, GROUP_LIMITS, LIMIT, AT(output_bytes),
	  0, GIB, NULL, "SIZE", "most that is kept of stdout, and of stderr" },
	{ "output-mode", FIELD_ENUM, GROUP_LIMITS, LIMIT, AT(output_mode),
	  0, 0, output_mode_words, "truncate|kill",
	  "beyond that, cut the output or end the run" },
	{ "scratch-bytes", FIELD_SIZE, GROUP_LIMITS, LIMIT, AT(scratch_bytes),
	  0, MOST, NULL, "SIZE",
	  "size of /scratch, /tmp and /dev/shm together; 0 for none" },
	{ "scratch-inodes", FIELD_COUNT, GROUP_LIMITS, LIMIT,
	  AT(scratch_inodes), 0, UINT64_C(1) << 31, NULL, "N",
	  "most files and directories in them" },

	{ "stdin", FIELD_TEXT, GROUP_STREAMS, FIELD_IS_FILE, AT(stdin_path),
	  0, 0, NULL, "FILE|-", "file that the command reads as stdin "
				"(default: nothing)" },
	{ "stdout", FIELD_TEXT, GROUP_STREAMS, FIELD_IS_FILE, AT(stdout_path),
	  0, 0, NULL, "FILE", "write the command's stdout there" },
	{ "stderr", FIELD_TEXT, GROUP_STREAMS, FIELD_IS_FILE, AT(stderr_path),
	  0, 0, NULL, "FILE", "write the command's stderr there" },
	{ "result-schema", FIELD_TEXT, GROUP_STREAMS, FIELD_IS_FILE,
	  AT(result_schema), 0, 0, NULL, "FILE",
	  "JSON Schema that the payload has to satisfy" },
	{ "ref", FIELD_LIST, GROUP_STREAMS, FIELD_IS_FILE, AT(refs),
	  0, 0, NULL, "URI=FILE",
	  "what a $ref to URI means; may be repeated" },
	{ "result-from", FIELD_ENUM, GROUP_STREAMS, FIELD_EFFECT,
	  AT(result_from), 0, 0, result_from_words, "fd|stdout",
	  "where the command writes the payload" },
	{ "result-bytes", FIELD_SIZE, GROUP_STREAMS, LIMIT, AT(result_bytes),
	  1, 64 * MIB, NULL, "SIZE", "largest payload, in bytes" },
	{ "report", FIELD_TEXT, GROUP_STREAMS, FIELD_IN_PROFILE, AT(report),
	  0, 0, NULL, "FORMAT:FROM",
	  "read a test runner's report as the payload: junit, tap, jest, go, "
	  "cargo, unittest, automake or prove, from a file inside, stdout or "
	  "stderr; any:DIR/; or none" },
	{ "report-names", FIELD_BOOL, GROUP_STREAMS, 0, AT(report_names),
	  0, 0, NULL, NULL,
	  "with a report: list every test in the payload, not only those that "
	  "failed" },
	{ "artifact", FIELD_LIST, GROUP_STREAMS, 0, AT(artifacts),
	  0, 0, NULL, "PATH[:DST]",
	  "copy a file out when the run is over; may be repeated" },

	{ "allow-partial", FIELD_BOOL, GROUP_HOW, FIELD_EFFECT,
	  AT(allow_partial), 0, 0, NULL, NULL,
	  "run even if something cannot be enforced here; the result says "
	  "what" },
	{ "backend", FIELD_ENUM, GROUP_HOW, FIELD_EFFECT, AT(backend),
	  0, 0, backend_words, "NAME",
	  "auto, namespaces, landlock or rlimits (oci, microvm come later)" },
	{ "trace", FIELD_ENUM, GROUP_HOW, 0, AT(trace),
	  0, 0, trace_words, "exec,connect",
	  "record in the result what was executed, what was connected to, or "
	  "both" },
	{ "core-scheduling", FIELD_BOOL, GROUP_HOW, FIELD_EFFECT,
	  AT(core_scheduling), 0, 0, NULL, NULL,
	  "never share a processor core with other users' programs" },
	{ "host-uid", FIELD_TEXT, GROUP_HOW, 0, AT(host_uid),
	  0, 0, NULL, "UID[:GID]",
	  "when started by root: the ids that the command has on the host "
	  "(default: the repository's owner, or 65525 if that is root)" },
	{ "trace-id", FIELD_TRACE, GROUP_HOW, 0, AT(trace_id),
	  0, 0, NULL, "HEX", "32 hexadecimal digits for the result's traceId" },
	{ "error-rc", FIELD_COUNT, GROUP_HOW, 0, AT(error_rc),
	  1, 255, NULL, "N", "exit status for failures of cupel itself" },
	{ "json", FIELD_TEXT, GROUP_HOW,
	  FIELD_CLI_ONLY | FIELD_OPT_ARG | FIELD_IS_FILE, AT(json),
	  0, 0, NULL, "FILE", "print the result as JSON, or write it to FILE" },
	{ "raw", FIELD_BOOL, GROUP_HOW, FIELD_CLI_ONLY, AT(raw),
	  0, 0, NULL, NULL, "leave control characters in a terminal's output" },
	{ "quiet", FIELD_BOOL, GROUP_HOW, FIELD_CLI_ONLY, AT(quiet),
	  0, 0, NULL, NULL, "print no line that says why a run ended" },
	{ "verbose", FIELD_BOOL, GROUP_HOW, FIELD_CLI_ONLY, AT(verbose),
	  0, 0, NULL, NULL, "say what is enforced and what is not" },
	{ "help", FIELD_HELP, GROUP_HOW, FIELD_CLI_ONLY, 0,
	  0, 0, NULL, NULL, "print this text" },
};
/* clang-format on */
const size_t fields_len = sizeof fields / sizeof *fields;
static_assert(sizeof fields / sizeof *fields <= SPEC_FIELDS_MAX,
	      "a rank for every row");

const struct field_rlimit field_rlimits[] = {
	[SPEC_RLIMIT_CPU] = { "cpu", "cpu-time-s", false, 0 },
	[SPEC_RLIMIT_AS] = { "as", "as-bytes", true, 0 },
	[SPEC_RLIMIT_DATA] = { "data", "data-bytes", true, 0 },
	[SPEC_RLIMIT_NOFILE] = { "nofile", "nofile", false, 0 },
	[SPEC_RLIMIT_FSIZE] = { "fsize", "fsize-bytes", true, 0 },
	[SPEC_RLIMIT_NPROC] = { "nproc", "nproc", false, 0 },
	[SPEC_RLIMIT_CORE] = { "core", NULL, true, MOST },
	[SPEC_RLIMIT_STACK] = { "stack", NULL, true, MOST },
	[SPEC_RLIMIT_MEMLOCK] = { "memlock", NULL, true, MOST },
	[SPEC_RLIMIT_MSGQUEUE] = { "msgqueue", NULL, true, MOST },
	[SPEC_RLIMIT_SIGPENDING] = { "sigpending", NULL, false, 1048576 },
	[SPEC_RLIMIT_RTPRIO] = { "rtprio", NULL, false, 99 },
	[SPEC_RLIMIT_NICE] = { "nice", NULL, false, 40 },
	[SPEC_RLIMIT_RSS] = { "rss", NULL, true, MOST },
	[SPEC_RLIMIT_LOCKS] = { "locks", NULL, false, 1048576 },
	[SPEC_RLIMIT_RTTIME] = { "rttime", NULL, false, YEAR_MS * 1000 },
};
static_assert(sizeof field_rlimits / sizeof *field_rlimits == SPEC_RLIMIT_MAX_,
	      "a row for every limit");

static const char *const group_titles[] = {
	[GROUP_START] = "Where it starts from",
	[GROUP_VIEW] = "What the command sees",
	[GROUP_LIMITS] = "Limits",
	[GROUP_STREAMS] = "Streams and results",
	[GROUP_HOW] = "How",
};
static_assert(sizeof group_titles / sizeof *group_titles == GROUP_MAX_,
	      "a title for every group");

const struct field *field_find(const char *name)
{
	for (size_t i = 0; i < fields_len; i++)
		if (strcmp(fields[i].name, name) == 0)
			return &fields[i];
	return NULL;
}

void field_write_key(const struct field *f, char out[FIELD_KEY_MAX])
{
	size_t i = 0;

	for (; f->name[i] != '\0' && i < FIELD_KEY_MAX - 1; i++)
		out[i] = f->name[i] == '-' ? '_' : f->name[i];
	out[i] = '\0';
}

static bool is_key(const char *name, const char *key, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (name[i] == '\0' ||
		    key[i] != (name[i] == '-' ? '_' : name[i]))
			return false;
	return name[n] == '\0';
}

const struct field *field_find_json(const char *key, size_t n)
{
	for (size_t i = 0; i < fields_len; i++)
		if (is_key(fields[i].name, key, n))
			return &fields[i];
	return NULL;
}

bool field_is_option(const struct field *f)
{
	return (f->flags & FIELD_PROFILE_ONLY) == 0;
}

const char *field_group_title(enum field_group group)
{
	return (unsigned)group < GROUP_MAX_ ? group_titles[group] : "?";
}

int field_find_word(const struct field *f, const char *text)
{
	for (int i = 0; f->words[i].name != NULL; i++)
		if (!f->words[i].is_later &&
		    strcmp(f->words[i].name, text) == 0)
			return i;
	return -1;
}

int field_rlimit_find(const char *name, size_t n)
{
	for (int i = 0; i < SPEC_RLIMIT_MAX_; i++)
		if (strlen(field_rlimits[i].name) == n &&
		    strncasecmp(field_rlimits[i].name, name, n) == 0)
			return i;
	return -1;
}

static const void *slot(const struct spec *s, const struct field *f)
{
	return (const char *)s + f->offset;
}

uint64_t field_number(const struct spec *s, const struct field *f)
{
	return *(const uint64_t *)slot(s, f);
}

const char *field_word_of(const struct spec *s, const struct field *f)
{
	return f->words[*(const unsigned *)slot(s, f)].name;
}

bool field_bool(const struct spec *s, const struct field *f)
{
	return *(const bool *)slot(s, f);
}

const char *field_text(const struct spec *s, const struct field *f)
{
	return *(const char *const *)slot(s, f);
}

const struct spec_list *field_list(const struct spec *s, const struct field *f)
{
	return slot(s, f);
}
