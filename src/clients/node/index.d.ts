/** A spec of cupel-spec(5); cupel itself refuses unknown keys. */
export type Spec = {
	readonly network?: 'none' | 'loopback' | 'scoped'
	/** "HOST:PORT", "*.DOMAIN:PORT" or "ADDRESS/BITS:PORT" */
	readonly egress?: readonly string[]
	readonly egress_audit?: boolean
	readonly report_names?: boolean
	readonly trace?: 'none' | 'exec' | 'connect' | 'exec,connect'
	/** runs over the same files, one after the other */
	readonly phases?: readonly Phase[]
	readonly [key: string]: unknown
}

/** One phase; the rest of the spec is its default. */
export type Phase = {
	readonly name: string
	readonly command: readonly string[]
	/** the next phase runs even when this one fails */
	readonly goes_on?: boolean
	readonly [key: string]: unknown
}

export type Status =
	| 'OK' | 'FAILED' | 'TIMEOUT' | 'CPU_LIMIT' | 'MEM_LIMIT'
	| 'OUTPUT_LIMIT' | 'FILE_SIZE_LIMIT' | 'FORBIDDEN_SYSCALL'
	| 'KILLED_TERM' | 'KILLED_KILL' | 'SIGNALED' | 'INTERNAL_ERROR'

export type PayloadStatus =
	| 'absent' | 'valid' | 'too_large' | 'malformed'
	| 'schema_violation' | 'schema_error' | 'rejected'

/** One wall: if it was asked for, if it was read back as standing, and how. */
export interface Wall {
	readonly requested: boolean
	readonly applied: boolean | null
	readonly details: { readonly [key: string]: unknown } | null
}

export interface Usage {
	readonly cpu_user_ms: number
	readonly cpu_system_ms: number
	readonly cpu_tree_ms: number | null
	readonly max_rss_kib: number
	readonly peak_memory_bytes: number | null
	readonly oom_kills: number | null
	readonly processes: number
	readonly processes_killed: number
	/** processes and threads that were started; null where it is unknown */
	readonly tasks: number | null
}

/** The system call that the filter does not allow. */
export interface Violation {
	readonly syscall: string | null
	readonly number: number | null
	readonly arch: string | null
	readonly args: readonly string[]
	readonly pid: number | null
	readonly comm: string | null
}

/** Which rule a payload breaks, and where. */
export interface PayloadError {
	readonly code: string
	readonly offset: number | null
	readonly instance: string | null
	readonly schema: string | null
	readonly message: string | null
}

/** The program run as the command, or as the interpreter of a script. */
export interface Program {
	readonly name: string
	readonly found: string
	readonly taken: string
	readonly origin: string
}

/** A limit that the command met and was told of by an error number alone. */
export interface LimitMet {
	/** "pids", "nofile", "scratch_bytes", "scratch_inodes" */
	readonly limit: string
	/** The option that changes it. */
	readonly option: string
	readonly value: number
	/** "look": at samples, so a moment between two is not seen. */
	readonly by: 'cgroup' | 'look'
	readonly looks: number
	readonly looks_at_limit: number
	readonly at_end: boolean
	readonly refused: number | null
}

/** A file that was copied out, or why it was not. */
/** What became of what the run added to its cache. */
export interface Cache {
	readonly dir: string
	readonly state: 'saved' | 'unchanged' | 'not_saved'
	/** a word, when it is not saved; else null */
	readonly why: string | null
	readonly bytes: number
	readonly entries: number
	readonly left_out: number
}

export interface Artifact {
	readonly path: string
	readonly dst: string | null
	readonly bytes: number | null
	readonly blake3: string | null
	readonly skipped: string | null
}

/**
 * The contacts with one host and port, allowed or refused.  `allowed` with a
 * reason means that it was not reached.
 */
export interface Reached {
	readonly host: string | null
	readonly address: string | null
	readonly port: number | null
	readonly verdict: 'allowed' | 'refused'
	readonly reason: string | null
	readonly connections: number
	readonly bytes_in: number
	readonly bytes_out: number
	readonly first_ms: number
}

