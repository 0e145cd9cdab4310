/* jobs_inputs_aid.c -- inputs that only help to understand others (PROBE_AID). */
#include "inputs_tree.h"

static const struct probe_input_rule rules[] = { { "**/x.json", 100 },
						 { NULL, 0 } };
static const struct probe one = { .name = "one", .rules = rules };

/* What only helps is read where it can be; of the rest there are the names. */
static void aids_are_no_skips(void)
{
	static const struct probe_input_rule aids[] = {
		{ "**/x.json", PROBE_AID | 100 }, { NULL, 0 }
	};
	static const struct probe with_aids = { .name = "a", .rules = aids };
	static const char list[] = "big/x.json\0-\0fits/x.json\0"
				   "100\0"
				   "link/x.json\0-";
	const struct probe *const these[] = { &with_aids, &one };
	struct probe_inputs in[2];

	enter();
	sizes_put();
	ok_int(mkdirat(root_fd, "link", 0755), 0);
	ok_int(symlinkat("../fits/x.json", root_fd, "link/x.json"), 0);
	take_all(these, 2, in);
	ok_int((intmax_t)in[0].len, 2);
	ok_int((intmax_t)in[0].bytes, 100);
	ok_int((intmax_t)in[0].skips_len, 0);
	ok(in[0].items[0].is_names && in[0].items[0].names == 2);
	ok(in[0].list.len == sizeof list &&
	   memcmp(in[0].list.bytes, list, sizeof list) == 0);
	ok_int((intmax_t)in[1].len, 1);
	ok_int((intmax_t)in[1].skips_len, 2);
	drop(&in[0]);
	drop(&in[1]);
	leave();
}

/* What only helps comes first here, and takes half of the room at most. */
static void aids_leave_room(void)
{
	static const struct probe_input_rule of_both[] = {
		{ "a*", PROBE_AID | 100 }, { "b*", 100 }, { NULL, 0 }
	};
	static const struct probe both = { .name = "b",
					   .rules = of_both,
					   .caps.inputs_bytes = 20 };
	const struct probe *const these[] = { &both };
	struct probe_inputs in;

	enter();
	put("a1", "123456");
	put("a2", "12345");
	put("a3", "1234");
	put("b1", "1234567890");
	take_all(these, 1, &in);
	ok_int((intmax_t)in.bytes, 20);
	ok_int((intmax_t)in.skips_len, 0);
	ok(memcmp(in.list.bytes,
		  "a1\0"
		  "6\0a2\0-\0a3\0"
		  "4\0b1\0"
		  "10",
		  21) == 0);
	drop(&in);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(aids_are_no_skips),
		CASE(aids_leave_room),
		TAP_END,
	});
}
