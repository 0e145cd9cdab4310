/* reading.h -- the state while inputs are read; only for inputs*.c. */
#ifndef CUPEL_JOBS_PROBE_READING_H
#define CUPEL_JOBS_PROBE_READING_H

#include "jobs/probe/inputs.h"
#include "jobs/probe/match.h"

#define READING_CHUNK_BYTES ((size_t)256 << 10)

struct probe_names {
	struct blake3 hash;
	uint64_t count, bytes;
};

struct reading {
	const struct inputs_request *req;
	struct probe_inputs *in; /* one for each probe */
	struct match match;
	struct blake3 sum;
	struct inputs_sum *out;
	char chunk[READING_CHUNK_BYTES];
};

/* One probe that wants the file under way. */
struct want {
	struct probe_inputs *in; /* NULL: no more */
	uint64_t cap_bytes;
	const char *over; /* code when the file is larger */
	bool is_hashed;   /* PROBE_HASHED */
	uint16_t rule;    /* of its probe */
};

struct wants {
	const char *name; /* of the file */
	struct want items[PROBES_MAX];
	size_t len;
};

/* reading_skip -- note that name was passed over.  Returns 0 or -ENOMEM. */
int reading_skip(struct probe_inputs *in, const char *code, const char *name,
		 enum skip_weight weight);

/* reading_name -- declare the name alone, by that rule of the probe. */
void reading_name(struct probe_inputs *in, uint16_t rule, const char *name);

/* reading_item -- a new, empty item, or NULL without memory. */
struct gather_input *reading_item(struct probe_inputs *in);

/* reading_no_memory -- *err filled; returns -ENOMEM. */
int reading_no_memory(struct cupel_error *err);

/* reading_rewind -- cut the memory file fd at size, where the file before it
 * ended.  Returns 0 or -errno. */
int reading_rewind(int fd, uint64_t size, struct cupel_error *err);

/* reading_is_stopped -- whether stop_fd (-1: none) is readable. */
bool reading_is_stopped(int stop_fd);

/* reading_sum -- add item to the hash of all inputs. */
void reading_sum(struct reading *r, const struct gather_input *item);

/* reading_file -- open, read, hash and copy one file.
 *
 * @wants	its name and the probes that declare it; used up
 * Returns 0 or -errno: no memory.  What cannot be read is a skip. */
int reading_file(struct reading *r, struct wants *wants,
		 struct cupel_error *err);

#endif
