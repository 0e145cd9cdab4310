/* jobs_gather_chain.c -- there is one chain of records, whatever is done to it.
 *
 * For tests/cli/audit.t: `make DIR N` makes a chain of N records, `hash` prints
 * the short name of stdin's bytes. */
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "gather_chain.h"
#include "jobs/common/chain_private.h"

static void a_whole_chain_is_whole(void)
{
	struct stat st = { 0 };

	chain_make(5);
	ok(strcmp(verify(0), "") == 0);
	ok_int((intmax_t)records, 5);
	for (int i = 1; i < 5; i++)
		ok(strcmp(name[i], name[i + 1]) < 0);
	ok_int(fstatat(fd, name[1], &st, 0), 0);
	ok_int(st.st_mode & 07777, 0600);
	leave();
}

static void every_changed_byte_is_found(void)
{
	off_t size;

	chain_make(3);
	for (int i = 1; i <= 3; i++) {
		size = size_of(name[i]);
		for (off_t at = 0; at < size; at += 37) {
			flip(name[i], at);
			blames(name[i], "was changed");
			flip(name[i], at);
		}
	}
	ok(strcmp(verify(0), "") == 0);
	leave();
}

static void what_was_removed_is_missed(void)
{
	chain_make(4);
	ok_int(unlinkat(fd, name[2], 0), 0);
	blames(name[3], name[2]);
	leave();
	chain_make(4);
	ok_int(unlinkat(fd, name[1], 0), 0);
	blames(name[2], "is missing");
	leave();
	chain_make(4);
	ok_int(unlinkat(fd, name[4], 0), 0);
	blames(name[4], "is missing");
	leave();
	chain_make(4);
	ok_int(unlinkat(fd, "HEAD", 0), 0);
	blames("HEAD", "is not there");
	leave();
	chain_make(1);
	ok_int(unlinkat(fd, name[1], 0), 0);
	blames(name[1], "is missing");
	leave();
}

static void what_was_moved_is_found(void)
{
	char other[CHAIN_NAME_BYTES], third[CHAIN_NAME_BYTES];

	chain_make(4);
	/* the times of 2 and 3 exchanged, each with its own short name */
	memcpy(other, name[2], sizeof other);
	memcpy(other, name[3], 24);
	memcpy(third, name[3], sizeof third);
	memcpy(third, name[2], 24);
	ok_int(renameat(fd, name[2], fd, other), 0);
	ok_int(renameat(fd, name[3], fd, third), 0);
	ok(strncmp(verify(1), third, strlen(third)) == 0);
	leave();
	chain_make(3);
	ok_int(renameat(fd, name[1], fd, "x"), 0);
	ok_int(renameat(fd, name[2], fd, name[1]), 0);
	ok_int(renameat(fd, "x", fd, name[2]), 0);
	verify(1);
	ok_has(lines.bytes, name[1]);
	leave();
}

/* HEAD as somebody would correct it after a change. */
static void put_head(const char *file, unsigned position, const char *hash)
{
	char text[300];

	(void)snprintf(text, sizeof text,
		       "{\"version\":\"1.0\",\"file\":\"%s\","
		       "\"position\":%u,\"blake3\":\"%s\"}",
		       file, position, hash);
	put("HEAD", text);
}

/* A record with a right hash of its own, after the first, that names another
 * record as the one before it. */
static void a_forged_link_is_found(void)
{
	char text[400], hash[BLAKE3_TEXT_BYTES], file[CHAIN_NAME_BYTES];

	chain_make(1);
	(void)snprintf(text, sizeof text,
		       "{\"position\":2,\"previous\":\"blake3:%064d\","
		       "\"previous_file\":\"%s\",\"chain_broken\":null}",
		       0, name[1]);
	blake3_hex_text(text, strlen(text), hash);
	(void)snprintf(file, sizeof file, "29990101T000000.000000Z-%.12s.json",
		       hash + 7);
	put(file, text);
	put_head(file, 2, hash);
	blames(file, "does not have the hash of");
	leave();
	chain_make(2);
	ok(chain_hash(fd, name[2], hash) == NULL);
	put_head(name[2], 3, hash);
	blames("HEAD", "does not have the hash of");
	leave();
}

/* A clock that went back, or a record from the future. */
static void names_sort_whatever_the_clock_says(void)
{
	char hash[BLAKE3_TEXT_BYTES], file[CHAIN_NAME_BYTES];
	struct audit_note note;

	chain_make(1);
	ok(chain_hash(fd, name[1], hash) == NULL);
	memcpy(file, name[1], sizeof file);
	memcpy(file, "2999", 4);
	ok_int(renameat(fd, name[1], fd, file), 0);
	put_head(file, 1, hash);
	append(&note);
	ok(strcmp(note.name, file) > 0);
	append(&note);
	ok(note.broken[0] == '\0');
	ok(strcmp(verify(0), "") == 0);
	ok_int((intmax_t)records, 3);
	leave();
}

