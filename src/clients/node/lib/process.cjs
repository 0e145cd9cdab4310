'use strict'
// Find the program, run it, take its output up to a cap and its complaint.
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { SandboxError } = require('./error.cjs')

// A line is expected; the rest is read and dropped.
const STDERR_KEPT_BYTES = 65536
const BUSY = ['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']
// The longest that a timer of Node's can wait.
const TIMER_MS_MAX = 2 ** 31 - 1

function canRun(file) {
	try {
		fs.accessSync(file, fs.constants.X_OK)
		return fs.statSync(file).isFile()
	} catch {
		return false
	}
}

// The program to run, or null: by name, by CUPEL, or from PATH.  A path with a
// slash is taken as it is.  Relative directories in PATH are passed over: they
// may be those of a repository that nobody trusts.
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

// What has been started and has not ended: it ends with this process.
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

// One program on its way: its output so far and the error that ends it.
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

// What the kernel does not know as a program Node would hand to a shell.
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

// End the run after timeoutS, or by signal.  Returns what takes that back.
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

// A promise of the end of a run: {code, signal, stdout, stderr}.
function endOf(run, name) {
	const { child } = run
	return new Promise((resolve, reject) => {
		child.on('error', (e) => {
			run.error ??= systemError(name, e)
			// No program, no end of one.
			if (child.pid === undefined)
				reject(run.error)
		})
		child.on('close', (code, by) => run.error
			? reject(run.error) : resolve(run.ended(code, by)))
		child.stdout?.on('data', (piece) => run.takeStdout(piece))
		child.stderr?.on('data', (piece) => run.takeStderr(piece))
		// That nobody reads is told by the answer.
		child.stdin?.on('error', () => {})
	})
}

// Start argv, its stdin open; `end` of what is returned is a promise.  It is
// rejected with SandboxError where the program cannot be started, prints more
// than capBytes (unless onStdout is set), takes longer than timeoutS or is
// aborted by signal; by then it has ended.
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

// Run argv with text on its stdin and wait for its end, which see above.
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
