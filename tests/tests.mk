# Each kind of test has its own fragment; a test is one file and one line there.
include tests/unit/tests.mk
include tests/lint/tests.mk
include tests/golden/tests.mk
include tests/cli/tests.mk
include tests/live/tests.mk
include tests/fault/tests.mk
include tests/fuzz/tests.mk
include tests/bench/tests.mk
