// node_runs.mjs -- the Node package over real vessels: every end of a run,
// many at once, aborts, descriptors; and Node's test runner inside.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

import { CUPEL, PACKAGE, cupel, running, scene, until } from './node_lib.mjs'

const { SandboxClient, SandboxPolicy, runTests, runTestsV2 } = cupel
const MIB = 2 ** 20
const client = new SandboxClient()

const python = (text, more) => ({
	command: ['python3', '-c', text], wall_time_s: 20, ...more,
})

const ENDS = [
	['exit 0', 'OK', 0, { command: ['true'] }],
	['exit 7', 'FAILED', 7, python('raise SystemExit(7)')],
	['exit 2 is no bad usage', 'FAILED', 2, python('raise SystemExit(2)')],
	['not found', 'FAILED', 127, { command: ['no-such-thing'] }],
	['wall clock', 'TIMEOUT', 124,
		python('import time; time.sleep(60)', { wall_time_s: 0.5 })],
	['memory', 'MEM_LIMIT', 137, python('x = []\nwhile True: ' +
		"x.append(bytearray(b'x' * (1 << 20)))", { mem_bytes: 64 * MIB })],
	['CPU time', 'CPU_LIMIT', 152,
		python('while True: pass', { cpu_time_s: 1 })],
	['output', 'OUTPUT_LIMIT', 137, python("while True: print('x' * 99)",
		{ output_bytes: 10000, output_mode: 'kill' })],
	['a violation', 'FORBIDDEN_SYSCALL', 159, python('import ctypes\n' +
		"ctypes.CDLL(None).mount(b'', b'/', b'', 0, 0)")],
	['a signal', 'SIGNALED', 139, python('import os; os.kill(os.getpid(), 11)')],
]
for (const [name, status, rc, spec] of ENDS)
	scene(`${name}: ${status}`, async () => {
		const result = await client.execute(spec)
		assert.deepEqual([result.status, result.rc], [status, rc],
			result.output)
		assert.equal(result.ok, status === 'OK')
		assert.equal(result.partial, false)
		assert.equal(result.violation?.syscall,
			status === 'FORBIDDEN_SYSCALL' ? 'mount' : undefined)
	})

scene('a host failure is a result', async () => {
	const result = await client.execute(
		{ command: ['true'], chdir: '/nowhere', error_rc: 77 })
	assert.equal(result.status, 'INTERNAL_ERROR')
	assert.equal(result.started, false)
})

scene('the network is refused', async () => {
	const server = net.createServer().listen(0, '127.0.0.1')
	await new Promise((done) => server.once('listening', done))
	const result = await client.execute(python(
		'import socket\ntry: socket.create_connection(("127.0.0.1", ' +
		`${server.address().port}), 2); print("open")\n` +
		'except OSError: print("refused")', { profile: 'test' }))
	server.close()
	assert.equal(result.stdout, 'refused\n')
	assert.equal(result.enforced.network.applied, true)
})

scene('health', async () => {
	const health = await client.health()
	assert.equal(health.ok, true, health.reason)
	assert.equal(health.binary, CUPEL)
	const version = JSON.parse(
		fs.readFileSync(path.join(PACKAGE, 'package.json'))).version
	assert.equal(health.version, version, 'package.json has another version')
	const none = await client.health({ profile: 'none-such' })
	assert.equal(none.ok, false)
	assert.match(none.reason, /none-such/)
})

scene('it is found in PATH', async () => {
	delete process.env.CUPEL
	process.env.PATH = `${path.dirname(CUPEL)}:/usr/bin:/bin`
	assert.equal((await client.health()).binary, CUPEL)
	assert.equal((await client.execute({ command: ['true'] })).rc, 0)
})

scene('a spec that is refused', async (s) => {
	for (const [spec, word] of [
		[{ command: ['true'], frob: 1 }, 'frob'],
		[{ command: ['true'], nofile: 0 }, 'nofile'],
		[{ command: [] }, 'command'],
		[{ command: ['true'], error_rc: 9, frob: 1 }, 'frob'],
		[{ command: ['a\ud800'] }, 'spec'],
		[{ command: ['true'], wall_time_s: NaN }, 'JSON'],
		[{ command: ['true'], nofile: 5n }, 'JSON'],
		[[], 'object'],
		[null, 'object'],
	])
		await s.refused(client.execute(spec), 'caller', word)
})

scene('a large spec and large output', async () => {
	const words = Array(1000).fill('x'.repeat(1000))
	const echo = await client.execute({ command: ['echo', ...words] })
	assert.equal(echo.stdout_bytes, 1001 * 1000)
	const size = 2 * MIB
	const both = await client.execute(python('import sys\nfor f in ' +
		`sys.stdout, sys.stderr: f.write('\\1' * ${size})`,
	{ output_bytes: size }))
	assert.equal(both.stdout, '\x01'.repeat(size))
	assert.equal(both.stderr.length, size)
})

