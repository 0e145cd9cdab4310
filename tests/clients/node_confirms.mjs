// node_confirms.mjs -- confirm: over real functions, and over programs that are
// not cupel.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'

import { cupel, running, scene, until } from './node_lib.mjs'

const { ConfirmRecord, confirm } = cupel

const NAME = { file: 'a.js', function: 'sizeOf', flag_class: 'null-deref' }
const SAME = { file: 'a.js', function: 'same', flag_class: 'null-deref' }
const RATIO = { file: 'm.py', line: 2, flag_class: 'div-zero' }

function project(s) {
	s.put('a.js', 'exports.sizeOf = (list) => list[0].size\n' +
		'exports.same = (x) => x\n')
	s.put('m.py', 'def ratio(a, b):\n    return a / b\n')
}

scene('a confirm: records come in the order of the flags', async (s) => {
	project(s)
	for (const records of [await confirm([NAME, SAME, RATIO], undefined,
		{ jobs: 2 }), await confirm([NAME, SAME, RATIO], s.repo, { cold: true })]) {
		assert.ok(records.every((r) => r instanceof ConfirmRecord))
		assert.deepEqual(records.map((r) => [r.number, r.confirmed]),
			[[1, true], [2, false], [3, true]])
		const [name, , ratio] = records
		assert.deepEqual([name.confirmed_class, name.error_class],
			['null-deref', 'TypeError'])
		assert.equal(ratio.witness.arguments[1].value, 0)
		assert.match(ratio.traceback_head, /in ratio/)
		assert.equal(ratio.raw.language, 'python')
	}
	assert.deepEqual(fs.readdirSync(s.repo).sort(), ['a.js', 'm.py'])
	assert.deepEqual(await confirm([]), [])
})

scene('a confirm: a reproducer', async (s) => {
	project(s)
	const reproducer = path.join(s.work, 'scripts')
	await confirm([RATIO], '.', { reproducer })
	assert.equal(fs.readdirSync(reproducer).length, 1)
})

scene('a confirm: what is refused', async (s) => {
	project(s)
	const loop = {}
	loop.witness_hints = loop
	await s.refused(confirm([{ flag_class: 'x' }]), 'caller', 'file is missing')
	await s.refused(confirm(RATIO), 'caller', 'array')
	await s.refused(confirm(['m.py']), 'caller', 'array')
	await s.refused(confirm([loop]), 'caller', 'not JSON')
	await s.refused(confirm([RATIO], '/nosuch'), 'caller', '--repo')
	await s.refused(confirm([RATIO], 7), 'caller', 'repository')
	await s.refused(confirm([RATIO], '.', { jobs: 0 }), 'caller', '--jobs')
	await s.refused(confirm([RATIO], '.', { job: 1 }), 'caller', 'job')
	await s.refused(confirm([RATIO], '.', { ro: 'x' }), 'caller', 'ro')
	await s.refused(confirm([RATIO], '.', { runtimes: ['/nosuch'] }), 'caller',
		'--runtime')
	await s.refused(confirm([RATIO], '.', { binary: '/nosuch' }), 'host',
		'not found')
})

scene('a confirm: its time or an abort ends it', async (s) => {
	s.program('setTimeout(() => {}, 60000)')
	await s.refused(confirm([RATIO], '.', { timeout_s: 0.5 }), 'busy')
	const stop = new AbortController()
	const run = confirm([RATIO], '.', { signal: stop.signal })
	const told = s.refused(run, 'caller', 'ended by the caller')
	await until(() => running(process.env.CUPEL).length > 0, 'it never ran')
	stop.abort()
	await told
	await until(() => running(process.env.CUPEL).length === 0, 'it is there')
})

const GOOD = { flag_ref: { number: 1 }, witness: null, status: 'no-bug-found',
	reason: null, error_class: null, traceback_head: null, exit_code: 0,
	signal: null, duration_ms: 1, backend: 'namespaces' }
const text = (change) => `${JSON.stringify({ ...GOOD, ...change })}\n`

for (const [log, word, rc] of [
	['', 'records: 0; flags: 1'],
	[text({ flag_ref: { number: 2 } }), 'number 2'],
	[text() + text(), 'number 1'],
	[`${text()}{`, 'not JSON'],
	[text({ flag_ref: { number: '1' } }), 'number: expected'],
	[text({ status: 'fine' }), 'status'],
	[text({ duration_ms: -1 }), 'duration_ms'],
	[text({ exit_code: 999 }), 'exit_code'],
	[text(), 'ended with 9', 9],
	[text(), null],
]) {
	scene(`a confirm: an answer is checked: ${word}`, async (s) => {
		s.program(`fs.writeFileSync(args.at(-1), ${JSON.stringify(log)})
			process.exitCode = ${rc ?? 0}`)
		if (word === null)
			assert.equal((await confirm([RATIO]))[0].status, 'no-bug-found')
		else
			await s.refused(confirm([RATIO]), 'bug', word)
	})
}
