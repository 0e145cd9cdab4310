#!/bin/sh
# deb.t -- Debian's packages: they are built from a copy of the tree without a
# network, lintian finds no error, and their programs run.  It takes minutes, so it
# is part of check-all.
. "$SRC/tests/cli/lib.sh"
for tool in dpkg-buildpackage dh lintian dh_python3; do
	command -v $tool >/dev/null || {
		echo "1..0 # SKIP $tool is not installed (not Debian?)"
		exit 0
	}
done

mkdir -p "$work/tree/build"
tar -C "$SRC" --exclude=./build --exclude=./.git --exclude=./autom4te.cache \
	-cf - . | tar -C "$work/tree" -xf -
[ ! -d "$SRC/build/parser" ] || cp -a "$SRC/build/parser" "$work/tree/build"
# If a network namespace can be made, the build has no network.
alone='unshare --net'
$alone true 2>/dev/null || alone=
(cd "$work/tree" && CUPEL_NO_DEPS=1 $alone ./bootstrap deb) >"$work/log" 2>&1 ||
	{ tail -n 30 "$work/log" | sed 's/^/# /'; false; }
ok 'builds without a network, and lintian finds no error'
debs=$work/tree/build/deb
[ ! -e "$work/tree/debian" ]
ok 'out of the tree'
for p in cupel cupel-worker libcupel0 libcupel-dev python3-cupel node-cupel; do
	set -- "$debs/${p}"_*.deb
	[ -f "$1" ] && dpkg-deb -x "$1" "$work/root"
	ok "there is $p"
done
lintian "$debs"/*.changes >"$work/lint" 2>/dev/null
[ "$(grep -c '^E:' "$work/lint")" = 0 ] && [ -s "$debs/log" ] ||
	{ sed 's/^/# /' "$work/lint"; false; }
ok 'no error once more'
# The control: without an override, lintian reports an error.
mkdir "$work/bad" && dpkg-deb -R "$debs"/cupel_*.deb "$work/bad/cupel" &&
	rm -r "$work/bad/cupel/usr/share/lintian" &&
	dpkg-deb -b "$work/bad/cupel" "$work/bad/cupel_0_amd64.deb" >/dev/null &&
	lintian "$work/bad/cupel_0_amd64.deb" 2>/dev/null |
	grep -q '^E: .*statically-linked-binary'
ok 'lintian looks'

mkdir "$work/repo" && chmod 755 "$work" "$work/repo" && cd "$work/repo" &&
	as_user "$work/root/usr/bin/cupel" run --repo-mode none -- true
ok 'the program of the package runs a command'
as_user env CUPEL="$work/root/usr/bin/cupel" PYTHONDONTWRITEBYTECODE=1 \
	PYTHONPATH="$work/root/usr/lib/python3/dist-packages" \
	/usr/bin/python3 -c 'import cupel; h = cupel.SandboxClient().health()
assert h.ok, h'
ok 'and the package for Python finds it healthy'

# The worker's package.
worker=$(echo "$debs"/cupel-worker_*.deb)
version=$(dpkg-deb -f "$debs"/cupel_*.deb Version)
dpkg-deb -f "$worker" Depends | tr ',' '\n' | sed 's/^ *//' >"$work/depends"
grep -q '^libnats' "$work/depends" &&
	grep -qxF "cupel (= $version)" "$work/depends"
ok 'the worker depends on libnats and on this very cupel'
for p in "$debs"/*.deb; do
	dpkg-deb -c "$p" | grep -v '/$' | awk '{ print $6 }'
done | sort | uniq -d >"$work/twice"
[ ! -s "$work/twice" ] || { sed 's/^/# /' "$work/twice"; false; }
ok 'no file is in two packages'
missing=
dpkg-deb -c "$worker" >"$work/files"
for f in usr/bin/cupel-worker lib/systemd/system/cupel-worker.service \
	usr/lib/sysusers.d/cupel-worker.conf etc/cupel/worker.conf \
	usr/share/man/man1/cupel-worker.1.gz \
	usr/share/man/man1/cupel-submit.1.gz \
	usr/share/man/man7/cupel-fleet.7.gz \
	usr/share/doc/cupel-worker/examples/nats-server.conf \
	usr/share/doc/cupel-worker/examples/users.conf.example; do
	grep -qE " \./(usr/)?$f\$" "$work/files" ||
		missing="$missing $f"
done
[ -z "$missing" ] || echo "# missing:$missing"
[ -z "$missing" ]
ok 'everything of a worker is in it'
unit=$(find "$work/root" -name cupel-worker.service)
[ "$(sed -n 's/^User=//p' "$unit")" = "$(sed -n 's/^u \([a-z-]*\) .*/\1/p' \
	"$work/root/usr/lib/sysusers.d/cupel-worker.conf")" ] &&
	grep -qx 'EnvironmentFile=-/etc/cupel/worker.conf' "$unit" &&
	[ -x "$work/root$(sed -n 's/^ExecStart=\([^ ]*\) .*/\1/p' "$unit")" ]
ok "the unit's user, settings and program are those of the packages"