scene('output that is not UTF-8', async () => {
	const result = await client.execute(python(
		"import sys; sys.stdout.buffer.write(b'a\\xff\\xfe\\x00b')"))
	assert.equal(result.stdout_replaced, true)
	assert.equal(result.stdout_bytes, 5)
	assert.match(result.stdout, /^a\ufffd+\0b/)
})

scene('no shell', async (s) => {
	const words = ['$(id)', '`id`', '$HOME', 'a;b', '*', 'a\nb', '"', '']
	const result = await client.execute({ command: ['python3', '-c',
		'import sys, json; print(json.dumps(sys.argv[1:]))', ...words] })
	assert.deepEqual(JSON.parse(result.stdout), words)
	const odd = path.join(s.work, 'a b; id $(id)')
	fs.symlinkSync(CUPEL, odd)
	process.env.CUPEL = odd
	assert.equal((await client.health()).ok, true)
})

scene('many at once', async () => {
	const got = await Promise.all(Array.from({ length: 16 }, (_, i) =>
		client.execute({ command: ['echo', String(i)] })))
	assert.deepEqual(got.map((r) => r.stdout),
		Array.from({ length: 16 }, (_, i) => `${i}\n`))
})

scene('no descriptor and no listener is left', async () => {
	const held = () => fs.readdirSync('/proc/self/fd').length
	await client.execute({ command: ['true'] })
	const before = held()
	for (let i = 0; i < 3; i++) {
		await client.execute({ command: ['true'] })
		await client.execute({ frob: 1 }).catch(() => {})
		await client.execute(python('import time; time.sleep(9)'),
			{ timeout_s: 0.3 }).catch(() => {})
	}
	await until(() => held() === before, `${held()} descriptors, not ${before}`)
	assert.equal(process.listenerCount('exit') <= 1, true)
})

// For sleep(1): n and a bit. No other program that runs this suite at the same
// time, as another user, has the same.
const seconds = (n) => `${n}.${process.pid}`
const long = (word) => ({ command: ['sleep', word], wall_time_s: 60 })

scene('a timeout of the caller ends it', async (s) => {
	await s.refused(client.execute(long(seconds(61)), { timeout_s: 0.7 }),
		'busy')
	await until(() => running(seconds(61)).length === 0, 'it is still there')
})

scene('an abort ends it', async (s) => {
	const abort = new AbortController()
	const run = client.execute(long(seconds(62)), { signal: abort.signal })
	const told = s.refused(run, 'caller', 'ended by the caller')
	await until(() => running(seconds(62)).length > 0, 'it never ran')
	abort.abort()
	await told
	await until(() => running(seconds(62)).length === 0, 'it is still there')
	await s.refused(client.execute(long(seconds(62)), { signal: abort.signal }),
		'caller')
})

// A process that starts a run, by require.
const caller = (word, then) => `
const { SandboxClient } = require(${JSON.stringify(PACKAGE)})
const run = new SandboxClient().execute(${JSON.stringify(long(word))})
${then}`

scene('the end of the process ends it', async () => {
	const ended = spawnSync(process.execPath,
		['-e', caller(seconds(63), 'setTimeout(() => process.exit(3), 700)')])
	assert.equal(ended.status, 3, String(ended.stderr))
	await until(() => running(seconds(63)).length === 0, 'it is still there')
})

scene('control-C ends it', async () => {
	const child = spawn(process.execPath, ['-e', caller(seconds(64), '')],
		{ detached: true, stdio: 'ignore' })
	const end = new Promise((done) => child.on('exit', done))
	await until(() => running(seconds(64)).length > 0, 'it never ran')
	process.kill(-child.pid, 'SIGINT')
	await end
	await until(() => running(seconds(64)).length === 0, 'it is still there')
})

// --- test suites

const GOOD = "import test from 'node:test'; test('good', () => {})\n"

scene('the defaults of a policy', async () => {
	assert.deepEqual({ ...new SandboxPolicy() }, {
		wall_time_s: 30, cpu_time_s: 20, mem_bytes: 512 * MIB, pids_max: 32,
		nofile: 512, output_bytes: MIB, enforce_network: true,
		allow_partial: false, cache: null,
	})
	assert.throws(() => new SandboxPolicy({ wall_time: 3 }), /wall_time/)
	assert.throws(() => { 'use strict'; new SandboxPolicy().nofile = 3 })
	for (const policy of [new SandboxPolicy(),
		new SandboxPolicy({ allow_partial: true })]) {
		const result = await client.execute(
			{ ...policy.toSpec(), command: ['true'] })
		assert.equal(result.status, 'OK', result.message)
		assert.equal(result.enforced.wall_time.details.ms, 30000)
		assert.equal(result.enforced.memory_total.details.bytes, 512 * MIB)
		assert.equal(result.enforced.rlimit_nofile.details.soft, 512)
		assert.equal(result.enforced.network.details.mode, 'loopback')
		assert.equal(policy.toSpec().backend, 'namespaces')
	}
	const open = new SandboxPolicy({ enforce_network: false }).toSpec()
	assert.equal(open.backend, undefined)
	assert.equal(open.enforce_network, undefined)
})

