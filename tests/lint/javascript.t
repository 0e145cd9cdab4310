#!/bin/sh
exec sh "$SRC/tests/lint/javascript" "$SRC"
