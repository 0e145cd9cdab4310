#!/bin/sh
# format.t -- every C file is as clang-format would have it.
#
# Other releases of clang-format lay the same file out otherwise, so the one that
# Debian 12 has is asked for.
want=14
cd "$SRC" || exit 1
for tool in clang-format-$want clang-format; do
	command -v $tool >/dev/null || continue
	case $($tool --version) in *"version $want."*) ;; *) continue ;; esac
	break
done
case $($tool --version 2>/dev/null) in
*"version $want."*) ;;
*)	echo "1..0 # SKIP clang-format $want is not installed"
	exit 0 ;;
esac

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
n=0 bad=0
report() { # report NAME -- by the list in $work/bad
	n=$((n + 1))
	if [ ! -s "$work/bad" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# clang-format -i /' "$work/bad"
		bad=1
	fi
}

# Many files a process: to start it takes as long as a file.  It prints
# FILE:LINE:... for what it would change; what it cannot read fails, too.
unformatted() { # unformatted LIST -- names, on stdout
	xargs -n 50 -P 2 $tool --dry-run <"$1" >"$work/said" 2>&1 ||
		echo "$tool failed"
	sed -n 's/^\([^ :]*\):[0-9][0-9]*:.*/\1/p' "$work/said" | sort -u
}

find src tests adversarial -name '*.[ch]' ! -path '*/corpus/*' |
	LC_ALL=C sort >"$work/all"
unformatted "$work/all" >"$work/bad"
[ "$(wc -l <"$work/all")" -gt 300 ] || echo 'src: too few files' >>"$work/bad"
report "every C file is laid out by .clang-format"

# A file that is not must be found out.
printf 'int  f( void ){return 0 ;}\n' >"$work/odd.c"
cp .clang-format "$work"
echo "$work/odd.c" >"$work/one"
unformatted "$work/one" >"$work/found"
: >"$work/bad"
echo "$work/odd.c" | cmp -s - "$work/found" || echo odd.c >"$work/bad"
report "one that is not is found"
echo "1..$n"
exit $bad
