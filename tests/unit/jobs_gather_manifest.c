/* jobs_gather_manifest.c -- folders of probes that somebody wrote. */
#include "jobs/gather/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "tap.h"

static char dir[32];
static int fd;
static struct manifests m;
static struct buf lines;
static struct cupel_error err;

static void enter(void)
{
	strcpy(dir, "/tmp/cupel-probes.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok(fd >= 0);
}

static void leave(void)
{
	char cmd[128];

	close(fd);
	manifests_done(&m);
	buf_done(&lines);
	(void)snprintf(cmd, sizeof cmd, "rm -rf '%s'", dir);
	ok_int(system(cmd), 0);
}

static void put(const char *name, const char *text)
{
	int to = openat(fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			0644);

	ok(to >= 0);
	ok_int((intmax_t)write(to, text, strlen(text)), (intmax_t)strlen(text));
	close(to);
}

static int read_all(void)
{
	manifests_done(&m);
	buf_done(&lines);
	return manifest_read(dir, &m, &lines, &err);
}

#define GOOD                                                                   \
	"{\"name\":\"licenses\",\"version\":\"1.2.0\","                        \
	"\"schema_version\":\"1.0\","                                          \
	"\"inputs\":[{\"glob\":\"**/LICENSE*\",\"max_bytes\":65536},"          \
	"{\"glob\":\"**/*.md\",\"max_bytes\":0}],"                             \
	"\"command\":[\"python3\",\"{program}\",\"-v\"],"                      \
	"\"program\":\"licenses.py\",\"schema\":\"licenses.schema.json\","     \
	"\"caps\":{\"wall_time_s\":5,\"mem_bytes\":67108864},"                 \
	"\"requires\":[\"ci\",\"deployment\"]}"

static void put_good(void)
{
	put("licenses.json", GOOD);
	put("licenses.py", "print(1)\n");
	put("licenses.schema.json", "{\"type\":\"object\"}");
}

static void a_manifest_is_read_whole(void)
{
	const struct probe *p;

	enter();
	put_good();
	put("README", "not a manifest");
	put(".hidden.json", "neither");
	ok_int(read_all(), 0);
	ok_int((intmax_t)m.len, 1);
	ok_int((intmax_t)m.bad, 0);
	ok_int((intmax_t)lines.len, 0);
	p = &m.items[0];
	if (m.len == 1) {
		ok(strcmp(p->name, "licenses") == 0);
		ok(strcmp(p->version, "1.2.0") == 0);
		ok(strcmp(p->schema_version, "1.0") == 0);
		ok(strcmp(p->rules[0].pattern, "**/LICENSE*") == 0);
		ok_int((intmax_t)p->rules[0].cap_bytes, 65536);
		ok_int((intmax_t)p->rules[1].cap_bytes, 0);
		ok(p->rules[2].pattern == NULL);
		ok(strcmp(p->command[1], "{program}") == 0);
		ok(p->command[3] == NULL);
		ok(strcmp(p->program, "print(1)\n") == 0);
		ok_int((intmax_t)p->program_len, 9);
		ok(strcmp(p->schema_text, "{\"type\":\"object\"}") == 0);
		ok(strcmp(p->requires[1], "deployment") == 0);
		ok(p->requires[2] == NULL);
		ok_int(p->caps.wall_time_s, 5);
		ok_int(p->caps.cpu_time_s, 0);
		ok_int((intmax_t)p->caps.mem_bytes, 67108864);
		ok(p->schema == NULL);
	}
	leave();
}

static void identity_is_of_all_its_files(void)
{
	static const char *const files[] = { "licenses.json", "licenses.py",
					     "licenses.schema.json" };
	char was[72];

	enter();
	put_good();
	ok_int(read_all(), 0);
	ok_int((intmax_t)m.len, 1);
	strcpy(was, m.items[0].identity);
	ok(strncmp(was, "blake3:", 7) == 0);
	for (size_t i = 0; i < 3; i++) {
		int to = openat(fd, files[i], O_WRONLY | O_APPEND | O_CLOEXEC);

		ok_int(write(to, " ", 1), 1);
		close(to);
		ok_int(read_all(), 0);
		ok_int((intmax_t)m.len, 1);
		ok(m.len == 1 && strcmp(was, m.items[0].identity) != 0);
		put_good();
		ok_int(read_all(), 0);
		ok(m.len == 1 && strcmp(was, m.items[0].identity) == 0);
	}
	leave();
}

static void folders_add_up_in_the_order_of_names(void)
{
	enter();
	put_good();
	put("a.json",
	    "{\"name\":\"a\",\"version\":\"1\",\"schema_version\":\"1.0\","
	    "\"inputs\":[{\"glob\":\"x\",\"max_bytes\":1}],"
	    "\"command\":[\"/bin/true\"],\"schema\":\"a.schema.json\"}");
	put("a.schema.json", "true");
	ok_int(read_all(), 0);
	ok_int((intmax_t)m.len, 2);
	ok_int(manifest_read(dir, &m, &lines, &err), 0);
	ok_int((intmax_t)m.len, 4);
	if (m.len == 4) {
		ok(strcmp(m.items[0].name, "a") == 0);
		ok(strcmp(m.items[1].name, "licenses") == 0);
		ok(m.items[0].program == NULL && m.items[0].requires == NULL);
		ok_int((intmax_t)m.items[0].caps.mem_bytes, 0);
	}
	leave();
}

/* Which part of GOOD is replaced by what, and the message that this gives. */
static const struct {
	const char *from, *to, *says;
} bad[] = {
	{ "{\"name\"", "{\"name\":\"x\",\"name\"", "duplicate_name" },
	{ "{\"name\"", "// c\n{\"name\"", "line 1, column 1" },
	{ "\"name\":\"licenses\",", "", ": /: " },
	{ "\"licenses\",\"version", "\"Licenses\",\"version", "/name: " },
	{ "\"licenses\",\"version", "\"a/b\",\"version", "/name: " },
	{ "\"licenses\",\"version",
	  "\"abcdefghijklmnopqrstuvwxyzabcdefg\",\"version", "/name: " },
	{ "\"licenses\",\"version", "7,\"version", "/name: " },
	{ "1.2.0", "1 2", "/version: " },
	{ "\"schema_version\":\"1.0\"", "\"schema_version\":\"one\"",
	  "/schema_version: " },
	{ "**/LICENSE*", "/etc/passwd", "/inputs/0/glob: is not a path below" },
	{ "**/*.md", "a/../../x", "/inputs/1/glob: is not a path below" },
	{ "**/*.md", "..", "/inputs/1/glob: is not a path below" },
	{ "**/*.md", "", "/inputs/1/glob: " },
	{ "**/*.md", "a\\u0000b", "/inputs/1/glob: a NUL" },
	{ "65536", "-1", "/inputs/0/max_bytes: " },
	{ "65536", "209715201", "/inputs/0/max_bytes: " },
	{ "65536", "1.5", "/inputs/0/max_bytes: " },
	{ "\"-v\"", "7", "/command/2: " },
	{ "\"-v\"", "\"a\\u0000\"", "/command/2: a NUL" },
	{ "\"program\":\"licenses.py\",", "", "/command/1: has {program}" },
	{ "licenses.py\"", "../licenses.py\"", "/program: " },
	{ "licenses.py\"", "/bin/sh\"", "/program: " },
	{ "licenses.py\"", "none.py\"", "none.py is not there" },
	{ "licenses.py\"", "link\"", "link: symlink, but a file" },
	{ "licenses.py\"", "fifo\"", "fifo: fifo, but a file" },
	{ "licenses.py\"", "open\"", "open can be written by others" },
	{ "\"licenses.schema.json\"", "\"licenses.py\"", "/schema: " },
	{ "\"licenses.schema.json\"", "\"bad.schema.json\"", "/schema: " },
	{ "\"licenses.schema.json\"", "\"no.schema.json\"", "is not there" },
	{ "\"wall_time_s\":5", "\"wall_time_s\":31", "/caps/wall_time_s: " },
	{ "\"wall_time_s\":5", "\"wall_time_s\":0", "/caps/wall_time_s: " },
	{ "67108864", "536870913", "/caps/mem_bytes: " },
	{ "\"mem_bytes\"", "\"nofile\"", "nofile" },
	{ "\"ci\",", "\"deployment\",", "/requires: " },
	{ "\"requires\"", "\"network\":true,\"requires\"", "network" },
	{ "\"requires\":[\"ci\",\"deployment\"]}", "", "syntax" },
};

static void replace(char *out, size_t room, size_t i)
{
	const char *at = strstr(GOOD, bad[i].from);

	ok(at != NULL);
	if (at == NULL)
		at = GOOD;
	(void)snprintf(out, room, "%.*s%s%s", (int)(at - GOOD), GOOD, bad[i].to,
		       at + strlen(bad[i].from));
}

static void each_bad_manifest_is_one_line(void)
{
	char text[4096], prefix[64];

	enter();
	put_good();
	put("bad.schema.json", "{\"type\":\"strin\"}");
	put("open", "x");
	ok_int(fchmodat(fd, "open", 0666, 0), 0);
	ok_int(symlinkat("licenses.py", fd, "link"), 0);
	ok_int(mkfifoat(fd, "fifo", 0600), 0);
	(void)snprintf(prefix, sizeof prefix, "%s/licenses.json: ", dir);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		replace(text, sizeof text, i);
		put("licenses.json", text);
		ok_int(read_all(), 0);
		ok_int((intmax_t)m.len, 0);
		ok_int((intmax_t)m.bad, 1);
		ok(lines.len > 0 &&
		   strchr(lines.bytes, '\n') == lines.bytes + lines.len - 1);
		if (lines.len > 0) {
			ok_has(lines.bytes, bad[i].says);
			ok(strncmp(lines.bytes, prefix, strlen(prefix)) == 0);
		}
		if (tap_bad)
			break;
	}
	leave();
}

