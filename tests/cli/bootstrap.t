#!/bin/sh
# ./bootstrap refuses an argument that a verb does not take, before it builds
# anything or waits for another bootstrap.
. "$SRC/tests/cli/lib.sh"

refuses() { # refuses VERB ARG [ARG...] -- the last one is refused
	for last; do :; done
	got=$("$SRC/bootstrap" "$@" 2>&1 </dev/null)
	[ $? -eq 2 ] && [ "$got" = "bootstrap: $1 does not take '$last'; \
./bootstrap help lists what it takes" ]
	ok "refuses $*"
}

refuses build release
refuses check quick
refuses check-all fast
refuses check-vm nosuch
refuses bench nosuch
refuses bench 'a b'
refuses deps everything
refuses coverage html
refuses demo now
refuses deb x
refuses tarball x
refuses install /usr
refuses install DESTDIR=here
refuses install DESTDIR=/a DESTDIR=/b

finish
