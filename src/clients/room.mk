# clients: packages of other languages that run the command; nothing is built
# or installed here, pip and npm take them from the tree.
EXTRA_DIST += src/clients/python/pyproject.toml \
	src/clients/python/README.md \
	src/clients/python/cupel/__init__.py \
	src/clients/python/cupel/_client.py \
	src/clients/python/cupel/_errors.py \
	src/clients/python/cupel/_json.py \
	src/clients/python/cupel/_process.py \
	src/clients/python/cupel/_pytest.py \
	src/clients/python/cupel/_result.py \
	src/clients/python/cupel/py.typed
