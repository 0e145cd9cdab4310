# tests/clients: the packages for Python and Node, run as root and as uid 65534
client_tests = tests/clients/python.t tests/clients/node.t
# What they test has no C in it, and a sanitizer slows each of many runs.
if PLAIN_BUILD
TESTS += $(client_tests)
endif
EXTRA_DIST += $(client_tests) tests/clients/both.sh tests/clients/tap.py \
	tests/clients/python_answers.py tests/clients/python_pytests.py \
	tests/clients/python_runs.py tests/clients/python_use.py \
	tests/clients/node_answers.mjs tests/clients/node_lib.mjs \
	tests/clients/node_runs.mjs tests/clients/node_use.mts
