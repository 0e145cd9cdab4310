# tests/clocks: everything that compares times
EXTRA_DIST += tests/clocks/three.sh
