#!/bin/sh
# run.sh -- starts a container in which cupel can run, and which otherwise may do no
# more than a default one.
# usage: run.sh docker|podman POLICY.json IMAGE [WORD...]
#
# POLICY.json is what `cupel doctor --seccomp` makes of the engine's own policy.  The
# repository is the current directory.
set -eu
[ $# -ge 3 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
engine=$1 policy=$2
shift 2
case $engine in
docker)	set -- --security-opt systempaths=unconfined \
		--security-opt apparmor=unconfined "$@" ;;
podman)	set -- --security-opt unmask=ALL --security-opt label=disable "$@" ;;
*)	echo "run.sh: docker or podman, not '$engine'" >&2; exit 2 ;;
esac
exec "$engine" run --rm --user 1000:1000 --cap-drop ALL --network none \
	--security-opt no-new-privileges --security-opt "seccomp=$policy" \
	--volume "$PWD:/repo:ro" "$@"
