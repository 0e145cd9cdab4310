// node_gates.mjs -- runGate: over real gates, and over programs that are not
// cupel.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { CUPEL, cupel, running, scene, until } from './node_lib.mjs'

const { GateResult, runGate } = cupel

const CATALOGUE = `gates:
  sums:
    phases:
      - name: test
        command: [node, sum.test.js]
        trace: exec,connect
    signals:
      build: {phase: test}
      trace: {}
    required: [build, trace]
`
const GOOD = 'exports.sum = (a, b) => a + b\n'
const BAD = 'exports.sum = (a, b) => a - b\n'

// A project in the scene's repository, and what a gate over it needs.
function project(s) {
	s.put('sum.js', GOOD)
	s.put('sum.test.js', "const { sum } = require('./sum.js')\n" +
		'process.exitCode = sum(1, 2) === 3 ? 0 : 1\n')
	const catalogue = path.join(s.work, 'gates.yaml')
	fs.writeFileSync(catalogue, CATALOGUE)
	const baseline = path.join(s.work, 'base.json')
	const { status, stderr } = spawnSync(CUPEL, ['gate', 'baseline',
		'--worktree', s.repo, '--catalogue', catalogue, 'sums', baseline])
	assert.equal(status, 0, String(stderr))
	return { catalogues: [catalogue], baseline, state: path.join(s.work, 'state'),
		timeout_s: 300 }
}

scene('a gate: passed, mended, escalated, given up', async (s) => {
	const asked = project(s)
	const well = await runGate('sums', s.repo, asked)
	assert.ok(well instanceof GateResult)
	assert.deepEqual([well.outcome, well.passed, well.reason, well.gate,
		well.isolation_class, well.state],
	['passed', true, null, 'sums', 'shared_kernel', asked.state])
	assert.deepEqual(well.attempts[0].signals.map((x) => [x.kind, x.passed]),
		[['build', true], ['trace', true]])
	assert.equal(well.attempts[0].runs[0].phase, 'test')

	// The current directory, without a planner.
	s.put('sum.js', BAD)
	const ill = await runGate('sums', undefined, asked)
	assert.deepEqual([ill.outcome, ill.passed, ill.attempts.length],
		['escalate', false, 1])
	assert.deepEqual(ill.attempts[0].failing_signals, ['build'])
	assert.equal(ill.attempts[0].signals[0].details.rc, 1)

	const never = await runGate('sums', s.repo, { ...asked, replan: 'true' })
	assert.deepEqual([never.outcome, never.attempts.length],
		['failed_unrecoverable', 3])

	const mended = await runGate('sums', s.repo, { ...asked,
		replan: "sed -i 's/a - b/a + b/' \"$CUPEL_WORKTREE/sum.js\"" })
	assert.deepEqual(mended.attempts.map((a) => a.passed), [false, true])
	assert.equal(mended.passed, true)
})

scene('a gate: what is refused', async (s) => {
	const asked = project(s)
	const ask = (more, gate = 'sums') =>
		runGate(gate, s.repo, { ...asked, ...more })
	await s.refused(ask({}, 'none-such'), 'caller', 'none-such')
	await s.refused(ask({}, '--json'), 'caller', '')
	await s.refused(ask({ state: path.join(s.repo, 'x') }), 'caller',
		'in the work tree')
	await s.refused(ask({ max_attempts: 9 }), 'caller', '--operator-ack')
	assert.equal((await ask({ max_attempts: 9, operator_ack: 'me' })).passed,
		true)
	await s.refused(ask({ max_attempts: '9' }), 'caller', 'max_attempts')
	await s.refused(ask({ replan: ['true'] }), 'caller', 'replan')
	await s.refused(ask({ resume: 'no' }), 'caller', 'resume')
	await s.refused(ask({ worktree: '/' }), 'caller', 'worktree')
	await s.refused(ask({ baseline: 'a\0b' }), 'caller', 'baseline')
	await s.refused(ask({ catalogues: 'x' }), 'caller', 'catalogues')
	await s.refused(ask({ catalogues: [3] }), 'caller', 'catalogues')
	await s.refused(ask({}, 3), 'caller', 'strings')
	await s.refused(ask({ binary: '/none' }), 'host', '/none')

	const ledger = path.join(asked.state, 'attempts.jsonl')
	fs.writeFileSync(ledger, fs.readFileSync(ledger, 'utf-8')
		.replace('"seq":2', '"seq":9'))
	await s.refused(ask({}), 'caller', 'line 2:')
})

scene('a gate: an abort ends it', async (s) => {
	const asked = { ...project(s), baseline: undefined }
	const word = `wait-${path.basename(s.work)}`
	fs.writeFileSync(asked.catalogues[0], CATALOGUE.replace(
		'sum.test.js', `-e, 'setTimeout(() => {}, 1e6)', ${word}`))
	const stop = new AbortController()
	const gate = runGate('sums', s.repo, { ...asked, signal: stop.signal })
	await until(() => running(word).length > 0, 'the phase was not begun')
	stop.abort()
	await s.refused(gate, 'caller', 'ended by the caller')
	await until(() => running(word).length === 0, 'the phase goes on')
	await s.refused(runGate('sums', s.repo, asked), 'caller', '--resume')
})

