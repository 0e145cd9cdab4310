'use strict'
// Finds the program, runs it, and reads its output and its complaint up to a
// cap.
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { SandboxError } = require('./error.cjs')

// One line is expected; the rest is read and dropped.
const STDERR_KEPT_BYTES = 65536
// To read what an ended program left in its pipes.
const REST_MS = 1000
const BUSY = ['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']
// The longest time that a timer of Node can wait.
const TIMER_MS_MAX = 2 ** 31 - 1

function canRun(file) {
	try {
		fs.accessSync(file, fs.constants.X_OK)
		return fs.statSync(file).isFile()
	} catch {
		return false
	}
}

// The program to run, or null: as named, from CUPEL, or from PATH.  A path with
// a slash is used as it is.  Relative directories in PATH are skipped, because
// they may belong to a repository that nobody trusts.
function findBinary(named) {
	const name = named || process.env.CUPEL || 'cupel'
	if (name.includes('/'))
		return canRun(name) ? path.resolve(name) : null
	for (const dir of (process.env.PATH ?? '/usr/bin:/bin').split(':')) {
		const file = path.join(dir, name)
		if (path.isAbsolute(dir) && canRun(file))
			return file
	}
	return null
}

// Programs that were started and have not ended; they end with this process.
const alive = new Set()

function endAll() {
	for (const child of alive)
		child.kill('SIGKILL')
}

function remember(child) {
	if (alive.size === 0)
		process.on('exit', endAll)
	alive.add(child)
}

function forget(child) {
	if (alive.delete(child) && alive.size === 0)
		process.off('exit', endAll)
}

// A running program: its output so far, and the error that ends it.
class Bounded {
	constructor(child, capBytes) {
		this.child = child
		this.capBytes = capBytes
		this.stdout = []
		this.stderr = []
		this.stdoutBytes = 0
		this.stderrBytes = 0
		this.error = null
		this.onStdout = null
	}

	// Killing cupel ends its vessel.
	fail(error) {
		this.error ??= error
		this.child.kill('SIGKILL')
		this.child.stdin?.destroy()
		this.child.stdout?.destroy()
		this.child.stderr?.destroy()
	}

	takeStdout(piece) {
		if (this.onStdout !== null) {
			this.onStdout(piece)
			return
		}
		this.stdoutBytes += piece.length
		if (this.stdoutBytes <= this.capBytes) {
			this.stdout.push(piece)
			return
		}
		this.stdout = []
		this.fail(new SandboxError(
			`cupel's answer is longer than the ${this.capBytes} bytes ` +
			'of max_result_bytes', 'caller'))
	}

	takeStderr(piece) {
		this.stderrBytes += piece.length
		if (this.stderrBytes <= STDERR_KEPT_BYTES)
			this.stderr.push(piece)
	}

	ended(code, signal) {
		return {
			code,
			signal,
			stdout: Buffer.concat(this.stdout),
			stderr: Buffer.concat(this.stderr),
		}
	}
}

function systemError(name, e) {
	const kind = BUSY.includes(e.code) ? 'busy' : 'host'
	return new SandboxError(`${name}: ${e.code ?? e.message}`, kind)
}

// Node would give a shell a file that the kernel does not know as a program.
function checkProgram(file) {
	const head = Buffer.alloc(4)
	const fd = fs.openSync(file, 'r')
	try {
		fs.readSync(fd, head, 0, 4, 0)
	} finally {
		fs.closeSync(fd)
	}
	if (head.toString('latin1') !== '\x7fELF' &&
	    head.toString('latin1', 0, 2) !== '#!')
		throw new SandboxError(`${file}: is not a program`, 'host')
}

function start(argv) {
	try {
		checkProgram(argv[0])
		return spawn(argv[0], argv.slice(1), {
			stdio: ['pipe', 'pipe', 'pipe'],
			shell: false,
		})
	} catch (e) {
		throw e instanceof SandboxError ? e : systemError(argv[0], e)
	}
}

// End the run after timeoutS, or by signal.  Returns a function that cancels
// this.
function limit(run, name, timeoutS, signal) {
	const late = () => run.fail(new SandboxError(
		`${name} did not end within ${timeoutS} s`, 'busy'))
	const abort = () => run.fail(new SandboxError(
		`${name} was ended by the caller`, 'caller'))
	const timer = timeoutS !== undefined && timeoutS * 1000 <= TIMER_MS_MAX
		? setTimeout(late, timeoutS * 1000) : undefined
	signal?.addEventListener('abort', abort, { once: true })
	if (signal?.aborted)
		abort()
	return () => {
		clearTimeout(timer)
		signal?.removeEventListener('abort', abort)
	}
}

// A process that the program left behind with its pipes open, as a gate's planner
// may, is not waited for.  What the program itself wrote is in the pipes when it
// has ended; one more turn of the event loop reads that even if the timer comes
// late.
function closeAfterEnd(run) {
	const close = () => {
		for (const pipe of [run.child.stdin, run.child.stdout, run.child.stderr])
			pipe?.destroy()
	}
	const timer = setTimeout(() => setImmediate(close), REST_MS)
	run.child.on('close', () => clearTimeout(timer))
}

// A promise of the end of a run: {code, signal, stdout, stderr}.
function endOf(run, name) {
	const { child } = run
	return new Promise((resolve, reject) => {
		child.on('error', (e) => {
			run.error ??= systemError(name, e)
			// If no program was started, none will end.
			if (child.pid === undefined)
				reject(run.error)
		})
		child.on('close', (code, by) => run.error
			? reject(run.error) : resolve(run.ended(code, by)))
		// Whoever takes answers one by one may be slow to take them.
		child.on('exit', () => {
			if (run.onStdout === null)
				closeAfterEnd(run)
		})
		child.stdout?.on('data', (piece) => run.takeStdout(piece))
		child.stderr?.on('data', (piece) => run.takeStderr(piece))
		// If nobody reads, the answer says so.
		child.stdin?.on('error', () => {})
	})
}

// Start argv with its stdin open; `end` of the returned object is a promise.
// It is rejected with SandboxError if the program cannot be started, prints
// more than capBytes (unless onStdout is set), takes longer than timeoutS or is
// aborted by signal; by then the program has ended.
function startBounded(argv, capBytes, { timeoutS, signal } = {}) {
	const child = start(argv)
	const run = new Bounded(child, capBytes)
	remember(child)
	const takeBack = limit(run, argv[0], timeoutS, signal)
	run.end = endOf(run, argv[0]).finally(() => {
		takeBack()
		forget(child)
	})
	return run
}

// Run argv with text on its stdin and wait for its end, as described above.
async function runBounded(argv, text, capBytes, options) {
	const run = startBounded(argv, capBytes, options)
	run.child.stdin?.end(text)
	return run.end
}

// The first line of a complaint, printable and short.
function line(bytes) {
	return bytes.toString('utf-8').trim().split('\n', 1)[0]
		.replace(/\p{C}/gu, '').replace(/^cupel: /, '').slice(0, 500)
}

module.exports = { findBinary, line, runBounded, startBounded }
