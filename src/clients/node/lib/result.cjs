'use strict'
// Checks a result of cupel run --json; see cupel-result(5).
const { Fields, readObject } = require('./json.cjs')

// The values of rc for each status (cupel-run(1), "EXIT STATUS").
const RC_OF_STATUS = {
	OK: [0, 0],
	FAILED: [1, 255],
	TIMEOUT: [124, 124],
	CPU_LIMIT: [152, 152],
	MEM_LIMIT: [137, 137],
	OUTPUT_LIMIT: [137, 137],
	FILE_SIZE_LIMIT: [153, 153],
	FORBIDDEN_SYSCALL: [159, 159],
	KILLED_TERM: [129, 192],
	KILLED_KILL: [137, 137],
	SIGNALED: [129, 192],
	INTERNAL_ERROR: [1, 255],
}

const PAYLOAD_STATUS = ['absent', 'valid', 'too_large', 'malformed',
	'schema_violation', 'schema_error', 'rejected']

const { text, flag, count, integer, texts, object, anything } = Fields.prototype

// Tables of members.  A member is a taker, {orNull: taker} or {optional:
// taker}.  For an object it is a table or {orNull: table}, for an array {each:
// table}.
const WALL = { requested: flag, applied: { orNull: flag },
	details: { orNull: object } }

const USAGE = {
	cpu_user_ms: count,
	cpu_system_ms: count,
	cpu_tree_ms: { optional: count },
	max_rss_kib: count,
	peak_memory_bytes: { orNull: count },
	oom_kills: { optional: count },
	processes: count,
	processes_killed: count,
	tasks: { optional: count },
}

const VIOLATION = {
	syscall: { orNull: text },
	number: { orNull: integer },
	arch: { orNull: text },
	args: texts,
	pid: { orNull: count },
	comm: { orNull: text },
}

const PAYLOAD_ERROR = {
	code: text,
	offset: { orNull: count },
	instance: { orNull: text },
	schema: { orNull: text },
	message: { orNull: text },
}

const ARTIFACT = {
	path: text,
	dst: { optional: text },
	bytes: { optional: count },
	blake3: { optional: text },
	skipped: { optional: text },
}

const CACHE = {
	dir: text,
	state(key) { return this.word(key, ['saved', 'unchanged', 'not_saved']) },
	why: { orNull: text },
	bytes: count,
	entries: count,
	left_out: count,
}

const PROGRAM = { name: text, found: text, taken: text, origin: text }

const LIMIT_MET = {
	limit: text,
	option: text,
	value: count,
	by(key) { return this.word(key, ['cgroup', 'look']) },
	looks: count,
	looks_at_limit: count,
	at_end: flag,
	refused: { orNull: count },
}

const REACHED = {
	host: { orNull: text },
	address: { orNull: text },
	port: { orNull(key) { return this.count(key, 65535) } },
	verdict(key) { return this.word(key, ['allowed', 'refused']) },
	reason: { orNull: text },
	connections: count,
	bytes_in: count,
	bytes_out: count,
	first_ms: count,
}

const TRACE_EVENT = {
	kind(key) { return this.word(key, ['exec', 'connect']) },
	t_ms: count,
	pid: count,
	result: count,
	verified: flag,
	path: { orNull: text },
	ppid: { optional: count },
	argv: { optional: texts },
	interpreter: { optional: text },
	sealed: { optional: flag },
	family: { optional: text },
	address: { optional: text },
	host: { optional: text },
	port: { optional: count },
	verdict: { optional: text },
}

const TRACE = {
	events: list(TRACE_EVENT),
	events_omitted: count,
	lost: count,
	coverage_ok: flag,
	coverage: list({ cause: text, count }),
}

const RESULT = {
	version: text,
	status(key) { return this.word(key, Object.keys(RC_OF_STATUS)) },
	rc(key) { return this.count(key, 255) },
	reason: { orNull: text },
	message: { orNull: text },
	stage: { optional: text },
	cause: { optional: text },
	partial: flag,
	started: flag,
	stdout: text,
	stdout_bytes: count,
	stdout_truncated: flag,
	stdout_replaced: flag,
	stderr: text,
	stderr_bytes: count,
	stderr_truncated: flag,
	stderr_replaced: flag,
	duration_ms: count,
	cmd: texts,
	traceId: text,
	backend: { orNull: text },
	isolation_class: text,
	signal: { orNull(key) { return this.count(key, 64) } },
	enforced: walls,
	usage: table(USAGE),
	violation: { orNull: table(VIOLATION) },
	spec_hash: text,
	policy_hash: { orNull: text },
	payload: anything,
	payload_status(key) { return this.word(key, PAYLOAD_STATUS) },
	payload_error: { orNull: table(PAYLOAD_ERROR) },
	artifacts: list(ARTIFACT),
	programs: list(PROGRAM),
	limits_met: list(LIMIT_MET),
	cache: { optional: table(CACHE) },
	egress: { optional: list(REACHED) },
	egress_omitted: { optional: count },
	trace: { optional: table(TRACE) },
	name: { optional: text }, // of a phase
	goes_on: { optional: flag },
	phases: { optional: phases },
}

// A taker of an array of objects by their table.
function list(rows) {
	return function (key) {
		const items = this.items(key)
		return items.value.map((_, i) => read(items.fields(i), rows))
	}
}

// A taker of an object by its table.
function table(rows) {
	return function (key) {
		return read(this.fields(key), rows)
	}
}

function walls(key) {
	const all = this.fields(key)
	return Object.fromEntries(Object.keys(all.value).map(
		(name) => [name, read(all.fields(name), WALL)]))
}

// A taker of the results of phases, each of which is a result of its own.
function phases(key) {
	const items = this.items(key)
	return items.value.map((_, i) => resultOf(items.fields(i)))
}

// Make it from its checked object; SandboxError when that is not a result.
function resultOf(at) {
	const result = Object.assign(new SandboxResultV2(), read(at, RESULT))
	const [least, most] = RC_OF_STATUS[result.status]
	if (!result.version.startsWith('1.'))
		throw at.wrong('version', '1.x, which this package reads')
	if (result.rc < least || result.rc > most)
		throw at.wrong('rc', `${least} to ${most} with ${result.status}`)
	if (result.status === 'INTERNAL_ERROR' && result.started)
		throw at.wrong('started', 'false with INTERNAL_ERROR')
	if (result.payload !== null && result.payload_status !== 'valid')
		throw at.wrong('payload', `null with ${result.payload_status}`)
	return result
}

function read(at, rows) {
	const found = {}
	for (const [key, row] of Object.entries(rows)) {
		if (typeof row === 'function')
			found[key] = row.call(at, key)
		else if (row.orNull)
			found[key] = at.orNull(key, row.orNull)
		else
			found[key] = at.optional(key, row.optional)
	}
	return found
}

class SandboxResultV2 {
	// Read the bytes of one result; SandboxError when they are not one.
	static fromJSON(bytes) {
		return this.fromFields(new Fields(readObject(bytes)),
			Buffer.from(bytes).toString('utf-8'))
	}

	// Read its object, which is part of another answer, and its text.
	static fromFields(at, raw) {
		const result = resultOf(at)
		Object.defineProperty(result, 'raw', { value: raw })
		return result
	}

	// Whether the command ran to its end and exited with 0.
	get ok() {
		return this.status === 'OK'
	}

	// stdout, then stderr.
	get output() {
		const gap = this.stdout === '' || this.stdout.endsWith('\n')
			? '' : '\n'
		return this.stdout + (this.stderr && gap + this.stderr)
	}
}

module.exports = { SandboxResultV2 }
