'use strict'
// Runs test suites under a policy: Node's test runner, or another one, in a
// vessel.
const fs = require('node:fs')
const path = require('node:path')
const { SandboxClient } = require('./client.cjs')
const { SandboxError } = require('./error.cjs')

const MIB = 2 ** 20

const DEFAULTS = {
	wall_time_s: 30,
	cpu_time_s: 20,
	mem_bytes: 512 * MIB,
	pids_max: 32,
	nofile: 512,
	output_bytes: MIB,
	enforce_network: true,
	allow_partial: false,
	cache: null,
}

// The threads of one Node: itself, four of V8, four of libuv, two more.
const NODE_THREADS = 11

// Prefixes that are always shown: an interpreter there needs no runtime.
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib64']

// What a test suite may use; see index.d.ts.
class SandboxPolicy {
	constructor(changes = {}) {
		for (const key of Object.keys(changes))
			if (!Object.keys(DEFAULTS).includes(key))
				throw new SandboxError(
					`SandboxPolicy: ${key}: unknown limit`, 'caller')
		Object.assign(this, DEFAULTS, changes)
		Object.freeze(this)
	}

	// The policy as keys of a spec, on top of the profile "test".
	toSpec() {
		const { enforce_network: network, cache, ...spec } = this
		return {
			profile: 'test',
			network: 'loopback',
			...spec,
			// Other backends have no network namespace, and auto
			// may choose them.
			...(network ? { backend: 'namespaces' } : {}),
			...(cache !== null ? { cache } : {}),
		}
	}
}

function isBelow(file, top) {
	return file === top || file.startsWith(top.replace(/\/*$/, '/'))
}

// The caller's path as it is called from /repo.
function inside(top, file) {
	let at = file
	if (path.isAbsolute(file)) {
		const seen = [top, fs.realpathSync(top)].find(
			(t) => isBelow(path.normalize(file), t))
		if (seen === undefined)
			throw new SandboxError(
				`${file}: not below the repository ${top}`, 'caller')
		at = path.relative(seen, file) || '.'
	}
	// It must not be read as an option of the runner.
	return at.startsWith('-') ? './' + at : at
}

// Node's own runner, with as many files at once as there is room for.
function nodeCommand(pidsMax) {
	const [major, minor] = process.versions.node.split('.').map(Number)
	const canLimit = major > 20 || (major === 20 && minor >= 10) ||
		(major === 18 && minor >= 19)
	const room = Math.max(1, Math.floor(pidsMax / NODE_THREADS) - 1)
	// The reporter that Node up to 22 uses for a pipe unless told
	// otherwise.
	const words = [process.execPath, '--test', '--test-reporter=tap']
	if (canLimit && Number.isFinite(room))
		words.push(`--test-concurrency=${room}`)
	return words
}

// The prefix of this Node, unless the vessel has it anyway.
function nodeRuntime() {
	const prefix = path.dirname(path.dirname(process.execPath))
	return SYSTEM.some((d) => isBelow(process.execPath, d)) ? [] : [prefix]
}

async function runTestsV2(paths, policy = new SandboxPolicy(), options = {}) {
	const { repo = '.', command, client = new SandboxClient() } = options
	const { timeout_s, signal } = options
	const top = path.resolve(repo)
	if (!Array.isArray(paths) || (command && !Array.isArray(command)))
		throw new SandboxError('paths and command have to be arrays', 'caller')
	const spec = {
		...policy.toSpec(),
		repo: top,
		command: [...(command ?? nodeCommand(policy.pids_max)),
			...paths.map((p) => inside(top, String(p)))],
	}
	if (command === undefined) {
		spec.runtime = nodeRuntime()
		spec.report = 'tap:stdout'
	}
	const result = await client.execute(spec, { timeout_s, signal })
	if (policy.enforce_network && result.started &&
	    result.enforced.network?.applied !== true)
		throw new SandboxError('the network was not closed', 'bug')
	return result
}

async function runTests(paths, timeoutS = DEFAULTS.wall_time_s) {
	const result = await runTestsV2(paths, new SandboxPolicy({
		wall_time_s: timeoutS,
		cpu_time_s: Math.max(DEFAULTS.cpu_time_s, timeoutS),
	}))
	const said = result.message === null ? '' : `cupel: ${result.message}\n`
	const gap = said && result.output && !result.output.endsWith('\n')
		? '\n' : ''
	return { rc: result.rc, output: result.output + gap + said }
}

module.exports = { SandboxPolicy, runTests, runTestsV2 }
