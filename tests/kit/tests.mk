# tests/kit: what is shipped beside the program
#
# These build releases and start containers: minutes each, by check-all only.
kit_long_tests = tests/kit/tarball.t tests/kit/container.t
EXTRA_DIST += $(kit_long_tests)
.PHONY: print-kit-tests
print-kit-tests:
	@for t in $(kit_long_tests); do echo $$t; done
EXTRA_DIST += tests/kit/oci.py

kit_tests = tests/kit/action.t tests/kit/lint.t
EXTRA_DIST += $(kit_tests)
if PLAIN_BUILD
TESTS += $(kit_tests)
endif

EXTRA_DIST += .packaging/tarball.sh \
	.packaging/container/Containerfile .packaging/container/run.sh \
	.packaging/gitlab/cupel.gitlab-ci.yml .packaging/gitlab/runner.toml \
	.packaging/kubernetes/pod.yaml \
	.github/actions/cupel/action.yml .github/actions/cupel/install.sh \
	.github/actions/cupel/run.sh .github/actions/cupel/tell.py
