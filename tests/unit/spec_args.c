/* spec_args.c -- what the command line accepts, and how it refuses the rest. */
#include "tap.h"

#include <errno.h>

#include "base/error.h"
#include "spec/spec.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static struct spec s;
static struct cupel_error err;
static int rest;

#define READ(...)                                                              \
	read_words((char *const[]){ "run", __VA_ARGS__ },                      \
		   COUNT(((char *const[]){ "run", __VA_ARGS__ })))

static int read_words(char *const argv[], int argc)
{
	spec_done(&s);
	err = (struct cupel_error){ 0 };
	rest = -1;
	if (spec_init(&s, &err) < 0)
		return -EIO;
	return spec_read_args(argc, argv, &s, &rest, &err);
}

static void takes_both_forms_of_a_value(void)
{
	ok_int(READ("--nofile", "17", "--wall-time-s=1.5", "true"), 0);
	ok_int((intmax_t)s.nofile, 17);
	ok_int((intmax_t)s.wall_ms, 1500);
	ok_int(rest, 4);
}

static void takes_sizes_with_units(void)
{
	ok_int(READ("--mem-bytes=3M", "--as-bytes", "2G", "--fsize-bytes=7K",
		    "--data-bytes=1048577"),
	       0);
	ok_int((intmax_t)s.mem_bytes, 3 << 20);
	ok_int((intmax_t)s.as_bytes, INT64_C(2) << 30);
	ok_int((intmax_t)s.fsize_bytes, 7 << 10);
	ok_int((intmax_t)s.data_bytes, 1048577);
}

static void stops_at_the_first_word(void)
{
	ok_int(READ("--quiet", "ls", "--nofile", "1"), 0);
	ok_int(rest, 2);
	ok_int((intmax_t)s.nofile, 256);
	ok_int(READ("--quiet", "--", "--nofile"), 0);
	ok_int(rest, 3);
	ok_int(READ("-"), 0);
	ok_int(rest, 1);
}

static void takes_json_with_and_without_a_file(void)
{
	ok_int(READ("--json", "x"), 0);
	ok(s.json != NULL && s.json[0] == '\0');
	ok_int(rest, 2);
	ok_int(READ("--json=out.json"), 0);
	ok(s.json != NULL && strcmp(s.json, "out.json") == 0);
	ok_int(READ("--json="), -EINVAL);
	ok_has(err.what, "--json: the FILE is empty");
}

static void names_option_value_and_range(void)
{
	ok_int(READ("--nofile", "0"), -ERANGE);
	ok(strcmp(err.what, "--nofile: 0 is outside 1..1048576") == 0);
	ok_int(err.cause, CUPEL_CAUSE_CALLER);
	ok_int(err.stage, CUPEL_STAGE_SPEC);
	ok_int(READ("--nofile=-3"), -ERANGE);
	ok_has(err.what, "--nofile: -3 is outside 1..1048576");
	ok_int(READ("--nofile=99999999999999999999999"), -ERANGE);
	ok_int(READ("--error-rc=256"), -ERANGE);
	ok_has(err.what, "--error-rc: 256 is outside 1..255");
	ok_int(READ("--mem-bytes=1K"), -ERANGE);
	ok_has(err.what, "--mem-bytes: 1K is outside 1M..65536G");
	ok_int(READ("--wall-time-s=0"), -ERANGE);
	ok_has(err.what, "--wall-time-s: 0 is outside 0.001..31536000");
	ok_int(READ("--mem-bytes=18446744073709551615"), -ERANGE);
	ok_int(READ("--mem-bytes=99999999999999G"), -ERANGE);
	ok_int(READ("--mem-bytes=17179869185G"), -ERANGE); /* 2^64 + 1G */
}

