/* gather_cache.c -- a kept answer is as hostile as a fresh one: even with the right
 * authentication code it must fit its schema. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "jobs/gather/gather.h"
#include "json_at.h"

static char dir[64];
static size_t told[EVENT_MAX_];

static void count(void *data, enum gather_event event, const char *probe,
		  const struct event_details *details)
{
	(void)data;
	(void)probe;
	(void)details;
	told[event]++;
}

static void enter(void)
{
	char path[100];
	int fd;

	strcpy(dir, "/tmp/cupel-gather.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	ok_int(chmod(dir, 0755), 0);
	(void)snprintf(path, sizeof path, "%s/cache", dir);
	ok_int(setenv("XDG_CACHE_HOME", path, 1), 0);
	(void)snprintf(path, sizeof path, "%s/package.json", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	ok(write(fd, "{\"name\":\"app\"}", 14) == 14);
	close(fd);
}

static void leave(void)
{
	char cmd[100];

	(void)snprintf(cmd, sizeof cmd, "rm -rf '%s'", dir);
	ok_int(system(cmd), 0);
}

/* Run node_manifest.  Returns its output as text, to be freed. */
static char *gather(void)
{
	const char *const only[] = { "node_manifest" };
	const struct gather_request req = { .repo = dir,
					    .jobs = 1,
					    .only = only,
					    .only_len = 1,
					    .stop_fd = -1,
					    .hooks = { .event = count } };
	struct gather *g = calloc(1, sizeof *g);
	struct cupel_error err = { 0 };
	struct buf out = { 0 };

	memset(told, 0, sizeof told);
	if (gather_collect(&req, g, &err) == 0)
		json_write(g->run.probes[0].tree, &out);
	else
		fprintf(stderr, "# %s\n", err.what);
	gather_done(g);
	free(g);
	return buf_take(&out);
}

static unsigned digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* The key that names the only entry. */
static bool key_find(uint8_t ret[BLAKE3_BYTES])
{
	char path[100];
	struct dirent *e;
	bool found = false;
	DIR *d;

	(void)snprintf(path, sizeof path, "%s/cache/cupel/gather", dir);
	d = opendir(path);
	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strlen(e->d_name) != 2 * BLAKE3_BYTES)
			continue;
		for (size_t i = 0; i < BLAKE3_BYTES; i++)
			ret[i] = (uint8_t)(digit(e->d_name[2 * i]) * 16 +
					   digit(e->d_name[2 * i + 1]));
		found = true;
	}
	if (d != NULL)
		(void)closedir(d);
	return found;
}

/* Keep text as the answer, with the right authentication code. */
static void plant(const uint8_t key[BLAKE3_BYTES], const char *text)
{
	struct cache c;

	cache_open(&c);
	ok_int(cache_add(&c, key, text, strlen(text)), CACHE_PUT);
	(void)cache_close(&c);
}

#define ANSWER(version, extra)                                                 \
	"{\"probe\":\"node_manifest\",\"version\":\"" version "\","            \
	"\"schema_version\":\"1.0\",\"confidence\":\"high\",\"errors\":[],"    \
	"\"warnings\":[],\"prompt_injection_marker_count\":0," extra           \
	"\"slice\":null}"

static void what_was_kept_passes_the_boundary_again(void)
{
	static const char *const bad[] = {
		"",
		"not json",
		"{}",
		"{\"probe\":\"node_manifest\"}",
		ANSWER("1.0", "\"api_key\":1,"),
		ANSWER("1.0", "\"more\":1,"),
		ANSWER("1.0", "") " ",
		ANSWER("1.0", "") "{}",
	};
	uint8_t key[BLAKE3_BYTES];
	char *first, *again;

	enter();
	first = gather();
	ok(first != NULL && told[EVENT_CACHE_PUT] == 1 && key_find(key));
	again = gather();
	ok(again != NULL && strcmp(first, again) == 0);
	ok(told[EVENT_CACHE_HIT] == 1 && told[EVENT_SANDBOX_START] == 0);
	free(again);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		bool is_fine = i == 6; /* white space at the end is JSON */

		plant(key, bad[i]);
		again = gather();
		ok(again != NULL);
		ok_int((intmax_t)told[EVENT_CACHE_BLOB_INVALID], !is_fine);
		ok_int((intmax_t)told[EVENT_SANDBOX_START], !is_fine);
		if (!is_fine && again != NULL)
			ok(strcmp(first, again) == 0);
		free(again);
	}
	free(first);
	leave();
}

static void what_is_believed_is_what_was_kept(void)
{
	uint8_t key[BLAKE3_BYTES];
	char *text;

	enter();
	free(gather());
	ok(key_find(key));
	plant(key, ANSWER("1.0", ""));
	text = gather();
	ok_json(text, "/ALL/slice", "null");
	ok_int((intmax_t)told[EVENT_PROBE_CACHE_HIT], 1);
	free(text);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_was_kept_passes_the_boundary_again),
		CASE(what_is_believed_is_what_was_kept), TAP_END });
}
