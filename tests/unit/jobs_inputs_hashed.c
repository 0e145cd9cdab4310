/* jobs_inputs_hashed.c -- inputs whose hash is declared, and which the probe is
 * not given (PROBE_HASHED). */
#include "inputs_tree.h"

static const struct probe_input_rule rules[] = { { "**/x.json", 100 },
						 { NULL, 0 } };
static const struct probe one = { .name = "one", .rules = rules };

/* Its hash is that of the probe that gets it; of a file that cannot be read there
 * is the name. */
static void a_hash_and_no_bytes(void)
{
	static const struct probe_input_rule hashed[] = {
		{ "**/x.json", PROBE_HASHED | 100 }, { NULL, 0 }
	};
	static const struct probe with_hashes = { .name = "a",
						  .rules = hashed };
	static const char list[] = "big/x.json\0-\0link/x.json\0-";
	const struct probe *const these[] = { &with_hashes, &one };
	struct probe_inputs in[2];

	enter();
	sizes_put();
	ok_int(mkdirat(root_fd, "link", 0755), 0);
	ok_int(symlinkat("../fits/x.json", root_fd, "link/x.json"), 0);
	take_all(these, 2, in);
	ok_int((intmax_t)in[0].len, 2);
	ok_int((intmax_t)in[0].bytes, 0);
	ok_int((intmax_t)in[0].skips_len, 0);
	ok(in[0].items[0].is_names && in[0].items[0].names == 2);
	ok(in[0].items[1].is_hashed && in[0].items[1].size == 100);
	ok(strcmp(in[0].items[1].hash, in[1].items[0].hash) == 0);
	ok(in[0].list.len == sizeof list &&
	   memcmp(in[0].list.bytes, list, sizeof list) == 0);
	ok_int((intmax_t)in[1].len, 1);
	ok_int((intmax_t)in[1].skips_len, 2);
	drop(&in[0]);
	drop(&in[1]);
	leave();
}

/* They take no room from those that are given, and a second reading for a probe
 * without a cached answer passes over them. */
static void hashes_take_no_room(void)
{
	static const struct probe_input_rule of_both[] = {
		{ "a*", PROBE_HASHED | 100 }, { "b*", 100 }, { NULL, 0 }
	};
	static const struct probe both = { .name = "b",
					   .rules = of_both,
					   .caps.inputs_bytes = 10 };
	const struct probe *const these[] = { &both };

	for (int again = 0; again < 2; again++) {
		struct walk_request asked = { 0 };
		struct inputs_request req = { .walk = &walk,
					      .probes = these,
					      .probes_len = 1,
					      .hash_only = again,
					      .stop_fd = -1 };
		struct probe_inputs in = { 0 };

		enter();
		put("a1", "12345678901");
		put("b1", "1234567890");
		put("b2", "");
		asked.root_fd = req.root_fd = root_fd;
		memset(&walk, 0, sizeof walk);
		ok_int(walk_run(&asked, &walk, &err), 0);
		ok_int(inputs_read(&req, &in, &sum, &err), 0);
		ok_int(inputs_seal(&req, &in, &err), 0);
		ok_int((intmax_t)in.len, 3);
		ok_int((intmax_t)in.bytes, 10);
		ok_int((intmax_t)in.skips_len, 0);
		ok(!in.has_changed);
		ok(memcmp(in.list.bytes, "b1\00010\0b2\0000", 11) == 0);
		drop(&in);
		leave();
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_hash_and_no_bytes),
		CASE(hashes_take_no_room),
		TAP_END,
	});
}
