// node_many.mjs -- the Node package's executeMany: every spec has one answer, in
// bounded memory, whatever the specs, the caller or the program do.
import assert from 'node:assert/strict'
import fs from 'node:fs'

import { cupel, running, scene, until } from './node_lib.mjs'

const { SandboxClient, SandboxError } = cupel
const client = new SandboxClient()
const echo = (i, more) => ({ command: ['echo', `${i}`], repo_mode: 'none', ...more })

async function gathered(specs, options) {
	const found = []
	for await (const answer of client.executeMany(specs, options))
		found.push(answer)
	return found
}

scene('each has one answer, from an array and a generator', async () => {
	const many = [...Array(30).keys()]
	async function* source() {
		for (const i of many)
			yield echo(i, { id: 'same' })
	}
	for (const specs of [source(), many.map((i) => echo(i, { id: 'same' }))]) {
		const found = await gathered(specs, { jobs: 3 })
		assert.deepEqual(found.map((a) => a.index).sort((a, b) => a - b), many)
		for (const { index, id, result } of found) {
			assert.deepEqual([id, result.stdout], ['same', `${index}\n`])
			assert.equal(JSON.parse(result.raw).stdout, result.stdout)
		}
	}
})

scene('in order', async () => {
	const specs = [...Array(12).keys()].map((i) => i === 5 ? 7n
		: { command: ['sleep', i === 0 ? '0.2' : '0'] })
	const found = await gathered(specs, { jobs: 2, ordered: true })
	assert.deepEqual(found.map((a) => a.index), [...Array(12).keys()])
	assert.deepEqual(found.filter((a) => a.error).map((a) => a.index), [5])
})

scene('ends of runs are results, and wrong specs answers', async () => {
	const found = await gathered([{ command: ['false'] },
		{ command: ['sleep', '9'], wall_time_s: 0.3 }, {},
		{ command: ['true'], 'x\n{': 1 }, { command: [NaN] },
		echo('x'.repeat(2 ** 21)), echo(1)], { ordered: true })
	assert.deepEqual(found.map((a) => a.result?.status ?? a.error.kind),
		['FAILED', 'TIMEOUT', 'caller', 'caller', 'caller', 'caller', 'OK'])
	assert.ok(found[3].error instanceof SandboxError)
	assert.match(found[3].error.message, /unknown key/)
	assert.deepEqual(await gathered([]), [])
})

scene('specs without end are taken as they are needed', async () => {
	let last = 0
	function* specs() {
		for (;; last++)
			yield echo(last)
	}
	let n = 0
	for await (const answer of client.executeMany(specs(), { jobs: 2 })) {
		assert.equal(answer.error, null)
		if (++n === 10)
			break
	}
	assert.ok(last < 10 + 17, `${last}`)
})

scene('leaving the loop ends what runs', async () => {
	const word = `9139.${process.pid}`
	const slow = { command: ['sleep', word] }
	for await (const { result } of client.executeMany(
		[echo(1), slow, slow], { jobs: 3 })) {
		assert.equal(result.stdout, '1\n')
		break
	}
	await until(() => running(word).length === 0)
})

scene('what the source throws is thrown; time, abort', async () => {
	await assert.rejects(gathered((function* () {
		yield echo(1)
		throw new RangeError('mine')
	})()), RangeError)
	const slow = [{ command: ['sleep', '50'] }]
	await assert.rejects(gathered(slow, { timeout_s: 0.5 }),
		(e) => e instanceof SandboxError && e.kind === 'busy')
	await assert.rejects(gathered(slow, { signal: AbortSignal.timeout(300) }),
		(e) => e instanceof SandboxError && e.kind === 'caller')
})

scene('no descriptor is left', async () => {
	const count = () => fs.readdirSync('/proc/self/fd').length
	await gathered([echo(1)])
	const before = count()
	for (let i = 0; i < 5; i++)
		await gathered([echo(1), echo(2)])
	await until(() => count() <= before)
})

const ANSWER = (result) => `
const RESULT = ${JSON.stringify(result)}
const answer = (i, more) => JSON.stringify({ id: String(i - 1), line: i,
	hash: 'h', result: RESULT, ...more }) + '\\n'
const say = (...texts) => fs.writeSync(1, texts.join(''))
`
const WRONG = [
	['an answer twice', 'say(answer(1), answer(1))', 'bug', /line/],
	['an answer to nothing', "say(answer(7, { id: '6' }))", 'bug', /line/],
	['the id of another', "say(answer(1, { id: '1' }))", 'bug', /id/],
	['a result that is none', 'say(answer(1, { result: {} }))', 'bug', /version/],
	['no JSON', "say('nonsense\\n')", 'bug', /JSON/],
	['half an answer', 'say(answer(1), answer(2).slice(0, -9))', 'bug', /answer: 1$/],
	['it dies', "say(answer(1)); process.kill(process.pid, 'SIGKILL')", 'host',
		/SIGKILL/],
	['it refuses', "fs.writeSync(2, 'cupel: no\\n'); process.exit(2)", 'caller',
		/: no/],
]
for (const [name, text, kind, word] of WRONG)
	scene(`no batch: ${name}`, async (s) => {
		const { raw } = await client.execute(echo(1))
		s.program(ANSWER(JSON.parse(raw)) +
			`fs.readFileSync(0); ${text}`)
		await assert.rejects(gathered([echo(1), echo(2)], { timeout_s: 30 }),
			(e) => e instanceof SandboxError && e.kind === kind &&
				word.test(e.message))
	})

scene('no batch: a line without end', async (s) => {
	s.program("for (;;) fs.writeSync(1, 'x'.repeat(65536))")
	await assert.rejects((async () => {
		const small = new SandboxClient({ max_result_bytes: 2 ** 20 })
		for await (const answer of small.executeMany([echo(1)]))
			assert.fail(answer)
	})(), /max_result_bytes/)
})
