# tests/lint: the house rules, held by tests
EXTRA_DIST += tests/lint/rooms tests/lint/rooms.tbl tests/lint/writers.tbl tests/lint/shape \
	tests/lint/calls tests/lint/tracked tests/lint/hooks tests/lint/python \
	tests/lint/javascript tests/lint/node.d.ts tests/lint/contracts
lint_tests = tests/lint/rooms.t tests/lint/shape.t tests/lint/calls.t \
	tests/lint/tracked.t tests/lint/hooks.t tests/lint/selftest.t \
	tests/lint/format.t tests/lint/python.t tests/lint/javascript.t tests/lint/contracts.t
EXTRA_DIST += $(lint_tests)
# Sanitizers add calls and writable state of their own.
if PLAIN_BUILD
TESTS += $(lint_tests)
endif
