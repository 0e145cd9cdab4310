#!/bin/sh
exec python3 -B "$SRC/tests/lint/english" "$SRC"
