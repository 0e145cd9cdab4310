/* link.c -- connects to the server, and stores messages there. */
#include "worker/link.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "worker/metrics.h"

/* Codes of the server's JetStream API. */
#define NO_MESSAGE_FOUND   10037
#define MESSAGE_TOO_LARGE  10054
#define WRONG_LAST_ON_SUBJ 10071
#define RECONNECT_MS       500
#define PING_MS            10000
/* How many messages say that something is not permitted. */
#define TOLD_MAX 16
/* How many times credentials are signed before a refusal is believed. */
#define SIGNATURES 3

/* Write the URL without its user and password. */
static void url_show(const char *url, char ret[256])
{
	const char *host = strstr(url, "://");
	const char *at;

	host = host != NULL ? host + 3 : url;
	at = strrchr(host, '@');
	(void)snprintf(ret, 256, "%.*s%.200s", (int)(host - url), url,
		       at != NULL ? at + 1 : host);
}

static void on_lost(natsConnection *nc, void *ctx)
{
	struct worker_metrics *m = ctx;

	(void)nc;
	atomic_fetch_add(&m->disconnects, 1);
	atomic_store(&m->connected, 0);
}

static void on_found(natsConnection *nc, void *ctx)
{
	struct worker_metrics *m = ctx;

	(void)nc;
	atomic_fetch_add(&m->reconnects, 1);
	atomic_store(&m->connected, 1);
}

/* The server does not reply to what it does not permit: report it, but not
 * endlessly. */
static void on_error(natsConnection *nc, natsSubscription *sub, natsStatus s,
		     void *ctx)
{
	struct worker_metrics *m = ctx;
	const char *text = NULL;
	char line[256];

	(void)sub;
	if (s != NATS_NOT_PERMITTED ||
	    atomic_fetch_add(&m->not_permitted, 1) >= TOLD_MAX)
		return;
	(void)natsConnection_GetLastError(nc, &text);
	(void)snprintf(line, sizeof line, "%s", text != NULL ? text : "?");
	utf8_make_line(line);
	cli_complain("the server says: %s", line);
}

static int fail_caller(struct cupel_error *err, const char *fmt,
		       const char *what)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EINVAL,
			  "%s: %.200s", fmt, what);
}

static bool is_url(const char *url)
{
	static const char *const schemes[] = { "nats://", "tls://" };

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
		size_t n = strlen(schemes[i]);

		if (strncmp(url, schemes[i], n) == 0)
			return url[n] != '\0' &&
			       strpbrk(url, " \t\r\n,") == NULL;
	}
	return false;
}

/* What is wrong with a file of credentials, or NULL. */
static const char *creds_wrong(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0 || access(path, R_OK) != 0)
		return "--creds: cannot be read";
	if (!S_ISREG(st.st_mode))
		return "--creds: is not a regular file";
	return (st.st_mode & S_IRWXO) != 0 ? "--creds: others can read or "
					     "change it; run chmod o= on it"
					   : NULL;
}

static int check(const struct worker_address *a, struct worker_link *l,
		 struct cupel_error *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-_";
	size_t n = strlen(a->stream);

	url_show(a->url, l->shown);
	if (!is_url(a->url))
		return fail_caller(err,
				   "--nats: expected nats://HOST[:PORT] or "
				   "tls://HOST[:PORT], found",
				   l->shown);
	if (n < 1 || n > 32 || strspn(a->stream, allowed) != n)
		return fail_caller(
			err,
			"--stream: expected 1 to 32 of A-Z a-z 0-9 - _, found",
			a->stream);
	if (a->creds != NULL) {
		const char *why = creds_wrong(a->creds);

		if (why != NULL)
			return fail_caller(err, why, a->creds);
	}
	if (a->tls_ca != NULL && access(a->tls_ca, R_OK) != 0)
		return fail_caller(err, "--tls-ca: cannot be read", a->tls_ca);
	l->stream = a->stream;
	return 0;
}

static natsStatus set_ways(natsOptions *o, struct worker_metrics *metrics)
{
	natsStatus s = natsOptions_SetMaxReconnect(o, -1);

	if (s == NATS_OK)
		s = natsOptions_SetReconnectWait(o, RECONNECT_MS);
	if (s == NATS_OK)
		s = natsOptions_SetPingInterval(o, PING_MS);
	if (s == NATS_OK)
		s = natsOptions_SetTimeout(o, WORKER_REPLY_MS);
	if (s == NATS_OK)
		s = natsOptions_SetName(o, "cupel");
	if (s == NATS_OK)
		s = natsOptions_SetErrorHandler(o, on_error, metrics);
	if (s == NATS_OK)
		s = natsOptions_SetDisconnectedCB(o, on_lost, metrics);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectedCB(o, on_found, metrics);
	return s;
}

static int set_all(const struct worker_address *a, natsOptions *o,
		   struct worker_metrics *metrics, struct cupel_error *err)
{
	natsStatus s = set_ways(o, metrics);

