// node_answers.mjs -- what the Node package makes of a program that is not
// cupel: one exception, bounded memory, nothing left.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'

import { CUPEL, cupel, scene } from './node_lib.mjs'

const { SandboxClient, SandboxError, SandboxResultV2 } = cupel
const MIB = 2 ** 20
const SPEC = { command: ['true'] }

// A result as cupel prints it.
const REAL = (await new SandboxClient({ binary: CUPEL }).execute(
	{ ...SPEC, repo_mode: 'none' })).raw.trim()
const real = (more) => ({ ...JSON.parse(REAL), ...more })
const print = (value) =>
	`fs.writeSync(1, ${JSON.stringify(JSON.stringify(value))})\n`
const read = (value) => SandboxResultV2.fromJSON(
	Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))

const PROGRAMS = [
	['garbage', "fs.writeSync(1, require('crypto').randomBytes(50000))",
		'bug', 'not JSON'],
	['nothing', '', 'bug', 'no result, exit status 0'],
	['nothing but a status', 'process.exit(2)', 'bug', 'exit status 2'],
	['a complaint', "fs.writeSync(2, 'cupel: it is\\x1b[31m broken\\nmore')\n" +
		'process.exit(1)', 'bug', 'exit status 1: it is[31m broken'],
	['a refusal', "fs.writeSync(2, 'cupel: --x: no' + 'o'.repeat(9999))\n" +
		'process.exit(2)', 'caller', '--x: noo'],
	['it dies', "process.kill(process.pid, 'SIGKILL')", 'host', 'SIGKILL'],
	['it dies after a result', print(real()) +
		"process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 9999)",
	'host', 'SIGTERM'],
	['its status is another one', print(real()) + 'process.exit(3)',
		'bug', 'exited with 3 and its result says 0'],
]
for (const [name, text, kind, word] of PROGRAMS)
	scene(name, async (s) => {
		s.program(text)
		const client = new SandboxClient()
		await s.refused(client.execute(SPEC, { timeout_s: 60 }), kind, word)
		const health = await client.health()
		assert.equal(health.ok, false)
		assert.ok(health.reason)
	})

scene('it is missing', async (s) => {
	const client = new SandboxClient()
	for (const at of ['/none/cupel', s.repo, s.put('plain', 'x'),
		'none/cupel', 'no-such-name']) {
		process.env.CUPEL = at
		const health = await client.health()
		assert.deepEqual([health.ok, health.binary], [false, null])
		assert.ok(health.reason.includes(at), health.reason)
		await s.refused(client.execute(SPEC), 'host', at)
	}
	delete process.env.CUPEL
	fs.symlinkSync(CUPEL, path.join(s.repo, 'cupel'))
	for (const at of ['', '.', ':', '../repo', '/none']) {
		process.env.PATH = at
		assert.equal((await client.health()).binary, null, at)
	}
})

scene('it cannot be executed', async (s) => {
	process.env.CUPEL = s.put('odd', 'echo "cupel 1"; exit 2')
	fs.chmodSync(process.env.CUPEL, 0o755)
	await s.refused(new SandboxClient().execute(SPEC), 'host',
		'not a program')
	assert.equal((await new SandboxClient().health()).ok, false)
})

scene('it reads nothing', async (s) => {
	s.program('fs.closeSync(0)\n' + print(real()))
	const big = { command: Array(20).fill('x'.repeat(100000)) }
	assert.equal((await new SandboxClient().execute(big)).status, 'OK')
})

scene('it never ends', async (s) => {
	const note = path.join(s.work, 'pid')
	for (const how of ['setTimeout(() => {}, 60000)', 'while (true);',
		'fs.closeSync(1); fs.closeSync(2); setTimeout(() => {}, 60000)',
		"setInterval(() => fs.writeSync(1, 'x'), 100)"]) {
		s.program(`fs.writeFileSync(${JSON.stringify(note)}, ` +
			`String(process.pid))\n${how}`)
		fs.rmSync(note, { force: true })
		// On a busy machine it may not have begun by then.
		for (const timeout_s of [1.5, 6, 24]) {
			await s.refused(new SandboxClient().execute(
				SPEC, { timeout_s }), 'busy', `${timeout_s} s`)
			if (fs.existsSync(note))
				break
		}
		assert.throws(() => process.kill(Number(fs.readFileSync(note)), 0),
			{ code: 'ESRCH' })
	}
})

scene('the wall time bounds the call', async (s) => {
	s.program('setTimeout(() => {}, 60000)')
	// a minute of grace is added
	await s.refused(new SandboxClient().execute(
		{ ...SPEC, wall_time_s: -59.5 }), 'busy')
})

