# cgroups.sh -- cgroup v2 with its controllers, and swap in use: root's top of the
# tree, and a subtree that was given to an ordinary user.
. "$SRC/tests/vm/case.sh"
top=/sys/fs/cgroup
echo "# $(uname -r): $(cat $top/cgroup.controllers)"
dd if=/dev/zero of=/tmp/swap bs=1M count=256 2>/dev/null
chmod 600 /tmp/swap
mkswap /tmp/swap >/dev/null && swapon /tmp/swap
grep -q /tmp/swap /proc/swaps
verdict $? 'there is swap'

# whole -- the test that just ran left nothing out
whole() {
	grep -q '^# with limits' /tmp/out && ! grep -q SKIP /tmp/out
	verdict $? "$1: with limits"
}

exits 0 0 'root: memory, pids, cpu; at ' "$cupel" doctor
suite 0 tests/live/cgroup.t
! grep -q 'no limits\|SKIP' /tmp/out
verdict $? 'with limits'
suite 0 tests/fault/cgroup.t
whole root

# The processes of a test that is not root's sit in a leaf of what it was given.
mkdir -p $top/given/leaf
for d in given given/leaf; do
	chown 65534:65534 $top/$d $top/$d/cgroup.procs \
		$top/$d/cgroup.subtree_control
done
echo $$ >$top/given/leaf/cgroup.procs
exits 65534 0 'subtree: memory, pids, cpu; at ' "$cupel" doctor
suite 65534 tests/fault/cgroup.t
whole 'a user'
echo $$ >$top/cgroup.procs
rmdir $top/given/leaf $top/given
verdict $? 'nothing is left in it'
finish
