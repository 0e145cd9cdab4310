/* relay_near.c -- whose send buffer is made smaller, and to what. */
#include "relay/near.h"

#include "tap.h"

#define GROWN (4 << 20)

static void a_near_server_gets_a_small_buffer(void)
{
	ok_int(near_find_bytes(0, GROWN), NEAR_BYTES);
	ok_int(near_find_bytes(50, GROWN), NEAR_BYTES);
}

static void a_far_one_keeps_what_the_kernel_chose(void)
{
	ok_int(near_find_bytes(51, GROWN), 0);
	ok_int(near_find_bytes(20000, GROWN), 0);
	ok_int(near_find_bytes(UINT32_MAX, GROWN), 0); /* nothing measured */
}

static void a_small_buffer_is_not_made_larger(void)
{
	ok_int(near_find_bytes(1, 2 * 65536), 0);
	ok_int(near_find_bytes(1, 2 * NEAR_BYTES), 0);
	ok_int(near_find_bytes(1, 2 * NEAR_BYTES + 1), NEAR_BYTES);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_near_server_gets_a_small_buffer),
		CASE(a_far_one_keeps_what_the_kernel_chose),
		CASE(a_small_buffer_is_not_made_larger), TAP_END });
}