/** Something that was executed, or connected to; null for what it lacks. */
export interface TraceEvent {
	readonly kind: 'exec' | 'connect'
	readonly t_ms: number
	readonly pid: number
	readonly result: number
	readonly verified: boolean
	readonly path: string | null
	readonly ppid: number | null
	readonly argv: readonly string[] | null
	readonly interpreter: string | null
	readonly sealed: boolean | null
	readonly family: string | null
	readonly address: string | null
	readonly host: string | null
	readonly port: number | null
	readonly verdict: string | null
}

/** `coverage_ok` says if anything may be missing, and `coverage` says why. */
export interface Trace {
	readonly events: readonly TraceEvent[]
	readonly events_omitted: number
	readonly lost: number
	readonly coverage_ok: boolean
	readonly coverage: readonly {
		readonly cause: string
		readonly count: number
	}[]
}

/** The result of a run; the names are those of cupel-result(5). */
export class SandboxResultV2 {
	private constructor()
	/** Read the bytes of one result; throws SandboxError. */
	static fromJSON(bytes: Uint8Array): SandboxResultV2

	/** Whether the command ran to its end and exited with 0. */
	readonly ok: boolean
	/** stdout, then stderr. */
	readonly output: string
	/** The text of the result, with the keys of later versions too. */
	readonly raw: string

	readonly version: string
	readonly status: Status
	readonly rc: number
	readonly reason: string | null
	readonly message: string | null
	readonly stage: string | null
	readonly cause: string | null
	readonly partial: boolean
	readonly started: boolean
	readonly stdout: string
	readonly stdout_bytes: number
	readonly stdout_truncated: boolean
	readonly stdout_replaced: boolean
	readonly stderr: string
	readonly stderr_bytes: number
	readonly stderr_truncated: boolean
	readonly stderr_replaced: boolean
	readonly duration_ms: number
	readonly cmd: readonly string[]
	readonly traceId: string
	readonly backend: string | null
	readonly isolation_class: string
	readonly signal: number | null
	readonly enforced: { readonly [wall: string]: Wall | undefined }
	readonly usage: Usage
	readonly violation: Violation | null
	readonly spec_hash: string
	readonly policy_hash: string | null
	readonly payload: unknown
	readonly payload_status: PayloadStatus
	readonly payload_error: PayloadError | null
	readonly artifacts: readonly Artifact[]
	readonly programs: readonly Program[]
	readonly limits_met: readonly LimitMet[]
	/** null without a cache */
	readonly cache: Cache | null
	/** null without scoped egress */
	readonly egress: readonly Reached[] | null
	readonly egress_omitted: number | null
	/** null without a trace */
	readonly trace: Trace | null
	/** of a phase; else null */
	readonly name: string | null
	readonly goes_on: boolean | null
	/** the phases that were begun; null for a spec without phases */
	readonly phases: readonly SandboxResultV2[] | null
}

/**
 * There is no result: nothing is known about what the command did.  `kind`
 * says whether to try again: caller never (the spec is wrong), host on another
 * host, busy later, bug report it.
 */
export class SandboxError extends Error {
	constructor(message: string, kind: SandboxError['kind'])
	readonly kind: 'caller' | 'host' | 'busy' | 'bug'
}

/** The part of an AbortSignal that is needed. */
export interface Aborts {
	readonly aborted: boolean
	addEventListener(type: 'abort', listener: () => void,
		options?: { once?: boolean }): void
	removeEventListener(type: 'abort', listener: () => void): void
}

export interface ExecuteOptions {
	/**
	 * Bounds the whole call, over and above the limits of the run; by
	 * default the spec's own wall_time_s and a minute, where it has one.
	 */
	timeout_s?: number
	signal?: Aborts
}

export interface ExecuteManyOptions {
	/** How many at once. */
	jobs?: number
	ordered?: boolean
	timeout_s?: number
	signal?: Aborts
}

