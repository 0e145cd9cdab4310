/* test_wall.h -- takes down walls of a gather, and those around the files that a
 * vessel leaves, for the controls of attacks.
 *
 * Only in builds with CUPEL_TEST_HOOKS, which are never installed, by way of
 * base/hooks.h.  In all other builds the question is a constant, and nothing of
 * the walls' numbers and names is left.  The walls of a vessel are taken down in
 * its plan (hooks/drop.h). */
#ifndef CUPEL_TESTS_HOOKS_TEST_WALL_H
#define CUPEL_TESTS_HOOKS_TEST_WALL_H

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum test_wall {
	TEST_WALL_ARTIFACT_KIND,
	TEST_WALL_ARTIFACT_LINKS,
	TEST_WALL_BENEATH,
	TEST_WALL_CACHE_FOLDER,
	TEST_WALL_CACHE_FORM,
	TEST_WALL_CACHE_KEY,
	TEST_WALL_CACHE_LINKS,
	TEST_WALL_CACHE_MAC,
	TEST_WALL_CACHE_OWNER,
	TEST_WALL_CACHE_TAG,
	TEST_WALL_CHAIN_FRESH,
	TEST_WALL_CHAIN_HASH,
	TEST_WALL_EVENTS_LINKS,
	TEST_WALL_EXIT_STATUS,
	TEST_WALL_FIELD_NAMES,
	TEST_WALL_FILE_KIND,
	TEST_WALL_GATE_STATE,
	TEST_WALL_GATE_WORKTREE,
	TEST_WALL_INPUT_CAP,
	TEST_WALL_KEEP_END,
	TEST_WALL_KEEP_ENDED,
	TEST_WALL_KEEP_LINKS,
	TEST_WALL_KEEP_LOCK,
	TEST_WALL_KEEP_MODE,
	TEST_WALL_KEEP_SIZE,
	TEST_WALL_LOG_OWNER,
	TEST_WALL_LOG_SEAL,
	TEST_WALL_MANIFEST_TRUST,
	TEST_WALL_MARKERS,
	TEST_WALL_OLD_FILES,
	TEST_WALL_OUTFILE_LINKS,
	TEST_WALL_OUTPUT_FRESH,
	TEST_WALL_OUTPUT_LINKS,
	TEST_WALL_PASSED_OVER,
	TEST_WALL_PAYLOAD_CAPS,
	TEST_WALL_RELAY_FILTER,
	TEST_WALL_RELAY_LANDLOCK,
	TEST_WALL_RELAY_PAUSE,
	TEST_WALL_RELAY_URGENT,
	TEST_WALL_REPORT_CODE,
	TEST_WALL_SCHEMA,
	TEST_WALL_SCRUB,
	TEST_WALL_TRACE_MEMORY,
	TEST_WALL_WALK,
	TEST_WALL_WALK_FILES,
	TEST_WALL_MAX_
};

/* test_wall_is_down -- whether CUPEL_TEST_GATHER_DROP, "walk,beneath", has
 * the name of that wall. */
static inline bool test_wall_is_down(enum test_wall wall)
{
	static const char *const names[] = {
		[TEST_WALL_ARTIFACT_KIND] = "artifact_kind",
		[TEST_WALL_ARTIFACT_LINKS] = "artifact_links",
		[TEST_WALL_BENEATH] = "beneath",
		[TEST_WALL_CACHE_FOLDER] = "cache_folder",
		[TEST_WALL_CACHE_FORM] = "cache_form",
		[TEST_WALL_CACHE_KEY] = "cache_key",
		[TEST_WALL_CACHE_LINKS] = "cache_links",
		[TEST_WALL_CACHE_MAC] = "cache_mac",
		[TEST_WALL_CACHE_OWNER] = "cache_owner",
		[TEST_WALL_CACHE_TAG] = "cache_tag",
		[TEST_WALL_CHAIN_FRESH] = "chain_fresh",
		[TEST_WALL_CHAIN_HASH] = "chain_hash",
		[TEST_WALL_EVENTS_LINKS] = "events_links",
		[TEST_WALL_EXIT_STATUS] = "exit_status",
		[TEST_WALL_FIELD_NAMES] = "field_names",
		[TEST_WALL_FILE_KIND] = "file_kind",
		[TEST_WALL_GATE_STATE] = "gate_state",
		[TEST_WALL_GATE_WORKTREE] = "gate_worktree",
		[TEST_WALL_INPUT_CAP] = "input_cap",
		[TEST_WALL_KEEP_END] = "keep_end",
		[TEST_WALL_KEEP_ENDED] = "keep_ended",
		[TEST_WALL_KEEP_LINKS] = "keep_links",
		[TEST_WALL_KEEP_LOCK] = "keep_lock",
		[TEST_WALL_KEEP_MODE] = "keep_mode",
		[TEST_WALL_KEEP_SIZE] = "keep_size",
		[TEST_WALL_LOG_OWNER] = "log_owner",
		[TEST_WALL_LOG_SEAL] = "log_seal",
		[TEST_WALL_MANIFEST_TRUST] = "manifest_trust",
		[TEST_WALL_MARKERS] = "markers",
		[TEST_WALL_OLD_FILES] = "old_files",
		[TEST_WALL_OUTFILE_LINKS] = "outfile_links",
		[TEST_WALL_OUTPUT_FRESH] = "output_fresh",
		[TEST_WALL_OUTPUT_LINKS] = "output_links",
		[TEST_WALL_PASSED_OVER] = "passed_over",
		[TEST_WALL_PAYLOAD_CAPS] = "payload_caps",
		[TEST_WALL_RELAY_FILTER] = "relay_filter",
		[TEST_WALL_RELAY_LANDLOCK] = "relay_landlock",
		[TEST_WALL_RELAY_PAUSE] = "relay_pause",
		[TEST_WALL_RELAY_URGENT] = "relay_urgent",
		[TEST_WALL_REPORT_CODE] = "report_code",
		[TEST_WALL_SCHEMA] = "schema",
		[TEST_WALL_SCRUB] = "scrub",
		[TEST_WALL_TRACE_MEMORY] = "trace_memory",
		[TEST_WALL_WALK] = "walk",
		[TEST_WALL_WALK_FILES] = "walk_files",
	};
	static_assert(sizeof names / sizeof *names == TEST_WALL_MAX_,
		      "a name for every wall");
	const char *down = getenv("CUPEL_TEST_GATHER_DROP");
	size_t len = strlen(names[wall]);

	while (down != NULL && down[0] != '\0') {
		size_t n = strcspn(down, ",");

		if (n == len && memcmp(down, names[wall], len) == 0)
			return true;
		down += n + (down[n] == ',');
	}
	return false;
}

#endif