static void refuses_what_is_no_number(void)
{
	static const char *const bad[] = { "",    " 1",  "1 ", "+1",  "0x10",
					   "1.5", "1e2", "1K", "many" };
	char word[40];

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		(void)snprintf(word, sizeof word, "--nofile=%s", bad[i]);
		ok_int(READ(word), -EINVAL);
		ok_has(err.what, "--nofile: ");
	}
	ok_int(READ("--mem-bytes=1.5G"), -EINVAL);
	ok_int(READ("--mem-bytes=1KK"), -EINVAL);
	ok_int(READ("--mem-bytes=1Ki"), -EINVAL);
	ok_int(READ("--mem-bytes=1iB"), -EINVAL);
	ok_int(READ("--mem-bytes=1 GB"), -EINVAL);
	ok_int(READ("--mem-bytes=1 "), -EINVAL);
	ok_int(READ("--mem-bytes=1T"), -EINVAL);
	ok_int(READ("--mem-bytes=GB"), -EINVAL);
	ok_int(READ("--wall-time-s=1,5"), -EINVAL);
	ok_int(READ("--wall-time-s=.5"), -EINVAL);
	ok_int(READ("--wall-time-s=1."), -EINVAL);
	ok_int(READ("--wall-time-s=nan"), -EINVAL);
	ok_int(READ("--wall-time-s=1m1h"), -EINVAL);
	ok_int(READ("--wall-time-s=1m1m"), -EINVAL);
	ok_int(READ("--wall-time-s=1h30"), -EINVAL);
	ok_int(READ("--wall-time-s=1.5m"), -EINVAL);
	ok_int(READ("--wall-time-s=1M"), -EINVAL);
	ok_int(READ("--wall-time-s=m"), -EINVAL);
	ok_int(READ("--wall-time-s=1d"), -EINVAL);
	ok_int(READ("--wall-time-s=1ss"), -EINVAL);
}

static void takes_sizes_and_times_as_people_write_them(void)
{
	static const struct {
		char *word;
		uint64_t bytes;
	} sizes[] = {
		{ "--mem-bytes=2GB", (uint64_t)2 << 30 },
		{ "--mem-bytes=2GiB", (uint64_t)2 << 30 },
		{ "--mem-bytes=2g", (uint64_t)2 << 30 },
		{ "--mem-bytes=64mb", (uint64_t)64 << 20 },
		{ "--mem-bytes=4096KB", (uint64_t)4 << 20 },
		{ "--mem-bytes=2097152B", (uint64_t)2 << 20 },
	};
	static const struct {
		char *word;
		uint64_t ms;
	} times[] = {
		{ "--wall-time-s=5m", 300000 },
		{ "--wall-time-s=1h30m", 5400000 },
		{ "--wall-time-s=1h1s", 3601000 },
		{ "--wall-time-s=90s", 90000 },
		{ "--wall-time-s=1.5s", 1500 },
		{ "--wall-time-s=250ms", 250 },
		{ "--wall-time-s=1m2s3ms", 62003 },
	};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		ok_int(READ(sizes[i].word), 0);
		ok_int(s.mem_bytes, sizes[i].bytes);
	}
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		ok_int(READ(times[i].word), 0);
		ok_int(s.wall_ms, times[i].ms);
	}
	ok_int(READ("--wall-time-s=99999999999999999999h"), -ERANGE);
	ok_int(READ("--wall-time-s=18446744073709551615h"), -ERANGE);
}

static void takes_unlimited_where_a_limit_can_be_off(void)
{
	ok_int(READ("--mem-bytes=unlimited", "--wall-time-s", "unlimited",
		    "--pids-max=unlimited"),
	       0);
	ok(s.mem_bytes == SPEC_UNLIMITED && s.wall_ms == SPEC_UNLIMITED);
	ok_int(READ("--nofile=unlimited"), -EINVAL);
	ok_int(READ("--scratch-bytes=unlimited"), -EINVAL);
	ok_int(READ("--output-bytes=unlimited"), -EINVAL);
}

