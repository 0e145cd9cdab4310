#!/bin/sh
exec sh "$SRC/tests/lint/calls" "$SRC/src"
