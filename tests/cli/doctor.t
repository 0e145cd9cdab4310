#!/bin/sh
# What this host can do, as doctor says it to people and to programs.
. "$SRC/tests/cli/lib.sh"
user_cupel

"$cupel" doctor >"$work/text" 2>"$work/e"
st=$?
[ "$st" = 0 ] || [ "$st" = 3 ]
ok 'exits 0 or 3'
[ ! -s "$work/e" ]
ok 'has nothing to say on stderr'
if [ "$st" = 0 ]; then
	! grep -q '^NO ' "$work/text" && grep -q 'can be enforced' "$work/text"
else
	grep -q '^NO ' "$work/text" && grep -q 'cannot be enforced' "$work/text"
fi
ok 'says in words what it exits with'
! grep -q 'did not\|no answer\|died' "$work/text"
ok 'every probe answers'
# The last row is a real run, and says what that run said.
if "$cupel" run --quiet -- true; then
	grep -q '^yes .*with every wall checked' "$work/text"
else
	grep -q '^NO .*with every wall checked' "$work/text"
fi
ok 'its run ends as a run does'

"$cupel" doctor --json >"$work/json"
ok_json=$?
[ "$ok_json" = "$st" ]
ok '--json exits the same'
python3 - "$work/json" <<'P'
import json, re, sys
d = json.load(open(sys.argv[1]))
assert d["version"] == "1.0" and d["profile"] == "default", d
ids = [r["id"] for r in d["rows"]]
assert len(ids) == len(set(ids)) >= 30, ids
kinds = {"sysctl", "apparmor", "container-flag", "package", "kernel"}
suites = {"test", "pytest", "unittest", "jest", "vitest", "mocha", "node-test",
          "npm-test", "go-test", "cargo-test", "ctest", "automake",
          "prove", "tap", "npm-install",
          "pip-install", "cargo-fetch", "go-mod-download",
          "apt-download"}
known = suites | {"default", "python-function", "node-function", "probe",
                  "parser"}
for r in d["rows"]:
    assert set(r) == {"id", "ok", "value", "cause", "message", "fix",
                      "needed_by"}, r
    assert re.fullmatch("[a-z0-9_]+", r["id"]), r
    assert r["ok"] == (r["cause"] is None) == (r["message"] is None), r
    assert not r["ok"] or r["fix"] == [], r
    assert all(f["kind"] in kinds and f["command"] for f in r["fix"]), r
    assert set(r["needed_by"]) <= known, r
need = {r["id"]: set(r["needed_by"]) for r in d["rows"]}
assert need["userns"] == known, need["userns"]
assert "default" in need["proc"] and "parser" not in need["proc"]
assert need["loopback"] == suites, need["loopback"]
P
ok '--json is one object with every key'

# A host that cannot make vessels: no namespace of any kind may be made in here.
cannot() {
	unshare --user --map-root-user --mount sh -c \
		'echo 0 >/proc/sys/user/max_user_namespaces && "$@"' sh "$@"
}
cannot "$cupel" doctor >"$work/no"
[ $? = 3 ]
ok 'exits 3 where user namespaces are used up'
grep -q '^NO .*user namespace, with' "$work/no" &&
	grep -q 'USERNS_MAX_ZERO: user.max_user_namespaces is 0' "$work/no"
ok 'says which and why'
grep -q 'fix (sysctl): sudo sysctl user.max_user_namespaces=' "$work/no"
ok 'gives the command'
[ "$(grep -c 'USERNS_MAX_ZERO: ' "$work/no")" = 1 ] &&
	grep -q 'USERNS_MAX_ZERO, as with userns' "$work/no"
ok 'explains a cause once'

# Root of a user namespace that maps no other user.
unshare --user --map-root-user "$cupel" doctor >"$work/no"
[ $? = 3 ] && grep -q 'ROOT_WITHOUT_USERS: ' "$work/no"
ok 'tells root of a small user namespace'

