'use strict'
// Runs flagged functions with the program cupel; see cupel-confirm(1).
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { SandboxError } = require('./error.cjs')
const { Fields, isObject, readObject } = require('./json.cjs')
const { findBinary, line, runBounded } = require('./process.cjs')

const STATUS = ['confirmed-bug', 'timeout-without-confirmation',
	'no-bug-found', 'input-synthesis-failed', 'sandbox-error',
	'platform-unsupported']
const KIND_OF_RC = { 2: 'caller' }
// 3: every flag is platform-unsupported.
const ENDED_RC = [0, 3]
const SUMMARY_BYTES_MAX = 65536
const LOG_BYTES_MAX = 256 * 2 ** 20

// The possible requests: the option of each, and the type of its value.
const OPTIONS = {
	jobs: ['--jobs', 'number'],
	flag_time_s: ['--flag-time-s', 'number'],
	reproducer: ['--reproducer', 'string'],
	cold: ['--cold', 'boolean'],
}
const LISTS = { ro: '--ro', runtimes: '--runtime', rules: '--rules' }
const OTHERS = ['binary', 'timeout_s', 'signal']

// What came of one flag; see index.d.ts.
class ConfirmRecord {
	// Read a line of the log, or throw SandboxError.
	static fromJSON(bytes) {
		const raw = readObject(bytes)
		const at = new Fields(raw)
		return Object.freeze(Object.assign(new ConfirmRecord(), {
			number: at.fields('flag_ref').count('number'),
			status: at.word('status', STATUS),
			reason: at.orNull('reason', at.text),
			confirmed_class: at.optional('class', at.text),
			witness: at.anything('witness'),
			error_class: at.orNull('error_class', at.text),
			traceback_head: at.orNull('traceback_head', at.text),
			exit_code: at.orNull('exit_code', (key) => at.count(key, 255)),
			signal: at.orNull('signal', (key) => at.count(key, 64)),
			duration_ms: at.count('duration_ms'),
			backend: at.orNull('backend', at.text),
			raw,
		}))
	}

	// Whether the bug showed, twice.
	get confirmed() {
		return this.status === 'confirmed-bug'
	}
}

function caller(why) {
	return new SandboxError(why, 'caller')
}

// The words of one option, if it was asked for.
function wordsOf(key, value) {
	const [name, type] = OPTIONS[key]
	if (value === undefined || value === null)
		return []
	if (typeof value !== type || (type === 'string' && value.includes('\0')))
		throw caller(`${key}: expected a ${type}`)
	if (type === 'boolean')
		return value ? [name] : []
	return [`${name}=${value}`]
}

function listOf(key, values = []) {
	if (!Array.isArray(values) ||
	    values.some((v) => typeof v !== 'string' || v.includes('\0')))
		throw caller(`${key}: expected an array of strings`)
	return values.map((value) => `${LISTS[key]}=${value}`)
}

function argvOf(repo, options) {
	const known = [...Object.keys(OPTIONS), ...Object.keys(LISTS), ...OTHERS]
	for (const key of Object.keys(options))
		if (!known.includes(key))
			throw caller(`${key}: unknown option`)
	if (typeof repo !== 'string' || repo.includes('\0'))
		throw caller('the repository has to be a string')
	return ['confirm', '--quiet', `--repo=${repo}`,
		...Object.keys(OPTIONS).flatMap((key) => wordsOf(key, options[key])),
		...Object.keys(LISTS).flatMap((key) => listOf(key, options[key]))]
}

function linesOf(flags) {
	if (!Array.isArray(flags) || !flags.every(isObject))
		throw caller('flags: expected an array of objects')
	try {
		return flags.map((flag) => `${JSON.stringify(flag)}\n`)
	} catch (e) {
		throw caller(`a flag is not JSON: ${e.message}`)
	}
}

// The log, up to a cap, as one array of bytes for each line.
function readLog(file) {
	let bytes
	try {
		if (fs.statSync(file).size > LOG_BYTES_MAX)
			throw new SandboxError("cupel's log is too long", 'bug')
		bytes = fs.readFileSync(file)
	} catch (e) {
		if (e.code === 'ENOENT')
			return []
		throw e
	}
	const lines = []
	for (let at = 0; at < bytes.length;) {
		const end = bytes.indexOf(10, at)
		lines.push(bytes.subarray(at, end < 0 ? bytes.length : end))
		at = end < 0 ? bytes.length : end + 1
	}
	return lines
}

// A record for each of n flags, in their order.
function recordsOf(ended, file, n) {
	if (ended.signal !== null)
		throw new SandboxError(`cupel was ended by ${ended.signal}`, 'host')
	if (!ENDED_RC.includes(ended.code))
		throw new SandboxError(
			line(ended.stderr) || `cupel confirm ended with ${ended.code}`,
			KIND_OF_RC[ended.code] ?? 'bug')
	const found = new Map()
	for (const text of readLog(file)) {
		const record = ConfirmRecord.fromJSON(text)
		if (found.has(record.number) || record.number < 1 || record.number > n)
			throw new SandboxError(`cupel's log: number ${record.number} ` +
				'was not expected', 'bug')
		found.set(record.number, record)
	}
	if (found.size !== n)
		throw new SandboxError(line(ended.stderr) ||
			`cupel's log: records: ${found.size}; flags: ${n}`,
		ended.stderr.length > 0 ? 'caller' : 'bug')
	return Array.from({ length: n }, (_, i) => found.get(i + 1))
}

// Call each flagged function of repo; see index.d.ts.
async function confirm(flags, repo = '.', options = {}) {
	const lines = linesOf(flags)
	const words = argvOf(repo, options)
	const { binary, timeout_s: timeoutS, signal } = options
	const program = findBinary(binary)
	if (program === null)
		throw new SandboxError('cupel was not found: ' +
			(binary || process.env.CUPEL || 'not in PATH'), 'host')
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cupel-confirm.'))
	const log = path.join(folder, 'log.jsonl')
	try {
		const ended = await runBounded(
			[program, ...words, '--', '/dev/stdin', log], lines.join(''),
			SUMMARY_BYTES_MAX, { timeoutS, signal })
		return recordsOf(ended, log, lines.length)
	} finally {
		fs.rmSync(folder, { recursive: true, force: true })
	}
}

module.exports = { ConfirmRecord, confirm }
