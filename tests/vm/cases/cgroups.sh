# cgroups.sh -- cgroup v2, with controllers to give away: root's own subtree, and
# one that was delegated to an ordinary user.
cd /tmp || exit 99
uname -r
cat /sys/fs/cgroup/cgroup.controllers
"$BUILD/cupel" doctor | grep -A3 cgroup
"$BUILD/cupel" run --json --repo-mode none -- true
echo; cat /sys/fs/cgroup/cgroup.subtree_control; ls -d /sys/fs/cgroup/cupel*
"$BUILD/cupel" run --json --repo-mode none --mem-bytes 64M -- python3 -c 'x=bytearray(100<<20)'
echo
"$BUILD/cupel" run --json --repo-mode none --cpu-max 0.25 -- python3 -c '
import time
t=time.monotonic(); c=time.process_time()
while time.monotonic()-t<1: pass
print((time.process_time()-c)/(time.monotonic()-t))'
mkdir /sys/fs/cgroup/d /sys/fs/cgroup/d/leaf
chown -R 65534 /sys/fs/cgroup/d
cat >/tmp/in <<'X'
echo $$ >/sys/fs/cgroup/$1/cgroup.procs
shift
exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
X
sh /tmp/in d/leaf "$BUILD/cupel" run --json --repo-mode none --mem-bytes 64M -- python3 -c 'x=bytearray(100<<20)'
find /sys/fs/cgroup/d -type d
sh /tmp/in d "$BUILD/cupel" run --json --repo-mode none --mem-bytes 64M -- python3 -c 'x=bytearray(100<<20)'
find /sys/fs/cgroup/d -type d
