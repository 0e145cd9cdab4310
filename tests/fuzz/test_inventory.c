/* test_inventory.c -- fuzz: files for test_inventory.  See probe.h. */
#include <stdint.h>

#include "parsers/tests/tests_scan.h"
#include "probe.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static uint64_t module_bit(struct json_text name)
{
	return name.len > 0 ? 1 : 0;
}

/* Whatever the bytes are, no more tests than there is room for in them. */
static void scan_try(const char *bytes, size_t n)
{
	struct parse_input in = { "f", 1, bytes, n, false, NULL };
	struct scan s;

	tests_scan_script(&in, module_bit, &s);
	must(s.tests <= n / 3 && s.skipped + s.todo <= s.tests);
	tests_scan_python(&in, &s);
	must(s.tests <= n / 8 && s.skipped <= s.tests);
	tests_scan_go(&in, &s);
	must(s.tests <= n / 9);
	tests_scan_rust(&in, &s);
	must(s.tests <= n / 7 && s.skipped <= s.tests);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	scan_try((const char *)bytes, n);
	fuzz_try(test_inventory_run, "test_inventory", (const char *)bytes, n);
	return 0;
}
