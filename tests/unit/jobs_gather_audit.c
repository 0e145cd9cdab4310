/* jobs_gather_audit.c -- run records and events fit their schemas, and a chain
 * that was changed is not continued in silence. */
#include "boundary/schema.h"
#include "gather_chain.h"
#include "jobs/gather/events.h"
#include "service/vessel_result.h"

static void the_record_is_what_its_schema_says(void)
{
	struct schema_set *set = NULL;
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error why;
	struct schema_report report;
	struct schema_fault fault = { 0 };
	char bytes[8192];
	int in;
	ssize_t n;

	chain_make(2);
	ok_int(vessel_schema("run-record", &set, &err), 0);
	for (int i = 1; i <= 2; i++) {
		in = openat(fd, name[i], O_RDONLY);
		n = read(in, bytes, sizeof bytes - 1);
		close(in);
		ok(n > 0);
		bytes[n] = '\0';
		ok_int(json_parse(bytes, (size_t)n, NULL, &arena, &v, &why), 0);
		ok_int(schema_validate(set, &v, &arena, &report, &fault), 0);
		ok(report.valid);
		if (!report.valid)
			fprintf(stderr, "# %s %s\n",
				report.violations[0].instance,
				report.violations[0].message);
	}
	ok_json(bytes, "/probes/ANY/declared_inputs/ANY/relative_path",
		"\"a\\\\x0ab.yml\"");
	ok_json(bytes, "/repo_path", "\"/r\\\\xff\"");
	ok_json(bytes, "/probes/ANY",
		"{\"sandbox_pid\":2,\"exit_status\":0,\"status\":\"OK\"}");
	ok_has(bytes, name[1]);
	schema_set_free(set);
	arena_done(&arena);
	leave();
}

static void inputs_that_do_not_fit_are_counted(void)
{
	struct gather_input in = inputs[0];
	struct gather_probe p = { .probe = &ci, .status = "OK" };
	struct gather_run run = { .probes = &p, .probes_len = 1 };
	struct audit_note note = { 0 };
	struct gather_input *many = calloc(20000, sizeof *many);
	char *longest = malloc(4001);
	char bytes[300];
	int at;

	ok(many != NULL && longest != NULL);
	memset(longest, 'x', 4000);
	longest[4000] = '\0';
	in.name = longest;
	for (int i = 0; i < 20000; i++)
		many[i] = in;
	p.inputs = many;
	p.inputs_len = 20000;
	enter();
	ok_int(audit_append(fd, &run, &note, &err), 0);
	ok(size_of(note.name) < (off_t)CHAIN_RECORD_BYTES);
	at = openat(fd, note.name, O_RDONLY);
	ok(pread(at, bytes, 299, size_of(note.name) - 299) == 299);
	close(at);
	bytes[299] = '\0';
	ok_has(bytes, "\"declared_inputs_omitted\":19000");
	ok(strcmp(verify(0), "") == 0);
	leave();
	free(many);
	free(longest);
}

static void events_are_what_their_schema_says(void)
{
	struct schema_set *set = NULL;
	struct event_details d = { .code = "symlink",
				   .name = "a\n\xff",
				   .message = "x\ny",
				   .status = "TIMEOUT",
				   .wall_ms = 1,
				   .bytes = 2,
				   .count = 3 };
	FILE *in;
	char line[1000];
	int n = 0, to;
	struct event_log nowhere = { -1, -1 }, log = { -1, -1 };

	enter();
	ok_int(vessel_schema("events", &set, &err), 0);
	to = openat(fd, "log", O_RDWR | O_CREAT | O_APPEND, 0600);
	log.fd = to;
	ok_int(event_write(&nowhere, EVENT_PROBE_START, "ci", NULL, &err), 0);
	for (int e = 0; e < EVENT_MAX_; e++) {
		ok_int(event_write(&log, (enum gather_event)e, "ci", &d, &err),
		       0);
		ok_int(event_write(&log, (enum gather_event)e, NULL, NULL,
				   &err),
		       0);
	}
	close(to);
	in = fdopen(openat(fd, "log", O_RDONLY), "r");
	while (fgets(line, sizeof line, in) != NULL) {
		struct arena arena = { 0 };
		struct json_value v;
		struct json_error why;
		struct schema_report report;
		struct schema_fault fault;

		n++;
		ok_int(json_parse(line, strlen(line), NULL, &arena, &v, &why),
		       0);
		ok_int(schema_validate(set, &v, &arena, &report, &fault), 0);
		ok(report.valid);
		arena_done(&arena);
	}
	ok_int(n, EVENT_MAX_ * 2);
	ok_json(line, "/event", "\"schema.validation_failed\"");
	(void)fclose(in);
	schema_set_free(set);
	leave();
}

