#!/bin/sh
# commit.t -- the action without a release: the action's own step builds, as an
# ordinary user, the files that GitHub unpacks from a commit, and the next step runs
# the result.  It takes minutes, so it is part of check-all.
. "$SRC/tests/cli/lib.sh"
unset CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS
tree=$work/_actions/owner/cupel/commit
mkdir -p "$tree" "$work/_temp" "$work/repo"
# The tracked files without history; if there is no git, all but built files.
if git -c safe.directory='*' -C "$SRC" ls-files >"$work/files" 2>/dev/null &&
	[ -s "$work/files" ]; then
	tar -C "$SRC" -cf - -T "$work/files"
else
	tar -C "$SRC" --exclude=./build --exclude=./.git \
		--exclude=./autom4te.cache --exclude=./configure \
		--exclude=Makefile.in --exclude=./aclocal.m4 -cf - .
fi | tar -C "$tree" -xf -
for f in env out summary log; do : >"$work/$f"; done
[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$work"
chmod 755 "$work"

# told STATUS -- whether the step ended with it; if not, print what it said
told() {
	[ $got = "$1" ] && return
	tail -n 20 "$work/log" | sed 's/^/# /'
	return 1
}

# step SCRIPT NAME=VALUE... -- one step of action.yml, as the runner starts it
step() {
	script=$1
	shift
	echo "sh \"\$GITHUB_ACTION_PATH/$script\"" >"$work/step.sh"
	as_user env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$work" CI=true \
		GITHUB_ACTIONS=true GITHUB_WORKSPACE="$work/repo" \
		GITHUB_ACTION_PATH="$tree/.github/actions/cupel" \
		GITHUB_ENV="$work/env" GITHUB_OUTPUT="$work/out" \
		GITHUB_STEP_SUMMARY="$work/summary" RUNNER_TEMP="$work/_temp" \
		CUPEL_NO_DEPS=1 CUPEL_PROFILE=test $(cat "$work/env") "$@" \
		bash --noprofile --norc -eo pipefail "$work/step.sh" \
		</dev/null >"$work/log" 2>&1
	got=$?
}

step install.sh CUPEL_TARBALL= CUPEL_SHA256=0 CUPEL_VERSION= CUPEL_APPARMOR=true
told 1 && grep -q '::error::cupel: sha256: is of a tarball' "$work/log" &&
	[ ! -s "$work/env" ] && [ ! -e "$tree/build" ]
ok 'a checksum without a release is refused before anything is built'
step install.sh CUPEL_TARBALL= CUPEL_SHA256= CUPEL_VERSION= CUPEL_APPARMOR=true
told 0 && [ "$(cat "$work/env")" = "CUPEL=$tree/build/cupel" ]
ok 'the commit is built, and the next step is told where'
step run.sh CUPEL_RUN='echo it ran; ! touch here; exit 4' CUPEL_ARGS= \
	CUPEL_REPO="$work/repo"
told 4 && grep -q '^| it ran$' "$work/log" &&
	grep -qx 'rc=4' "$work/out" && [ ! -e "$work/repo/here" ]
ok 'and it runs a command under the profile'
step install.sh CUPEL_TARBALL= CUPEL_SHA256= CUPEL_VERSION=0.0 \
	CUPEL_APPARMOR=true
told 1 && grep -q '::error::cupel: version: this is' "$work/log"
ok 'another version is refused'
finish
