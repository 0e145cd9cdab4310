/* parser.c -- what an attacker who controls the parser of a probe can get out.
 *
 * A stand-in is started instead of cupel-parse, in the real vessel. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "jobs/gather/probe.h"
#include "json_at.h"
#include "parsers/program/parse_exit.h"

#define CALLS 480

static char *program;
static size_t program_len;
static char dir[64];

static void program_load(void)
{
	const char *build = getenv("BUILD");
	char path[4096];
	struct stat st = { 0 };
	int fd;

	(void)snprintf(path, sizeof path, "%s/tests/live/parser_stand_in",
		       build ? build : ".");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ok(fd >= 0 && fstat(fd, &st) == 0);
	program_len = (size_t)st.st_size;
	program = malloc(program_len + 1);
	ok_int((intmax_t)read(fd, program, program_len), st.st_size);
	close(fd);
	strcpy(dir, "/tmp/cupel-parser.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	ok_int(chmod(dir, 0755), 0);
}

/* Run the probe over one package.json with that text. */
static void probe(const char *text, struct probe_report *ret)
{
	struct probe_request req = { .name = "node_manifest",
				     .repo = dir,
				     .program = program,
				     .program_len = program_len };
	struct cupel_error err = { 0 };
	char path[100];
	int fd;

	(void)snprintf(path, sizeof path, "%s/package.json", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ok(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	if (probe_run(&req, ret, &err) < 0) {
		fprintf(stderr, "# %s\n", err.what);
		ok(0);
		buf_text(&ret->output, "");
	}
}

static bool is_allowed(long nr)
{
	static const long allowed[] = {
		SYS_read,  SYS_write, SYS_lseek,      SYS_pread64,
		SYS_brk,   SYS_mmap,  SYS_munmap,     SYS_mremap,
		SYS_futex, SYS_exit,  SYS_exit_group, SYS_clock_gettime,
	};

	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		if (allowed[i] == nr)
			return true;
#ifdef __x86_64__
	return nr == 335 || nr == 336; /* uretprobe, uprobe: see parsers_wall */
#else
	return false;
#endif
}

static void no_other_call_passes(void)
{
	for (long nr = 0; nr < CALLS; nr++) {
		struct probe_report r = { 0 };
		char text[32];
		bool killed;

		(void)snprintf(text, sizeof text, "#%ld\n", nr);
		probe(text, &r);
		killed = is_json(r.output.bytes, "/errors/ANY/code",
				 "\"forbidden_syscall\"");
		if (killed == is_allowed(nr)) {
			fprintf(stderr, "# call %ld: %.200s\n", nr,
				r.output.bytes);
			ok(0);
		}
		probe_report_done(&r);
	}
}

#define TOP                                                                    \
	"{\"probe\":\"node_manifest\",\"version\":\"1.0\","                    \
	"\"schema_version\":\"1.0\",\"confidence\":\"high\",\"errors\":[],"    \
	"\"warnings\":[],\"prompt_injection_marker_count\":0,\"slice\":"
#define SLICE                                                                  \
	"{\"packages\":[],\"lockfiles\":[],\"native_modules\":[],"             \
	"\"integrity_mismatch\":[],\"installed\":[]"

static void what_is_true_to_its_schema_gets_out(void)
{
	struct probe_report r = { 0 };

	probe(TOP SLICE "}}", &r);
	ok_int(r.exit, PROBE_DONE);
	ok_json(r.output.bytes, "/slice", SLICE "}");
	ok_json(r.output.bytes, "/confidence", "\"high\"");
	probe_report_done(&r);
}

static void a_parser_that_lies_is_found_out(void)
{
	static const char *const lies[] = {
		"{}",
		"[]",
		"nonsense",
		TOP SLICE "}} and more",
		TOP SLICE "}}" TOP SLICE "}}",
		TOP SLICE ",\"extra\":1}}",
		TOP SLICE "},\"score\":1}",
		TOP "{\"packages\":{},\"lockfiles\":[],\"native_modules\":[],"
		    "\"integrity_mismatch\":[],\"installed\":[]}}",
		TOP "[]}",
		"{\"probe\":\"other\"" TOP SLICE "}}",
		TOP SLICE "},\"slice\":null}",
	};

	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		struct probe_report r = { 0 };

		probe(lies[i], &r);
		ok_int(r.exit, PROBE_SCHEMA);
		ok_json(r.output.bytes, "/confidence", "\"low\"");
		ok_json(r.output.bytes, "/slice", "null");
		ok_json(r.output.bytes, "/errors/ANY/code",
			"\"schema_failed\"");
		probe_report_done(&r);
	}
}

static void too_much_and_nothing_are_found_out(void)
{
	char *big = malloc(((size_t)3 << 20) + 1);
	struct probe_report r = { 0 };

	memset(big, ' ', (size_t)3 << 20);
	big[(size_t)3 << 20] = '\0';
	probe(big, &r);
	ok_int(r.exit, PROBE_SCHEMA);
	ok_has(r.output.bytes, "too_large");
	probe_report_done(&r);
	r = (struct probe_report){ 0 };
	probe("", &r);
	ok_int(r.exit, PROBE_SCHEMA);
	ok_has(r.output.bytes, "payload absent");
	probe_report_done(&r);
	free(big);
}

/* The one status that says why. */
static void an_end_without_memory_is_told_as_that(void)
{
	for (int status = 1; status <= 9; status++) {
		struct probe_report r = { 0 };
		char text[16];

		(void)snprintf(text, sizeof text, "!%d\n", status);
		probe(text, &r);
		ok_json(r.output.bytes, "/slice", "null");
		ok_json(r.output.bytes, "/confidence", "\"low\"");
		ok_json(r.output.bytes, "/errors",
			status == PARSE_EXIT_MEMORY
				? "[{\"code\":\"memory\",\"message\":\"it used "
				  "more memory than it may\"}]"
				: "[{\"code\":\"parser_failed\",\"message\":"
				  "\"it ended with a failure\"}]");
		probe_report_done(&r);
	}
}

static void tidy(void)
{
	char path[100];

	(void)snprintf(path, sizeof path, "%s/package.json", dir);
	ok_int(unlink(path), 0);
	ok_int(rmdir(dir), 0);
	free(program);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(program_load), CASE(what_is_true_to_its_schema_gets_out),
		CASE(a_parser_that_lies_is_found_out),
		CASE(too_much_and_nothing_are_found_out),
		CASE(an_end_without_memory_is_told_as_that),
		CASE(no_other_call_passes), CASE(tidy), TAP_END });
}
