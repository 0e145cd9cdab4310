/* jobs_tally.c -- how many flags there are of rules that stand for no class. */
#include "jobs/confirm/tally.h"

#include "tap.h"

#define RULES 12

/* One flag of the first rule, two of the second, and so on. */
static void rules_of_no_class_are_summed(void)
{
	static char names[RULES + 1][8];
	static struct flag items[RULES * (RULES + 1) / 2 + 2];
	struct flags f = { .items = items };
	struct tally t = { 0 };

	for (int rule = 1; rule <= RULES; rule++)
		for (int i = 0; i < rule; i++) {
			(void)snprintf(names[rule], sizeof names[rule],
				       "E9%02d", rule);
			items[f.len++] = (struct flag){ .tool = "flake8",
							.rule = names[rule],
							.has_no_class = true };
		}
	items[f.len++] = (struct flag){ .tool = "flake8", .rule = "F821" };
	items[f.len++] = (struct flag){ .tool = "flake8",
					.rule = "E000",
					.has_no_class = true };
	ok_int(tally_read(&f, &t), 0);
	ok_int((intmax_t)t.flags, 79);
	ok_int((intmax_t)t.rules, 13);
	ok_int((intmax_t)t.rows_len, TALLY_ROWS_MAX);
	for (size_t i = 0; i < t.rows_len; i++)
		ok_int((intmax_t)t.rows[i].flags, 12 - (intmax_t)i);
	ok(strcmp(t.rows[0].rule, "E912") == 0);
	for (size_t i = 0; i < f.len; i++)
		items[i].is_recorded = true;
	ok_int(tally_read(&f, &t), 0);
	ok_int((intmax_t)(t.flags + t.rules + t.rows_len), 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){ CASE(rules_of_no_class_are_summed),
					    TAP_END });
}
