/* jobs_gather_cache.c -- what was kept is found again; what somebody else put
 * there is not. */
#include "jobs/gather/cache.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "jobs/gather/model.h"
#include "jobs/probe/inputs.h"
#include "tap.h"

static char dir[64];
static struct cache cache;
static const struct probe probe = { .name = "p",
				    .version = "1.0",
				    .schema_version = "1.0" };

static void enter(void)
{
	strcpy(dir, "/tmp/cupel-cache.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	ok_int(setenv("XDG_CACHE_HOME", dir, 1), 0);
	cache_open(&cache);
	ok(cache.dir_fd >= 0);
}

static void leave(void)
{
	char cmd[100];

	(void)cache_close(&cache);
	(void)snprintf(cmd, sizeof cmd, "rm -rf '%s'", dir);
	ok_int(system(cmd), 0);
}

static void again(void)
{
	(void)cache_close(&cache);
	cache_open(&cache);
}

static void key_of(const char *name, const char *hash, uint8_t ret[32])
{
	struct gather_input item = { .name = name };
	struct probe_inputs in = { .probe = &probe, .items = &item, .len = 1 };
	struct cache_source source = { .in = &in, .identity = "blake3:00" };

	(void)snprintf(item.hash, sizeof item.hash, "%s", hash);
	cache_key(&source, ret);
}

static enum cache_result find(const uint8_t key[32], const char *want)
{
	owned_buf struct buf out = { 0 };
	enum cache_result r = cache_find(&cache, key, &out);

	if (r == CACHE_HIT)
		ok(out.len == strlen(want) &&
		   memcmp(out.bytes, want, out.len) == 0);
	else
		ok_int((intmax_t)out.len, 0);
	return r;
}

static void path_of(const uint8_t key[32], char ret[200])
{
	int n = snprintf(ret, 200, "%s/cupel/gather/", dir);

	for (int i = 0; i < 32; i++)
		n += snprintf(ret + n, 200 - (size_t)n, "%02x", key[i]);
}

static void what_was_kept_comes_back(void)
{
	uint8_t a[32], b[32];

	enter();
	key_of("a", "x", a);
	key_of("b", "x", b);
	ok_int(find(a, ""), CACHE_MISS);
	ok_int(cache_add(&cache, a, "answer", 6), CACHE_PUT);
	ok_int(find(a, "answer"), CACHE_HIT);
	ok_int(find(b, ""), CACHE_MISS);
	ok_int(cache_add(&cache, a, "other", 5), CACHE_PUT);
	again();
	ok_int(find(a, "other"), CACHE_HIT);
	cache_drop(&cache, a);
	ok_int(find(a, ""), CACHE_MISS);
	ok_int(cache_add(&cache, b, "", 0), CACHE_PUT);
	ok_int(find(b, ""), CACHE_HIT);
	leave();
}

static void everything_is_for_this_user_alone(void)
{
	char path[200];
	struct stat st;
	uint8_t a[32];

	enter();
	key_of("a", "x", a);
	ok_int(cache_add(&cache, a, "answer", 6), CACHE_PUT);
	path_of(a, path);
	ok_int(stat(path, &st), 0);
	ok_int(st.st_mode & 07777, 0600);
	(void)snprintf(path, sizeof path, "%s/cupel/gather/key", dir);
	ok_int(stat(path, &st), 0);
	ok_int(st.st_mode & 07777, 0600);
	ok_int(st.st_size, 32);
	(void)snprintf(path, sizeof path, "%s/cupel/gather", dir);
	ok_int(stat(path, &st), 0);
	ok_int(st.st_mode & 07777, 0700);
	ok_int(chmod(path, 0755), 0);
	again();
	ok_int(cache.dir_fd, -1);
	ok_int(find(a, ""), CACHE_OFF);
	ok_int(cache_add(&cache, a, "x", 1), CACHE_OFF);
	leave();
}

/* Each thing that an answer depends on changes the key. */
static void the_key_covers_all_that_an_answer_depends_on(void)
{
	struct gather_input items[2] = { { .name = "a" }, { .name = "b" } };
	const struct probe rows[] = {
		{ .name = "p", .version = "1", .schema_version = "1" },
		{ .name = "q", .version = "1", .schema_version = "1" },
		{ .name = "p", .version = "2", .schema_version = "1" },
		{ .name = "p", .version = "1", .schema_version = "2" },
	};
	const struct json_value nothing = { .type = JSON_NULL };
	struct gather_probe done = { .tree = &nothing };
	const struct gather_probe *required[] = { &done };
	struct probe_inputs in = { .items = items, .len = 2 };
	struct cache_source s = { .in = &in, .identity = "i" };
	uint8_t keys[13][32];
	size_t n = 0;

	for (; n < 4; n++) {
		in.probe = &rows[n];
		cache_key(&s, keys[n]);
	}
	in.probe = &rows[0];
	s.identity = "j";
	cache_key(&s, keys[n++]);
	s.identity = "i";
	s.with_node_modules = true;
	cache_key(&s, keys[n++]);
	s.with_node_modules = false;
	in.len = 1;
	cache_key(&s, keys[n++]);
	in.len = 2;
	items[1].name = "c";
	cache_key(&s, keys[n++]);
	items[1].name = "b";
	items[1].is_names = true;
	cache_key(&s, keys[n++]);
	items[1].is_names = false;
	strcpy(items[1].hash, "h");
	cache_key(&s, keys[n++]);
	s.required = required;
	s.required_len = 1;
	cache_key(&s, keys[n++]);
	done.tree = &(struct json_value){ .type = JSON_BOOL };
	cache_key(&s, keys[n++]);
	s.required_len = 0;
	/* two texts next to each other are kept apart */
	items[0].name = "ab";
	items[1].name = "";
	cache_key(&s, keys[n++]);
	ok_int((intmax_t)n, 13);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			ok(memcmp(keys[i], keys[k], 32) != 0);
}

/* Change the entry of key a as the test says, and read it. */
static void spoil(const uint8_t a[32], off_t at, off_t size)
{
	char path[200], c;
	int fd;

	ok_int(cache_add(&cache, a, "answer", 6), CACHE_PUT);
	path_of(a, path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ok(fd >= 0);
	if (size >= 0)
		ok_int(ftruncate(fd, size), 0);
	if (at >= 0) {
		ok_int(pread(fd, &c, 1, at), 1);
		c ^= 1;
		ok_int(pwrite(fd, &c, 1, at), 1);
	}
	close(fd);
}

static void what_was_changed_is_dropped(void)
{
	const off_t whole = 24 + 6 + 32;
	uint8_t a[32];

	enter();
	key_of("a", "x", a);
	for (off_t at = 0; at < whole; at++) {
		spoil(a, at, -1);
		ok_int(find(a, ""), at < 24 ? CACHE_INVALID : CACHE_POISONED);
		ok_int(find(a, ""), CACHE_MISS); /* and is gone */
	}
	for (off_t size = 0; size < whole; size++) {
		spoil(a, -1, size);
		ok_int(find(a, ""), CACHE_INVALID);
	}
	spoil(a, -1, whole + 1);
	ok_int(find(a, ""), CACHE_INVALID);
	spoil(a, -1, (off_t)CACHE_ENTRY_BYTES + 1);
	ok_int(find(a, ""), CACHE_TOO_LARGE);
	ok_int(find(a, ""), CACHE_MISS);
	leave();
}

static void what_somebody_planted_is_dropped(void)
{
	char from[200], to[200], outside[100];
	uint8_t a[32], b[32];

	enter();
	key_of("a", "x", a);
	key_of("b", "x", b);
	path_of(a, from);
	path_of(b, to);
	/* another repository's answer under this one's name */
	ok_int(cache_add(&cache, a, "answer", 6), CACHE_PUT);
	ok_int(rename(from, to), 0);
	ok_int(find(b, ""), CACHE_POISONED);
	/* a second name for it */
	ok_int(cache_add(&cache, a, "answer", 6), CACHE_PUT);
	ok_int(link(from, to), 0);
	ok_int(find(a, ""), CACHE_POISONED);
	(void)unlink(to);
	/* others can read it, so they may have had it before */
	ok_int(cache_add(&cache, a, "answer", 6), CACHE_PUT);
	ok_int(chmod(from, 0644), 0);
	ok_int(find(a, ""), CACHE_POISONED);
	/* a link, to a file that must not change */
	(void)snprintf(outside, sizeof outside, "%s/outside", dir);
	close(open(outside, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	ok_int(symlink(outside, from), 0);
	ok_int(find(a, ""), CACHE_SYMLINK);
	ok_int(access(outside, F_OK), 0);
	ok_int(mkdir(from, 0700), 0);
	ok_int(find(a, ""), CACHE_INVALID);
	ok_int(rmdir(from), 0);
	ok_int(mkfifo(from, 0600), 0);
	ok_int(find(a, ""), CACHE_INVALID);
	leave();
}

static void a_link_is_replaced_and_not_written_through(void)
{
	char path[200], outside[100];
	struct stat st;
	uint8_t a[32];

	enter();
	key_of("a", "x", a);
	path_of(a, path);
	(void)snprintf(outside, sizeof outside, "%s/outside", dir);
	close(open(outside, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	ok_int(symlink(outside, path), 0);
	ok_int(cache_add(&cache, a, "answer", 6), CACHE_PUT);
	ok_int(lstat(path, &st), 0);
	ok(S_ISREG(st.st_mode));
	ok_int(stat(outside, &st), 0);
	ok_int(st.st_size, 0);
	leave();
}

static void a_secret_that_is_not_ours_is_not_used(void)
{
	char path[200], outside[100];
	uint8_t a[32], before[32];

	enter();
	key_of("a", "x", a);
	ok_int(cache_add(&cache, a, "answer", 6), CACHE_PUT);
	memcpy(before, cache.secret, sizeof before);
	again();
	ok(memcmp(before, cache.secret, sizeof before) == 0);
	(void)snprintf(path, sizeof path, "%s/cupel/gather/key", dir);
	ok_int(chmod(path, 0644), 0);
	again();
	ok(cache.dir_fd >= 0 &&
	   memcmp(before, cache.secret, sizeof before) != 0);
	ok_int(find(a, ""), CACHE_POISONED);
	/* a link to 32 bytes that somebody knows */
	(void)snprintf(outside, sizeof outside, "%s/outside", dir);
	ok_int(rename(path, outside), 0);
	ok_int(symlink(outside, path), 0);
	memcpy(before, cache.secret, sizeof before);
	again();
	ok(memcmp(before, cache.secret, sizeof before) != 0);
	/* one that is too short */
	ok_int(truncate(path, 31), 0);
	again();
	ok(cache.dir_fd >= 0);
	/* and one that cannot be mended */
	ok_int(unlink(path), 0);
	ok_int(mkdir(path, 0700), 0);
	again();
	ok_int(cache.dir_fd, -1);
	leave();
}

static void the_oldest_go_when_there_are_too_many(void)
{
	uint8_t key[32], first[32] = { 0 }, last[32];
	char path[200], name[20];

	enter();
	for (unsigned i = 0; i < CACHE_ENTRIES + 3; i++) {
		struct timespec times[2] = { { .tv_sec = 1000 + i },
					     { .tv_sec = 1000 + i } };

		(void)snprintf(name, sizeof name, "%u", i);
		key_of(name, "x", key);
		if (i == 0)
			memcpy(first, key, sizeof first);
		if (cache_add(&cache, key, "a", 1) != CACHE_PUT)
			ok(0);
		path_of(key, path);
		(void)utimensat(AT_FDCWD, path, times, 0);
	}
	memcpy(last, key, sizeof last);
	ok(cache_close(&cache));
	cache_open(&cache);
	ok_int(find(first, ""), CACHE_MISS);
	ok_int(find(last, "a"), CACHE_HIT);
	ok(!cache_close(&cache));
	leave();
}

static void an_answer_that_is_too_large_is_not_kept(void)
{
	char *big = calloc(1, CACHE_ENTRY_BYTES);
	uint8_t a[32];

	enter();
	key_of("a", "x", a);
	ok_int(cache_add(&cache, a, big, CACHE_ENTRY_BYTES), CACHE_TOO_LARGE);
	ok_int(find(a, ""), CACHE_MISS);
	free(big);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_was_kept_comes_back),
		CASE(everything_is_for_this_user_alone),
		CASE(the_key_covers_all_that_an_answer_depends_on),
		CASE(what_was_changed_is_dropped),
		CASE(what_somebody_planted_is_dropped),
		CASE(a_link_is_replaced_and_not_written_through),
		CASE(a_secret_that_is_not_ours_is_not_used),
		CASE(the_oldest_go_when_there_are_too_many),
		CASE(an_answer_that_is_too_large_is_not_kept), TAP_END });
}
