#!/bin/sh
exec sh "$SRC/tests/lint/tracked" "$SRC"
