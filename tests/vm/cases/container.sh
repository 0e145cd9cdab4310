# container.sh -- inside an unprivileged container, by crun, under the policy that
# Docker ships: what is granted is enough, and without any of it doctor says no.
. "$SRC/tests/vm/case.sh"
suite 0 tests/kit/container.t
! grep -q '# SKIP' /tmp/out
verdict $? 'nothing was left out'
finish
