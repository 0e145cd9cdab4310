# no-openat2.sh -- a filter above us answers openat2 with ENOSYS, as systemd's
# RestrictSUIDSGID= does: it cannot look into the mode behind the pointer.
. "$SRC/tests/vm/case.sh"
cat >/tmp/without.py <<'END'
import ctypes, os, struct, sys
# openat2 is 437 on every architecture; 0x50000 | 38 is errno ENOSYS.
code = [(0x20, 0, 0, 0), (0x15, 0, 1, 437), (6, 0, 0, 0x50000 | 38),
        (6, 0, 0, 0x7fff0000)]
text = b"".join(struct.pack("HBBI", *c) for c in code)
keep = ctypes.create_string_buffer(text)
prog = struct.pack("HxxxxxxQ", len(code), ctypes.addressof(keep))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, prog) == 0, os.strerror(ctypes.get_errno())
os.execvp(sys.argv[1], sys.argv[1:])
END
echo '{"name": "inside"}' >repo/package.json
ln -s /etc/passwd repo/package-lock.json
in="/usr/bin/python3 /tmp/without.py"
for uid in 0 65534; do
	doctor $uid 0 '^no .*openat2' 'OPENAT2_FILTERED'
	walls $uid
	exits $uid 0 '"name":"inside"' "$cupel" probe node_manifest /tmp/repo
	exits $uid 0 'package-lock.json.*symlink|symlink.*package-lock.json' \
		sh -c '"$1" gather --quiet /tmp/repo && cat /tmp/repo/.cupel/*.md' \
		sh "$cupel"
	rm -rf repo/.cupel
done
finish