static void a_bad_one_does_not_hide_a_good_one(void)
{
	enter();
	put_good();
	put("a\n\x1b.json", "{");
	ok_int(symlinkat("licenses.json", fd, "b.json"), 0);
	ok_int(mkfifoat(fd, "c.json", 0600), 0);
	ok_int(mkdirat(fd, "d.json", 0700), 0);
	ok_int(read_all(), 0);
	ok_int((intmax_t)m.len, 1);
	ok_int((intmax_t)m.bad, 4);
	ok_has(lines.bytes, "/a\\x0a\\x1b.json: ");
	leave();
}

static void others_folders_are_refused(void)
{
	enter();
	put_good();
	ok_int(fchmod(fd, 0777), 0);
	ok_int(read_all(), -EPERM);
	ok_has(err.what, "can be written by others");
	ok_int(fchmod(fd, 0770), 0);
	ok_int(read_all(), -EPERM);
	ok_int(fchmod(fd, 0755), 0);
	ok_int(fchmodat(fd, "licenses.json", 0666, 0), 0);
	ok_int(read_all(), 0);
	ok_int((intmax_t)m.bad, 1);
	ok_int(fchmodat(fd, "licenses.json", 0644, 0), 0);
	if (geteuid() == 0) {
		ok_int(fchownat(fd, "licenses.py", 1234, 1234, 0), 0);
		ok_int(read_all(), 0);
		ok_int((intmax_t)m.bad, 1);
		ok_has(lines.bytes, "licenses.py belongs to another user");
		ok_int(fchown(fd, 1234, 1234), 0);
		ok_int(read_all(), -EPERM);
		ok_has(err.what, "belongs to another user");
	}
	leave();
}

static void too_much_is_refused(void)
{
	char name[32];

	enter();
	ok_int(rmdir(dir), 0);
	ok_int(read_all(), -ENOENT);
	ok_has(err.what, dir);
	leave();
	enter();
	for (unsigned i = 0; i <= MANIFESTS_MAX; i++) {
		(void)snprintf(name, sizeof name, "p%u.json", i);
		put(name, "{}");
	}
	ok_int(read_all(), -E2BIG);
	leave();
	enter();
	put_good();
	ok_int(ftruncate(openat(fd, "licenses.json", O_WRONLY), 1 << 20), 0);
	ok_int(read_all(), 0);
	ok_has(lines.bytes, "is longer than 262144 bytes");
	leave();
}

int main(void)
{
	umask(022);
	return tap_run(
		(struct tap_case[]){ CASE(a_manifest_is_read_whole),
				     CASE(identity_is_of_all_its_files),
				     CASE(folders_add_up_in_the_order_of_names),
				     CASE(each_bad_manifest_is_one_line),
				     CASE(a_bad_one_does_not_hide_a_good_one),
				     CASE(others_folders_are_refused),
				     CASE(too_much_is_refused), TAP_END });
}
