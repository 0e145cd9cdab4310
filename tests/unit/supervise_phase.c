/* Every cell of the supervisor's table, compared with a second copy made by
 * hand. */
#include "supervise/phase.h"

#include "tap.h"

/* Rows are phases, columns events, in the order of the enums.  A cell is the
 * next phase's digit and the action's letter. */
static const char *const wanted[PHASE_MAX_] = {
	/* started not-started setup-failed exited limit signal kill late
	 * gone hung-up drained broken */
	"1w 3k 3k 3b 3k 0f 3k 3k 4r 0- 0- 3k", /* starting */
	"3b 3b 3b 4l 2a 1f 2a 2a 4r 1- 1- 3k", /* running */
	"3b 3b 3b 4l 2- 2- 2- 3k 4r 2- 2- 3k", /* killing */
	"3- 3- 3- 3- 3- 3- 3- 5g 4r 4r 3- 3-", /* stopping */
	"4- 4- 4- 4- 4- 4- 4- 5d 4- 4- 5d 4-", /* draining */
	"5- 5- 5- 5- 5- 5- 5- 5- 5- 5- 5- 5-", /* done */
};

static enum action action_of(char letter)
{
	switch (letter) {
	case 'w':
		return DO_WATCH;
	case 'f':
		return DO_FORWARD;
	case 'a':
		return DO_ASK;
	case 'k':
		return DO_KILL;
	case 'b':
		return DO_BLAME;
	case 'l':
		return DO_DRAIN;
	case 'r':
		return DO_REAP;
	case 'd':
		return DO_FINISH;
	case 'g':
		return DO_GIVE_UP;
	default:
		return DO_NOTHING;
	}
}

static void every_cell_is_as_written_here(void)
{
	for (int p = 0; p < PHASE_MAX_; p++)
		for (int e = 0; e < EVENT_MAX_; e++) {
			const char *cell = wanted[p] + (size_t)e * 3;
			struct step s =
				phase_step((enum phase)p, (enum event)e);

			ok_int(s.next, cell[0] - '0');
			ok_int(s.action, action_of(cell[1]));
		}
}

static void no_phase_goes_back(void)
{
	for (int p = 0; p < PHASE_MAX_; p++)
		for (int e = 0; e < EVENT_MAX_; e++)
			ok(phase_step((enum phase)p, (enum event)e).next >=
			   (enum phase)p);
}

/* Killing is never forgotten.  A phase after RUNNING is only reached if init
 * was killed, or is gone, or was asked to end within a time after which it is
 * killed, or has reported that it killed everything and ends (run_free makes
 * sure of that). */
static void the_way_down_always_kills_or_reaps(void)
{
	for (int p = 0; p <= PHASE_RUNNING; p++)
		for (int e = 0; e < EVENT_MAX_; e++) {
			struct step s =
				phase_step((enum phase)p, (enum event)e);

			if (s.next <= PHASE_RUNNING)
				continue;
			ok(s.action == DO_KILL || s.action == DO_BLAME ||
			   s.action == DO_DRAIN || s.action == DO_ASK ||
			   s.action == DO_REAP);
		}
	ok_int(phase_step(PHASE_KILLING, EVENT_LATE).action, DO_KILL);
}

static void a_limit_after_the_end_changes_nothing(void)
{
	struct step s = phase_step(PHASE_RUNNING, EVENT_EXITED);

	ok_int(phase_step(s.next, EVENT_LIMIT).next, s.next);
	ok_int(phase_step(s.next, EVENT_LIMIT).action, DO_NOTHING);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(every_cell_is_as_written_here), CASE(no_phase_goes_back),
		CASE(the_way_down_always_kills_or_reaps),
		CASE(a_limit_after_the_end_changes_nothing), TAP_END });
}
