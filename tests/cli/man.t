#!/bin/sh
# The man pages: one for every command, nothing missing, nothing ill-formed.
. "$SRC/tests/cli/lib.sh"

commands=$("$cupel" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for c in $commands; do
	[ -s "$BUILD/man/cupel-$c.1" ]
	ok "$c has a page"
	grep -q "cupel\\\\-$c\\\\fR(1)" "$BUILD/man/cupel.1"
	ok "cupel(1) names it"
	missing=
	for o in $("$cupel" "$c" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
		# batch takes the options of run, and its page says so
		case $c in
		plan | shell) set -- "$BUILD/man/cupel-run.1" ;;
		batch) set -- "$BUILD/man/cupel-batch.1" "$BUILD/man/cupel-run.1" ;;
		*) set -- "$BUILD/man/cupel-$c.1" ;;
		esac
		grep -qF -e "$(printf '%s' "$o" | sed 's/-/\\-/g')" "$@" ||
			missing="$missing $o"
	done
	[ -z "$missing" ]
	ok "the page has each of its options"
	[ -z "$missing" ] || echo "# not there:$missing"
done
for p in cupel.1 cupel-spec.5 cupel-result.5 cupel-seccomp.5 libcupel.3 \
	cupel-ci.7 cupel-fleet.7 cupel-limits.7; do
	[ -s "$BUILD/man/$p" ]
	ok "there is $p"
done

for id in $("$cupel" doctor --json | python3 -c 'import json, sys
print("\n".join(row["id"] for row in json.load(sys.stdin)["rows"]))'); do
	grep -q "^\.B $id\$" "$BUILD/man/cupel-doctor.1" || echo "$id"
done >"$work/ids"
[ ! -s "$work/ids" ]
ok "cupel-doctor(1) has each row"
! grep -l '^@\|@[A-Z]*@' "$BUILD"/man/*.[1357]
ok 'nothing of a template is left'

lint() { mandoc -T lint -W warning "$@" >"$work/lint" 2>&1; }
if command -v mandoc >/dev/null; then
	for p in "$BUILD"/man/*.[1357]; do
		lint "$p"
		ok "mandoc has nothing against ${p##*/}" 
		sed 's/^/# /' "$work/lint"
	done
	printf '.TH X 1 2026-01-01\n.SH NAME\nx \\- y\n.nonsense\n' >"$work/x.1"
	! lint "$work/x.1"
	ok 'mandoc looks at them'
else
	skip 'mandoc has nothing against them' 'mandoc is not installed'
fi
finish