scene('a process that is left behind is not waited for', async (s) => {
	const note = path.join(s.work, 'left')
	for (const noise of ['exec sleep 40', 'exec timeout 40 yes >&2']) {
		s.program(`fs.writeSync(1, ' '.repeat(60000) + JSON.stringify(${REAL}))
			const left = require('child_process').spawn('/bin/sh',
				['-c', ${JSON.stringify(noise)}],
				{ stdio: 'inherit', detached: true })
			left.unref()
			fs.writeFileSync(${JSON.stringify(note)},
				String(left.pid))`)
		const got = await new SandboxClient().execute(SPEC)
		assert.equal(got.status, 'OK')
		try { // one that wrote to a closed pipe may have ended
			process.kill(Number(fs.readFileSync(note, 'utf-8')), 'SIGKILL')
		} catch (e) {
			assert.equal(e.code, 'ESRCH')
		}
	}
})

scene('without end, in bounded memory', async (s) => {
	const grown = process.memoryUsage().rss
	const client = new SandboxClient({ max_result_bytes: MIB })
	for (const c of [' ', '[']) {
		s.program(`while (true) fs.writeSync(1, '${c}'.repeat(65536))`)
		await s.refused(client.execute(SPEC, { timeout_s: 60 }), 'caller',
			'max_result_bytes')
	}
	s.program("for (let i = 0; i < 4000; i++) fs.writeSync(2, 'x'.repeat(65536))")
	await s.refused(client.execute(SPEC, { timeout_s: 60 }), 'bug', 'no result')
	assert.ok(process.memoryUsage().rss - grown < 96 * MIB)
})

scene('the cap leaves room for what was asked for', async (s) => {
	s.program(`const r = ${REAL}\nr.stdout = '\\x01'.repeat(${12 * MIB})\n` +
		'process.stdout.write(JSON.stringify(r))')
	const client = new SandboxClient()
	await s.refused(client.execute(SPEC), 'caller', 'max_result_bytes')
	const got = await client.execute({ ...SPEC, output_bytes: 12 * MIB })
	assert.equal(got.stdout.length, 12 * MIB)
})

scene('error_rc is told from the status', async (s) => {
	s.program(print(real({ status: 'INTERNAL_ERROR', rc: 1, started: false,
		stage: 'mount', cause: 'host' })) + 'process.exit(77)')
	const client = new SandboxClient()
	const got = await client.execute({ ...SPEC, error_rc: 77 })
	assert.deepEqual([got.status, got.rc, got.cause],
		['INTERNAL_ERROR', 1, 'host'])
	await s.refused(client.execute(SPEC), 'bug')
})

// --- the answer itself

function bad(value, word = '') {
	assert.throws(() => read(value), (e) => {
		assert.ok(e instanceof SandboxError, e)
		assert.equal(e.kind, 'bug')
		assert.ok(e.message.includes(word), e.message)
		return true
	}, JSON.stringify(value).slice(0, 200))
}

scene('keys that are not known are passed over', async () => {
	const more = real({ version: '1.9', more: [1] })
	more.enforced.moat = { requested: true, applied: true, details: null,
		depth: 3 }
	const got = read(more)
	assert.equal(got.version, '1.9')
	assert.equal(got.more, undefined)
	assert.equal(got.enforced.moat.applied, true)
	assert.deepEqual(JSON.parse(got.raw), more)
	const odd = read(REAL.replace('"enforced":{',
		'"enforced":{"__proto__":{"requested":true,"applied":true,' +
		'"details":null},'))
	assert.equal(Object.getPrototypeOf(odd.enforced), Object.prototype)
})

scene('what is not strict JSON', async () => {
	const swap = (a, b) => {
		assert.ok(REAL.includes(a))
		return REAL.replace(a, b)
	}
	for (const text of ['', 'null', '[]', '1', '{', '{"', '"', '"\\',
		REAL.slice(0, -1), REAL + 'x', REAL + REAL, '\ufeff' + REAL,
		swap('"rc":0', '"rc":NaN'), swap('"rc":0', '"rc":1,"rc":0'),
		swap('"rc":0', '"r\\u0063":1,"rc" :0'),
		swap('"stdout":""', '"stdout":"\\ud800"'),
		swap('"payload":null',
			`"payload":${'['.repeat(1e5)}${']'.repeat(1e5)}`)
			.replace('"absent"', '"valid"'),
		'['.repeat(1e5), '{"a":'.repeat(1e5)])
		bad(text)
	for (const bytes of [Buffer.from(REAL, 'utf16le'), Buffer.from(
		swap('"stdout":""', '"stdout":"\xff"'), 'latin1')])
		assert.throws(() => SandboxResultV2.fromJSON(bytes), SandboxError)
	// A quote, a brace or a colon in a string is no structure.
	const said = 'a\\":{"a":[\\\\'
	assert.equal(read(real({ stdout: said })).stdout, said)
})

