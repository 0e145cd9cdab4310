# see.sh -- what this kernel and this build say of each other.
uname -r
"$BUILD/cupel" doctor || true
cd /tmp && mkdir repo && echo x >repo/x && chown -R 65534:65534 repo
"$BUILD/cupel" run --repo repo -- id
setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/cupel" run --repo repo -- sh -c 'id; cat /repo/x; ls -la /'
