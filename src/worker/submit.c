/* submit.c -- cupel submit: requests in, answers out, JSON Lines. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/plural.h"
#include "boundary/schema.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/worker.h"
#include "jobs/batch/lines.h"
#include "service/file.h"
#include "worker/address.h"
#include "worker/child.h"
#include "worker/do.h"
#include "worker/pending.h"
#include "worker/settings.h"
#include "worker/submit.h"
#include "worker/worker.h"

#define RETRY_MS 200

bool worker_submit_is_late(const struct worker_submit *s)
{
	return worker_now_ms() >= s->end_ms;
}

/* Whether the server was lost for good, because it refuses us.  Says so. */
static bool is_closed(struct worker_submit *s)
{
	if (s->status == 0 && natsConnection_IsClosed(s->link.nc)) {
		cli_complain("%s: the connection is closed: %s", s->link.shown,
			     worker_link_why(&s->link));
		s->status = CLI_HOST;
	}
	return s->status != 0;
}

/* A server that was killed may have lost what it confirmed just before.  So
 * every request without an answer is stored again.  A server that still has it
 * knows its id. */
static void store_again(struct worker_submit *s)
{
	uint64_t now = atomic_load(&s->metrics.reconnects);

	if (now == s->reconnects)
		return;
	s->reconnects = now;
	for (size_t i = s->pending.len;
	     i > 0 && s->status == 0 && !worker_submit_is_late(s); i--) {
		struct worker_awaited *a = worker_pending_next(&s->pending);
		owned_buf struct buf why = { .cap_bytes = 256 };
		char subject[WORKER_SUBJECT_BYTES];
		struct worker_message m = { .subject = subject };

		if (a == NULL || worker_submit_find(s, a))
			continue;
		worker_subject(&s->link, WORKER_REQUESTS,
			       worker_kind_name(a->kind), subject);
		m.id = a->key;
		m.bytes = a->bytes;
		m.len = a->n;
		if (worker_link_store(&s->link, &m, &why) ==
		    WORKER_STORE_LATER) {
			s->reconnects--; /* once more */
			return;
		}
	}
}

static void wait_some(struct worker_submit *s, int ms)
{
	if (!s->waits) {
		(void)poll(NULL, 0, ms);
		return;
	}
	store_again(s);
	worker_submit_hear(s, ms);
	worker_submit_sweep(s);
}

/* --- requests ----------------------------------------------------------------- */

static bool is_answered(struct worker_submit *s, const struct worker_request *q)
{
	return s->waits &&
	       worker_submit_find(s, worker_pending_find(&s->pending, q->key));
}

/* Store the request.  This may take until there is a connection again. */
static void send_request(struct worker_submit *s,
			 const struct worker_request *q,
			 const struct batch_text *line)
{
	char subject[WORKER_SUBJECT_BYTES];
	const struct worker_message m = { .subject = subject,
					  .id = q->key,
					  .bytes = line->bytes,
					  .len = line->len };
	bool complained = false;

	worker_subject(&s->link, WORKER_REQUESTS, worker_kind_name(q->kind),
		       subject);
	while (!worker_submit_is_late(s)) {
		owned_buf struct buf why = { .cap_bytes = 256 };
		enum worker_stored r = worker_link_store(&s->link, &m, &why);

		if (r == WORKER_STORED || r == WORKER_STORED_BEFORE) {
			s->sent++;
			return;
		}
		if (!complained)
			cli_complain("line %llu: not stored%s: %s",
				     (unsigned long long)line->number,
				     r == WORKER_STORE_NEVER ? "" : " yet",
				     why.bytes != NULL ? why.bytes : "?");
		complained = true;
		if (r == WORKER_STORE_NEVER || is_closed(s))
			break;
		(void)poll(NULL, 0, RETRY_MS);
	}
	s->wrong++;
	if (s->waits)
		worker_pending_drop(&s->pending,
				    worker_pending_find(&s->pending, q->key));
}

static void take_line(struct worker_submit *s, const struct batch_text *line)
{
	struct worker_request q = { 0 };
	struct worker_why why = { 0 };

	if (line->is_too_long)
		(void)worker_why_set(
			&why, "too_large",
			"the line is longer than a request may be");
	else if (strspn(line->bytes, " \t\r") == line->len)
		return;
	else if (worker_request_read(line->bytes, line->len, &q, &why) == 0 &&
		 (!s->waits ||
		  worker_pending_await(&s->pending, &q, line->bytes, line->len,
				       &why)) &&
		 !is_answered(s, &q))
		send_request(s, &q, line);
	if (why.code != NULL) {
		cli_complain("line %llu: %s", (unsigned long long)line->number,
			     why.text);
		s->wrong++;
	}
	worker_request_done(&q);
}

