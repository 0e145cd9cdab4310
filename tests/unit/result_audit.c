/* result_audit.c -- what a result says about a network that is only watched. */
#include "base/buf.h"
#include "base/jsonw.h"
#include "json_at.h"
#include "plan/plan.h"
#include "result/enforced.h"
#include "supervise/outcome.h"

static void network_is(const struct outcome *o, const char *want)
{
	static struct plan plan;
	struct buf text = { 0 };
	struct jsonw w = { .out = &text };

	plan.requested = WALL_BIT(WALL_NETWORK);
	plan.egress.is_wanted = true;
	plan.egress.config.is_audit = 1;
	jsonw_object(&w, NULL);
	enforced_write(&w, &plan, o);
	jsonw_end_object(&w);
	buf_char(&text, '\0');
	ok_json(text.bytes, "/enforced/network", want);
	buf_done(&text);
}

static void an_audit_holds_nothing(void)
{
	const struct outcome ran = { .started = true,
				     .applied = WALL_BIT(WALL_NETWORK),
				     .tmpfs_fd = -1 };

	network_is(&ran, "{\"requested\":false,\"applied\":false,"
			 "\"details\":{\"mode\":\"scoped\",\"audit\":true}}");
}

static void of_a_run_that_never_began_nothing_is_known(void)
{
	const struct outcome failed = { .tmpfs_fd = -1 };

	network_is(&failed, "{\"requested\":false,\"applied\":null,"
			    "\"details\":null}");
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(an_audit_holds_nothing),
		CASE(of_a_run_that_never_began_nothing_is_known), TAP_END });
}