/* The error of an append after the newest record was changed. */
static void breaks(const char *culprit)
{
	struct audit_note note;

	append(&note);
	ok(strcmp(note.broken, culprit) == 0);
	verify(1);
	ok_has(lines.bytes, "begins a new chain");
	append(&note);
	ok(note.broken[0] == '\0');
}

static void a_broken_chain_is_not_continued_in_silence(void)
{
	chain_make(2);
	flip(name[2], 5);
	breaks(name[2]);
	leave();
	chain_make(2);
	ok_int(unlinkat(fd, name[2], 0), 0);
	breaks(name[2]);
	leave();
	chain_make(2);
	put("HEAD", "rubbish");
	breaks("HEAD");
	leave();
	chain_make(2);
	ok_int(unlinkat(fd, "HEAD", 0), 0);
	put(name[2], "{}");
	breaks(name[2]);
	leave();
	chain_make(2);
	ok_int(unlinkat(fd, "HEAD", 0), 0);
	ok_int(symlinkat("/etc/passwd", fd, "HEAD"), 0);
	breaks("HEAD");
	leave();
	chain_make(2);
	ok_int(unlinkat(fd, "HEAD", 0), 0);
	ok_int(mkdirat(fd, "HEAD", 0700), 0);
	ok_int(mkdirat(fd, "HEAD/x", 0700), 0);
	breaks("HEAD");
	leave();
}

static void without_head_the_names_tell(void)
{
	struct audit_note note;

	chain_make(3);
	ok_int(unlinkat(fd, "HEAD", 0), 0);
	append(&note);
	ok(note.broken[0] == '\0');
	ok(strcmp(verify(0), "") == 0);
	ok_int((intmax_t)records, 4);
	leave();
}

static void nothing_is_written_through_a_link(void)
{
	struct audit_note note;
	char victim[100];
	struct stat st = { 0 };

	chain_make(1);
	(void)snprintf(victim, sizeof victim, "%s.victim", dir);
	ok_int(symlinkat(victim, fd, ".pending"), 0);
	ok_int(symlinkat(victim, fd, ".head"), 0);
	append(&note);
	ok(lstat(victim, &st) < 0 && errno == ENOENT);
	ok(strcmp(verify(0), "") == 0);
	leave();
}

/* A gather is stopped after each step, and the next one continues from
 * there. */
static void a_crash_leaves_a_chain(void)
{
	struct audit_note note;

	chain_make(3); /* before HEAD */
	put(".pending", "{\"half\":");
	put(".head", "{");
	ok(strcmp(verify(0), "") == 0);
	append(&note);
	ok(note.broken[0] == '\0');
	ok(strcmp(verify(0), "") == 0);
	leave();
	chain_make(3); /* between HEAD and the name */
	ok_int(renameat(fd, name[3], fd, ".pending"), 0);
	ok(strcmp(verify(0), "") == 0);
	ok_int((intmax_t)records, 2);
	append(&note);
	ok(note.broken[0] == '\0');
	ok(strcmp(verify(0), "") == 0);
	ok_int((intmax_t)records, 4);
	leave();
	chain_make(1); /* the very first */
	ok_int(renameat(fd, name[1], fd, ".pending"), 0);
	ok(strcmp(verify(0), "") == 0);
	append(&note);
	ok(strcmp(verify(0), "") == 0);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_record_is_what_its_schema_says),
		CASE(inputs_that_do_not_fit_are_counted),
		CASE(events_are_what_their_schema_says),
		CASE(a_broken_chain_is_not_continued_in_silence),
		CASE(without_head_the_names_tell),
		CASE(nothing_is_written_through_a_link),
		CASE(a_crash_leaves_a_chain), TAP_END });
}
