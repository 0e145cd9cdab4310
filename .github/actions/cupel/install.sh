# install.sh -- installs cupel from this commit or a release, and what it needs here.
# env: CUPEL_TARBALL CUPEL_SHA256 CUPEL_VERSION CUPEL_APPARMOR CUPEL_PROFILE,
#      GITHUB_ACTION_PATH GITHUB_ENV RUNNER_TEMP
set -eu
umask 022

# The runner reads commands from the log: each of ours is one line.
die() { printf '::error::cupel: %s\n' "$*"; exit 1; }

# release -- install the tarball, only if its checksum is the given one
release() {
	case $CUPEL_SHA256 in
	*[!0-9a-f]* | '') die 'sha256: 64 digits in lower case are wanted' ;;
	esac
	[ ${#CUPEL_SHA256} = 64 ] || die 'sha256: 64 digits are wanted'
	file=$RUNNER_TEMP/cupel.tar.gz
	case $CUPEL_TARBALL in
	https://*)
		curl -fsSL --proto '=https' --proto-redir '=https' \
			--max-filesize 67108864 -o "$file" -- "$CUPEL_TARBALL" ||
			die 'the release cannot be fetched' ;;
	*://*)	die 'tarball: a file or an https address is wanted' ;;
	*)	cp -- "$CUPEL_TARBALL" "$file" || die 'tarball: no such file' ;;
	esac
	echo "$CUPEL_SHA256  $file" | sha256sum -c --status - || {
		rm -f "$file"
		die 'the release is not the one of that checksum'
	}
	rm -rf "$RUNNER_TEMP/cupel"
	mkdir "$RUNNER_TEMP/cupel"
	tar -xzf "$file" -C "$RUNNER_TEMP/cupel" --strip-components=1
	cupel=$RUNNER_TEMP/cupel/bin/cupel
}

# commit -- build this action's own tree, the commit that `uses:` names
commit() {
	[ -z "$CUPEL_SHA256" ] || die 'sha256: is of a tarball, and none is named'
	tree=$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)
	"$tree/bootstrap" build || die 'the build failed'
	cupel=$tree/build/cupel
}

# allow -- load the profile that lets this one program have user namespaces.  For
# everything else the restriction stays.
allow() {
	[ "$(cat "${CUPEL_PROC:-/proc}/sys/kernel/apparmor_restrict_unprivileged_userns" \
		2>/dev/null)" = 1 ] || return 0
	[ "$CUPEL_APPARMOR" = true ] || return 0
	"$cupel" doctor --apparmor | sudo tee /etc/apparmor.d/cupel >/dev/null
	sudo apparmor_parser -r /etc/apparmor.d/cupel
}

if [ -n "$CUPEL_TARBALL" ]; then release; else commit; fi
have=$("$cupel" --version | sed -n '1s/^cupel //p')
[ -z "$CUPEL_VERSION" ] || [ "$have" = "$CUPEL_VERSION" ] ||
	die "version: this is $have"
allow
# auto becomes a profile of a test runner; those need the same from a host as test.
[ "$CUPEL_PROFILE" != auto ] || CUPEL_PROFILE=test
"$cupel" doctor --profile "$CUPEL_PROFILE" >"$RUNNER_TEMP/cupel-doctor" || {
	cat "$RUNNER_TEMP/cupel-doctor"
	die 'this runner cannot enforce the profile; see above for what would help'
}
printf 'CUPEL=%s\n' "$cupel" >>"$GITHUB_ENV"
