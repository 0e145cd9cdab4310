# tests/kit: what is shipped beside the program
#
# These build releases and start containers: minutes each, by check-all only.
kit_long_tests = tests/kit/tarball.t
EXTRA_DIST += $(kit_long_tests)
.PHONY: print-kit-tests
print-kit-tests:
	@for t in $(kit_long_tests); do echo $$t; done
EXTRA_DIST += .packaging/tarball.sh
