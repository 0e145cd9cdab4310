#!/bin/sh
exec sh "$SRC/tests/lint/hooks" "$SRC" "$BUILD"