// --- programs that are not cupel ----------------------------------------------

const SIGNAL = { kind: 'build', passed: false, details: { rc: 1 },
	provenance: { files: [] }, at: '2026-01-01T00:00:00Z' }
const ATTEMPT = { attempt: 1, passed: false, lost: false,
	failing_signals: ['build'], signals: [SIGNAL], runs: [{ phase: 'test' }] }
const REAL = { version: '1.0', outcome: 'escalate', reason: 'no_plan',
	gate: 'g', catalogue: 'strict', isolation_class: null,
	attempts: [ATTEMPT], state: '/s', later: 1 }
const say = (value, rc) => 'fs.writeSync(1, ' +
	`${JSON.stringify(JSON.stringify(value))}); process.exitCode = ${rc}`
const attempt = (more) => ({ ...REAL, attempts: [{ ...ATTEMPT, ...more }] })

const PROGRAMS = [
	['nothing', '', 'bug', 'not JSON'],
	['garbage', "fs.writeSync(1, 'passed')", 'bug', 'not JSON'],
	['its status is another one', say(REAL, 0), 'bug', 'its status 0 passed'],
	['passed, and another status', say({ ...REAL, outcome: 'passed' }, 12),
		'bug', 'failed_unrecoverable'],
	['a status that is none', say(REAL, 1), 'bug', 'ended with 1'],
	['a complaint', "fs.writeSync(2, 'cupel: it\\x1b[1m broke\\nmore')\n" +
		'process.exitCode = 5', 'busy', 'it[1m broke'],
	['the host', 'process.exitCode = 3', 'host', 'ended with 3'],
	['it dies', "process.kill(process.pid, 'SIGKILL')", 'host', 'SIGKILL'],
	['a key is missing', say({ ...REAL, state: undefined }, 11), 'bug',
		'state: expected'],
	['another outcome', say({ ...REAL, outcome: 'fine' }, 11), 'bug',
		'outcome: expected'],
	['attempts are none', say({ ...REAL, attempts: {} }, 11), 'bug',
		'attempts: expected an array'],
	['passed is no boolean', say(attempt({ passed: 1 }), 11), 'bug',
		'attempts.0.passed'],
	['signals are numbers', say(attempt({ signals: [3] }), 11), 'bug',
		'attempts.0.signals.0'],
	['a kind is a number', say(attempt({ signals: [{ ...SIGNAL, kind: 3 }] }),
		11), 'bug', 'attempts.0.signals.0.kind'],
	['runs are texts', say(attempt({ runs: ['x'] }), 11), 'bug',
		'attempts.0.runs.0'],
	['a name twice', "fs.writeSync(1, '{\"outcome\":\"passed\"," +
		"\"outcome\":\"escalate\"}')", 'bug', 'twice'],
]
for (const [name, text, kind, word] of PROGRAMS)
	scene(`a gate: ${name}`, async (s) => {
		s.program(text)
		await s.refused(runGate('g', '.', { timeout_s: 60 }), kind, word)
	})

scene('a gate: the words of its command line', async (s) => {
	const file = path.join(s.work, 'said')
	s.program(`fs.writeFileSync('${file}', JSON.stringify(args.slice(2)))\n` +
		say(REAL, 11))
	const result = await runGate('-g', '-w', { baseline: 'b', replan: '-r x',
		state: 's', max_attempts: 2, operator_ack: 'o', resume: true,
		no_wait: true, catalogues: ['-c', 'd'] })
	assert.equal(result.attempts[0].signals[0].details.rc, 1)
	const said = JSON.parse(fs.readFileSync(file, 'utf-8'))
	assert.deepEqual(said, ['gate', 'run', '--json', '--quiet',
		'--worktree=-w', '--baseline=b', '--replan=-r x', '--state=s',
		'--max-attempts=2', '--operator-ack=o', '--resume', '--no-wait',
		'--catalogue=-c', '--catalogue=d', '--', '-g'])
	await runGate('g', '.', { resume: false, baseline: undefined })
	assert.deepEqual(JSON.parse(fs.readFileSync(file, 'utf-8')),
		['gate', 'run', '--json', '--quiet', '--worktree=.', '--', 'g'])
})

scene('a gate: it is found as for a run', async () => {
	delete process.env.CUPEL
	process.env.PATH = '.:'
	const e = await runGate('g').catch((x) => x)
	assert.equal(e.kind, 'host')
	process.env.CUPEL = CUPEL
	assert.equal((await runGate('no-such').catch((x) => x)).kind, 'caller')
})