scene('a cache outlives runs', async () => {
	const cache = fs.mkdtempSync('/var/tmp/cupel-node-cache.')
	const spec = { ...new SandboxPolicy({ cache }).toSpec(),
		command: ['sh', '-c', 'echo x >>/cache/n; cat /cache/n'] }
	for (const want of ['x\n', 'x\nx\n']) {
		const result = await client.execute(spec)
		assert.equal(result.stdout, want, result.message)
		assert.equal(result.cache.state, 'saved')
	}
	fs.rmSync(cache, { recursive: true })
	const none = await client.execute({ command: ['true'] })
	assert.equal(none.cache, null)
})

scene('a good suite', async (s) => {
	const file = s.put('test/a.test.mjs', GOOD)
	s.put('test/b.test.mjs', GOOD)
	for (const paths of [['test/a.test.mjs'], [file]]) {
		const { rc, output } = await runTests(paths, 20)
		assert.equal(rc, 0, output)
		assert.match(output, /pass 1\n/)
	}
	const all = await runTestsV2([])
	assert.equal(all.status, 'OK', all.output)
	assert.match(all.stdout, /pass 2\n/)
	assert.equal(all.payload.tests.passed, 2)
	assert.deepEqual(fs.readdirSync(s.repo), ['test'])
	process.chdir('/')
	const elsewhere = await runTestsV2(['test/a.test.mjs'], undefined,
		{ repo: s.repo })
	assert.equal(elsewhere.status, 'OK', elsewhere.output)
})

scene('a bad suite', async (s) => {
	s.put('a.test.mjs', GOOD +
		"test('bad', () => { throw new Error('odd') })\n")
	const { rc, output } = await runTests(['a.test.mjs'], 20)
	assert.equal(rc, 1, output)
	assert.match(output, /odd/)
	assert.match(output, /fail 1\n/)
})

scene('a suite that takes too long', async (s) => {
	s.put('a.test.mjs', "setTimeout(() => {}, 60000)\n")
	assert.equal((await runTests(['a.test.mjs'], 2)).rc, 124)
})

scene('the host is not there', async (s) => {
	s.put('a.test.mjs', `
import test from 'node:test'; import assert from 'node:assert'
import fs from 'node:fs'; import net from 'node:net'
test('host', async () => {
	assert.equal(process.getuid(), 1000)
	assert.equal(fs.existsSync(${JSON.stringify(s.repo)}), false)
	assert.throws(() => fs.writeFileSync('/repo/new', 'x'))
	await assert.rejects(new Promise((ok, no) =>
		net.connect(80, '192.0.2.1').on('connect', ok).on('error', no)))
})`)
	const result = await runTestsV2(['a.test.mjs'])
	assert.equal(result.status, 'OK', result.output)
})

scene('another runner', async (s) => {
	s.put('a.js', 'console.log(process.argv.slice(2))\n')
	s.put('-b', '')
	const options = { command: [process.execPath, 'a.js', 'x'] }
	const result = await runTestsV2(['-b', path.join(s.repo, 'a.js')],
		new SandboxPolicy(), options)
	assert.equal(result.stdout, "[ 'x', './-b', 'a.js' ]\n", result.output)
	await s.refused(runTestsV2(['/etc/passwd']), 'caller', '/etc/passwd')
	await s.refused(runTestsV2('a.js'), 'caller', 'arrays')
	process.env.CUPEL = path.join(s.work, 'none')
	await s.refused(runTests(['a.js']), 'host', 'none')
})

scene('an open network is no result', async (s) => {
	const { raw } = await client.execute({ command: ['true'] })
	for (const applied of [false, null, undefined]) {
		const said = JSON.parse(raw)
		said.enforced.network.applied = applied
		if (applied === undefined)
			delete said.enforced.network
		s.program(`fs.writeSync(1, ${JSON.stringify(JSON.stringify(said))})`)
		await s.refused(runTests([], 5), 'bug', 'network')
		const open = new SandboxPolicy({ enforce_network: false })
		assert.equal((await runTestsV2([], open)).status, 'OK')
		process.env.CUPEL = CUPEL
	}
})