/* Returns whether there was something to do other than wait. */
static bool take_input(struct worker_submit *s)
{
	struct pollfd p = { .fd = s->lines.fd, .events = POLLIN };
	struct cupel_error err = { 0 };
	struct batch_text line = { 0 };

	if (worker_pending_is_full(&s->pending))
		return false;
	if (batch_lines_next(&s->lines, &line)) {
		take_line(s, &line);
		return true;
	}
	if (s->lines.is_over || poll(&p, 1, 0) == 0)
		return false;
	if (batch_lines_fill(&s->lines, &err) < 0)
		s->status = cli_fail(&err);
	return true;
}

static void all(struct worker_submit *s)
{
	while (!is_closed(s) && !worker_submit_is_late(s)) {
		if (take_input(s))
			wait_some(s, 0);
		else if (s->lines.is_over && !batch_lines_has(&s->lines) &&
			 s->pending.len == 0)
			return;
		else
			wait_some(s, 50);
	}
}

/* --- the command --------------------------------------------------------------- */

static int end_say(const struct worker_submit *s, bool is_quiet)
{
	if (s->status != 0)
		return s->status;
	if (worker_submit_is_late(s))
		cli_complain("--timeout: %zu answer%s did not come",
			     s->pending.len, plural_s(s->pending.len));
	if (!is_quiet)
		cli_complain("%llu stored, %llu answered, %llu of them not "
			     "done, %llu wrong line%s",
			     (unsigned long long)s->sent,
			     (unsigned long long)s->answered,
			     (unsigned long long)s->bad,
			     (unsigned long long)s->wrong, plural_s(s->wrong));
	return s->bad + s->wrong > 0 || worker_submit_is_late(s) ? CLI_FAILED
								 : CLI_OK;
}

static int linked(struct worker_submit *s, const struct option_value v[])
{
	struct worker_address address = { 0 };
	struct cupel_error err = { 0 };
	char subject[WORKER_SUBJECT_BYTES];
	int r;

	worker_address_read(v, &address);
	r = worker_link_open(&address, &s->metrics, &s->link, &err);
	if (r == 0)
		r = worker_settings_hold(&s->link, 0, true, &err);
	if (r < 0)
		return cli_fail(&err);
	s->answers = worker_answer_schema();
	worker_subject(&s->link, WORKER_ANSWERS, "*", subject);
	if (s->answers == NULL ||
	    (s->waits && natsConnection_SubscribeSync(&s->sub, s->link.nc,
						      subject) != NATS_OK)) {
		cli_complain("submit: cannot subscribe to the answers");
		return CLI_FAILED;
	}
	all(s);
	return end_say(s, v[SUBMIT_QUIET].count > 0);
}

static int opened(struct worker_submit *s, const struct option_value v[],
		  const char *path)
{
	owned_fd int fd = -1;
	int r;

	s->lines.shown = path;
	s->lines.fd = STDIN_FILENO;
	if (strcmp(path, "-") != 0) {
		fd = file_open(path);
		if (fd < 0)
			return cli_usage("%s: cannot be read: %s", path,
					 file_why(-fd));
		s->lines.fd = fd;
	} else {
		s->lines.shown = "stdin";
	}
	r = linked(s, v);
	natsSubscription_Destroy(s->sub);
	schema_set_free(s->answers);
	worker_link_close(&s->link);
	worker_pending_done(&s->pending);
	batch_lines_done(&s->lines);
	return r;
}

static int words_run(const struct option_value v[], const char *path)
{
	static const uint64_t range[2] = { 1, 31536000 };
	struct worker_submit s = { .waits = v[SUBMIT_NO_WAIT].count == 0 };
	uint64_t timeout = 0;
	int r = worker_number_read(&v[SUBMIT_TIMEOUT], "timeout", range, 0,
				   &timeout);

	if (r != 0)
		return r;
	if (v[SUBMIT_WAIT].count > 0 && !s.waits)
		return cli_usage(
			"submit: --wait and --no-wait cannot be used together");
	s.end_ms = timeout > 0 ? worker_now_ms() + 1000 * timeout : UINT64_MAX;
	r = opened(&s, v, path);
	nats_Close(); /* its callbacks write to s.metrics until then */
	return r;
}

int worker_submit(int argc, char *argv[])
{
	struct option_value values[SUBMIT_OPTIONS] = { 0 };
	int rest = argc;
	int r = option_read(argc, argv, submit_options, values, &rest);

	if (r == OPTION_HELP)
		r = command_show_help(argv[0]);
	else if (r == 0 && rest + 1 < argc)
		r = cli_usage(
			"submit: expected one FILE, found '%.80s' after it",
			argv[rest + 1]);
	else if (r == 0)
		r = words_run(values, rest < argc ? argv[rest] : "-");
	option_done(submit_options, values);
	return r;
}
