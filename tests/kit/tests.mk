# tests/kit: what is shipped beside the program
EXTRA_DIST += tests/kit/oci.py tests/kit/action_lib.py tests/kit/deb_worker.py

EXTRA_DIST += .packaging/tarball.sh .packaging/deb.sh \
	.packaging/debian/control .packaging/debian/copyright \
	.packaging/debian/rules .packaging/debian/source/format \
	.packaging/debian/tests/control .packaging/debian/cupel.docs \
	.packaging/debian/cupel.install \
	.packaging/debian/cupel.lintian-overrides \
	.packaging/debian/cupel-worker.examples \
	.packaging/debian/cupel-worker.install \
	.packaging/debian/cupel-worker.lintian-overrides \
	.packaging/debian/cupel-worker.postrm \
	.packaging/debian/cupel-worker.prerm \
	.packaging/debian/cupel-worker.sysusers \
	.packaging/debian/libcupel-dev.install \
	.packaging/debian/libcupel0.install \
	.packaging/debian/libcupel0.lintian-overrides \
	.packaging/debian/node-cupel.docs .packaging/debian/node-cupel.install \
	.packaging/debian/python3-cupel.docs \
	.packaging/container/Containerfile .packaging/container/run.sh \
	.packaging/gitlab/cupel.gitlab-ci.yml .packaging/gitlab/runner.toml \
	.packaging/kubernetes/pod.yaml .packaging/kubernetes/worker.yaml \
	.packaging/fleet/Containerfile .packaging/fleet/batch.sbatch \
	.packaging/fleet/compose.yaml .packaging/fleet/cupel-worker.service \
	.packaging/fleet/nats-server.conf .packaging/fleet/users.conf.example \
	.packaging/fleet/worker.conf \
	.github/actions/cupel/action.yml .github/actions/cupel/install.sh \
	.github/actions/cupel/gate.sh .github/actions/cupel/run.sh \
	.github/actions/cupel/tell.py .github/actions/cupel/tell_gate.py
