#!/bin/sh
# shared.t -- libcupel as others use it: its symbols, its header, its .pc file, and a
# program that is built with nothing else.
# usage: SRC=... BUILD=... shared.t; TAP
set -u
cc=${CC:-cc}
dir=$(mktemp -d "${TMPDIR:-/tmp}/cupel-shared.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
n=0 bad=0

check() { # check NAME STATUS
	n=$((n + 1))
	if [ "$2" = 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		bad=1
	fi
}

# The header declares, the map names and the library exports the same symbols.
awk '/^CUPEL_API/ { on = 1 } on { text = text $0 } on && /;/ {
		match(text, /cupel_[a-z_]*\(/)
		print substr(text, RSTART, RLENGTH - 1)
		on = 0
		text = ""
	}' "$SRC/src/cupel.h" | sort >"$dir/header"
sed -n 's/^	\(cupel_[a-z_]*\);$/\1/p' "$SRC/src/lib/libcupel.map" |
	sort >"$dir/map"
nm -D --defined-only "$BUILD/.libs/libcupel.so" |
	sed -n 's/.* [A-Z] \(.*\)@@\(CUPEL_0\.[12]\)$/\1 \2/p' |
	grep -v '^CUPEL' | sort >"$dir/versions"
cut -d' ' -f1 "$dir/versions" >"$dir/exported"
[ "$(wc -l <"$dir/header")" -ge 26 ]
check 'the header declares functions' $?
cmp "$dir/header" "$dir/map" >&2
check 'the map names what the header declares' $?
cmp "$dir/header" "$dir/exported" >&2
check 'the library exports what the header declares' $?
[ "$(nm -D --defined-only "$BUILD/.libs/libcupel.so" |
	grep -c -v 'CUPEL_0\.[12]$')" = 0 ]
check 'and nothing else' $?
# A program that was linked before there were batches still finds its symbols.
sed -n 's/^\(cupel_batch_[a-z_]*\) //p' "$dir/versions" | sort -u |
	grep -qx CUPEL_0.2 &&
	[ "$(grep -v '^cupel_batch_' "$dir/versions" | grep -c ' CUPEL_0\.1$')" \
		= 17 ] && [ "$(grep -c ' CUPEL_0\.2$' "$dir/versions")" = 10 ]
check 'what is new has a version of its own' $?
[ "$(readlink "$BUILD/.libs/libcupel.so.0")" = libcupel.so.0.1.0 ]
check 'and the library is the same one, of the next age' $?

cat >"$dir/use.c" <<'END'
#include <cupel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	struct cupel_spec *spec = NULL;
	struct cupel_run *run = NULL;
	struct cupel_batch *batch = NULL;
	struct cupel_batch_end end;
	struct cupel_error err;
	const char *argv[] = { "sh", "-c", "echo here", NULL };

	memset(&err, 0, sizeof err);
	if (cupel_spec_new(&spec, &err) < 0 ||
	    cupel_spec_set(spec, "repo-mode", "none", &err) < 0 ||
	    cupel_spec_set_command(spec, argv, &err) < 0 ||
	    cupel_run_start(spec, NULL, &run, &err) < 0 ||
	    cupel_run_wait(run, &err) < 0) {
		puts(err.what);
		return 1;
	}
	puts(cupel_run_result(run, NULL));
	printf("%s %s\n", cupel_status_name(cupel_run_status(run)),
	       cupel_version());
	cupel_run_free(run);
	memset(&end, 0, sizeof end);
	end.size = sizeof end;
	if (cupel_batch_new(NULL, &batch, &err) < 0 ||
	    cupel_batch_put(batch, spec, NULL, 7, &err) < 0 ||
	    cupel_batch_wait(batch, &err) != 1 ||
	    cupel_batch_take(batch, &end, &err) != 1) {
		puts(err.what);
		return 1;
	}
	printf("batch %d %s\n", (int)end.id, end.result);
	free(end.result);
	cupel_batch_free(batch);
	cupel_spec_free(spec);
	return 0;
}
END
# The header in three languages, with every warning turned on.
for language in c:-std=c99 c:-std=c17; do
	$cc -x "${language%%:*}" "${language#*:}" -Wall -Wextra -Wpedantic \
		-Werror -I"$SRC/src" -fsyntax-only "$dir/use.c"
	check "the header is ${language#*:}" $?
done
for cxx in ${CXX:-} "$cc" c++ g++ clang++ clang; do
	echo 'int main() { return 0; }' >"$dir/none.cc"
	$cxx -x c++ -fsyntax-only "$dir/none.cc" 2>/dev/null && break
done
cat >"$dir/use.cc" <<'END'
#include <cupel.h>

int main()
{
	cupel_batch_options options = cupel_batch_options();
	cupel_batch *batch = nullptr;
	cupel_error err = { };

	options.size = sizeof options;
	if (cupel_batch_new(&options, &batch, &err) < 0)
		return 1;
	cupel_batch_free(batch);
	return cupel_status_name(CUPEL_OK) == 0;
}
END
$cxx -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$SRC/src" \
	-fsyntax-only "$dir/use.cc"
check "the header is C++11 ($cxx)" $?

# As an installed library below DESTDIR, found by the .pc file that was installed.
env -u MAKEFLAGS -u MFLAGS make -s -C "$BUILD" DESTDIR="$dir/root" \
	install-includeHEADERS install-libLTLIBRARIES \
	install-nodist_pkgconfigDATA >"$dir/out" 2>&1
check 'library, header and .pc file are installed below DESTDIR' $?
pc=$(find "$dir/root" -name cupel.pc)
lib=${pc%/pkgconfig/*}
flags_of() { # flags_of [--static]
	PKG_CONFIG_SYSROOT_DIR=$dir/root PKG_CONFIG_PATH=${pc%/*} \
		pkg-config "$@" --cflags --libs cupel
}
flags=$(flags_of)
check 'pkg-config finds cupel' $?
# shellcheck disable=SC2086
$cc ${CUPEL_SAN:-} -o "$dir/use" "$dir/use.c" $flags
check 'a program links against it' $?
if [ -z "${CUPEL_SAN:-}" ]; then
	flags=$(flags_of --static)
	# shellcheck disable=SC2086
	$cc -static -o "$dir/use-static" "$dir/use.c" $flags
	check 'a static program links against it' $?
else
	cp "$dir/use" "$dir/use-static"
fi
as_users='env'
[ "$(id -u)" != 0 ] || as_users='env:setpriv --reuid=65534 --regid=65534 --clear-groups'
run_as() { # run_as AS PROGRAM
	# shellcheck disable=SC2086
	(cd / && LD_LIBRARY_PATH=$lib $1 "$dir/$2") >"$dir/out" 2>&1
	status=$?
	sed 's/^/# /' "$dir/out" >&2
	check "$2 runs ($1)" $status
	head -n 1 "$dir/out" | python3 -c 'import json, sys
sys.exit(json.load(sys.stdin)["stdout"] != "here\n")' &&
		grep -q '^OK 0\.' "$dir/out"
	check "$2 gets its result ($1)" $?
	grep -q '^batch 7 {.*"stdout":"here' "$dir/out"
	check "$2 gets it of a batch ($1)" $?
}
IFS=:
for as in $as_users; do
	unset IFS
	run_as "$as" use
	run_as "$as" use-static
done
echo "1..$n"
exit $bad
