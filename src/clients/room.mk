# clients: packages of other languages that run the command; nothing is built
# or installed here, pip and npm take them from the tree.
EXTRA_DIST += src/clients/python/pyproject.toml \
	src/clients/python/README.md \
	src/clients/python/cupel/__init__.py \
	src/clients/python/cupel/_client.py \
	src/clients/python/cupel/_confirm.py \
	src/clients/python/cupel/_errors.py \
	src/clients/python/cupel/_gate.py \
	src/clients/python/cupel/_json.py \
	src/clients/python/cupel/_many.py \
	src/clients/python/cupel/_many_async.py \
	src/clients/python/cupel/_process.py \
	src/clients/python/cupel/_pytest.py \
	src/clients/python/cupel/_result.py \
	src/clients/python/cupel/py.typed
EXTRA_DIST += src/clients/node/package.json \
	src/clients/node/README.md \
	src/clients/node/index.cjs \
	src/clients/node/index.d.ts \
	src/clients/node/index.mjs \
	src/clients/node/lib/client.cjs \
	src/clients/node/lib/confirm.cjs \
	src/clients/node/lib/error.cjs \
	src/clients/node/lib/gate.cjs \
	src/clients/node/lib/json.cjs \
	src/clients/node/lib/many.cjs \
	src/clients/node/lib/process.cjs \
	src/clients/node/lib/result.cjs \
	src/clients/node/lib/tests.cjs