# What the scripts would do on a machine that runs systemd: stubs record it.
dpkg-deb -e "$worker" "$work/scripts"
mkdir "$work/stubs"
cat >"$work/stubs/stub" <<-'END'
	#!/bin/sh
	echo "${0##*/} $*" >>"$(dirname "$0")/../calls"
	case $* in *debian-installed* | *was-enabled*) exit 1 ;; esac
END
chmod 755 "$work/stubs/stub"
for s in systemctl deb-systemd-helper deb-systemd-invoke systemd-sysusers; do
	ln -s stub "$work/stubs/$s"
done
# calls SCRIPT ARG... -- the commands that it calls
calls() {
	: >"$work/calls"
	[ ! -f "$work/scripts/$1" ] ||
		bwrap --ro-bind / / --dev /dev --tmpfs /run \
			--dir /run/systemd/system \
			--bind "$work" "$work" --setenv PATH \
			"$work/stubs:/usr/sbin:/usr/bin:/sbin:/bin" \
			"$work/scripts/$@" || echo failed >>"$work/calls"
	grep -v daemon-reload "$work/calls"
}
if command -v bwrap >/dev/null; then
	new=$(calls postinst configure)
	case $new in
	*'systemd-sysusers cupel-worker.conf'*) ;;
	*) false ;;
	esac && ! echo "$new" | grep -E 'start|enable |failed'
	ok 'an installation makes the user, and enables and starts nothing'
	[ "$(calls preinst upgrade 0.0; calls prerm upgrade 9
		calls postinst configure 0.0 | grep invoke)" = \
		'deb-systemd-invoke try-restart cupel-worker.service' ]
	ok 'an upgrade restarts a worker that runs'
	[ "$(calls prerm remove)" = \
		'deb-systemd-invoke stop cupel-worker.service' ]
	ok 'a removal stops it'

	# Installed in a root directory of its own; the machine is read-only around it.
	alone=$work/alone
	mkdir -p "$alone/var/lib/dpkg/info" "$alone/var/lib/dpkg/updates" \
		"$alone/etc"
	: >"$alone/var/lib/dpkg/status"
	in_alone() {
		bwrap --unshare-user --uid 0 --gid 0 --ro-bind / / \
			--bind "$work" "$work" --dev /dev --setenv PATH \
			"$work/stubs:/usr/sbin:/usr/bin:/sbin:/bin" -- \
			dpkg --root="$alone" --force-depends,script-chrootless \
			"$@" >"$work/dpkg" 2>&1 || {
			sed 's/^/# /' "$work/dpkg"
			return 1
		}
	}
	in_alone -i "$debs"/cupel_*.deb "$worker" &&
		[ -x "$alone/usr/bin/cupel-worker" ]
	ok 'dpkg installs it in a root of its own'
	echo 'CUPEL_ROOT=/mine' >>"$alone/etc/cupel/worker.conf"
	in_alone -i "$worker" && grep -qx CUPEL_ROOT=/mine \
		"$alone/etc/cupel/worker.conf"
	ok "the owner's settings stay"
	# What a worker that an attacker controls may leave in its own two directories,
	# where root's scripts will find it.
	mkdir "$alone/others" && echo kept >"$alone/others/file" || exit 1
	for at in cache lib; do
		at=$alone/var/$at/cupel-worker
		mkdir -p "$at/-rf" "$at/closed" &&
			ln -s "$alone/others" "$at/link" &&
			ln -s ../../../others "$at/closed/link" &&
			ln "$alone/others/file" "$at/name" &&
			mkfifo "$at/pipe" && : >"$at/$(printf 'a\nb *')" &&
			perl -e 'chdir shift or die; for (1 .. 3000) {
				mkdir "deep-deep" and chdir "deep-deep" or die }' \
				"$at" && chmod 000 "$at/closed" || exit 1
	done
	in_alone -r cupel-worker && [ -f "$alone/etc/cupel/worker.conf" ] &&
		[ -d "$alone/var/lib/cupel-worker" ] &&
		in_alone -P cupel-worker && [ ! -e "$alone/etc/cupel" ] &&
		[ ! -e "$alone/var/cache/cupel-worker" ] &&
		[ ! -e "$alone/var/lib/cupel-worker" ]
	ok 'until they are purged, with what the worker left'
	[ "$(cat "$alone/others/file")" = kept ]
	ok 'and no link there was followed'
else
	skip 'what the scripts do' 'bwrap is not installed'
fi
BUILD=$work/root/usr/bin python3 "$SRC/tests/kit/deb_worker.py"
case $? in
0) ok 'the worker does a request of a server' ;;
77) skip 'the worker does a request of a server' 'there is no nats-server' ;;
*) false || ok 'the worker does a request of a server' ;;
esac

printf '#include <cupel.h>\nint main(void)\n{\n\tstruct cupel_spec *s;\n\n\treturn cupel_spec_new(&s, 0);\n}\n' \
	>"$work/use.c"
lib=$(dirname "$(find "$work/root" -name libcupel.so)")
${CC:-cc} -o "$work/use" "$work/use.c" -I"$work/root/usr/include" -L"$lib" \
	-lcupel && LD_LIBRARY_PATH=$lib "$work/use"
ok 'a C program is built against the library'
finish
