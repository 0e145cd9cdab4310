# as.sh -- read by scripts that run something as an unprivileged user.
#
# as_user UID COMMAND... -- run COMMAND as that user, with no environment but the
# variables named below.  PATH is the system's, because root's own may contain
# directories that the user cannot enter.  If the caller is not root, the command
# runs as the caller.
# stage_for UID -- make SRC and BUILD readable for that user.  If they are not (a
# clone below /root), what tests need is copied; stage_done removes the copy.
# tmp -- a directory that belongs to that user, made by stage_for; others may pass
# through it, but not list it.
stage=
tmp=

as_user() {
	as_uid=$1
	shift
	set -- env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
		HOME="$tmp" TMPDIR="$tmp" SRC="$SRC" BUILD="$BUILD" \
		CC="${CC:-gcc}" CUPEL_TIER="${CUPEL_TIER:-quick}" CUPEL_SAN= \
		CUPEL_TEST_SECONDS="${CUPEL_TEST_SECONDS:-900}" "$@"
	[ "$(id -u)" != 0 ] ||
		set -- setpriv --reuid="$as_uid" --regid="$as_uid" \
			--clear-groups "$@"
	"$@"
}

stage_done() {
	[ -z "$tmp" ] || rm -rf "$tmp"
	[ -z "$stage" ] || rm -rf "$stage"
}

# Copy the trees without objects, logs and other build trees.
stage_copy() {
	tar -C "$SRC" --exclude=./.git --exclude=./build \
		--exclude=./autom4te.cache -cf - . | tar -C "$stage" -xf -
	mkdir "$stage/build"
	tar -C "$BUILD" --exclude=./asan --exclude=./clang --exclude=./fuzz \
		--exclude=./coverage \
		--exclude=./checks --exclude=./vm --exclude='*.o' --exclude='*.lo' \
		--exclude='*.log' -cf - . | tar -C "$stage/build" -xf -
	# libtool's wrapper scripts name the tree they were made in.
	find "$stage/build" -type f -perm -100 -size -64k |
	while read -r f; do
		[ "$(head -c 2 "$f")" = '#!' ] || continue
		sed "s|$BUILD|$stage/build|g" "$f" >"$f.new"
		cat "$f.new" >"$f"
		rm "$f.new"
	done
	chmod -R a+rX "$stage"
}

stage_for() {
	trap stage_done EXIT
	trap 'exit 1' HUP INT TERM
	tmp=$(mktemp -d /tmp/cupel-user.XXXXXX)
	chmod 711 "$tmp" # a test of root's may start others in it
	[ "$(id -u)" = 0 ] || return 0
	chown "$1:$1" "$tmp"
	if ! as_user "$1" sh -c 'test -r "$SRC/tests/as.sh" &&
		test -r "$BUILD/Makefile"'; then
		stage=$(mktemp -d /tmp/cupel-stage.XXXXXX)
		chmod 755 "$stage"
		stage_copy
		SRC=$stage BUILD=$stage/build
	fi
}