function* leaves(value, at = []) {
	if (typeof value !== 'object' || value === null)
		return
	for (const key of Object.keys(value)) {
		yield [...at, key]
		yield* leaves(value[key], [...at, key])
	}
}

function change(keys, how) {
	const value = real()
	let at = value
	for (const key of keys.slice(0, -1))
		at = at[key]
	how(at, keys[keys.length - 1])
	return value
}

const kindOf = (v) => Array.isArray(v) ? 'array' : v === null ? 'null'
	: typeof v
// What may stand in the place of a null.
const NULLABLE = { reason: 'string', message: 'string', stage: 'string',
	cause: 'string', backend: 'string', policy_hash: 'string',
	signal: 'number', applied: 'boolean', details: 'object',
	peak_memory_bytes: 'number', cpu_tree_ms: 'number', tasks: 'number',
	oom_kills: 'number', egress: 'array', egress_omitted: 'number',
	trace: 'object' }

scene('every member has its type', async () => {
	const others = [{}, [], 'odd', 1.5, -1, true, null, [null], 1e300, '1']
	let tried = 0
	for (const keys of leaves(JSON.parse(REAL))) {
		const key = keys[keys.length - 1]
		if (keys[0] === 'payload' || keys.slice(0, -1).includes('details'))
			continue
		for (const other of others) {
			let old
			const value = change(keys, (at, k) => {
				old = at[k]
				at[k] = other
			})
			if (JSON.stringify(old) === JSON.stringify(other))
				continue
			tried++
			try {
				read(value)
			} catch (e) {
				assert.ok(e instanceof SandboxError, e)
				continue
			}
			const kind = old === null ? NULLABLE[key] : kindOf(old)
			assert.ok(kindOf(other) === kind ||
				other === null && NULLABLE[key],
			`${keys.join('.')}: ${JSON.stringify(other)}`)
			assert.ok(other !== 1.5 && other !== -1 && other !== 1e300,
				keys.join('.'))
		}
	}
	assert.ok(tried > 1000)
})

scene('a member that is missing', async () => {
	const optional = ['stage', 'cause', 'usage.cpu_tree_ms', 'usage.tasks',
		'usage.oom_kills', 'egress', 'egress_omitted', 'trace']
	for (const keys of leaves(JSON.parse(REAL))) {
		if (optional.includes(keys.join('.')) ||
		    keys.slice(0, -1).includes('details') || keys[0] === 'cmd' &&
		    keys.length > 1 || keys[0] === 'enforced' && keys.length === 2)
			continue
		bad(change(keys, (at, key) => delete at[key]),
			keys[keys.length - 1])
	}
})

scene('what contradicts itself', async () => {
	for (const [more, word] of [
		[{ version: '2.0' }, 'version'], [{ version: '1' }, 'version'],
		[{ status: 'GREAT' }, 'status'], [{ status: 'toString' }, 'status'],
		[{ rc: 3 }, 'rc'], [{ rc: 256 }, 'rc'], [{ status: 'FAILED' }, 'rc'],
		[{ status: 'TIMEOUT', rc: 1 }, 'rc'],
		[{ status: 'INTERNAL_ERROR', rc: 1 }, 'started'],
		[{ payload: 1 }, 'payload'], [{ payload_status: 'fine' },
			'payload_status'],
		[{ signal: 65 }, 'signal'],
	])
		bad(real(more), word)
})

scene('what doctor says', async (s) => {
	const client = new SandboxClient()
	const health = (text) => {
		s.program("if (args.includes('--version')) " +
			`{ console.log('cupel 9.9'); process.exit() }\n${text}`)
		return client.health()
	}
	const row = { id: 'userns', ok: false, message: 'not allowed here' }
	const no = await health(print({ ok: false,
		rows: [{ ...row, ok: true }, row] }) + 'process.exit(3)')
	assert.deepEqual([no.ok, no.version, no.reason],
		[false, '9.9', 'userns: not allowed here'])
	assert.equal((await health(print({ ok: true, rows: [] }))).ok, true)
	for (const text of ['', print({}), print([]), "console.log('x')",
		'process.exit(1)', print({ ok: 1, rows: [] }),
		print({ ok: true, rows: [] }) + 'process.exit(3)',
		print({ ok: false, rows: {} }) + 'process.exit(3)',
		"process.kill(process.pid, 'SIGKILL')"]) {
		const got = await health(text)
		assert.equal(got.ok, false, text)
		assert.ok(got.reason, text)
	}
})
