# coverage.sh -- line coverage of src, children included.  Read by bootstrap.
# usage: coverage
#
# A build of its own by clang, whose counters live in files (counts.c): what
# init, a command's child or a killed supervisor ran is counted like all else.
# Then the tests as `check` runs them, and the second pass; and a report, which
# is what decides: that a test fails is said here and judged by `check`.
. tests/check.sh
. tests/check_all.sh

# As CPPFLAGS, which no link line has: what clang would link itself is not
# wanted.  The file's name is a part of the names of its static functions, by
# make's $<: without its folder, one of two would count for the other.
coverage_flags='-Xclang -fprofile-instrument=clang -Xclang -fcoverage-mapping'
coverage_flags="$coverage_flags -mllvm -runtime-counter-relocation"
coverage_flags="$coverage_flags -Xclang -main-file-name -Xclang \$<"

# They look at sources, measure time, build trees of their own, or want the
# shared library.
coverage_without='^tests/((lint|kit)/|live/shared\.t)'

coverage_libs() {
	printf %s "-L$top/build/coverage -Wl,-u,counts_hosted"
	for name in init_main image_map_from begin_new begin_open begin_spawn; do
		printf %s " -Wl,--wrap=$name"
	done
	printf ' -lcounting'
}

# counting_library DIR -- what every image is linked with
counting_library() {
	for part in counts given hosted init; do
		clang -std=gnu17 -D_GNU_SOURCE -O1 -fno-stack-protector -fPIC \
			-Isrc -Itests "-DCOUNTS_FILE=\"$top/$1/counts\"" \
			-c "tests/coverage/$part.c" -o "$1/counting-$part.o"
	done
	rm -f "$1/libcounting.a"
	ar -rc "$1/libcounting.a" "$1"/counting-*.o
}

# counts_file FILE -- empty, for everybody; of the size that counts.h says
counts_file() {
	rm -rf "$1"
	truncate -s 8T "$1"
	chmod 666 "$1"
}

coverage() {
	# Without controls: what they show is check's, and a race that has to be
	# won takes minutes at -O0.
	export CUPEL_TIER=quick CUPEL_TEST_SECONDS=1800 CUPEL_CONTROLS=no
	mkdir -p build/coverage
	checks=build/coverage/checks trees=build/coverage
	rm -rf "$checks"
	mkdir -p "$checks"
	counting_library build/coverage
	configure_tree build/coverage --disable-shared CC=clang 'CFLAGS=-O0 -g1' \
		"CPPFLAGS=$coverage_flags" \
		"LIBS=$(coverage_libs)"
	counts_file build/coverage/counts
	step 'build' compile build/coverage || die 'it does not build'
	set -- $(suites build/coverage | grep -vE "$coverage_without")
	step 'tests' run_in build/coverage "$(jobs_count)" "$@" || :
	step 'as an unprivileged user' the_other_way build/coverage "$@" || :
	complaints
	tally || say 'some tests failed: check is what judges them'
	python3 tests/coverage/report.py "$top" build/coverage
}
