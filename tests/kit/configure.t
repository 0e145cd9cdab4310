#!/bin/sh
# configure.t -- whether there is a worker: --enable-worker fails without its
# libraries, so that no package lacks the program by accident.
. "$SRC/tests/cli/lib.sh"
mkdir "$work/in" && cd "$work/in" || exit 1
# $ABSENT is the library that is missing; the other one is there.
cat >"$work/pkg-config" <<-'END'
	#!/bin/sh
	case $* in
	*"$ABSENT "*) exit 1 ;;
	*libnats*' >= '* | *libcrypto*' >= '*) exit 0 ;;
	esac
	exec pkg-config "$@"
END
chmod 755 "$work/pkg-config"

# configure refuses a path with a blank in it.
ln -s "$SRC" "$work/src"

# configure ABSENT OPTION... -- run it up to the check after the worker's, which is
# made to fail: that failure shows that the worker's checks passed
configure() {
	ABSENT=$1
	export ABSENT
	shift
	"$work/src/configure" "$@" PKG_CONFIG="$work/pkg-config" \
		--with-babel-parser=/no/parser >"$work/said" 2>&1
}
says() {
	grep -qF "$1" "$work/said" || { tail -n 3 "$work/said" | sed 's/^/# /'
		return 1; }
}
for lib in libnats libcrypto; do
	configure $lib --enable-worker
	says 'error: --enable-worker: libnats or libcrypto is not here'
	ok "--enable-worker fails without $lib"
	configure $lib
	says "no $lib here: there will be no cupel-worker" &&
		says 'error: /no/parser is not @babel/parser'
	ok "without the option $lib may be absent, and that is said"
done
configure neither --enable-worker
says 'error: /no/parser is not @babel/parser'
ok 'control: with both --enable-worker does not fail'
configure libnats --disable-worker
says 'error: /no/parser is not @babel/parser' &&
	! grep -q 'no cupel-worker' "$work/said"
ok 'with --disable-worker none of them is looked for'
finish
