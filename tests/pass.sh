# pass.sh -- run test programs once more as another user.
# usage: SRC= BUILD= OUT= sh tests/pass.sh UID TEST...
#
# By root.  Where that user cannot read the tree (a clone below /root), what
# the tests need is copied to a directory that it can, removed afterwards.
set -eu
uid=$1
shift
mkdir -p "$OUT"
stage=
trap '[ -z "$stage" ] || rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM

# as_user COMMAND... -- as that user, with nothing of root's environment.
# PATH is the system's: root's own may point where the user cannot go.
as_user() {
	setpriv --reuid="$uid" --regid="$uid" --clear-groups env -i \
		PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/nonexistent \
		TMPDIR="$tmp" SRC="$SRC" BUILD="$BUILD" CC="${CC:-gcc}" \
		CUPEL_TIER="${CUPEL_TIER:-quick}" CUPEL_SAN= "$@"
}

tmp=/tmp
if ! as_user sh -c 'test -r "$1/tests/pass.sh" && test -r "$2/Makefile"' \
	- "$SRC" "$BUILD"; then
	stage=$(mktemp -d "${TMPDIR:-/tmp}/cupel-stage.XXXXXX")
	chmod 755 "$stage"
	# Not the objects, the logs or the other build trees.
	tar -C "$SRC" --exclude=./.git --exclude=./build \
		--exclude=./autom4te.cache -cf - . | tar -C "$stage" -xf -
	mkdir "$stage/build"
	tar -C "$BUILD" --exclude=./asan --exclude=./clang --exclude=./fuzz \
		--exclude=./checks --exclude='*.o' --exclude='*.lo' \
		--exclude='*.log' -cf - . | tar -C "$stage/build" -xf -
	# libtool's wrapper scripts name the tree they were made in.
	find "$stage/build" -type f -name '*.t' -size -64k |
	while read -r f; do
		head -c 2 "$f" | grep -q '^#!' || continue
		sed "s|$BUILD|$stage/build|g" "$f" >"$f.new"
		cat "$f.new" >"$f"
		rm "$f.new"
	done
	chmod -R a+rX "$stage"
	SRC=$stage BUILD=$stage/build
fi
tmp=$(mktemp -d /tmp/cupel-user.XXXXXX)
trap 'rm -rf "$tmp"; [ -z "$stage" ] || rm -rf "$stage"' EXIT
chown "$uid:$uid" "$tmp"

# one TEST -- run it; its output in OUT/....log, its cases in OUT/....trs
one() {
	name=${1%.t}
	prog=$SRC/$1
	[ -x "$BUILD/$1" ] && prog=$BUILD/$1
	mkdir -p "$OUT/${name%/*}"
	log=$OUT/$name.log
	status=0
	(cd "$tmp" && as_user timeout -k 5 900 "$prog") >"$log" 2>&1 ||
		status=$?
	awk -v status="$status" -v suite="$1" '
		/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; planned = 1 }
		/^1\.\.0/ { print ":test-result: SKIP " suite; }
		/^(not )?ok/ {
			n++
			word = /^not/ ? "FAIL" : "PASS"
			if (toupper($0) ~ /# *SKIP/ && word == "PASS") word = "SKIP"
			if (word == "FAIL") bad++
			print ":test-result: " word " " $0
		}
		END {
			if (!planned || n + 0 != plan)
				print ":test-result: ERROR " suite ": planned " \
					plan + 0 ", ran " n + 0
			else if (status != 0 && !bad)
				print ":test-result: ERROR " suite ": exit " status
		}' "$log" >"$OUT/$name.trs"
	! grep -qE '^:test-result: (FAIL|ERROR)' "$OUT/$name.trs"
}

[ $# -gt 0 ] || exit 0
bad=0
for t; do
	one "$t" || bad=1
done
exit $bad
