/* manifest_parse.c -- see manifest_parse.h. */
#include "jobs/gather/manifest_parse.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blake3.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/json.h"
#include "boundary/schema.h"
#include "jobs/common/beneath.h"
#include "jobs/gather/manifest.h"
#include "service/vessel_result.h"

#define READ_BYTES ((size_t)64 << 10)

struct parse {
	int dir_fd;
	struct arena *arena;
	struct manifest_fault *fault;
	struct json_value tree;
	struct buf text; /* of the manifest */
	struct blake3 identity;
};

static int fail(struct parse *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int fail(struct parse *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(p->fault->text, sizeof p->fault->text, fmt, args);
	va_end(args);
	return -EINVAL;
}

/* Read the whole file through one descriptor, so that the bytes that are
 * checked are the bytes that are used. */
static int file_read(struct parse *p, const char *name, size_t cap,
		     struct buf *out)
{
	owned_fd int fd = -1;
	off_t size = 0;
	enum beneath b = beneath_open_file(p->dir_fd, name, &fd, &size);
	const char *why;
	struct stat st;

	if (b == BENEATH_VANISHED)
		return fail(p, "%.200s is not there", name);
	if (b != BENEATH_OK)
		return fail(p, "%.200s: %s, but a file is expected", name,
			    beneath_name(b));
	why = fstat(fd, &st) < 0 ? strerror(errno) : manifest_distrust(&st);
	if (why != NULL)
		return fail(p, "%.200s %s", name, why);
	for (;;) {
		char *room = buf_reserve(out, READ_BYTES);
		ssize_t n = room != NULL ? read(fd, room, READ_BYTES) : -1;

		if (room == NULL)
			return -ENOMEM;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(p, "%.200s: %s", name, strerror(errno));
		if (n == 0)
			return 0;
		out->len += (size_t)n;
		if (out->len > cap)
			return fail(p, "%.200s is longer than %zu bytes", name,
				    cap);
	}
}

/* The length comes first, so that two different lists never give the same
 * bytes. */
static void identity_add(struct parse *p, const void *bytes, size_t n)
{
	uint64_t len = n;

	blake3_update(&p->identity, &len, sizeof len);
	blake3_update(&p->identity, bytes, n);
}

static int tree_read(struct parse *p, const char *file)
{
	const struct json_caps caps = { .text_bytes = MANIFEST_BYTES };
	struct json_error e = { 0 };
	int r = file_read(p, file, MANIFEST_BYTES, &p->text);

	if (r < 0)
		return r;
	identity_add(p, p->text.bytes ? p->text.bytes : "", p->text.len);
	if (json_parse(p->text.bytes ? p->text.bytes : "", p->text.len, &caps,
		       p->arena, &p->tree, &e) == 0)
		return 0;
	return fail(p, "line %zu, column %zu: %s: expected %s", e.line,
		    e.column, json_code_name(e.code),
		    e.expected ? e.expected : "JSON");
}

static int schema_check(struct parse *p)
{
	struct schema_set *set = NULL;
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };
	struct cupel_error err = { 0 };
	int e = vessel_schema("probe-manifest", &set, &err);

	if (e < 0)
		return fail(p, "%s", err.what);
	e = schema_validate(set, &p->tree, p->arena, &report, &fault);
	schema_set_free(set);
	if (e < 0)
		return fail(p, "%s", fault.text);
	if (report.valid)
		return 0;
	return fail(p, "%s: %s",
		    report.violations[0].instance[0]
			    ? report.violations[0].instance
			    : "/",
		    report.violations[0].message);
}

static int text_take(struct parse *p, const struct json_value *v,
		     const char *place, const char **ret)
{
	if (strlen(v->u.string.bytes) != v->u.string.len)
		return fail(p, "%s: a NUL within a string", place);
	*ret = arena_copy(p->arena, v->u.string.bytes, v->u.string.len);
	return *ret != NULL ? 0 : -ENOMEM;
}

static int member_take(struct parse *p, const char *name, const char **ret)
{
	char place[64];

	(void)snprintf(place, sizeof place, "/%s", name);
	return text_take(p, json_find(&p->tree, name), place, ret);
}

/* Read a list of strings, ended by NULL; *ret is NULL when there is none. */
static int list_take(struct parse *p, const char *name, const char *const **ret)
{
	const struct json_value *v = json_find(&p->tree, name);
	const char **list;
	char place[64];

	*ret = NULL;
	if (v == NULL)
		return 0;
	list = arena_array(p->arena, v->u.array.len + 1, sizeof *list);
	if (list == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < v->u.array.len; i++) {
		int e;

		(void)snprintf(place, sizeof place, "/%s/%zu", name, i);
		e = text_take(p, &v->u.array.items[i], place, &list[i]);
		if (e < 0)
			return e;
	}
	*ret = list;
	return 0;
}

/* A pattern is matched against names relative to the repository. */
static bool is_relative(const char *glob)
{
	if (glob[0] == '/')
		return false;
	for (const char *s = glob; *s != '\0'; s += strcspn(s, "/")) {
		s += *s == '/';
		if (strncmp(s, "..", 2) == 0 && (s[2] == '/' || s[2] == '\0'))
			return false;
	}
	return true;
}

