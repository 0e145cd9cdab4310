#!/bin/sh
exec sh "$SRC/tests/lint/python" "$SRC"
