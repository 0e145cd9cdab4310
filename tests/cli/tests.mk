# tests/cli: what its scripts read
EXTRA_DIST += tests/cli/lib.sh tests/cli/shell.py tests/cli/zsh_complete.py
