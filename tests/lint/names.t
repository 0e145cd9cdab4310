#!/bin/sh
exec python3 -B "$SRC/tests/lint/names" "$SRC/src" "$BUILD"
