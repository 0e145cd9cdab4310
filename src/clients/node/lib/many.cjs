'use strict'
// Gives many specs to one program cupel batch and reads an answer for each.
const os = require('node:os')
const { SandboxError } = require('./error.cjs')
const { Fields, isObject, readObject } = require('./json.cjs')
const { line, startBounded } = require('./process.cjs')
const { SandboxResultV2 } = require('./result.cjs')

// How many lines may wait for an answer for each place, so that none is idle.
const AHEAD = 4
const AHEAD_LEAST = 16
const KINDS = ['caller', 'host', 'busy', 'bug']
// 1: a run was not OK, or a line was wrong.
const END_OF_BATCH = [0, 1]
const RC_USAGE = 2
const NEWLINE = 10

// The text of the result in an answer, for numbers that a double cannot hold.
function rawOf(bytes) {
	const text = bytes.toString('utf-8')
	const head = /^{"id":"\d+","line":\d+,"hash":"[\w:]*","result":/.exec(text)
	return head === null ? JSON.stringify(JSON.parse(text).result)
		: text.slice(head[0].length, -1)
}

// Lines that were sent, and answers that nobody has taken yet.  The ids on the
// wire are our own numbers, because two specs may have the same id.  An answer
// is believed only if its line was sent.
class Ledger {
	constructor(jobs, ordered, toJSON) {
		this.room = Math.max(AHEAD * (jobs ?? os.cpus().length), AHEAD_LEAST)
		this.ordered = ordered
		this.toJSON = toJSON
		this.asked = new Map()
		this.answers = new Map()
		this.count = 0
		this.next = 0
	}

	hasRoom() {
		return this.asked.size + this.answers.size < this.room
	}

	// The line of a spec.  A spec that is not JSON gets its answer at once,
	// and its line is blank; the batch skips it and counts it.
	line(spec) {
		const index = this.count++
		const id = isObject(spec) ? spec.id : undefined
		try {
			const text = this.toJSON(spec, { id: String(index) })
			this.asked.set(index, id)
			return `${text}\n`
		} catch (error) {
			if (!(error instanceof SandboxError))
				throw error
			this.answers.set(index, { index, id, result: null, error })
			return '\n'
		}
	}

	// Take an answer from a line of the batch.
	put(bytes) {
		const at = new Fields(readObject(bytes))
		const index = at.count('line') - 1
		if (!this.asked.has(index))
			throw at.wrong('line', 'one that was asked and has no answer')
		const name = at.orNull('id', at.text)
		const isResult = at.has('result')
		if (name !== String(index) && (isResult || name !== null))
			throw at.wrong('id', 'that of the line')
		const answer = { index, id: this.asked.get(index),
			result: null, error: null }
		if (isResult) {
			answer.result = SandboxResultV2.fromFields(at.fields('result'),
				rawOf(bytes))
		} else {
			const said = at.fields('error')
			answer.error = new SandboxError(
				line(Buffer.from(said.text('message'))),
				said.word('cause', KINDS))
		}
		this.asked.delete(index)
		this.answers.set(index, answer)
	}

	// The next answer that has come, or undefined.
	take() {
		const [index] = this.ordered ? [this.next] : this.answers.keys()
		const found = this.answers.get(index)
		if (found !== undefined) {
			this.answers.delete(index)
			this.next++
		}
		return found
	}

	// The batch has ended: SandboxError unless it has answered everything.
	end({ code, signal, stderr }) {
		const said = line(stderr)
		if (signal !== null)
			throw new SandboxError(`cupel was ended by ${signal}` +
				`${said && ': ' + said}`, 'host')
		if (!END_OF_BATCH.includes(code) || this.asked.size > 0)
			throw new SandboxError(`cupel batch exited with ${code}; ` +
				`specs without an answer: ${this.asked.size}` +
				`${said && ': ' + said}`,
			code === RC_USAGE ? 'caller' : 'bug')
	}
}

// Splits the pieces that are read into whole lines, up to a cap.
class Lines {
	constructor(capBytes, give) {
		this.capBytes = capBytes
		this.give = give
		this.pieces = []
		this.size = 0
	}

	take(piece) {
		for (;;) {
			const end = piece.indexOf(NEWLINE)
			this.keep(end < 0 ? piece : piece.subarray(0, end))
			if (end < 0)
				return
			this.give(Buffer.concat(this.pieces))
			this.pieces = []
			this.size = 0
			piece = piece.subarray(end + 1)
		}
	}

	keep(piece) {
		this.size += piece.length
		if (this.size > this.capBytes)
			throw new SandboxError('an answer is longer than the ' +
				`${this.capBytes} bytes of max_result_bytes`, 'caller')
		this.pieces.push(piece)
	}
}

// Gives a promise for each new event.
class News {
	#wake = () => {}
	#isNew = false

	tell() {
		this.#isNew = true
		this.#wake()
	}

	async wait() {
		if (!this.#isNew)
			await new Promise((resolve) => { this.#wake = resolve })
		this.#isNew = false
	}
}

// A running batch.
class Batch {
	constructor(ledger, run, capBytes) {
		this.ledger = ledger
		this.run = run
		this.news = new News()
		this.room = new News()
		this.ended = null
		this.failed = null
		this.isLeft = false
		const lines = new Lines(capBytes, (bytes) => ledger.put(bytes))
		run.onStdout = (piece) => this.guard(() => lines.take(piece))
	}

	// The first failure ends it.
	fail(error) {
		this.failed ??= error
		this.run.fail(error)
		this.news.tell()
		this.room.tell()
	}

	guard(act) {
		try {
			if (this.failed === null)
				act()
			this.news.tell()
		} catch (e) {
			this.fail(e)
		}
	}

	// Send a line for each spec while there is room for its answer.
	async feed(specs) {
		const stdin = this.run.child.stdin
		try {
			for await (const spec of specs) {
				while (!this.ledger.hasRoom() && !this.isOver())
					await this.room.wait()
				if (this.isOver())
					return
				const isFull = !stdin.write(this.ledger.line(spec))
				this.news.tell()
				if (isFull)
					await this.drained(stdin)
			}
			stdin.end()
		} catch (e) {
			this.fail(e)
		}
	}

	isOver() {
		return this.isLeft || this.failed !== null || this.ended !== null
	}

	drained(stdin) {
		return new Promise((resolve) => {
			stdin.once('drain', resolve)
			stdin.once('close', resolve)
		})
	}

	async* answers() {
		for (;;) {
			const answer = this.failed === null ? this.ledger.take() : undefined
			if (answer !== undefined) {
				this.room.tell()
				yield answer
			} else if (this.failed !== null) {
				throw this.failed
			} else if (this.ended !== null) {
				return this.ledger.end(this.ended)
			} else {
				await this.news.wait()
			}
		}
	}
}

// The generator behind SandboxClient.executeMany.
async function* runMany(binary, specs, toJSON, options) {
	const { jobs, ordered = false, capBytes, timeoutS, signal } = options
	const argv = [binary, 'batch', '--keep-going', '--quiet',
		...(jobs === undefined ? [] : [`--jobs=${jobs}`]),
		...(ordered ? ['--ordered'] : [])]
	const run = startBounded(argv, capBytes, { timeoutS, signal })
	const batch = new Batch(new Ledger(jobs, ordered, toJSON), run, capBytes)
	const end = run.end.then((ended) => { batch.ended = ended },
		(e) => { batch.failed ??= e }).finally(() => {
		batch.news.tell()
		batch.room.tell()
	})
	void batch.feed(specs)
	try {
		yield* batch.answers()
	} finally {
		batch.isLeft = true
		batch.room.tell()
		run.fail(new SandboxError('the batch was abandoned', 'caller'))
		await end
	}
}

module.exports = { runMany }
