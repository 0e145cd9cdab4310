#!/bin/sh
# dist.t -- `make dist` takes every file that the repository has.
. "$SRC/tests/cli/lib.sh"
cd "$SRC" || exit 1
if ! git -c safe.directory='*' ls-files >"$work/tracked" 2>/dev/null ||
	[ ! -s "$work/tracked" ]; then
	echo '1..0 # SKIP this is no clone'
	exit 0
fi
make -s -C "$BUILD" --no-print-directory print-dist | sed "s|^$SRC/||; s|^\.\./||" \
	>"$work/taken"
[ "$(wc -l <"$work/taken")" -gt 1000 ]
ok 'there is a list'

# missing TAKEN -- files that are neither in TAKEN nor below a folder that is; files
# that only git reads may be missing
missing() {
	awk 'NR == FNR { taken[$0]; next }
	{
		at = $0
		while (at != "" && !(at in taken))
			if (!sub("/[^/]*$", "", at))
				at = ""
		if (at == "" && $0 !~ /(^|\/)\.gitignore$/)
			print
	}' "$1" "$work/tracked"
}
left=$(missing "$work/taken")
[ -z "$left" ] || echo "$left" | sed 's/^/# /'
[ -z "$left" ]
ok 'every file is in it'
grep -vxF src/base/buf.h "$work/taken" >"$work/less"
[ "$(missing "$work/less")" = src/base/buf.h ]
ok 'control: one that is not is seen'
finish