static void rounds_times_up_to_a_millisecond(void)
{
	ok_int(READ("--wall-time-s=0.0001"), 0);
	ok_int((intmax_t)s.wall_ms, 1);
	ok_int(READ("--wall-time-s=0.2500000000000000000000000001"), 0);
	ok_int((intmax_t)s.wall_ms, 251);
	ok_int(READ("--wall-time-s=2e1"), 0);
	ok_int((intmax_t)s.wall_ms, 20000);
	ok_int(READ("--wall-time-s=1e999999999999999999999"), -ERANGE);
	ok_int(READ("--wall-time-s=99999999999999999999"), -ERANGE);
}

static void refuses_unknown_and_abbreviated_options(void)
{
	ok_int(READ("--nofil", "3"), -EINVAL);
	ok_has(err.what, "unknown option '--nofil'");
	ok_int(READ("-j"), -EINVAL);
	ok_int(READ("--cpu-hard"), -EINVAL); /* a word for profiles only */
	ok_int(READ("--etc=x"), -EINVAL);
	ok_int(READ("--"), 0);
	ok_int(READ("--=3"), -EINVAL);
	ok_int(READ("--nofile"), -EINVAL);
	ok_has(err.what, "--nofile needs N");
	ok_int(READ("--repo="), -EINVAL);
}

static void names_the_words_of_an_enum(void)
{
	ok_int(READ("--repo-mode=rw"), -EINVAL);
	ok_has(err.what, "--repo-mode: 'rw' is not one of ro, overlay, none");
	ok_int(READ("--network=scope"), -EINVAL);
	ok_has(err.what,
	       "--network: 'scope' is not one of none, loopback, scoped");
	ok_int(READ("--trace=connect,exec"), -EINVAL);
	ok_has(err.what, "is not one of none, exec, connect, exec,connect");
	ok_int(READ("--backend=oci"), -EINVAL);
	ok_has(err.what, "is not supported yet");
	ok_int(READ("--repo-mode", "overlay", "--network=loopback",
		    "--backend=landlock", "--output-mode=kill",
		    "--result-from=stdout"),
	       0);
	ok_int(s.repo_mode, REPO_OVERLAY);
	ok_int(s.network, NETWORK_LOOPBACK);
	ok_int(s.backend, BACKEND_LANDLOCK);
	ok_int(s.output_mode, OUTPUT_KILL);
	ok_int(s.result_from, RESULT_FROM_STDOUT);
}

static void switches_can_be_switched_back(void)
{
	ok_int(READ("--allow-partial", "--quiet", "--allow-partial=false"), 0);
	ok(!s.allow_partial && s.quiet);
	ok_int(READ("--quiet=yes"), -EINVAL);
}

static void repeats_add_up_and_the_last_value_wins(void)
{
	ok_int(READ("--env", "A=1", "--env=B=2", "--env", "C==", "--nofile=3",
		    "--nofile=4"),
	       0);
	ok_int((intmax_t)s.env.len, 3);
	ok(strcmp(s.env.items[0], "A=1") == 0);
	ok(strcmp(s.env.items[1], "B=2") == 0);
	ok(strcmp(s.env.items[2], "C==") == 0);
	ok_int((intmax_t)s.nofile, 4);
}

static void rlimit_reaches_options_and_the_rest(void)
{
	ok_int(READ("--rlimit", "nofile=9", "--rlimit=STACK=8M",
		    "--rlimit=cpu=1.5", "--rlimit=memlock=unlimited"),
	       0);
	ok_int((intmax_t)s.nofile, 9);
	ok(!s.rlimit_is_set[SPEC_RLIMIT_NOFILE]);
	ok(s.rlimit_is_set[SPEC_RLIMIT_STACK]);
	ok_int((intmax_t)s.rlimits[SPEC_RLIMIT_STACK], 8 << 20);
	ok_int((intmax_t)s.cpu_ms, 1500);
	ok(s.rlimits[SPEC_RLIMIT_MEMLOCK] == SPEC_UNLIMITED);
	ok(!s.rlimit_is_set[SPEC_RLIMIT_RTPRIO]);
	ok_int(READ("--rlimit=nofile=0"), -ERANGE);
	ok_has(err.what, "--rlimit: nofile: 0 is outside 1..1048576");
	ok_int(READ("--rlimit=rtprio=100"), -ERANGE);
	ok_int(READ("--rlimit=files=1"), -EINVAL);
	ok_has(err.what, "unknown limit 'files'");
	ok_int(READ("--rlimit=nofile"), -EINVAL);
	ok_has(err.what, "NAME=N");
	ok_int(READ("--rlimit=core=x"), -EINVAL);
}

