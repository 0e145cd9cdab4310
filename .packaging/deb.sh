# deb.sh -- read by bootstrap: Debian's packages, in build/deb.
# usage: deb
#
# dpkg-buildpackage needs debian/ at the top of a tree that it may write to, so it
# gets a copy of this one.  Nothing is fetched while it builds.

# deb_tree DIR -- copy the tracked files, or without git all but built ones
deb_tree() {
	if ! git -c safe.directory='*' ls-files -co --exclude-standard \
		>build/deb/files 2>/dev/null ||
		[ ! -s build/deb/files ]; then
		find . -type f ! -path './build/*' ! -path './.git/*' \
			! -path './autom4te.cache/*' >build/deb/files
	fi
	mkdir -p "$1"
	tar -cf - -T build/deb/files | tar -C "$1" -xf -
	mv "$1/.packaging/debian" "$1/debian"
	deb_changelog >"$1/debian/changelog"
}

# One entry, for this version: the history is in git.
deb_changelog() {
	cat <<-END
	cupel ($(release_version)) unstable; urgency=medium

	  * This release; what changed is in the source's history.

	 -- ${DEBFULLNAME:-cupel maintainers} <${DEBEMAIL:-cupel@users.noreply.github.com}>  $(
		LC_ALL=C date -u -R -d "@$(release_time)")
	END
}

# deb_parser DIR -- copy the JavaScript parser that bootstrap fetched, if Debian's is
# not installed
deb_parser() {
	[ -f build/parser/index.js ] ||
		die 'deb: neither node-babel7 nor build/parser (./bootstrap deps)'
	mkdir "$1/debian/parser"
	cp build/parser/index.js build/parser/LICENSE "$1/debian/parser"
}

deb() {
	[ $# -eq 0 ] || die 'deb: takes no argument'
	rm -rf build/deb
	dir=build/deb/cupel-$(release_version) profile=
	mkdir -p build/deb
	deb_tree "$dir"
	dpkg-query -W node-babel7 >/dev/null 2>&1 || {
		deb_parser "$dir"
		profile=-Ppkg.cupel.bundled
	}
	say "building in $dir (build/deb/log)"
	(cd "$dir" && PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		dpkg-buildpackage -us -uc -b $profile) \
		>build/deb/log 2>&1 || {
		tail -n 30 build/deb/log >&2
		die 'dpkg-buildpackage failed'
	}
	lintian --fail-on error build/deb/*.changes || die 'lintian: see above'
	ls build/deb/*.deb
}
