// patterns.js -- texts that fit a regular expression: the shortest one, with
// nothing that may be absent, and one in which all of that is there.
//
// It reads what such expressions are mostly made of.  An expression with
// anything else gives no texts.
'use strict';

const TEXT_MAX = 64; // characters of a text
const CLASSES = { __proto__: null, d: '1', w: 'a', s: ' ', D: 'a', W: '-',
	S: 'a', b: '', B: '', t: '\t', n: '\n', r: '\r' };
const CANDIDATES = 'a1A- _.:/';

class Reader {
	constructor(source, isFull) {
		this.source = source;
		this.at = 0;
		this.isFull = isFull; // with all that may be absent
	}

	fail() {
		throw new SyntaxError('not read here');
	}

	take(text) {
		const is = this.source.startsWith(text, this.at);
		this.at += is ? text.length : 0;
		return is;
	}

	// Alternatives: the first one, in the full text the last one.
	either() {
		let out = this.sequence();
		while (this.take('|')) {
			const other = this.sequence();
			out = this.isFull ? other : out;
		}
		return out;
	}

	sequence() {
		let out = '';
		while (this.at < this.source.length && !/[|)]/.test(
			this.source[this.at])) {
			const one = this.one();
			out += one.repeat(this.times());
			if (out.length > TEXT_MAX)
				this.fail();
		}
		return out;
	}

	times() {
		const m = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/
			.exec(this.source.slice(this.at));
		if (!m)
			return 1;
		this.at += m[0].length;
		if (m[1] !== undefined)
			return Math.min(Number(this.isFull && m[3] ? m[3] : m[1]),
				TEXT_MAX + 1);
		return m[0][0] === '+' || this.isFull ? 1 : 0;
	}

	one() {
		const c = this.source[this.at++];
		if (c === '^' || c === '$')
			return '';
		if (c === '.')
			return 'a';
		if (c === '[')
			return this.oneOf();
		if (c === '\\')
			return this.escape(this.source[this.at++]);
		if (c !== '(')
			return /[*+?{}\]]/.test(c) ? this.fail() : c;
		if (this.take('?') && !this.take(':')) {
			const name = /^<[A-Za-z_$][\w$]*>/.exec(
				this.source.slice(this.at));
			if (!name)
				this.fail(); // it looks ahead or behind
			this.at += name[0].length;
		}
		const inner = this.either();
		return this.take(')') ? inner : this.fail();
	}

	escape(c) {
		if (c in CLASSES)
			return CLASSES[c];
		return c === undefined || /[A-Za-z0-9]/.test(c) ? this.fail() : c;
	}

	// The first character in it.
	oneOf() {
		const end = /^(?:\\[^]|[^\]\\])*\]/.exec(this.source.slice(this.at));
		if (!end)
			this.fail();
		const text = '[' + end[0];
		this.at += end[0].length;
		const own = text[1] === '^' ? '' : text.slice(1, -1)
			.replace(/\\./g, '');
		return [...own, ...CANDIDATES].find((c) =>
			new RegExp('^' + text + '$').test(c)) ?? this.fail();
	}
}

// What fits a pattern, by the engine itself; at most two texts.
function textsOf({ pattern, flags }) {
	const out = [];
	if (pattern.length >= 256)
		return out; // it may nest deeper than we read
	for (const isFull of [false, true])
		try {
			const reader = new Reader(pattern, isFull);
			const text = reader.either();
			if (reader.at === pattern.length &&
			    new RegExp(pattern, flags.replace(/[gy]/g, ''))
				    .test(text))
				out.push(text);
		} catch (e) {
			if (!(e instanceof SyntaxError))
				throw e;
		}
	return [...new Set(out)];
}

// {name: regular expression} of what a module's names stand for.
function patternsOf(program) {
	const out = new Map();
	for (const s of program.body)
		for (const d of (s.declaration || s).declarations || [])
			if (d.init && d.init.type === 'RegExpLiteral' &&
			    d.id.type === 'Identifier')
				out.set(d.id.name, d.init);
	return out;
}

module.exports = { patternsOf, textsOf };
