/* service_sealed.c -- memory files for a vessel: they are sealed, and have
 * descriptor numbers that a vessel accepts, whatever its caller has closed. */
#include "service/sealed.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "tap.h"

static void holds_its_bytes_and_no_others(void)
{
	struct cupel_error err = { 0 };
	char text[8] = "";
	int fd = sealed_of("bytes", 5, false, &err);

	ok(fd > 2);
	ok_int((intmax_t)read(fd, text, sizeof text), 5);
	ok(memcmp(text, "bytes", 6) == 0);
	ok(write(fd, "x", 1) < 0);
	ok(ftruncate(fd, 1) < 0);
	(void)close(fd);
}

static void has_no_number_of_a_standard_stream(void)
{
	struct cupel_error err = { 0 };
	int kept = fcntl(0, F_DUPFD_CLOEXEC, 10);
	int fd;

	(void)close(0);
	fd = sealed_of("bytes", 5, true, &err);
	ok(fd > 2);
	ok((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
	ok(fcntl(0, F_GETFD) < 0); /* and none is left there */
	(void)close(fd);
	(void)dup2(kept, 0);
	(void)close(kept);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(holds_its_bytes_and_no_others),
		CASE(has_no_number_of_a_standard_stream), TAP_END });
}
