# tests/unit: what its tests read
EXTRA_DIST += tests/unit/filter_rows.txt

# unit/parsers_memory: the program's own main file, and libraries whose memory can
# be refused, too
REFUSED_WRAP = $(PARSE_MEMORY_WRAP) -Wl,--wrap=main
REFUSED_LIBS = -l:libyaml.a -l:libexpat.a
EXTRA_DIST += tests/data/memory
