# tests/unit: what its tests read
EXTRA_DIST += tests/unit/filter_rows.txt
