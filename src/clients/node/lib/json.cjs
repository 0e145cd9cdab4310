'use strict'
// Reads strict JSON: values of the expected type, or an error that names them.
const { SandboxError } = require('./error.cjs')

// V8 reads nested values by recursion and fails far above this depth; cupel's
// own cap on a payload is lower.
const DEPTH_MAX = 1000

const isObject = (v) =>
	typeof v === 'object' && v !== null && !Array.isArray(v)

// The parser's message may quote the answer.
function bad(why) {
	const said = why.replace(/\p{C}/gu, '').slice(0, 200)
	return new SandboxError(`cupel's answer is not JSON: ${said}`, 'bug')
}

// Find the last quote of the string that opens at `at`.
function stringEnd(text, at) {
	for (;;) {
		at = text.indexOf('"', at + 1)
		let slashes = 0
		while (text[at - 1 - slashes] === '\\')
			slashes++
		if (slashes % 2 === 0)
			return at
	}
}

// Refuse a name that is twice in an object, and nesting that is too deep.  text
// may be no JSON; the parser, which comes later, finds that out.
function checkShape(text) {
	const names = []
	for (let i = 0; i < text.length; i++) {
		const c = text[i]
		if (c === '{' || c === '[') {
			names.push(c === '{' ? new Set() : null)
			if (names.length > DEPTH_MAX)
				throw bad('it is nested too deeply')
		} else if (c === '}' || c === ']') {
			names.pop()
		} else if (c === '"') {
			const end = text.indexOf('"', i + 1) < 0
				? -1 : stringEnd(text, i)
			if (end < 0)
				return
			checkName(text, i, end, names[names.length - 1])
			i = end
		}
	}
}

function checkName(text, from, end, seen) {
	let next = end + 1
	while (' \t\n\r'.includes(text[next] ?? 'x'))
		next++
	if (!seen || text[next] !== ':')
		return
	const name = text.slice(from, end + 1)
	const key = name.includes('\\') ? JSON.parse(name) : name.slice(1, -1)
	if (seen.has(key))
		throw bad('an object has a name twice')
	seen.add(key)
}

// Parse bytes as a JSON object, or throw SandboxError.
function readObject(bytes) {
	let value
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
			.decode(bytes)
		checkShape(text)
		value = JSON.parse(text)
	} catch (e) {
		throw e instanceof SandboxError ? e : bad(e.message)
	}
	if (!isObject(value))
		throw new SandboxError("cupel's answer is not a JSON object", 'bug')
	return value
}

// The members of one object of an answer; each is taken with its type.
class Fields {
	constructor(value, path = '') {
		this.value = value
		this.path = path
	}

	wrong(key, want) {
		return new SandboxError(
			`cupel's answer: ${this.path}${key}: expected ${want}`, 'bug')
	}

	has(key) {
		return Object.prototype.hasOwnProperty.call(this.value, key)
	}

	// The value of key, if `good` accepts it; it may not be missing.
	take(key, want, good) {
		const found = this.has(key) ? this.value[key] : undefined
		if (found === undefined || !good(found))
			throw this.wrong(key, want)
		return found
	}

	orNull(key, take) {
		return this.has(key) && this.value[key] === null
			? null : take.call(this, key)
	}

	optional(key, take) {
		return this.has(key) ? this.orNull(key, take) : null
	}

	anything(key) {
		return this.take(key, 'a value', () => true)
	}

	// It must not contain half of a surrogate pair.
	text(key) {
		return this.take(key, 'a string of whole characters',
			(v) => typeof v === 'string' && !/\p{Surrogate}/u.test(v))
	}

	flag(key) {
		return this.take(key, 'true or false', (v) => typeof v === 'boolean')
	}

	integer(key) {
		return this.take(key, 'an integer', Number.isSafeInteger)
	}

	count(key, most = Number.MAX_SAFE_INTEGER) {
		return this.take(key, `an integer from 0 to ${most}`,
			(v) => Number.isSafeInteger(v) && v >= 0 && v <= most)
	}

	word(key, words) {
		return this.take(key, `one of ${words.join(', ')}`,
			(v) => words.includes(v))
	}

	object(key) {
		return this.take(key, 'an object', isObject)
	}

	fields(key) {
		return new Fields(this.object(key), `${this.path}${key}.`)
	}

	items(key) {
		const found = this.take(key, 'an array', Array.isArray)
		return new Fields(found, `${this.path}${key}.`)
	}

	texts(key) {
		const items = this.items(key)
		return items.value.map((_, i) => items.text(i))
	}
}

module.exports = { Fields, isObject, readObject }
