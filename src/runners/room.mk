# src/runners: programs for inside, kept as text
core_sources += src/runners/node.c src/runners/python.c src/runners/runners.h
runner_files = \
	src/runners/python/annotate.py \
	src/runners/python/basics.py \
	src/runners/python/boot.py \
	src/runners/python/bounds.py \
	src/runners/python/call.py \
	src/runners/python/calls.py \
	src/runners/python/choose.py \
	src/runners/python/decode.py \
	src/runners/python/doc.py \
	src/runners/python/evaluate.py \
	src/runners/python/explore.py \
	src/runners/python/express.py \
	src/runners/python/find.py \
	src/runners/python/infer.py \
	src/runners/python/interpreter.py \
	src/runners/python/machine.py \
	src/runners/python/machine_call.py \
	src/runners/python/moves.py \
	src/runners/python/natives.py \
	src/runners/python/objects.py \
	src/runners/python/reach.py \
	src/runners/python/sense.py \
	src/runners/python/shape.py \
	src/runners/python/sites.py \
	src/runners/python/spoken.py \
	src/runners/python/syntax.py \
	src/runners/python/synthesise.py \
	src/runners/python/tables.py \
	src/runners/python/template.py \
	src/runners/python/trial.py \
	src/runners/python/values.py \
	src/runners/python/warm_call.py \
	src/runners/python/warm_synthesis.py
EXTRA_DIST += $(runner_files)
runner_object = src/runners/libcore_la-python.lo
$(runner_object): $(runner_files)

node_files = \
	src/runners/node/asked.js \
	src/runners/node/boot.js \
	src/runners/node/bounds.js \
	src/runners/node/call.js \
	src/runners/node/calls.js \
	src/runners/node/doc.js \
	src/runners/node/eval.js \
	src/runners/node/find.js \
	src/runners/node/host.js \
	src/runners/node/jsx.js \
	src/runners/node/keep.js \
	src/runners/node/load.js \
	src/runners/node/moves.js \
	src/runners/node/patterns.js \
	src/runners/node/shape.js \
	src/runners/node/sites.js \
	src/runners/node/slots.js \
	src/runners/node/spoken.js \
	src/runners/node/strip.js \
	src/runners/node/synthesise.js \
	src/runners/node/tree.js \
	src/runners/node/types.js \
	src/runners/node/use.js \
	src/runners/node/values.js
EXTRA_DIST += $(node_files)

# @babel/parser as configure found it; empty: no JavaScript flag is looked at.
babel_parser = src/runners/babel-parser.js
$(babel_parser): Makefile
	$(AM_V_GEN)$(MKDIR_P) src/runners && \
		file="$(BABEL_PARSER)" && \
		cat "$${file:-/dev/null}" >$@.new && mv $@.new $@
CLEANFILES += $(babel_parser)
node_object = src/runners/libcore_la-node.lo
$(node_object): $(node_files) $(babel_parser)
