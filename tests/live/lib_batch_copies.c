/* Batches of the library: copies of templates, and how templates end. */
#include "lib_batch.h"

#include <sys/mman.h>

static void the_second_of_a_shape_is_a_copy(void)
{
	struct cupel_batch *b = batch_of(1, 0);
	struct out o;

	for (uint64_t i = 0; i < 3; i++)
		put(b, i, "echo $$ >/scratch/x; ls /scratch");
	for (uint64_t i = 0; i < 3; i++) {
		ok(out_next(b, &o));
		ok_int(o.end.status, CUPEL_OK);
		ok_int(is_copy(&o), i > 0);
		ok(strcmp(text_at(&o.json, "stdout"), "x\n") == 0);
		ok(at(&o.json, "enforced.mountns.applied")->u.boolean);
		out_done(&o);
	}
	cupel_batch_free(b);
}

static void hear(void *data, int stream, const char *bytes, size_t n)
{
	(void)bytes;
	*(size_t *)data += stream == CUPEL_STDOUT ? n : 0;
}

#define ALL_SEALS (F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)

/* A copy may be made again as a vessel from the beginning, so its input must be
 * there again, and nothing of it may have been reported. */
static void what_cannot_be_repeated_is_no_copy(void)
{
	size_t heard = 0;
	int ends[2],
		file = memfd_create("in", MFD_CLOEXEC),
		sealed = memfd_create("input", MFD_ALLOW_SEALING | MFD_CLOEXEC);
	struct cupel_hooks speaks = { .size = sizeof speaks,
				      .data = &heard,
				      .output = hear,
				      .stdin_fd = -1 };
	struct cupel_hooks pipe_in = { .size = sizeof pipe_in };
	struct cupel_hooks file_in = { .size = sizeof file_in,
				       .stdin_fd = file };
	struct cupel_hooks given = { .size = sizeof given,
				     .stdin_fd = -1,
				     .inputs = &sealed,
				     .inputs_len = 1 };
	const struct {
		const struct cupel_hooks *hooks;
		const char *script, *says;
		bool is_copy;
	} rows[] = {
		{ &speaks, "echo", "\n", false },
		{ &pipe_in, "cat", "xy", false },
		{ &file_in, "cat", "abcd", true },
		{ &file_in, "cat", "d", false },
		{ &given, "cat <&4", "input", false },
		{ NULL, "echo last", "last\n", true },
	};
	struct cupel_batch *b = batch_of(1, 8);

	ok_int(pipe2(ends, O_CLOEXEC), 0);
	pipe_in.stdin_fd = ends[0];
	ok_int(write(ends[1], "xy", 2), 2);
	(void)close(ends[1]);
	ok_int(pwrite(file, "abcd", 4, 0), 4);
	ok_int(pwrite(sealed, "input", 5, 0), 5);
	ok_int(fcntl(sealed, F_ADD_SEALS, ALL_SEALS), 0);
	put(b, 10, "exit 0");
	out_is(b, 10, CUPEL_OK, NULL);
	for (uint64_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct out o;

		if (i == 3)
			ok_int(lseek(file, 3, SEEK_SET), 3);
		put_spec(b, i, spec_of(OPTIONS(NO_CGROUP), SH(rows[i].script)),
			 rows[i].hooks);
		ok(out_next(b, &o));
		ok_int(o.end.id, i);
		ok_int(is_copy(&o), rows[i].is_copy);
		ok(strcmp(text_at(&o.json, "stdout"), rows[i].says) == 0);
		out_done(&o);
	}
	ok_int(heard, 1);
	ok_int(cupel_batch_remade(b, NULL), 0);
	cupel_batch_free(b);
	(void)close(ends[0]);
	(void)close(file);
	(void)close(sealed);
}

/* The vessel that is made instead of the copy has another descriptor, and a caller
 * that polls is woken by it. */
static void a_template_that_is_lost_costs_a_run_from_the_beginning(void)
{
	struct cupel_batch *b = batch_of(1, 0);
	struct cupel_error err = { 0 };
	const char *why = NULL;
	char script[64], look[96];
	struct out o;

	(void)snprintf(script, sizeof script,
		       "head -c 4; sleep 8.%07d; echo there", (int)getpid());
	(void)snprintf(look, sizeof look,
		       "grep -qsz '^8[.]%07d$' /proc/[0-9]*/cmdline",
		       (int)getpid());
	put(b, 1, "exit 0");
	put(b, 2, "exit 0");
	out_is(b, 1, CUPEL_OK, NULL);
	out_is(b, 2, CUPEL_OK, NULL);
	put_spec(
		b, 3,
		spec_of(OPTIONS(NO_CGROUP, "stdin", "/etc/passwd"), SH(script)),
		NULL);
	while (system(look) != 0) { /* until it sleeps */
		struct pollfd p = { .fd = cupel_batch_fd(b), .events = POLLIN };

		(void)poll(&p, 1, 50);
		ok_int(cupel_batch_step(b, &err), 1);
	}
	ok_int(cupel_batch_remade(b, &why), 0);
	ok(strcmp(why, "") == 0);
	ok(children_signal(SIGKILL) > 0);
	ok(out_next(b, &o));
	ok_int(o.end.status, CUPEL_OK);
	ok(strcmp(text_at(&o.json, "stdout"), "rootthere\n") == 0);
	ok(!is_copy(&o));
	out_done(&o);
	ok_int(cupel_batch_remade(b, &why), 1);
	ok(strstr(why, "template") != NULL);
	cupel_batch_free(b);
}

/* A template keeps file systems of the host in use.  The batch is idle, so only its
 * descriptor can say that the template is due to end. */
static void an_idle_template_is_ended(void)
{
	struct cupel_batch *b = batch_of(1, 0);
	struct pollfd p = { .fd = cupel_batch_fd(b), .events = POLLIN };
	struct cupel_error err = { 0 };
	double begun = now();

	for (uint64_t i = 0; i < 3; i++) {
		put(b, i, "exit 0");
		out_is(b, i, CUPEL_OK, NULL);
	}
	ok(children_signal(0) > 0);
	while (children_signal(0) > 0 && now() - begun < 120)
		if (poll(&p, 1, 10000) > 0)
			ok_int(cupel_batch_step(b, &err), 0);
	ok_int(children_signal(0), 0);
	ok(now() - begun > 2);
	ok_int(poll(&p, 1, 1500), 0); /* it has nothing more to say */
	cupel_batch_free(b);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_second_of_a_shape_is_a_copy),
		CASE(what_cannot_be_repeated_is_no_copy),
		CASE(a_template_that_is_lost_costs_a_run_from_the_beginning),
		CASE(an_idle_template_is_ended), TAP_END });
}
