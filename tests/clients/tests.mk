# tests/clients: what its scripts run
EXTRA_DIST += tests/clients/both.sh tests/clients/tap.py \
	tests/clients/python_answers.py tests/clients/python_confirms.py \
	tests/clients/python_many.py \
	tests/clients/python_pytests.py \
	tests/clients/python_runs.py tests/clients/python_use.py \
	tests/clients/node_answers.mjs tests/clients/node_confirms.mjs \
	tests/clients/node_gates.mjs \
	tests/clients/node_lib.mjs tests/clients/node_many.mjs \
	tests/clients/node_runs.mjs tests/clients/node_use.mts
