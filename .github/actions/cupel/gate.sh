# gate.sh -- one gate over a change, reported in the log, the summary and the outputs.
# env: CUPEL CUPEL_RUN CUPEL_GATE CUPEL_WORKTREE CUPEL_BASE CUPEL_BASELINE CUPEL_CATALOGUE
#      CUPEL_ARGS, GITHUB_ACTION_PATH GITHUB_OUTPUT GITHUB_STEP_SUMMARY RUNNER_TEMP
set -eu
umask 077
die() { printf '::error::cupel: %s\n' "$*"; exit 1; }

[ -z "$CUPEL_RUN" ] || die 'run and gate: one of them is wanted, not both'
[ -z "$CUPEL_BASE" ] || [ -z "$CUPEL_BASELINE" ] ||
	die 'base and baseline: one of them is wanted, not both'
# A directory of this action, which is never below the work tree.
top=$(mktemp -d "$RUNNER_TEMP/cupel-gate.XXXXXX")

catalogue=${CUPEL_CATALOGUE:+--catalogue=$CUPEL_CATALOGUE}
if [ -n "$CUPEL_BASE" ]; then
	CUPEL_BASELINE=$top/base.json
	"$CUPEL" gate baseline --quiet "--worktree=$CUPEL_BASE" \
		${catalogue:+"$catalogue"} -- "$CUPEL_GATE" "$CUPEL_BASELINE" \
		2>"$top/errors" || {
		rc=$?
		exec python3 "$GITHUB_ACTION_PATH/tell_gate.py" "$rc" "$top"
	}
fi

# The arguments of cupel: one option a line, nothing expanded.
set -- "--worktree=$CUPEL_WORKTREE" ${catalogue:+"$catalogue"}
[ -z "$CUPEL_BASELINE" ] || set -- "$@" "--baseline=$CUPEL_BASELINE"
while IFS= read -r line; do
	case $line in
	'') ;;
	--json | --json=* | --state | --state=* | --worktree=* | --baseline=*)
		die 'args: the result, the state, the work tree and the baseline'\
' are this action'\''s' ;;
	--*) set -- "$@" "$line" ;;
	*) die 'args: an option a line is wanted, as --name=value' ;;
	esac
done <<END
$CUPEL_ARGS
END

rc=0
"$CUPEL" gate run --json "--state=$top/state" "$@" -- "$CUPEL_GATE" \
	>"$top/result.json" 2>"$top/errors" || rc=$?
# If the result cannot be shown, the tool's own messages say why.
"$CUPEL" gate show "--state=$top/state" >"$top/shown" 2>/dev/null || :
"$CUPEL" gate show "--state=$top/state" "--html=$top/gate.html" \
	>/dev/null 2>&1 || :
exec python3 "$GITHUB_ACTION_PATH/tell_gate.py" "$rc" "$top"
