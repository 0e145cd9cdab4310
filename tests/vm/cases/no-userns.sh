# no-userns.sh -- user namespaces are forbidden: Landlock is what holds, and only
# where the caller said that it may.
. "$SRC/tests/vm/case.sh"
echo 0 >/proc/sys/user/max_user_namespaces
for uid in 0 65534; do
	doctor $uid 3 '^NO .*user namespace' 'USERNS_MAX_ZERO' \
		'fix \(sysctl\): sudo sysctl user.max_user_namespaces=' \
		'^yes .*Landlock'
	exits $uid 1 'max_user_namespaces' "$cupel" run --repo /tmp/repo -- \
		echo it ran
	walls $uid --backend landlock
	walls $uid --allow-partial
done
[ -n "${QUICK:-}" ] || suite 65534 tests/live/lesser.t
finish