# A covered file in /proc, as container engines cover some.
masked() {
	[ "$(id -u)" = 0 ] && own= || own='--user --map-current-user --keep-caps'
	unshare $own --mount --pid --fork --mount-proc sh -c \
		'mount --bind /dev/null /proc/timer_list && "$@"' sh "$@"
}
if [ -e /proc/timer_list ]; then
	masked "$cupel" doctor --json >"$work/no"
	[ $? = 3 ]
	ok 'exits 3 where /proc is covered'
	python3 - "$work/no" <<'P'
import json, sys
rows = {r["id"]: r for r in json.load(open(sys.argv[1]))["rows"]}
assert rows["proc"]["cause"].startswith("PROC_MASKED"), rows["proc"]
assert "systempaths" in rows["proc"]["fix"][0]["command"] or \
    "unmask" in rows["proc"]["fix"][0]["command"] or \
    "procMount" in rows["proc"]["fix"][0]["command"]
assert rows["tmpfs"]["ok"], rows["tmpfs"]
P
	ok 'tells a covered /proc from the rest'
else
	skip 'exits 3 where /proc is covered' 'no /proc/timer_list'
fi

# Done by root: a new PID namespace also has its own copy of the sysctl.
if [ "$(id -u)" = 0 ] && [ -e /proc/sys/vm/memfd_noexec ]; then
	unshare --pid --fork --mount --mount-proc sh -c '
		echo 2 >/proc/sys/vm/memfd_noexec && "$@"' sh \
		"$cupel" doctor >"$work/no"
	[ $? = 3 ] && grep -q 'MEMFD_NOEXEC: vm.memfd_noexec' "$work/no" &&
		grep -q 'fix (sysctl): sudo sysctl vm.memfd_noexec=1' "$work/no"
	ok 'tells that memory files may not be executed, and the sysctl'
fi

# A root directory with one program in it, which must be static, and without /proc.
if [ "$(id -u)" = 0 ] && ! readelf -l "$cupel" | grep -q INTERP; then
	mkdir "$work/bare" && cp "$cupel" "$work/bare" || exit 1
	chroot "$work/bare" /cupel doctor >"$work/no"
	[ $? = 3 ] && [ "$(grep -c 'PROC_ABSENT: ' "$work/no")" = 1 ] &&
		! grep -q 'CONTAINER\|TOO_OLD' "$work/no"
	ok 'tells a chroot without /proc from a container and an old kernel'
fi

# What doctor advises on a host with cgroups of version 1 works: it is carried out
# as root, in a new shell that then becomes the user's.
if [ "$(id -u)" = 0 ] && grep -q ' - cgroup cgroup .*memory' /proc/self/mountinfo &&
	as_user "$cupel" doctor >"$work/v1" && grep -q 'CGROUP_V1: ' "$work/v1"; then
	sed -n "s/.*): sudo \(sh -c 'd=.*\)\$(id -u) /\1 65534 /p" "$work/v1" \
		>"$work/fix"
	echo 'exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" doctor' \
		>>"$work/fix"
	sh -c "$(cat "$work/fix")" "$cupel" >"$work/user"
	grep -q '^yes .*cgroup for the memory of the tree (v1' "$work/user"
	ok 'the way out of a v1 host works there'
	rmdir "/sys/fs/cgroup/memory$(sed -n s/.*:memory://p /proc/$$/cgroup)/cupel"
	ok 'and leaves nothing but what it says'
else
	skip 'the way out of a v1 host works there' 'no such host, or no root'
fi

(ulimit -n 100 && "$cupel" doctor >"$work/no")
[ $? = 3 ] && grep -q 'HARD_LIMIT' "$work/no" &&
	grep -q 'nofile cannot be 256' "$work/no"
ok 'names a hard limit that is too low'

as_user "$cupel" doctor >"$work/user"
[ $? = "$st" ]
ok 'an ordinary user sees the same verdict'
for p in $("$cupel" profile list | sed 's/ .*//'); do
	"$cupel" doctor --profile "$p" >"$work/text"
	[ $? = "$st" ] && grep -q "The profile $p can" "$work/text"
	ok "--profile $p gets its verdict"
done

(cd / && "$cupel" doctor >"$work/root")
[ $? = "$st" ] && ! grep -q 'whole host' "$work/root"
ok 'from / it asks about another directory'
finish
