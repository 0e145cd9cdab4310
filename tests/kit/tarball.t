#!/bin/sh
# tarball.t -- the static release: another tree gives the same bytes, and the program
# runs where nothing else is installed.  It takes minutes: it is part of check-all.
. "$SRC/tests/cli/lib.sh"
export CUPEL_NO_DEPS=1

# copy_of TREE TO -- copy it without built files, but with fetched ones
copy_of() {
	mkdir -p "$2/build"
	tar -C "$1" --exclude=./build --exclude=./.git \
		--exclude=./autom4te.cache -cf - . | tar -C "$2" -xf -
	[ ! -d "$1/build/parser" ] || cp -a "$1/build/parser" "$2/build"
}

# release TREE -- build its tarball, and print its name
release() {
	(cd "$1" && SOURCE_DATE_EPOCH=1600000000 ./bootstrap tarball \
		>"$work/log" 2>&1) || {
		tail -n 20 "$work/log" | sed 's/^/# /'
		return 1
	}
	echo "$1"/build/cupel-*-linux-*.tar.gz
}

copy_of "$SRC" "$work/one"
copy_of "$SRC" "$work/a-tree-with-a-longer-name"
first=$(release "$work/one")
ok 'builds'
second=$(release "$work/a-tree-with-a-longer-name") &&
	cmp "$first" "$second"
ok 'two trees give the same bytes'
(cd "${first%/*}" && sha256sum -c --status "${first##*/}.sha256")
ok 'its checksum is beside it'

mkdir "$work/new"
tar -xzf "$first" -C "$work/new"
set -- "$work"/new/*
top=$1
[ $# = 1 ] && case ${top##*/} in cupel-[0-9]*-linux-*) ;; *) false ;; esac
ok 'unpacks into one folder'
missing=
for f in bin/cupel share/man/man1/cupel.1 share/man/man5/cupel-result.5 \
	share/cupel/profiles/default.json share/cupel/seccomp/default.json \
	share/cupel/schemas/result.schema.json share/cupel/apparmor/cupel \
	share/bash-completion/completions/cupel \
	share/zsh/site-functions/_cupel \
	share/fish/vendor_completions.d/cupel.fish \
	share/doc/cupel/COPYING; do
	[ -s "$top/$f" ] || missing="$missing $f"
done
[ -z "$missing" ] || echo "# missing:$missing"
[ -z "$missing" ]
ok 'everything is in it'
! tar -tvzf "$first" | awk '{ print $1, $2, $4, $5 }' |
	grep -vE '^([d-]rwxr-xr-x|-rw-r--r--) 0/0 2020-09-13 12:26$'
ok 'owned by root, of one time, with plain modes'
! grep -qaF "$work" "$top/bin/cupel"
ok 'the program names no path of the tree'
! readelf -d "$top/bin/cupel" 2>/dev/null | grep -q NEEDED
ok 'the program needs no library'

# A root directory with one program and nothing else that it could use.  (Not made
# by chroot(8): under it the kernel refuses user namespaces.)
root=$work/root
mkdir -p "$root/bin" "$root/usr/bin" "$root/repo" "$root/proc" "$root/dev" \
	"$root/opt"
printf 'int main(void)\n{\n\treturn 0;\n}\n' >"$work/true.c"
${CC:-cc} -static -o "$root/bin/true" "$work/true.c"
cp -a "$top" "$root/opt/cupel"
chmod 755 "$work" "$root"
bare() {
	as_user bwrap --unshare-all --bind "$root" / --proc /proc --dev /dev \
		--chdir /repo --clearenv --setenv PATH /bin -- "$@"
}
bare /opt/cupel/bin/cupel run -- /bin/true 2>"$work/e" ||
	{ sed 's/^/# /' "$work/e"; false; }
ok 'runs a command where nothing is installed'
bare /opt/cupel/bin/cupel run --json -- /bin/true | grep -q '"status": *"OK"'
ok 'every wall stood'
bare /opt/cupel/bin/cupel run -- /bin/false 2>/dev/null
[ $? = 127 ]
ok 'and only what is there runs'
finish
