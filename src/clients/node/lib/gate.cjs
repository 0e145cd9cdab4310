'use strict'
// Runs a gate over a work tree with the program cupel; see cupel-gate(1).
const { SandboxError } = require('./error.cjs')
const { Fields, readObject } = require('./json.cjs')
const { findBinary, line, runBounded } = require('./process.cjs')

const OUTCOME_OF_RC = { 0: 'passed', 11: 'escalate', 12: 'failed_unrecoverable' }
const KIND_OF_RC = { 2: 'caller', 3: 'host', 4: 'caller', 5: 'busy' }
const OUTCOMES = Object.values(OUTCOME_OF_RC)
const ANSWER_BYTES_MAX = 64 * 2 ** 20

// The possible requests: the option of each, and the type of its value.
const OPTIONS = {
	baseline: ['--baseline', 'string'],
	replan: ['--replan', 'string'],
	state: ['--state', 'string'],
	max_attempts: ['--max-attempts', 'number'],
	operator_ack: ['--operator-ack', 'string'],
	resume: ['--resume', 'boolean'],
	no_wait: ['--no-wait', 'boolean'],
}
const OTHERS = ['catalogues', 'binary', 'timeout_s', 'signal']

function signalOf(at) {
	return {
		kind: at.text('kind'),
		passed: at.flag('passed'),
		details: at.orNull('details', at.object),
		provenance: at.object('provenance'),
		at: at.text('at'),
	}
}

// A taker of an array whose items are taken by another taker.
function list(read) {
	return function (key) {
		const items = this.items(key)
		return items.value.map((_, i) => read(items.fields(i)))
	}
}

function attemptOf(at) {
	return {
		attempt: at.count('attempt'),
		passed: at.flag('passed'),
		lost: at.flag('lost'),
		failing_signals: at.texts('failing_signals'),
		signals: list(signalOf).call(at, 'signals'),
		runs: list((run) => run.value).call(at, 'runs'),
	}
}

// The outcome of a gate, and the place of its ledger; see index.d.ts.
class GateResult {
	// Read what cupel gate run --json printed, or throw SandboxError.
	static fromJSON(bytes) {
		const at = new Fields(readObject(bytes))
		return Object.assign(new GateResult(), {
			outcome: at.word('outcome', OUTCOMES),
			reason: at.orNull('reason', at.text),
			gate: at.text('gate'),
			catalogue: at.text('catalogue'),
			isolation_class: at.orNull('isolation_class', at.text),
			attempts: list(attemptOf).call(at, 'attempts'),
			state: at.text('state'),
		})
	}

	// Whether the change may advance.
	get passed() {
		return this.outcome === 'passed'
	}
}

// The words of one option, if it was asked for.
function wordsOf(key, value) {
	const [name, type] = OPTIONS[key]
	if (value === undefined || value === null)
		return []
	if (typeof value !== type || (type === 'string' && value.includes('\0')))
		throw new SandboxError(`${key}: expected a ${type}`, 'caller')
	if (type === 'boolean')
		return value ? [name] : []
	return [`${name}=${value}`]
}

function argvOf(gate, worktree, options) {
	const { catalogues = [] } = options
	for (const key of Object.keys(options))
		if (!Object.keys(OPTIONS).includes(key) && !OTHERS.includes(key))
			throw new SandboxError(`${key}: unknown option`, 'caller')
	if (!Array.isArray(catalogues))
		throw new SandboxError('catalogues: expected an array', 'caller')
	const texts = [gate, worktree, ...catalogues]
	if (texts.some((t) => typeof t !== 'string' || t.includes('\0')))
		throw new SandboxError('the gate, the work tree and the catalogues ' +
			'have to be strings without NUL', 'caller')
	return ['gate', 'run', '--json', '--quiet', `--worktree=${worktree}`,
		...Object.keys(OPTIONS).flatMap((key) => wordsOf(key, options[key])),
		...catalogues.map((file) => `--catalogue=${file}`), '--', gate]
}

// Run a gate over worktree; see index.d.ts.
async function runGate(gate, worktree = '.', options = {}) {
	const words = argvOf(gate, worktree, options)
	const { binary, timeout_s: timeoutS, signal } = options
	const program = findBinary(binary)
	if (program === null)
		throw new SandboxError('cupel was not found: ' +
			(binary || process.env.CUPEL || 'not in PATH'), 'host')
	const ended = await runBounded([program, ...words], '', ANSWER_BYTES_MAX,
		{ timeoutS, signal })
	if (ended.signal !== null)
		throw new SandboxError(`cupel was ended by ${ended.signal}`, 'host')
	const outcome = OUTCOME_OF_RC[ended.code]
	if (outcome === undefined)
		throw new SandboxError(
			line(ended.stderr) || `cupel gate ended with ${ended.code}`,
			KIND_OF_RC[ended.code] ?? 'bug')
	const result = GateResult.fromJSON(ended.stdout)
	if (result.outcome !== outcome)
		throw new SandboxError(`cupel's answer says ${result.outcome} and ` +
			`its status ${ended.code} ${outcome}`, 'bug')
	return result
}

module.exports = { GateResult, runGate }
