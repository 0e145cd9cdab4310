# no-landlock.sh -- a kernel without Landlock: the namespaces hold by themselves,
# and that there is no second wall is said.
# kernel: lsm=capability,yama
. "$SRC/tests/vm/case.sh"
for uid in 0 65534; do
	doctor $uid 0 '^no .*Landlock' 'LANDLOCK_ABSENT'
	exits $uid 0 '"landlock":\{"requested":false,"applied":(false|null)' "$cupel" \
		run --json --repo /tmp/repo -- true
	exits $uid 1 'Landlock' "$cupel" run --backend landlock \
		--repo /tmp/repo -- echo it ran
	walls $uid
	suite $uid tests/live/repo.t
done
finish
