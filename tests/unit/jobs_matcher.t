#!/bin/sh
# jobs_matcher.t -- the matcher of cupel confirm, broken on purpose: every copy
# with one change must fail the tests of the classes or of the verdicts.
set -u
SRC=${SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
BUILD=${BUILD:-$SRC/build}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT INT TERM
n=0

# The compiler and its flags as configured, sanitizers included.
of() { sed -n "s/^$1 = //p" "$BUILD/Makefile" | head -n 1; }
cc="$(of CC) $(of CFLAGS) $(of CPPFLAGS)"

# The test programs around a changed copy of one file of the matcher.
try() { # FILE SED-SCRIPT
	n=$((n + 1))
	sed "$2" "$SRC/src/jobs/confirm/$1.c" >"$dir/$1.c"
	if cmp -s "$dir/$1.c" "$SRC/src/jobs/confirm/$1.c"; then
		echo "not ok $n - $1: $2 changes nothing"
		return
	fi
	for t in class verdict; do
		# shellcheck disable=SC2086
		if ! $cc -D_GNU_SOURCE \
			-I"$SRC/src" -I"$SRC/tests" -w -O0 \
			"$SRC/tests/unit/jobs_$t.c" "$dir/$1.c" \
			"$BUILD/.libs/libcore.a" $(of LIBS) $libs \
			-o "$dir/test" 2>"$dir/log"; then
			echo "not ok $n - $1: $2 does not build"
			sed 's/^/# /' "$dir/log"
			return
		fi
		if ! "$dir/test" >"$dir/out" 2>&1; then
			echo "ok $n - $1: $2"
			return
		fi
	done
	echo "not ok $n - $1: $2 is not noticed"
}
libs="$(of PCRE2_LIBS) $(of SECCOMP_LIBS)"

while IFS='	' read -r file script; do
	case $file in '' | '#'*) continue ;; esac
	try "$file" "$script"
done <<'END'
class	s/row->how != r->how/false/
class	s/!r->is_known ||/false ||/
class	s/strcmp(row->module, r->module) != 0/false/
class	s/strcmp(row->exception, r->name) != 0/false/
class	s/row->message != NULL \&\&/false \&\&/
class	s/row->except != NULL \&\&/false \&\&/
class	s/row->exception == NULL ||/false ||/
class	s/return at == text.len;/return true;/
class	s/best = fit < best ? fit : best;/best = fit;/
class	s/text.len - at >= piece/true/
class	s/^\t    strcmp(row->exception/\t    !strcmp(row->exception/
class	/'NoneType' object has no attribute/s/'NoneType' object has/*has/
class	s/, NULL, "\*NoneType\*"//
class	s/"generator raised StopIteration"/NULL/
class	s/"json.decoder", "JSONDecodeError"/BUILTIN, "JSONDecodeError"/
class	s/"assert", "AssertionError"/BUILTIN, "AssertionError"/
class	s/"\*JSON\*"/NULL/
class	s/"Invalid array length\*"/NULL/
class	s/"Maximum call stack size exceeded\*"/NULL/
class	s/"Cannot read properties of null\*"/NULL/
class	s/"\*is not a function\*"/NULL/
verdict	s/fit != CLASS_FITS/false/
verdict	s/return \*ret_target \&\& at_line;/return *ret_target;/
verdict	s/return \*ret_target \&\& at_line;/return at_line;/
verdict	s/(target || (rule->has_line ? nested : around))/(target || nested)/
verdict	s/(target || (rule->has_line ? nested : around))/target/
verdict	s/(target || (rule->has_line ? nested : around))/true/
verdict	s/(target || (rule->has_line ? nested : around))/(target || (rule->has_line ? nested || around : around))/
verdict	s/(target || (rule->has_line ? nested : around))/(target || (rule->has_line \&\& nested))/
verdict	s/\*ret_target || target || around;/*ret_target || target;/
verdict	s/<= line \&\& line <=/<= line || line <=/
verdict	s/number_of(r, "from") <= line/number_of(r, "from") < line/
verdict	s/line <= number_of(r, "to")/line < number_of(r, "to")/
verdict	s/strcmp(text_of(answer, "nonce"), rule->nonce) != 0/false/
verdict	s/r->duration_ms + ALARM_SLACK_MS < due_ms/false/
verdict	s/is_true(type, "builtin"),/true,/
verdict	s/"how"), "rejection") == 0/"how"), "rejection") != 0/
verdict	s/reached \&\& r->rc != RUNNER_FAILED/reached/
verdict	s/ends\[r->status\].decides \&\& r->started/ends[r->status].decides/
END
echo "1..$n"
