'use strict'
// Gives one spec to the program cupel and reads one result.
const { SandboxError } = require('./error.cjs')
const { Fields, isObject, readObject } = require('./json.cjs')
const { runMany } = require('./many.cjs')
const { findBinary, line, runBounded } = require('./process.cjs')
const { SandboxResultV2 } = require('./result.cjs')

const MIB = 2 ** 20
// Of the JSON without the text of the output.
const RESULT_BYTES_MAX = 64 * MIB
// Two streams, six characters of JSON for each byte.
const ESCAPED_BYTES = 12
// The answers of doctor and --version.
const ANSWER_BYTES_MAX = MIB
const HEALTH_TIMEOUT_S = 60
// Beyond the wall time: start, kill, read a report, write the result.
const GRACE_S = 60
const RC_USAGE = 2

// The phases of a spec, each with its defaults; otherwise the spec itself.
function runsOf(spec) {
	if (!Array.isArray(spec.phases) || spec.phases.length === 0)
		return [spec]
	return spec.phases.map((phase) => ({ ...spec, ...phase }))
}

function timeoutOf(spec) {
	let total = 0
	for (const { wall_time_s: wall, kill_after_s: after } of runsOf(spec)) {
		if (typeof wall !== 'number')
			return undefined
		total += wall + GRACE_S + (typeof after === 'number' ? after : 0)
	}
	return total
}

// The text of spec; the members of more replace its own.
function toJSON(spec, more) {
	if (!isObject(spec))
		throw new SandboxError('the spec is not an object', 'caller')
	try {
		return JSON.stringify({ ...spec, ...more }, (key, value) => {
			// JSON.stringify would write null for it.
			if (typeof value === 'number' && !Number.isFinite(value))
				throw new TypeError(`${key}: ${value} is not a number`)
			if (['function', 'symbol', 'bigint'].includes(typeof value))
				throw new TypeError(`${key}: a ${typeof value}`)
			return value
		})
	} catch (e) {
		throw new SandboxError(`the spec is not JSON: ${e.message}`, 'caller')
	}
}

// The result of a run that ended, or SandboxError.
function resultOf({ code, signal, stdout, stderr }, errorRc) {
	if (signal !== null)
		throw new SandboxError(`cupel was ended by ${signal}`, 'host')
	const said = line(stderr)
	if (stdout.length === 0) {
		if (said && (code === RC_USAGE || code === errorRc))
			throw new SandboxError(said, 'caller')
		throw new SandboxError('cupel printed no result, exit status ' +
			`${code}${said && ': ' + said}`, 'bug')
	}
	const result = SandboxResultV2.fromJSON(stdout)
	const want = result.status === 'INTERNAL_ERROR' && errorRc
		? errorRc : result.rc
	if (code !== want)
		throw new SandboxError(`cupel exited with ${code} and its result ` +
			`says ${want}: ${said}`, 'bug')
	return result
}

function versionOf({ code, stdout }) {
	const words = stdout.toString('utf-8').split(/\s+/)
	if (code !== 0 || words.length < 2 || words[0] !== 'cupel')
		throw new SandboxError('cupel --version does not name cupel', 'host')
	return words[1].slice(0, 100)
}

// Throw SandboxError for what doctor says is missing.
function judge({ code, signal, stdout, stderr }) {
	if (code !== 0 && code !== 3)
		throw new SandboxError(
			`doctor ended with ${signal ?? code}: ${line(stderr)}`,
			code === RC_USAGE ? 'caller' : 'bug')
	const at = new Fields(readObject(stdout))
	if (at.flag('ok') && code === 0)
		return
	const rows = at.items('rows')
	for (let i = 0; i < rows.value.length; i++) {
		const row = rows.fields(i)
		if (row.orNull('ok', row.flag) === false)
			throw new SandboxError(`${row.text('id')}: ` +
				(row.orNull('message', row.text) ?? 'not here'), 'host')
	}
	throw new SandboxError('cupel doctor says no, but does not say why', 'host')
}

class SandboxClient {
	#binary
	#maxResultBytes

	constructor({ binary, max_result_bytes: most } = {}) {
		this.#binary = binary
		this.#maxResultBytes = most
	}

	async execute(spec, { timeout_s: timeoutS, signal } = {}) {
		const binary = this.#find()
		const text = toJSON(spec)
		const ended = await runBounded(
			[binary, 'run', '--spec', '-', '--json'],
			text, this.#capBytes(spec),
			{ timeoutS: timeoutS ?? timeoutOf(spec), signal })
		return resultOf(ended, spec.error_rc)
	}

	async* executeMany(specs, { jobs, ordered, timeout_s: timeoutS,
		signal } = {}) {
		if (jobs !== undefined && !Number.isSafeInteger(jobs))
			throw new SandboxError('jobs: expected an integer', 'caller')
		yield* runMany(this.#find(), specs, toJSON, { jobs, ordered, timeoutS,
			signal, capBytes: this.#maxResultBytes ?? RESULT_BYTES_MAX })
	}

	async health({ profile = 'test' } = {}) {
		const found = { ok: false, binary: null, version: null, reason: null }
		const ask = (...words) => runBounded([found.binary, ...words], '',
			ANSWER_BYTES_MAX, { timeoutS: HEALTH_TIMEOUT_S })
		try {
			found.binary = this.#find()
			found.version = versionOf(await ask('--version'))
			judge(await ask('doctor', '--json', '--profile', profile))
			found.ok = true
		} catch (e) {
			if (!(e instanceof SandboxError))
				throw e
			found.reason = e.message
		}
		return found
	}

	#capBytes(spec) {
		if (this.#maxResultBytes !== undefined)
			return this.#maxResultBytes
		const outputs = runsOf(spec).map((run) => run.output_bytes)
			.filter(Number.isSafeInteger)
		// The result of phases contains the output of one of them
		// twice.
		const again = Array.isArray(spec.phases) ? Math.max(0, ...outputs) : 0
		return RESULT_BYTES_MAX + ESCAPED_BYTES *
			outputs.reduce((sum, n) => sum + n, again)
	}

	#find() {
		const binary = findBinary(this.#binary)
		if (binary === null)
			throw new SandboxError('cupel was not found: ' +
				(this.#binary || process.env.CUPEL || 'not in PATH'), 'host')
		return binary
	}
}

module.exports = { SandboxClient }
