/* supervise_cgroup.c -- the files of a cgroup, as the kernel writes them and in
 * forms that it never writes. */
#include "tap.h"

#include <errno.h>

#include "launch/native/cgroup.h"
#include "supervise/cgroup.h"

static void values_are_found_by_their_whole_name(void)
{
	static const char stat[] = "usage_usec 1234567\nuser_usec 1000000\n"
				   "system_usec 234567\nnr_periods 0\n";
	static const char events[] = "low 0\nhigh 0\nmax 5\noom 2\noom_kill 1\n"
				     "oom_group_kill 1\n";
	uint64_t value = 99;

	ok_int(cgroup_find_value(stat, "usage_usec", &value), 0);
	ok_int(value, 1234567);
	ok_int(cgroup_find_value(stat, "user_usec", &value), 0);
	ok_int(value, 1000000);
	ok_int(cgroup_find_value(stat, "nr_periods", &value), 0);
	ok_int(value, 0);
	ok_int(cgroup_find_value(events, "oom_kill", &value), 0);
	ok_int(value, 1);
	ok_int(cgroup_find_value(events, "oom", &value), 0);
	ok_int(value, 2);
	ok_int(cgroup_find_value("max 18446744073709551615", "max", &value), 0);
	ok(value == UINT64_MAX);
}

static void what_is_no_number_is_not_said(void)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"oom_kill",
		"oom_kill ",
		"oom_kill -1\n",
		"oom_kill +1\n",
		"oom_kill 1x\n",
		"oom_kill  1\n",
		"oom_kill 1 2\n",
		"oom_kill 0x10\n",
		"oom_kill 18446744073709551616\n",
		"oom_kill 99999999999999999999999999\n",
		"oom_kills 1\n",
		"xoom_kill 1\n",
		" oom_kill 1\n",
		"oom oom_kill 1\n",
	};
	uint64_t value = 42;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		ok_int(cgroup_find_value(texts[i], "oom_kill", &value),
		       -EINVAL);
	ok_int(value, 42);
}

static void where_there_is_none_nothing_is_said(void)
{
	uint64_t us = 7;

	ok(!cgroup_has_oom(&CGROUP_NOWHERE));
	ok(cgroup_read_cpu(-1, &us) < 0);
	ok_int(us, 7);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(values_are_found_by_their_whole_name),
		CASE(what_is_no_number_is_not_said),
		CASE(where_there_is_none_nothing_is_said),
		TAP_END,
	});
}