static void trace_ids_are_32_hex_digits(void)
{
	char id[33];

	ok_int(READ("--trace-id=0AF7651916CD43DD8448EB211C80319C"), 0);
	ok(strcmp(s.trace_id, "0af7651916cd43dd8448eb211c80319c") == 0);
	ok_int(READ("--trace-id=00000000000000000000000000000000"), -EINVAL);
	ok_int(READ("--trace-id=0af7651916cd43dd8448eb211c80319"), -EINVAL);
	ok_int(READ("--trace-id=0af7651916cd43dd8448eb211c80319g"), -EINVAL);
	ok_has(err.what, "--trace-id: ");
	ok_int(spec_read_traceparent("00-0af7651916cd43dd8448eb211c80319c-"
				     "b7ad6b7169203331-01",
				     id),
	       0);
	ok(strcmp(id, "0af7651916cd43dd8448eb211c80319c") == 0);
	ok_int(spec_read_traceparent("00-0af7651916cd43dd8448eb211c80319c-",
				     id),
	       -EINVAL);
	ok_int(spec_read_traceparent("", id), -EINVAL);
	ok_int(spec_read_traceparent("00-00000000000000000000000000000000-"
				     "b7ad6b7169203331-01",
				     id),
	       -EINVAL);
}

static void help_is_told_apart(void)
{
	ok_int(READ("--help", "--nonsense"), SPEC_WANTS_HELP);
	ok_int(READ("--help=x"), -EINVAL);
	ok_int(READ("ls", "--help"), 0);
}

static void many_items_are_refused_not_lost(void)
{
	int r = 0, n = 0;

	ok_int(READ("--"), 0);
	for (; r == 0 && n < 10000; n++)
		r = spec_set(&s, "env", "A=1", &err);
	ok_int(r, -E2BIG);
	ok_int((intmax_t)s.env.len, SPEC_LIST_MAX);
	ok_has(err.what, "--env: more than 4096");
}

static void one_option_by_name(void)
{
	ok_int(READ("--"), 0);
	ok_int(spec_set(&s, "nofile", "12", &err), 0);
	ok_int((intmax_t)s.nofile, 12);
	ok_int(spec_set(&s, "quiet", NULL, &err), 0);
	ok(s.quiet);
	ok_int(spec_set(&s, "nofile", NULL, &err), -EINVAL);
	ok_int(spec_set(&s, "no-such", "1", &err), -EINVAL);
	ok_int(spec_set(&s, "help", NULL, &err), -EINVAL);
	ok_int(spec_set(&s, "cpu-hard", NULL, &err), -EINVAL);
	spec_done(&s);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(takes_both_forms_of_a_value),
		CASE(takes_sizes_with_units),
		CASE(stops_at_the_first_word),
		CASE(takes_json_with_and_without_a_file),
		CASE(names_option_value_and_range),
		CASE(refuses_what_is_no_number),
		CASE(takes_sizes_and_times_as_people_write_them),
		CASE(takes_unlimited_where_a_limit_can_be_off),
		CASE(rounds_times_up_to_a_millisecond),
		CASE(refuses_unknown_and_abbreviated_options),
		CASE(names_the_words_of_an_enum),
		CASE(switches_can_be_switched_back),
		CASE(repeats_add_up_and_the_last_value_wins),
		CASE(rlimit_reaches_options_and_the_rest),
		CASE(trace_ids_are_32_hex_digits),
		CASE(help_is_told_apart),
		CASE(many_items_are_refused_not_lost),
		CASE(one_option_by_name),
		TAP_END,
	});
}
