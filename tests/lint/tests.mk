# tests/lint: what the house rules' tests run and read
EXTRA_DIST += tests/lint/rooms tests/lint/rooms.tbl tests/lint/selftest.seen \
	tests/lint/sizes.tbl tests/lint/writers.tbl tests/lint/shape \
	tests/lint/calls tests/lint/tracked tests/lint/hooks tests/lint/python \
	tests/lint/javascript tests/lint/node.d.ts tests/lint/contracts tests/lint/english \
	tests/lint/names
