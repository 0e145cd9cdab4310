/* etc.c -- the few names of /etc: some of the host's, the others ours. */
#include <linux/mount.h>
#include <string.h>

#include "plan/build.h"
#include "spec/data.h"

/* UTC as a TZif file.  Source: RFC 8536, sections 3.1 to 3.3: a version 1 block
 * with one type, the same again as version 2, and the footer. */
#define TZIF_BLOCK                                                             \
	"TZif2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"  \
	"\0\0\0\1\0\0\0\4\0\0\0\0\0\0UTC\0"
static const char utc[] = TZIF_BLOCK TZIF_BLOCK "\nUTC0\n";

#define OURS(name, text)                                                       \
	{                                                                      \
		name, text, sizeof text - 1                                    \
	}
struct our_file {
	const char *target, *content;
	size_t len;
};

/* How names are looked up: by the relay at 127.0.0.1, where there is one. */
#define NSSWITCH(hosts)                                                        \
	OURS("etc/nsswitch.conf", "passwd: files\ngroup: files\n"              \
				  "shadow: files\nhosts: " hosts "\n"          \
				  "networks: files\nprotocols: files\n"        \
				  "services: files\n")
static const struct our_file with_relay[] = {
	NSSWITCH("files dns"),
	OURS("etc/resolv.conf", "nameserver 127.0.0.1\n"),
};

static const struct our_file ours[] = {
	OURS("etc/passwd", "root:x:0:0:root:/:/usr/sbin/nologin\n"
			   "cupel:x:1000:1000:cupel:/scratch:/bin/sh\n"
			   "nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n"),
	OURS("etc/group", "root:x:0:\ncupel:x:1000:\nnobody:x:65534:\n"),
	NSSWITCH("files"),
	OURS("etc/hosts", "127.0.0.1 localhost cupel\n::1 localhost\n"),
	OURS("etc/hostname", "cupel\n"),
	OURS("etc/localtime", utc),
	OURS("etc/resolv.conf", ""),
	/* If the owner of the repository did not launch the command, the
	 * command's id is another than the repository's: git would then refuse
	 * to work in it. */
	OURS("etc/gitconfig", "[safe]\n\tdirectory = *\n"),
};

/* The file usual, or the one that replaces it with a relay. */
static const struct our_file *our_file_find(const struct build *b,
					    const struct our_file *usual)
{
	size_t n = sizeof with_relay / sizeof *with_relay;

	for (size_t i = 0; b->plan->egress.is_wanted && i < n; i++)
		if (strcmp(with_relay[i].target, usual->target) == 0)
			return &with_relay[i];
	return usual;
}

static void host_entry_add(struct build *b, const struct host_entry *e)
{
	char *target = arena_format(&b->plan->arena, "etc/%s", e->name);
	struct plan_step *s;

	if (target == NULL) {
		b->no_memory = true;
		return;
	}
	build_dirs(b, target, e->kind == HOST_DIR);
	if (e->kind == HOST_LINK) {
		build_step(b, STEP_LINK, target)->text = e->target;
		return;
	}
	if (e->kind == HOST_FILE)
		build_step(b, STEP_FILE, target)->mode = 0444;
	else if (e->kind != HOST_DIR)
		return;
	s = build_step(b, STEP_BIND, target);
	s->source = build_source(b, &e->source, false);
	b->plan->sources[s->source].is_runtime = true;
	s->attr = PLAN_ATTR_RO | MOUNT_ATTR_NOEXEC;
	s->is_dir = e->kind == HOST_DIR;
}

/* What a test runner loads, so that each of its runs writes a report. */
static void reporters_add(struct build *b)
{
	for (size_t i = 0; i < reporter_texts_len; i++) {
		const struct data_text *t = &reporter_texts[i];
		char *target =
			arena_format(&b->plan->arena, "etc/cupel/%s", t->name);
		struct plan_step *s;

		if (target == NULL) {
			b->no_memory = true;
			return;
		}
		build_dirs(b, target, false);
		s = build_step(b, STEP_FILE, target);
		s->content = t->bytes;
		s->content_len = t->len;
		s->mode = 0444;
	}
}

void build_etc(struct build *b)
{
	if (b->spec->bare)
		return;
	build_dirs(b, "etc", true);
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
		const struct our_file *f = our_file_find(b, &ours[i]);
		struct plan_step *s = build_step(b, STEP_FILE, f->target);

		s->content = f->content;
		s->content_len = f->len;
		s->mode = 0444;
	}
	if (b->plan->report.is_dir)
		reporters_add(b);
	for (size_t i = 0; i < b->host->etc_len; i++)
		host_entry_add(b, &b->host->etc[i]);
}
