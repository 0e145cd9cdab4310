/* git.c -- fetches a commit in a vessel whose egress rule allows one host and
 * port, and makes its files outside of it, from objects that are checked
 * against their hashes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "worker/check.h"
#include "worker/source.h"
#include "worker/unpack.h"
#include "worker/worker.h"

#define HOST_BYTES 254
#define FETCH_S    "600"
/* Exit statuses that are ours: git failed in the vessel; cupel failed. */
#define STATUS_GIT   40
#define STATUS_CUPEL 41

/* What runs inside.  If a server does not give a single commit, all are
 * fetched. */
static const char script[] =
	"cd /scratch && git init -q --bare r && cd r || exit 40\n"
	"f() { git -c protocol.allow=never -c protocol.https.allow=always "
	"-c protocol.http.allow=always -c http.followRedirects=false "
	"-c core.askPass=true fetch -q --no-tags \"$@\"; }\n"
	"f --depth 1 -- \"$1\" \"$2\" 2>/dev/null || "
	"f -- \"$1\" '+refs/*:refs/*' || exit 40\n"
	"git rev-parse -q --verify \"$2^{commit}\" >/dev/null || "
	"{ echo \"there is no commit $2\" >&2; exit 40; }\n"
	"{ echo \"$2\"; echo \"$2^{tree}\"; git ls-tree -r -t \"$2\" | "
	"sed -n 's/^[0-7]* \\(blob\\|tree\\) \\([0-9a-f]*\\)\t.*/\\2/p'; } | "
	"git cat-file --batch --buffer || exit 40\n";

struct address {
	char host[HOST_BYTES];
	char egress[HOST_BYTES + 8]; /* HOST:PORT */
};

/* http[s]://HOST[:PORT]/PATH, without a user.  Returns 0 or -EINVAL. */
static int address_read(const char *url, struct address *ret)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
	bool is_tls = strncmp(url, "https://", 8) == 0;
	const char *at = url + (is_tls ? 8 : 7);
	size_t n = strspn(at, name), digits;
	const char *port = is_tls ? "443" : "80";

	if ((!is_tls && strncmp(url, "http://", 7) != 0) || n == 0 ||
	    n >= HOST_BYTES || at[0] == '-' || at[0] == '.')
		return -EINVAL;
	digits = at[n] == ':' ? strspn(at + n + 1, "0123456789") : 5;
	if (at[n] == ':')
		port = at + n + 1;
	if (digits < 1 || digits > 5)
		return -EINVAL;
	(void)snprintf(ret->host, sizeof ret->host, "%.*s", (int)n, at);
	(void)snprintf(ret->egress, sizeof ret->egress, "%s:%.*s", ret->host,
		       (int)(at[n] == ':' ? digits : strlen(port)), port);
	if (at[n] == ':')
		n += digits + 1;
	for (const char *p = at + n; *p != '\0'; p++)
		if (*p <= ' ' || *p > '~' || *p == '@' || *p == '\\')
			return -EINVAL;
	return at[n] == '/' ? 0 : -EINVAL;
}

static bool is_allowed(const struct worker_sources *s, const struct address *a)
{
	for (size_t i = 0; i < s->git_hosts_len; i++) {
		const char *one = s->git_hosts[i];
		const char *port = strrchr(a->egress, ':');

		if (strcmp(one, a->egress) == 0 ||
		    (strcmp(one, a->host) == 0 &&
		     (strcmp(port, ":443") == 0 || strcmp(port, ":80") == 0)))
			return true;
	}
	return false;
}

/* --- the vessel ------------------------------------------------------------ */

#define WORDS 40