	if (s == NATS_OK && natsOptions_SetURL(o, a->url) != NATS_OK) {
		char shown[256];

		url_show(a->url, shown);
		return fail_caller(err, "--nats: libnats cannot read the URL",
				   shown);
	}
	if (s == NATS_OK &&
	    (a->tls_ca != NULL || strncmp(a->url, "tls://", 6) == 0))
		s = natsOptions_SetSecure(o, true);
	if (s == NATS_OK && a->tls_ca != NULL &&
	    natsOptions_LoadCATrustedCertificates(o, a->tls_ca) != NATS_OK)
		return fail_caller(err,
				   "--tls-ca: there are no certificates in it",
				   a->tls_ca);
	if (s == NATS_OK && a->creds != NULL)
		s = natsOptions_SetUserCredentialsFromFiles(o, a->creds, NULL);
	if (s == NATS_OK)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY, ENOMEM,
			  "--nats: %s", natsStatus_GetText(s));
}

/* libnats 3.4 does not send a signature that begins with a zero byte, so one of
 * 256 good ones is refused.  Wrong credentials are refused every time. */
static natsStatus connect_by(const struct worker_address *a, natsOptions *o,
			     natsConnection **ret)
{
	natsStatus s = natsConnection_Connect(ret, o);

	for (int i = 1; i < SIGNATURES && a->creds != NULL &&
			s == NATS_CONNECTION_AUTH_FAILED;
	     i++)
		s = natsConnection_Connect(ret, o);
	return s;
}

int worker_link_open(const struct worker_address *a,
		     struct worker_metrics *metrics, struct worker_link *ret,
		     struct cupel_error *err)
{
	natsOptions *o = NULL;
	natsStatus s;
	int r = check(a, ret, err);

	if (r < 0)
		return r;
	if (natsOptions_Create(&o) != NATS_OK)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				  ENOMEM, "--nats: no memory");
	r = set_all(a, o, metrics, err);
	if (r == 0) {
		s = connect_by(a, o, &ret->nc);
		if (s == NATS_OK)
			s = natsConnection_JetStream(&ret->js, ret->nc, NULL);
		if (s != NATS_OK)
			r = cupel_fail(err, CUPEL_STAGE_SOURCE,
				       CUPEL_CAUSE_HOST, EIO,
				       "--nats: %s: no connection: %s",
				       ret->shown, natsStatus_GetText(s));
	}
	natsOptions_Destroy(o);
	if (r == 0)
		atomic_store(&metrics->connected, 1);
	return r;
}

void worker_link_close(struct worker_link *l)
{
	jsCtx_Destroy(l->js);
	natsConnection_Destroy(l->nc);
	l->js = NULL;
	l->nc = NULL;
}

const char *worker_link_why(const struct worker_link *l)
{
	const char *text = NULL;
	natsStatus s = natsConnection_GetLastError(l->nc, &text);

	return text != NULL && text[0] != '\0' ? text : natsStatus_GetText(s);
}

static natsStatus count_write(natsMsg *msg, const char *header, unsigned n)
{
	char text[16];

	(void)snprintf(text, sizeof text, "%u", n);
	return n > 0 ? natsMsgHeader_Set(msg, header, text) : NATS_OK;
}

static natsStatus message_make(const struct worker_message *m, natsMsg **ret)
{
	natsStatus s =
		natsMsg_Create(ret, m->subject, NULL, m->bytes, (int)m->len);

	if (s == NATS_OK)
		s = count_write(*ret, WORKER_FAILURES_HEADER, m->failures);
	if (s == NATS_OK)
		s = count_write(*ret, WORKER_LOST_HEADER, m->lost);
	return s;
}

enum worker_stored worker_link_store(struct worker_link *l,
				     const struct worker_message *m,
				     struct buf *why)
{
	jsPubOptions o;
	jsPubAck *ack = NULL;
	jsErrCode code = (jsErrCode)0;
	natsMsg *msg = NULL;
	enum worker_stored ret = WORKER_STORE_LATER;
	natsStatus s = jsPubOptions_Init(&o);

	o.MsgId = m->id;
	o.MaxWait = WORKER_REPLY_MS;
	o.ExpectNoMessage = m->is_only;
	if (s == NATS_OK)
		s = message_make(m, &msg);
	if (s == NATS_OK)
		s = js_PublishMsg(&ack, l->js, msg, &o, &code);
	if (s == NATS_OK)
		ret = ack->Duplicate ? WORKER_STORED_BEFORE : WORKER_STORED;
	else if (m->is_only && (int)code == WRONG_LAST_ON_SUBJ)
		ret = WORKER_STORED_BEFORE;
	else if (s == NATS_MAX_PAYLOAD || (int)code == MESSAGE_TOO_LARGE)
		ret = WORKER_STORE_NEVER;
	if (ret == WORKER_STORE_LATER || ret == WORKER_STORE_NEVER)
		buf_text(why, natsStatus_GetText(s));
	jsPubAck_Destroy(ack);
	natsMsg_Destroy(msg);
	return ret;
}

int worker_link_find(struct worker_link *l, const char *subject, natsMsg **ret)
{
	char stream[64];
	jsErrCode code = (jsErrCode)0;
	natsStatus s;

	(void)snprintf(stream, sizeof stream, "%s-answers", l->stream);
	s = js_GetLastMsg(ret, l->js, stream, subject, NULL, &code);
	if (s == NATS_OK)
		return 1;
	return s == NATS_NOT_FOUND || (int)code == NO_MESSAGE_FOUND ? 0
								    : -EAGAIN;
}
