# case.sh -- what the cases share: TAP, and a vessel's verdicts.  Sourced in the
# guest, as root, with SRC and BUILD set.
#
# Every function ends in one line of TAP that says for whom it was.
cupel=$BUILD/cupel
n=0 bad=0
cd /tmp || exit 99
mkdir repo outside
echo inside >repo/file
echo secret-of-the-host >outside/secret
chmod 755 repo outside
chown -R 65534:65534 repo outside

by() { # by UID COMMAND... -- with that user's rights, and nothing inherited
	by_uid=$1
	shift
	setpriv --reuid="$by_uid" --regid="$by_uid" --clear-groups --inh-caps=-all \
		env -i PATH="$PATH" HOME=/tmp TMPDIR=/tmp SRC="$SRC" \
		BUILD="$BUILD" CUPEL_TIER=quick CC=gcc CUPEL_SAN= ${in:-} "$@"
}

verdict() { # verdict STATUS NAME -- with what was said, when it is bad
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		cut -c1-300 /tmp/said | tr -cd '\11\12\40-\176' | sed 's/^/# /' |
			head -n 20
		bad=1
	fi
}

# exits UID RC PATTERN COMMAND... -- ends with RC and prints what PATTERN (an
# extended expression; '' is none) finds.
exits() {
	ex_uid=$1 ex_rc=$2 ex_pattern=$3
	shift 3
	by "$ex_uid" "$@" >/tmp/said 2>&1
	ex_got=$?
	ex_bad=0
	[ $ex_got = "$ex_rc" ] || ex_bad=1
	[ -z "$ex_pattern" ] || grep -qE "$ex_pattern" /tmp/said || ex_bad=1
	echo "exit $ex_got, expected $ex_rc and '$ex_pattern'" >>/tmp/said
	verdict $ex_bad "[uid $ex_uid] $(echo "$*" | sed "s|$BUILD/||" |
		cut -c1-90)"
}

# doctor UID RC PATTERN...
doctor() {
	doc_uid=$1 doc_rc=$2
	shift 2
	by "$doc_uid" "$cupel" doctor >/tmp/said 2>&1
	doc_got=$?
	[ $doc_got = "$doc_rc" ]
	verdict $? "[uid $doc_uid] doctor exits $doc_rc ($doc_got)"
	for p; do
		grep -qE "$p" /tmp/said
		verdict $? "[uid $doc_uid] doctor: $p"
	done
}

# attack UID SCRIPT OPTION... -- does what it wants to outside, and ends otherwise
# in a run with these options.  KEEPER is a process of the same user.
attack() {
	at_uid=$1 at_script=$2
	shift 2
	setpriv --reuid="$at_uid" --regid="$at_uid" --clear-groups sleep 300 &
	keeper=$!
	until tr '\0' ' ' <"/proc/$keeper/cmdline" | grep -q '^sleep'; do
		sleep 0.1
	done
	by "$at_uid" env KEEPER=$keeper sh -c "$at_script" >/tmp/control 2>&1
	at_control=$?
	rm -f outside/mark
	by "$at_uid" "$cupel" run --repo /tmp/repo --env KEEPER=$keeper "$@" -- \
		sh -c "$at_script" >/tmp/said 2>&1
	at_held=$?
	kill $keeper
	[ $at_control = 0 ] || echo 'its control failed' >>/tmp/said
	[ $at_control = 0 ] && [ $at_held != 0 ] && [ ! -e outside/mark ] &&
		! grep -q secret-of-the-host /tmp/said
	verdict $? "[uid $at_uid] ${*:-by default}, refused: $at_script"
}

# walls UID OPTION... -- the attacks, and that an honest command does its work.
walls() {
	wa_uid=$1
	shift
	attack "$wa_uid" 'cat /tmp/outside/secret' "$@"
	attack "$wa_uid" 'echo x >/tmp/outside/mark' "$@"
	# By Landlock alone from Linux 6.12 on; then the result has told it.
	case "$*,$(uname -r)" in
	*landlock*,6.[0-9].* | *partial*,6.[0-9].*) ;;
	*) attack "$wa_uid" 'kill -0 $KEEPER' "$@" ;;
	esac
	attack "$wa_uid" 'grep -q sleep /proc/$KEEPER/cmdline' "$@"
	exits "$wa_uid" 0 inside "$cupel" run --repo /tmp/repo "$@" -- cat file
}

# suite UID TEST... -- whole test programs; their cases count here.
suite() {
	su_uid=$1
	shift
	for t; do
		program=$BUILD/$t
		[ -x "$program" ] || program=$SRC/$t
		by "$su_uid" "$program" >/tmp/out 2>&1
		su_got=$?
		# Its cases, and what it said before those that failed.
		awk '/^#/ { note[k++ % 40] = substr($0, 1, 300) }
		/^ok / { print; k = 0 }
		/^not ok / {
			print
			for (i = k > 40 ? k - 40 : 0; i < k; i++)
				print note[i % 40]
			k = 0
		}' /tmp/out \
			>/tmp/lines
		while read -r word rest; do
			case $word in
			ok) n=$((n + 1))
				echo "ok $n - $t uid $su_uid ${rest#* }" ;;
			not) n=$((n + 1)) bad=1
				echo "not ok $n - $t uid $su_uid ${rest#* * }" ;;
			*) echo "$word $rest" ;;
			esac
		done </tmp/lines
		tail -n 20 /tmp/out >/tmp/said
		[ $su_got = 0 ] && grep -q '^1\.\.' /tmp/out
		verdict $? "[uid $su_uid] $t ran to its end"
	done
}

finish() {
	echo "1..$n"
	exit $bad
}
