# cgroups.sh -- cgroup v2 with its controllers: root's top of the tree, and a
# subtree that was given to an ordinary user.
cd /tmp || exit 99
echo "$(uname -r): $(cat /sys/fs/cgroup/cgroup.controllers)"
"$BUILD/cupel" doctor | grep -A3 'for the memory'
"$SRC/tests/live/cgroup.t"
