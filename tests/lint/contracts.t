#!/bin/sh
exec python3 "$SRC/tests/lint/contracts" "$SRC"
