#!/bin/sh
exec sh "$SRC/tests/lint/hooks" "$BUILD"
