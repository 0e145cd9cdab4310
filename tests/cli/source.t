#!/bin/sh
# Which parts of the host may be shown: --repo, --ro, --runtime, programs on PATH.
. "$SRC/tests/cli/lib.sh"
chmod 755 "$work"
far=$(mktemp -d -p /var/tmp) || exit 1 # /tmp is the vessel's own
trap 'rm -rf "$work" "$far"' EXIT
chmod 755 "$far"
repo=$far/repo
mkdir "$repo"

refused() { # refused NAME PART -- OPTIONS...
	r_name=$1 r_part=$2
	shift 3
	one_line 2 "$r_part" -- run --repo "$repo" "$@" -- true
	ok "$r_name"
}

one_line 2 "'/' would show the whole host" -- run --repo / -- true
ok 'a repository that is the whole host is refused'
refused 'a source that is not there is named' /nowhere -- --ro /nowhere:/x

refused 'a prefix must look like one' "does not look like" -- \
	--runtime /usr/bin
for dir in / /home /etc /var /tmp; do
	[ -d $dir ] || continue
	refused "$dir is no prefix" "'$dir' would show too much" -- \
		--runtime $dir
done

prefix() { # prefix DIR -- make a prefix with an interpreter there
	mkdir -p "$1/bin" "$1/lib"
	printf '#!/bin/sh\necho it is me\n' >"$1/bin/there"
	chmod 755 "$1" "$1/bin" "$1/lib" "$1/bin/there"
}
prefix "$repo/venv"
refused 'nothing of the repository is a prefix' 'is in the repository' -- \
	--runtime "$repo/venv"
mkdir "$far/wrap" && prefix "$far/wrap"
mkdir "$far/wrap/repo"
one_line 2 'contains the repository' -- run --repo "$far/wrap/repo" \
	--runtime "$far/wrap" -- true
ok 'nor what the repository lies in'
prefix "$far/open" && chmod 777 "$far/open/lib"
refused 'nor what others may write to' 'which others cannot write to' -- \
	--runtime "$far/open"

prefix "$work/near"
refused 'nor what lies where the vessel has its own /tmp' 'of its own' -- \
	--runtime "$work/near"
prefix "$far/good"
got=$("$cupel" run --repo "$repo" --runtime "$far/good" -- there 2>&1)
[ "$got" = 'it is me' ]
ok 'a good one is bound, and its bin stands first'
got=$(PATH=$far/good/bin:$PATH "$cupel" run --repo "$repo" -- there 2>&1)
[ "$got" = 'it is me' ]
ok 'one that PATH finds is bound too'
got=$(PATH=$repo/venv/bin:$PATH "$cupel" run --repo "$repo" -- there 2>&1)
[ $? = 0 ] && [ "$got" = 'it is me' ]
ok 'one that lies in the repository is run from there'
PATH=$repo/venv/bin:$PATH "$cupel" plan --json --repo "$repo" -- there \
	>"$work/plan" && ! grep -q "\"$repo/venv\"" "$work/plan"
ok 'but nothing is bound for it'
mkdir "$work/shims" && cp "$far/good/bin/there" "$work/shims/there"
(PATH=$work/shims:$PATH && one_line 2 'of the program itself with --runtime' -- \
	run --repo "$repo" -- there)
ok 'a shim alone is refused, and says what to do'
cp "$far/good/bin/there" "$work/shims/true"
(PATH=$work/shims:$PATH && one_line 2 'of the program itself with --runtime' -- \
	run --repo "$repo" -- true)
ok 'nor is another taken for it, though /usr has one'
echo "1..$n"
[ "$bad" = 0 ]
