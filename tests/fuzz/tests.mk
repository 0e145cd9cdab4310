# tests/fuzz: a target is tests/fuzz/NAME.c, its seeds tests/fuzz/corpus/NAME/
EXTRA_DIST += tests/fuzz/corpus