static void what_is_no_record_is_named(void)
{
	chain_make(3);
	ok_int(ftruncate(openat(fd, name[2], O_WRONLY), 20), 0);
	blames(name[2], "was changed");
	leave();
	chain_make(3);
	put("evil\n\x1b[31m.json", "{}");
	blames("evil\\x0a\\x1b[31m.json", "is not a run record");
	leave();
	chain_make(3);
	ok_int(unlinkat(fd, name[2], 0), 0);
	ok_int(symlinkat("/etc/passwd", fd, name[2]), 0);
	blames(name[2], "is a symbolic link");
	leave();
	chain_make(3);
	ok_int(unlinkat(fd, name[3], 0), 0);
	ok_int(mkfifoat(fd, name[3], 0600), 0);
	blames(name[3], "is not a regular file");
	leave();
	chain_make(3);
	ok_int(unlinkat(fd, name[1], 0), 0);
	ok_int(mkdirat(fd, name[1], 0700), 0);
	blames(name[1], "is not a regular file");
	leave();
	chain_make(2);
	put("HEAD", "{\"file\":\"../../etc/passwd\"}");
	blames("HEAD", "does not name");
	leave();
}

static void much_rubbish_is_counted(void)
{
	char file[32];

	chain_make(2);
	for (int i = 0; i < 300; i++) {
		(void)snprintf(file, sizeof file, "rubbish%d", i);
		put(file, "");
	}
	verify(1);
	ok_int((intmax_t)lines_count(), CHAIN_LINES_MAX + 1);
	ok_has(lines.bytes, "and 200 more\n");
	leave();
	chain_make(1);
	(void)snprintf(file, sizeof file, "%s", "big");
	put(name[1], "");
	ok_int(truncate(strcat(strcat(strcpy((char[200]){ 0 }, dir), "/"),
			       name[1]),
			(off_t)1 << 40),
	       0);
	blames(name[1], "is longer than a record can be");
	leave();
}

/* *done counts the records that it has appended as a whole. */
static pid_t child(int appends, atomic_uint *done)
{
	pid_t pid = fork();
	struct audit_note note;

	if (pid != 0)
		return pid;
	for (int i = 0; i < appends; i++) {
		append(&note);
		atomic_fetch_add(done, 1);
	}
	_exit(tap_bad ? 1 : 0);
}

static void many_at_once_make_one_chain(void)
{
	pid_t pids[4];
	atomic_uint none = 0;
	int status;

	enter();
	for (int i = 0; i < 4; i++)
		pids[i] = child(25, &none);
	for (int i = 0; i < 4; i++) {
		ok_int(waitpid(pids[i], &status, 0), pids[i]);
		ok_int(status, 0);
	}
	ok(strcmp(verify(0), "") == 0);
	ok_int((intmax_t)records, 100);
	leave();
}

static void killed_at_any_moment_it_stays_one_chain(void)
{
	struct audit_note note;
	atomic_uint *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;

	ok(done != MAP_FAILED);
	enter();
	for (unsigned i = 0; i < 60; i++) {
		unsigned before = atomic_load(done);
		pid_t pid = child(1000000, done);

		/* Some in the first append, some at any later moment. */
		for (int t = 0;
		     i % 4 == 0 && t < 10000 && atomic_load(done) == before;
		     t++)
			(void)usleep(1000);
		(void)usleep(200 + i * 173 % 9000);
		kill(pid, SIGKILL);
		ok_int(waitpid(pid, &status, 0), pid);
		ok(strcmp(verify(0), "") == 0);
		if (tap_bad)
			fprintf(stderr, "# kill %u: %s", i, lines.bytes);
	}
	ok(atomic_load(done) >= 15);
	ok(records >= atomic_load(done));
	(void)munmap(done, sizeof *done);
	append(&note);
	ok(note.broken[0] == '\0');
	ok(strcmp(verify(0), "") == 0);
	leave();
}

static void a_lock_that_is_held_ends_the_wait(void)
{
	struct gather_run run = { 0 };
	int other;

	chain_make(1);
	other = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok_int(flock(other, LOCK_EX), 0);
	ok_int(audit_append(fd, &run, NULL, &err), -EBUSY);
	ok_has(err.what, "lock");
	close(other);
	leave();
}

static int make(const char *to, int n)
{
	struct audit_note note;

	ok_int(mkdir(to, 0700), 0);
	fd = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fd >= 0 && n-- > 0)
		append(&note);
	return fd < 0 || tap_bad;
}

static int hash(void)
{
	char block[4096], text[BLAKE3_TEXT_BYTES];
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 b;
	size_t n;

	blake3_init(&b);
	while ((n = fread(block, 1, sizeof block, stdin)) > 0)
		blake3_update(&b, block, n);
	blake3_final(&b, digest, sizeof digest);
	blake3_hex(digest, text);
	printf("%.12s\n", text + 7);
	return 0;
}

int main(int argc, char *argv[])
{
	if (argc > 3)
		return make(argv[2], atoi(argv[3]));
	if (argc > 1)
		return hash();
	return tap_run((struct tap_case[]){
		CASE(a_whole_chain_is_whole), CASE(every_changed_byte_is_found),
		CASE(what_was_removed_is_missed), CASE(what_was_moved_is_found),
		CASE(a_forged_link_is_found),
		CASE(names_sort_whatever_the_clock_says),
		CASE(what_is_no_record_is_named), CASE(much_rubbish_is_counted),
		CASE(many_at_once_make_one_chain),
		CASE(killed_at_any_moment_it_stays_one_chain),
		CASE(a_lock_that_is_held_ends_the_wait), TAP_END });
}
