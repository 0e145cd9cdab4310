# suites.sh -- the live and the adversarial suites, as root and as a user.
# VM_TESTS in the environment of tests/vm/run names fewer.
cd /tmp || exit 99
failed=0 passed=0
every=$(sed -n '/^TESTS = /,/[^\\]$/p' "$BUILD/Makefile" | tr -d '\\' |
	tr ' \t' '\n\n' | sed 's/\$(EXEEXT)//' |
	grep -E '^(tests/live|adversarial)/')
for t in ${VM_TESTS:-$every}; do
	program=$BUILD/$t
	[ -x "$program" ] || program=$SRC/$t
	for uid in 0 65534; do
		setpriv --reuid=$uid --regid=$uid --clear-groups \
			env SRC="$SRC" BUILD="$BUILD" "$program" >/tmp/out.$uid 2>/tmp/err.$uid
		p=$(grep -c '^ok' /tmp/out.$uid)
		f=$(grep -c '^not ok' /tmp/out.$uid)
		passed=$((passed + p)) failed=$((failed + f))
		echo "$t uid $uid: $p passed, $f failed, $(tail -n 1 /tmp/out.$uid)"
		grep -h '^not ok' /tmp/out.$uid | head -n 40
		[ "$f" = 0 ] || grep -h '^#' /tmp/err.$uid | cut -c1-200 | head -n 20
	done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
