# src/jobs: batch, gather, confirm: what runs are for
core_sources += \
	src/jobs/common/beneath.c src/jobs/common/beneath.h \
	src/jobs/common/chain.c src/jobs/common/chain.h \
	src/jobs/common/chain_private.h \
	src/jobs/common/chain_read.c \
	src/jobs/common/chain_verify.c \
	src/jobs/common/composed.c src/jobs/common/composed.h \
	src/jobs/common/gap.c src/jobs/common/gap.h \
	src/jobs/common/inside.c src/jobs/common/inside.h \
	src/jobs/common/lock.c src/jobs/common/lock.h \
	src/jobs/common/log.c src/jobs/common/log.h \
	src/jobs/common/value.c src/jobs/common/value.h \
	src/jobs/batch/asked.c src/jobs/batch/asked.h \
	src/jobs/batch/batch.c src/jobs/batch/batch.h \
	src/jobs/batch/known.c src/jobs/batch/known.h \
	src/jobs/batch/lines.c src/jobs/batch/lines.h \
	src/jobs/batch/outbox.c src/jobs/batch/outbox.h \
	src/jobs/batch/results.c src/jobs/batch/results.h \
	src/jobs/probe/answer.c src/jobs/probe/answer.h \
	src/jobs/probe/attempt.c src/jobs/probe/attempt.h \
	src/jobs/probe/catalogue.c src/jobs/probe/catalogue.h \
	src/jobs/probe/inputs.c src/jobs/probe/inputs.h \
	src/jobs/probe/inputs_file.c \
	src/jobs/probe/inputs_seal.c \
	src/jobs/probe/match.c src/jobs/probe/match.h \
	src/jobs/probe/model.h \
	src/jobs/probe/reading.h \
	src/jobs/probe/report.c src/jobs/probe/report.h \
	src/jobs/probe/tree.c src/jobs/probe/tree.h \
	src/jobs/probe/walk.c src/jobs/probe/walk.h \
	src/jobs/gather/audit.c src/jobs/gather/audit.h \
	src/jobs/gather/cache.c src/jobs/gather/cache.h \
	src/jobs/gather/context.c src/jobs/gather/context.h \
	src/jobs/gather/events.c src/jobs/gather/events.h \
	src/jobs/gather/explain.c src/jobs/gather/explain.h \
	src/jobs/gather/explain_path.c src/jobs/gather/explain_path.h \
	src/jobs/gather/gather.c src/jobs/gather/gather.h \
	src/jobs/gather/manifest.c src/jobs/gather/manifest.h \
	src/jobs/gather/manifest_parse.c src/jobs/gather/manifest_parse.h \
	src/jobs/gather/merge.c src/jobs/gather/merge.h \
	src/jobs/gather/model.h \
	src/jobs/gather/output.c src/jobs/gather/output.h \
	src/jobs/gather/probe.c src/jobs/gather/probe.h \
	src/jobs/gather/report.c src/jobs/gather/report.h \
	src/jobs/gather/report_facts.c src/jobs/gather/report_facts.h \
	src/jobs/gather/report_text.c src/jobs/gather/report_text.h \
	src/jobs/gather/sbom.c src/jobs/gather/sbom.h \
	src/jobs/gather/sbom_head.c src/jobs/gather/sbom_head.h \
	src/jobs/gather/schedule.c src/jobs/gather/schedule.h \
	src/jobs/gather/select.c src/jobs/gather/select.h \
	src/jobs/gather/task.c src/jobs/gather/task.h \
	src/jobs/gather/tell.c src/jobs/gather/tell.h \
	src/jobs/gather/yaml_write.c src/jobs/gather/yaml_write.h \
	src/jobs/confirm/can_run.c src/jobs/confirm/can_run.h \
	src/jobs/confirm/caps.c src/jobs/confirm/caps.h \
	src/jobs/confirm/class.c src/jobs/confirm/class.h \
	src/jobs/confirm/confirm.c src/jobs/confirm/confirm.h \
	src/jobs/confirm/control.c src/jobs/confirm/control.h \
	src/jobs/confirm/finding.c src/jobs/confirm/finding.h \
	src/jobs/confirm/flag.c src/jobs/confirm/flag.h \
	src/jobs/confirm/harness.c src/jobs/confirm/harness.h \
	src/jobs/confirm/intake.c src/jobs/confirm/intake.h \
	src/jobs/confirm/listing.c src/jobs/confirm/listing.h \
	src/jobs/confirm/listing_line.c src/jobs/confirm/listing_line.h \
	src/jobs/confirm/listing_lines.c src/jobs/confirm/listing_lines.h \
	src/jobs/confirm/listing_mypy.c src/jobs/confirm/listing_mypy.h \
	src/jobs/confirm/literal.c src/jobs/confirm/literal.h \
	src/jobs/confirm/moment.c src/jobs/confirm/moment.h \
	src/jobs/confirm/record.c src/jobs/confirm/record.h \
	src/jobs/confirm/reproduce.c src/jobs/confirm/reproduce.h \
	src/jobs/confirm/reproduce_node.c \
	src/jobs/confirm/reproduce_python.c \
	src/jobs/confirm/resume.c src/jobs/confirm/resume.h \
	src/jobs/confirm/resumed.c src/jobs/confirm/resumed.h \
	src/jobs/confirm/rules.c src/jobs/confirm/rules.h \
	src/jobs/confirm/runner.c src/jobs/confirm/runner.h \
	src/jobs/confirm/sarif.c src/jobs/confirm/sarif.h \
	src/jobs/confirm/sarif_out.c src/jobs/confirm/sarif_out.h \
	src/jobs/confirm/sarif_place.c src/jobs/confirm/sarif_place.h \
	src/jobs/confirm/sarif_result.c src/jobs/confirm/sarif_result.h \
	src/jobs/confirm/sarif_text.c src/jobs/confirm/sarif_text.h \
	src/jobs/confirm/seal.c src/jobs/confirm/seal.h \
	src/jobs/confirm/shrink.c src/jobs/confirm/shrink.h \
	src/jobs/confirm/source.c src/jobs/confirm/source.h \
	src/jobs/confirm/tally.c src/jobs/confirm/tally.h \
	src/jobs/confirm/trial.c src/jobs/confirm/trial.h \
	src/jobs/confirm/trial_explored.c src/jobs/confirm/trial_private.h \
	src/jobs/confirm/trial_control.c \
	src/jobs/confirm/trial_end.c src/jobs/confirm/trial_judge.c \
	src/jobs/confirm/verdict.c src/jobs/confirm/verdict.h \
	src/jobs/confirm/warm.c src/jobs/confirm/warm.h \
	src/jobs/trace/diff.c src/jobs/trace/diff.h src/jobs/trace/diff_write.c \
	src/jobs/trace/happened.c src/jobs/trace/happened.h \
	src/jobs/trace/line.c src/jobs/trace/line.h \
	src/jobs/trace/normal.c src/jobs/trace/normal.h \
	src/jobs/trace/rules.c src/jobs/trace/rules.h \
	src/jobs/trace/tree.c src/jobs/trace/tree.h \
	src/jobs/gate/attempts.c src/jobs/gate/attempts.h \
	src/jobs/gate/show/attest.c src/jobs/gate/show/attest.h \
	src/jobs/gate/show/html.c src/jobs/gate/show/html.h \
	src/jobs/gate/show/html_change.c src/jobs/gate/show/html_change.h \
	src/jobs/gate/show/story_change.c src/jobs/gate/show/story_change.h \
	src/jobs/gate/show/story_output.c src/jobs/gate/show/story_output.h \
	src/jobs/gate/show/html_style.h \
	src/jobs/gate/show/story.c src/jobs/gate/show/story.h \
	src/jobs/gate/show/story_json.c \
	src/jobs/gate/show/story_line.c src/jobs/gate/show/story_line.h \
	src/jobs/gate/show/story_text.c \
	src/jobs/gate/judged.c src/jobs/gate/judged.h \
	src/jobs/gate/judged_file.c src/jobs/gate/judged_private.h \
	src/jobs/gate/loop.c src/jobs/gate/loop.h \
	src/jobs/gate/loop_begin.c src/jobs/gate/loop_private.h \
	src/jobs/gate/plan_input.c src/jobs/gate/plan_input.h \
	src/jobs/gate/records.c src/jobs/gate/records.h \
	src/jobs/gate/replan.c src/jobs/gate/replan.h \
	src/jobs/gate/replay.c src/jobs/gate/replay.h \
	src/jobs/gate/summary.c src/jobs/gate/summary.h \
	src/jobs/gate/ledger/evidence.c src/jobs/gate/ledger/evidence.h \
	src/jobs/gate/ledger/gc.c src/jobs/gate/ledger/gc.h \
	src/jobs/gate/ledger/ledger.c src/jobs/gate/ledger/ledger.h \
	src/jobs/gate/ledger/ledger_check.c \
	src/jobs/gate/ledger/ledger_point.h \
	src/jobs/gate/ledger/ledger_private.h \
	src/jobs/gate/ledger/moment.c src/jobs/gate/ledger/moment.h \
	src/jobs/gate/ledger/state.c src/jobs/gate/ledger/state.h \
	src/jobs/gate/attempt_context.c src/jobs/gate/attempt_context.h \
	src/jobs/gate/attempt_read.c src/jobs/gate/attempt_read.h \
	src/jobs/gate/attempt_run.c src/jobs/gate/attempt_run.h \
	src/jobs/gate/attempt_spec.c src/jobs/gate/attempt_spec.h \
	src/jobs/gate/attempt_vulns.c src/jobs/gate/attempt_vulns.h \
	src/jobs/gate/baseline.c src/jobs/gate/baseline.h \
	src/jobs/gate/catalogue.c src/jobs/gate/catalogue.h \
	src/jobs/gate/catalogue_gate.c \
	src/jobs/gate/catalogue_private.h \
	src/jobs/gate/checked.c src/jobs/gate/checked.h \
	src/jobs/gate/gate.h \
	src/jobs/gate/held.c src/jobs/gate/held.h \
	src/jobs/gate/kinds/outside.c src/jobs/gate/outside.h \
	src/jobs/gate/outside_answer.c src/jobs/gate/outside_closed.c \
	src/jobs/gate/outside_read.c \
	src/jobs/gate/outside_run.c \
	src/jobs/gate/policy_read.c src/jobs/gate/policy_read.h \
	src/jobs/gate/judge.c src/jobs/gate/judge.h \
	src/jobs/gate/kinds/change.c src/jobs/gate/kinds/change.h \
	src/jobs/gate/kinds/change_side.c \
	src/jobs/gate/kinds/change_side.h \
	src/jobs/gate/kinds/cve_delta.c \
	src/jobs/gate/vuln/digits.h src/jobs/gate/vuln/version.h \
	src/jobs/gate/vuln/osv.c src/jobs/gate/vuln/osv.h \
	src/jobs/gate/vuln/osv_range.c src/jobs/gate/vuln/osv_read.c \
	src/jobs/gate/vuln/pep440.c src/jobs/gate/vuln/semver.c \
	src/jobs/gate/vuln/scan.c src/jobs/gate/vuln/scan.h \
	src/jobs/gate/vuln/scan_cyclonedx.c src/jobs/gate/vuln/scan_npm.c \
	src/jobs/gate/vuln/vulns.c src/jobs/gate/vuln/vulns.h \
	src/jobs/gate/kinds/change_digest.c \
	src/jobs/gate/kinds/change_digest.h \
	src/jobs/gate/kinds/idle.c src/jobs/gate/kinds/idle.h \
	src/jobs/gate/kinds/idle_scan.h \
	src/jobs/gate/kinds/idle_token.c src/jobs/gate/kinds/idle_words.c \
	src/jobs/gate/kinds/kind.c src/jobs/gate/kinds/kind.h \
	src/jobs/gate/kinds/made.c src/jobs/gate/kinds/made.h \
	src/jobs/gate/kinds/names.c src/jobs/gate/kinds/names.h \
	src/jobs/gate/kinds/policy.c \
	src/jobs/gate/kinds/ran.c \
	src/jobs/gate/kinds/signal_write.c \
	src/jobs/gate/kinds/signal_write.h \
	src/jobs/gate/kinds/tests.c \
	src/jobs/gate/kinds/trace.c
