# src/runners: programs for inside, kept as text
core_sources += src/runners/python.c src/runners/runners.h
runner_files = \
	src/runners/python/call.py \
	src/runners/python/find.py \
	src/runners/python/synthesise.py \
	src/runners/python/use.py \
	src/runners/python/values.py
EXTRA_DIST += $(runner_files)
runner_object = src/runners/python.lo
runner_testing_object = src/runners/libcore_testing_la-python.lo
$(runner_object): $(runner_files)
$(runner_testing_object): $(runner_files)