static int rules_take(struct parse *p, struct probe *ret)
{
	const struct json_value *v = json_find(&p->tree, "inputs");
	struct probe_input_rule *rules =
		arena_array(p->arena, v->u.array.len + 1, sizeof *rules);
	char place[64];
	int e;

	if (rules == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < v->u.array.len; i++) {
		const struct json_value *in = &v->u.array.items[i];

		(void)snprintf(place, sizeof place, "/inputs/%zu/glob", i);
		e = text_take(p, json_find(in, "glob"), place,
			      &rules[i].pattern);
		if (e < 0)
			return e;
		if (!is_relative(rules[i].pattern))
			return fail(p, "%s: is not a path below the repository",
				    place);
		(void)json_read_u64(json_find(in, "max_bytes"),
				    &rules[i].cap_bytes);
	}
	ret->rules = rules;
	return 0;
}

static uint64_t cap_of(const struct json_value *caps, const char *name)
{
	const struct json_value *v = caps ? json_find(caps, name) : NULL;
	uint64_t n = 0;

	return v != NULL && json_read_u64(v, &n) == 0 ? n : 0;
}

static int command_take(struct parse *p, struct probe *ret)
{
	const struct json_value *caps = json_find(&p->tree, "caps");
	bool has_program = json_find(&p->tree, "program") != NULL;
	int e = list_take(p, "command", &ret->command);

	for (size_t i = 0; e == 0 && ret->command[i] != NULL; i++)
		if (strstr(ret->command[i], "{program}") != NULL &&
		    !has_program)
			return fail(p,
				    "/command/%zu: has {program}, but the "
				    "manifest names no program",
				    i);
	ret->caps.inputs_bytes = cap_of(caps, "inputs_bytes");
	ret->caps.mem_bytes = cap_of(caps, "mem_bytes");
	ret->caps.wall_time_s = (unsigned)cap_of(caps, "wall_time_s");
	ret->caps.cpu_time_s = (unsigned)cap_of(caps, "cpu_time_s");
	return e;
}

/* A file beside the manifest, into the arena. */
static int beside_take(struct parse *p, const char *member, size_t cap,
		       const char **ret, size_t *ret_len)
{
	owned_buf struct buf bytes = { 0 };
	const char *name = NULL;
	int e;

	if (json_find(&p->tree, member) == NULL) {
		identity_add(p, "", 0);
		return 0;
	}
	e = member_take(p, member, &name);
	if (e == 0)
		e = file_read(p, name, cap, &bytes);
	if (e < 0)
		return e;
	identity_add(p, bytes.bytes ? bytes.bytes : "", bytes.len);
	*ret = arena_copy(p->arena, bytes.bytes ? bytes.bytes : "", bytes.len);
	*ret_len = bytes.len;
	return *ret != NULL ? 0 : -ENOMEM;
}

/* The slice's schema is one that can be used. */
static int slice_schema_check(struct parse *p, const struct probe *probe)
{
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	int e = 0;

	if (set == NULL)
		return -ENOMEM;
	if (schema_set_add(set, NULL, probe->schema_text, probe->schema_len,
			   &fault) < 0 ||
	    schema_set_use(set, NULL, &fault) < 0)
		e = fail(p, "/schema: %s", fault.text);
	schema_set_free(set);
	return e;
}

static int probe_take(struct parse *p, struct probe *ret)
{
	uint8_t digest[BLAKE3_BYTES];
	int e = member_take(p, "name", &ret->name);

	if (e == 0)
		e = member_take(p, "version", &ret->version);
	if (e == 0)
		e = member_take(p, "schema_version", &ret->schema_version);
	if (e == 0)
		e = rules_take(p, ret);
	if (e == 0)
		e = command_take(p, ret);
	if (e == 0)
		e = list_take(p, "requires", &ret->requires);
	if (e == 0)
		e = beside_take(p, "schema", MANIFEST_SCHEMA_BYTES,
				&ret->schema_text, &ret->schema_len);
	if (e == 0)
		e = slice_schema_check(p, ret);
	if (e == 0)
		e = beside_take(p, "program", MANIFEST_PROGRAM_BYTES,
				&ret->program, &ret->program_len);
	blake3_final(&p->identity, digest, sizeof digest);
	blake3_hex(digest, ret->identity);
	return e;
}

int manifest_parse(int dir_fd, const char *file, struct arena *arena,
		   struct probe *ret, struct manifest_fault *fault)
{
	struct parse p = { .dir_fd = dir_fd, .arena = arena, .fault = fault };
	struct probe probe = { 0 };
	int e;

	blake3_init(&p.identity);
	e = tree_read(&p, file);
	if (e == 0)
		e = schema_check(&p);
	if (e == 0)
		e = probe_take(&p, &probe);
	buf_done(&p.text);
	if (e == 0)
		*ret = probe;
	return e;
}
