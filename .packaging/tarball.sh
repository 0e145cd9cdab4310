# tarball.sh -- read by bootstrap: the static release, build/NAME.tar.gz.
# usage: tarball
#
# The same sources, compiler and libraries give the same bytes in any directory: the
# program has no path of the tree in it, names are sorted, and every time is that of
# the last commit (or SOURCE_DATE_EPOCH, which packagers set).

# release_time -- seconds since 1970
release_time() {
	if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
		echo "$SOURCE_DATE_EPOCH"
	else
		git -c safe.directory='*' log -1 --format=%ct 2>/dev/null ||
			stat -c %Y configure.ac
	fi
}

release_version() {
	sed -n 's/^AC_INIT(\[[^]]*\], \[\([^]]*\)\].*/\1/p' configure.ac
}

# licences DIR -- write the licences of the parts of the program that are not ours: the
# libraries that it is linked with, if the system says whose they are, and the
# JavaScript parser.
licences() {
	mkdir -p "$1"
	for p in libc6-dev libpcre2-dev libseccomp-dev libyaml-dev libexpat1-dev; do
		[ ! -f "/usr/share/doc/$p/copyright" ] ||
			cp "/usr/share/doc/$p/copyright" "$1/${p%-dev}"
	done
	parser=$(sed -n 's/^BABEL_PARSER = //p' build/release/Makefile)
	case $parser in
	'')	say 'no @babel/parser: the release looks at no JavaScript flag' ;;
	/usr/*)	cp /usr/share/doc/node-babel7/copyright "$1/babel-parser" ;;
	*)	cp "${parser%/*}/LICENSE" "$1/babel-parser" ;;
	esac
}

# release_tree DIR -- make the tree that goes into the tarball
release_tree() {
	rm -rf build/release/root "$1"
	make -s -C build/release install DESTDIR="$top/build/release/root" \
		>build/release/install.log 2>&1 || {
		tail -n 5 build/release/install.log >&2
		die 'make install failed'
	}
	mv build/release/root/usr/local "$1"
	rm -rf build/release/root "$1/lib" "$1/include"
	strip --strip-all "$1/bin/cupel"
	mkdir -p "$1/share/doc/cupel"
	cp COPYING README.md "$1/share/doc/cupel"
	licences "$1/share/doc/cupel/licences"
}

tarball() {
	[ $# -eq 0 ] || die 'tarball: takes no argument'
	has lib:libc.a && has lib:libpcre2-8.a && has lib:libseccomp.a ||
		die 'tarball: libc, libpcre2-8 and libseccomp are needed as .a'
	configure_tree build/release --prefix=/usr/local --disable-shared \
		--enable-static-cli --disable-worker \
		"CFLAGS=-O2 -g0 -ffile-prefix-map=$top=. -ffile-prefix-map=../..=."
	make_in build/release
	name=cupel-$(release_version)-linux-$(sed -n 's/^host_cpu = //p' \
		build/release/Makefile)
	release_tree "build/release/$name"
	(cd build/release && LC_ALL=C tar --sort=name --format=ustar \
		--owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--mtime="@$(release_time)" -cf - "$name" |
		gzip -9n >"../$name.tar.gz")
	(cd build && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
	cat "build/$name.tar.gz.sha256"
}
