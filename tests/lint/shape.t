#!/bin/sh
exec sh "$SRC/tests/lint/shape" "$SRC" "$BUILD"
