# src/runners: programs for inside, kept as text
core_sources += src/runners/python.c src/runners/runners.h
runner_files = \
	src/runners/python/annotate.py \
	src/runners/python/basics.py \
	src/runners/python/call.py \
	src/runners/python/calls.py \
	src/runners/python/choose.py \
	src/runners/python/decode.py \
	src/runners/python/doc.py \
	src/runners/python/express.py \
	src/runners/python/find.py \
	src/runners/python/infer.py \
	src/runners/python/objects.py \
	src/runners/python/reach.py \
	src/runners/python/shape.py \
	src/runners/python/synthesise.py \
	src/runners/python/tables.py \
	src/runners/python/values.py
EXTRA_DIST += $(runner_files)
runner_object = src/runners/python.lo
runner_testing_object = src/runners/libcore_testing_la-python.lo
$(runner_object): $(runner_files)
$(runner_testing_object): $(runner_files)