/** The answer to one of many specs: a result, or an error instead. */
export type Answer = {
	/** The place of the spec among those that were given, from 0. */
	readonly index: number
	/** The spec's own id, whatever it is. */
	readonly id: unknown
} & (
	| { readonly result: SandboxResultV2; readonly error: null }
	| { readonly result: null; readonly error: SandboxError }
)

/** Whether runs are possible here; if not, `reason` says why. */
export interface Health {
	readonly ok: boolean
	readonly binary: string | null
	readonly version: string | null
	readonly reason: string | null
}

/** Runs specs, also many at once. */
export class SandboxClient {
	/**
	 * binary: the program; without it the variable CUPEL, then PATH, at each
	 * call.  max_result_bytes: the longest result that is read, as JSON;
	 * without it 64 MiB and room for the output_bytes of a spec that gives
	 * them as a number.
	 */
	constructor(options?: { binary?: string; max_result_bytes?: number })
	/** Run spec; rejects with SandboxError when there is no result. */
	execute(spec: Spec, options?: ExecuteOptions): Promise<SandboxResultV2>
	/**
	 * Run specs, jobs at once (by default as many as there are processors),
	 * and give an answer for each as it ends, or, with ordered, in the order of
	 * specs.  One program does all of it, see cupel-batch(1).  A spec is taken
	 * when there is room for its answer, so that memory is bounded however many
	 * there are; one that cannot be run has an answer with an error.  Throws
	 * SandboxError when there can be no more answers.  Leaving the loop ends
	 * what runs.  timeout_s is for all of it.
	 */
	executeMany(specs: Iterable<Spec> | AsyncIterable<Spec>,
		options?: ExecuteManyOptions): AsyncGenerator<Answer, void, undefined>
	/** Whether profile ("test") can be enforced here; never rejects with
	 * SandboxError. */
	health(options?: { profile?: string }): Promise<Health>
}

export interface Limits {
	/** 30 */
	wall_time_s: number
	/** 20 */
	cpu_time_s: number
	/** 512 MiB */
	mem_bytes: number
	/** 32 processes and threads */
	pids_max: number
	/** 512 */
	nofile: number
	/** 1 MiB */
	output_bytes: number
	/**
	 * Do not run without a network namespace, even if allow_partial accepts
	 * fewer walls.  Without it, and with allow_partial, a host that has no
	 * namespaces may leave the network open; the result says so.  In either
	 * case there is a loopback device and never more.  true
	 */
	enforce_network: boolean
	/** Run even if something cannot be enforced; see the result.  false */
	allow_partial: boolean
	/** A directory of the caller's that outlives runs, cupel-run(1), "THE
	 * CACHE"; it must exist, and untrusted code writes what is in it.  null */
	cache: string | null
}

export interface SandboxPolicy extends Readonly<Limits> {}

/** What a test suite may use. */
export class SandboxPolicy {
	constructor(changes?: Partial<Limits>)
	/** As keys of a spec, over the profile "test". */
	toSpec(): { [key: string]: unknown }
}

export interface RunTestsOptions extends ExecuteOptions {
	/** The directory shown at /repo, read-only; the current one. */
	repo?: string
	/** Another runner; paths come after it. */
	command?: readonly string[]
	client?: SandboxClient
}

/**
 * Run Node's test runner over paths, below the current directory, in a vessel.
 * rc is 124 after timeout_s (30).  The other limits are those of SandboxPolicy,
 * except for the CPU time, which is timeout_s if that is more.
 */
export function runTests(paths: readonly string[], timeout_s?: number):
	Promise<{ rc: number; output: string }>

/**
 * The same under a policy, with the whole result.  With Node's own runner the
 * payload is {tests: {...}}, made from its report (cupel schema tests), or
 * null; then payload_error says why.
 */
export function runTestsV2(paths: readonly string[], policy?: SandboxPolicy,
	options?: RunTestsOptions): Promise<SandboxResultV2>

