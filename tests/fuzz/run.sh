# run.sh -- run every fuzz target: from one seed so often, or, in full, by the
# clock.
# usage: SRC= BUILD= OUT= [CUPEL_TIER=full] sh tests/fuzz/run.sh [TARGET...]
#        SRC= BUILD= OUT= sh tests/fuzz/run.sh --build    what they are linked with
#
# A target is tests/fuzz/NAME.c with LLVMFuzzerTestOneInput; its seeds are the
# files of tests/fuzz/corpus/NAME/.  The core is built once more, by clang,
# with coverage, ASan and UBSan, in BUILD/fuzz, and so are the parsers.  The quick
# tier makes the same inputs each time, so that what it finds it finds again; an
# hour in all in full.
set -eu
total=3600
runs=4000 # of a target; the slowest makes some hundred a second
san=address,undefined
if [ $# -eq 0 ]; then
	set -- $(cd "$SRC/tests/fuzz" && grep -l LLVMFuzzerTestOneInput \
		-- *.c 2>/dev/null | xargs -r grep -L 'int main(' -- |
		sed 's/\.c$//')
fi
mkdir -p "$OUT"
if [ $# -eq 0 ]; then
	echo '# no fuzz target' >&2
	exit 1
fi
share=$((total / $#))
if [ "${CUPEL_TIER:-quick}" = full ]; then
	bound="-max_total_time=$share" said="$share s" patience=$((share + 120))
else
	bound="-runs=$runs -seed=1" said="$runs runs" patience=300
fi

mkdir -p "$BUILD/fuzz"
cd "$BUILD/fuzz"
[ -f Makefile ] || "$SRC/configure" -q CC=clang CFLAGS='-O1 -g1' \
	--enable-werror --enable-sanitize=fuzz --disable-static-cli \
	--disable-shared >configure.out 2>&1 || {
	tail configure.out >&2
	exit 1
}
make -s -j2 libcore.la libparsers.a librelay.a >make.out 2>&1 || {
	tail -n 20 make.out >&2
	exit 1
}
[ "${1-}" != --build ] || exit 0
libs=$(sed -n 's/^\(PCRE2_LIBS\|SECCOMP_LIBS\|JSON_C_LIBS\|YAML_LIBS\|EXPAT_LIBS\) = //p' Makefile)

# libs_of NAME -- as the replaying program of that name is linked; parsers and the
# relay are no part of the core, and have names in common with it.
libs_of() {
	for lib in libparsers.a librelay.a; do
		! grep -q "^tests_fuzz_$1_t_LDADD = $lib" "$SRC"/tests/lists.mk ||
			echo $lib
	done
	echo .libs/libcore.a $libs
}

# one NAME -- build it, run it, leave its verdict
one() {
	work=$OUT/$1
	rm -rf "$work/new" # what an earlier pass found would be a seed
	mkdir -p "$work/new" "$work/found"
	seeds=$SRC/tests/fuzz/corpus/$1
	[ -d "$seeds" ] || seeds=
	word=FAIL
	if clang -std=gnu17 -D_GNU_SOURCE -O1 -g -fsanitize="fuzzer,$san" \
		-fno-sanitize-recover=all -I"$SRC/src" -Isrc -I"$SRC/tests" \
		"$SRC/tests/fuzz/$1.c" $(libs_of "$1") \
		-o "$work/target" >"$work.log" 2>&1 &&
		timeout -k 5 "$patience" "$work/target" \
			$bound -timeout=10 -rss_limit_mb=1024 \
			-artifact_prefix="$work/found/" "$work/new" $seeds \
			>>"$work.log" 2>&1
	then
		word=PASS
	else
		tail -n 30 "$work.log" | sed 's/^/# /' >&2
	fi
	echo ":test-result: $word fuzz $1, $said" >"$work.trs"
}

# stripe K NAME... -- the K-th of every two, one by one
stripe() {
	at=$1
	shift
	for name; do
		[ "$at" != 0 ] || one "$name"
		at=$((1 - at))
	done
}

# Two at a time: each has its share of time, whoever runs beside it.
rm -f "$OUT"/*.trs
stripe 0 "$@" &
stripe 1 "$@" &
wait
[ "$(cat "$OUT"/*.trs | grep -c ': PASS')" = $# ]