static void argv_fill(const struct worker_job *job, const char *const last[3],
		      const char *ca, const char *ret[WORDS])
{
	static const char *const fixed[] = {
		"cupel",   "run",
		"--quiet", "--error-rc",
		"41",      "--network",
		"scoped",  "--repo-mode",
		"none",    "--wall-time-s",
		FETCH_S,   "--cpu-time-s",
		FETCH_S,   "--scratch-bytes",
		"1G",      "--scratch-inodes",
		"400000",  "--mem-bytes",
		"2G",      "--as-bytes",
		"4G",      "--fsize-bytes",
		"1G",      "--output-mode",
		"kill",    "--output-bytes",
		"768M",
	};
	size_t n = sizeof fixed / sizeof *fixed;

	memcpy(ret, fixed, sizeof fixed);
	ret[n++] = "--egress";
	ret[n++] = last[0];
	if (job->w->sources.git_ca != NULL) {
		ret[n++] = "--ro";
		ret[n++] = ca;
		ret[n++] = "--env";
		ret[n++] = "GIT_SSL_CAINFO=/git-ca.pem";
	}
	ret[n++] = "--";
	ret[n++] = "/bin/sh";
	ret[n++] = "-c";
	ret[n++] = script;
	ret[n++] = "sh";
	ret[n++] = last[1];
	ret[n++] = last[2];
	ret[n] = NULL;
}

static enum worker_end judge(const struct worker_job *job, const char *egress,
			     const struct worker_child_end *e,
			     const struct worker_unpack *u,
			     struct worker_why *why)
{
	if (e->is_stopped || e->is_late)
		return worker_child_judge(job, e, why);
	if (e->status == STATUS_CUPEL || e->status == 127) {
		(void)worker_why_set(why, "git", "%s", e->said);
		return worker_host_judge(job->w, egress);
	}
	if (e->is_refused || (e->status == 0 && worker_unpack_why(u) != NULL)) {
		(void)worker_why_set(why, "git", "source: %s",
				     worker_unpack_why(u));
		return WORKER_FAILED;
	}
	if (e->status == 0)
		return WORKER_DONE;
	(void)worker_why_set(
		why, "git", "source: exit status %d: %s", e->status,
		e->said[0] != '\0' ? e->said : "git gave no reason");
	return WORKER_FAILED;
}

static enum worker_end fetch(const struct worker_job *job,
			     const char *const last[3], struct worker_unpack *u,
			     struct worker_why *why)
{
	char ca[4200];
	const char *argv[WORDS];
	struct worker_child c = { .argv = argv,
				  .cwd_fd = job->place_fd,
				  .take = worker_unpack_take,
				  .ctx = u };
	struct worker_child_end e = { 0 };
	struct cupel_error err = { 0 };
	enum worker_end end;

	if (job->w->sources.git_ca != NULL)
		(void)snprintf(ca, sizeof ca, "%s:/git-ca.pem",
			       job->w->sources.git_ca);
	argv_fill(job, last, ca, argv);
	worker_child_set(job, &c);
	if (worker_child_run(&c, &e, &err) < 0) {
		(void)worker_why_set(why, "git", "%s", err.what);
		return WORKER_GIVEN_BACK;
	}
	end = judge(job, last[0], &e, u, why);
	worker_child_end_done(&e);
	return end;
}

enum worker_end worker_git_fetch(const struct worker_job *job, int dir_fd,
				 struct worker_why *why)
{
	const struct json_value *source = json_find(&job->q->value, "source");
	const char *url = json_find(source, "git")->u.string.bytes;
	const char *commit = json_find(source, "commit")->u.string.bytes;
	struct address a = { 0 };
	const char *const last[3] = { a.egress, url, commit };
	struct worker_unpack *u;
	enum worker_end end;

	if (address_read(url, &a) < 0) {
		(void)worker_why_set(
			why, "git",
			"source.git: expected http[s]://HOST[:PORT]/PATH, the "
			"host in lower case and without a user");
		return WORKER_REFUSED;
	}
	if (!is_allowed(&job->w->sources, &a)) {
		(void)worker_why_set(
			why, "git",
			"source.git: %s is not a --git-host of this worker",
			a.egress);
		return WORKER_REFUSED;
	}
	u = worker_unpack_new(dir_fd, commit);
	if (u == NULL) {
		(void)worker_why_set(why, "git",
				     "no memory, or libcrypto has no SHA-1");
		return WORKER_GIVEN_BACK;
	}
	end = fetch(job, last, u, why);
	worker_unpack_free(u);
	return end;
}