/** One kind of observation; `details` are those of its schema. */
export interface GateSignal {
	readonly kind: string
	readonly passed: boolean
	readonly details: { readonly [key: string]: unknown } | null
	readonly provenance: { readonly [key: string]: unknown }
	readonly at: string
}

/** One attempt; `lost`: nothing is known about it. */
export interface GateAttempt {
	readonly attempt: number
	readonly passed: boolean
	readonly lost: boolean
	readonly failing_signals: readonly string[]
	readonly signals: readonly GateSignal[]
	readonly runs: readonly { readonly [key: string]: unknown }[]
}

/** The outcome of a gate, and its ledger (cupel schema gate-result). */
export class GateResult {
	private constructor()
	/** Read what `cupel gate run --json` printed; throws SandboxError. */
	static fromJSON(bytes: Uint8Array): GateResult

	/** Whether the change may advance. */
	readonly passed: boolean
	readonly outcome: 'passed' | 'escalate' | 'failed_unrecoverable'
	readonly reason: string | null
	readonly gate: string
	readonly catalogue: string
	readonly isolation_class: string | null
	readonly attempts: readonly GateAttempt[]
	readonly state: string
}

/** The options of cupel-gate(1), and limits of the call. */
export interface RunGateOptions extends ExecuteOptions {
	baseline?: string
	catalogues?: readonly string[]
	/** Given to /bin/sh on the host. */
	replan?: string
	state?: string
	max_attempts?: number
	operator_ack?: string
	resume?: boolean
	no_wait?: boolean
	/** The program; without it the variable CUPEL, then PATH. */
	binary?: string
}

/**
 * Run a gate over worktree, by default the current directory.  Rejects with
 * SandboxError when there is no outcome: its kind is caller for a wrong request
 * or a broken ledger, host if the host cannot.  Without timeout_s the call
 * takes as long as the gate's phases and the planner do.
 */
export function runGate(gate: string, worktree?: string,
	options?: RunGateOptions): Promise<GateResult>

/** A function that may fail (cupel schema review-flags); it has a function, a
 * line, or both. */
export interface ConfirmFlag {
	file: string
	flag_class: string
	function?: string | null
	line?: number | null
	/** The parameter that must fail. */
	argument?: string
	witness_hints?: unknown
}

/** What came of one flag (cupel schema run-log). */
export class ConfirmRecord {
	private constructor()
	/** Read a line of a log; throws SandboxError. */
	static fromJSON(bytes: Uint8Array): ConfirmRecord

	/** Whether the bug showed, twice. */
	readonly confirmed: boolean
	/** of the flag, from 1 */
	readonly number: number
	readonly status: 'confirmed-bug' | 'timeout-without-confirmation' |
		'no-bug-found' | 'input-synthesis-failed' | 'sandbox-error' |
		'platform-unsupported'
	readonly reason: string | null
	/** of a confirmed bug: the flag's class, or a narrower one */
	readonly confirmed_class: string | null
	/** cupel-witness(5) */
	readonly witness: unknown
	readonly error_class: string | null
	readonly traceback_head: string | null
	readonly exit_code: number | null
	readonly signal: number | null
	readonly duration_ms: number
	readonly backend: string | null
	/** All of the record. */
	readonly raw: { readonly [key: string]: unknown }
}

/** The options of cupel-confirm(1), and limits of the call. */
export interface ConfirmOptions extends ExecuteOptions {
	jobs?: number
	flag_time_s?: number
	ro?: readonly string[]
	runtimes?: readonly string[]
	rules?: readonly string[]
	reproducer?: string
	cold?: boolean
	/** The program; without it the variable CUPEL, then PATH. */
	binary?: string
}

/**
 * Call each flagged function of repo, by default the current directory, with
 * inputs that may make it fail.  Resolves to a record for each flag, in their
 * order; no log is kept in repo.  Rejects with SandboxError, of kind caller for a
 * flag that cannot be read.
 */
export function confirm(flags: readonly ConfirmFlag[], repo?: string,
	options?: ConfirmOptions): Promise<readonly ConfirmRecord[]>
