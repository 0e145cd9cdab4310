# run.sh -- one run, or one gate by gate.sh, reported in the log, summary and outputs.
# env: CUPEL CUPEL_RUN CUPEL_GATE CUPEL_PROFILE CUPEL_ARGS CUPEL_REPO,
#      GITHUB_ACTION_PATH GITHUB_OUTPUT GITHUB_STEP_SUMMARY GITHUB_WORKSPACE RUNNER_TEMP
set -eu
umask 077
die() { printf '::error::cupel: %s\n' "$*"; exit 1; }

[ -z "$CUPEL_GATE" ] || exec sh "$GITHUB_ACTION_PATH/gate.sh"
[ -n "$CUPEL_RUN" ] || die 'run: a command is wanted, or a gate'
result=$(mktemp "$RUNNER_TEMP/cupel-result.XXXXXX")
! grep -qi 'extraheader' "$CUPEL_REPO/.git/config" 2>/dev/null ||
	printf '::warning::cupel: %s\n' "the checkout left its token in\
 .git/config, which the command can read: use persist-credentials: false"

# A name from a closed list; no file in the checkout is opened to find it.
if [ "$CUPEL_PROFILE" = auto ]; then
	CUPEL_PROFILE=$("$CUPEL" profile find "$CUPEL_REPO" "$CUPEL_RUN") ||
		die 'profile: none can be found for this repository'
	export CUPEL_PROFILE
	printf 'cupel: profile %s\n' "$CUPEL_PROFILE"
fi

# The arguments of cupel: one option a line, nothing expanded.
set -- --profile "$CUPEL_PROFILE" --repo "$CUPEL_REPO"
while IFS= read -r line; do
	case $line in
	'') ;;
	--json | --json=*) die 'args: the result is this action'\''s' ;;
	--*) set -- "$@" "$line" ;;
	*) die 'args: an option a line is wanted, as --name=value' ;;
	esac
done <<END
$CUPEL_ARGS
END

# Its stdout is only the result; its stderr has its own messages.
rc=0
"$CUPEL" run --json "$@" -- sh -euc "$CUPEL_RUN" >"$result" 2>"$result.err" ||
	rc=$?
exec python3 "$GITHUB_ACTION_PATH/tell.py" "$rc" "$result" "$result.err"
