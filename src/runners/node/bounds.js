// bounds.js -- what JSDoc says in prose about the size of a parameter: "a
// positive integer", "greater than zero", "at least one", "between 0 and 100",
// "must not be empty".
//
// A bound can only exclude values.  It is taken from the parameter's own @param
// tag, or from a clause that names the parameter.  These are the bounds of
// runners/python/bounds.py.
'use strict';

const NUMBERS = { __proto__: null, zero: 0, one: 1, two: 2, three: 3, four: 4 };
const N = '(-?\\d+(?:\\.\\d+)?|zero|one|two|three|four)';
const OWN = '(?:^|[,;:(]\\s*|-\\s+|\\b(?:must be|should be|has to be|is|are|' +
	'be|an?|any|only|strictly|always)\\s+)';
const NOT = '\\b(?:not|never|cannot|can\'t|nor)\\s+(?:be\\s+)?';
// A phrase and the name of its bound; the numbers follow the phrase.
const PHRASES = [
	['\\bbetween\\s+' + N + '\\s+and\\s+' + N + '(?!\\s*(?:%|percent)|[\\w.]*\\d)',
		'between'],
	['\\b(?:from|in|in the range)\\s+' + N + '\\s*(?:to|\\.\\.\\.?|-|,)\\s*' + N +
		'\\b', 'between'],
	['\\b(?:greater|more|larger|bigger) than\\s+' + N + '\\b(?! or equal)',
		'above'],
	['(?:^|[^-=<>])>\\s*' + N, 'above'],
	['\\b(?:at least|no fewer than|not less than)\\s+' + N + '\\b', 'least'],
	['\\b(?:greater|more|larger) than or equal to\\s+' + N + '\\b', 'least'],
	['>=\\s*' + N, 'least'],
	['\\b(?:less|smaller|fewer) than\\s+' + N + '\\b(?! or equal)', 'below'],
	['\\b(?:at most|no more than)\\s+' + N + '\\b', 'most'],
	['<=\\s*' + N, 'most'],
	[OWN + 'positive\\b', 'positive'],
	[OWN + 'non-?negative\\b|\\bnot (?:be )?negative\\b', 'nonnegative'],
	[OWN + 'non-?zero\\b|!==?\\s*0n?\\b|' + NOT + '(?:0n?|zero)\\b', 'nonzero'],
	[OWN + 'non-?empty\\b|' + NOT + 'empty\\b', 'nonempty'],
].map(([text, name]) => [new RegExp(text, 'g'), name]);
// "a positive integer n": the adjective comes before the name.
const BEFORE = new RegExp('\\b(positive|non-?negative|non-?zero|non-?empty)\\s+' +
	'(?:(?:whole|integer|int|float|real|number|bigint|array|list|string|object|' +
	'map|set|count)s?\\s+){0,2}[`*]{0,2}([\\w$]+)', 'g');
const ORDINARY = new Set(['a', 'A', 'I', 'to', 'of', 'in', 'is', 'as', 'at', 'or',
	'no', 'on']);
const OTHERWISE = /\b(?:returns?|otherwise|throws?|raises?|if|when|unless)\b/;

const HOLDS = {
	__proto__: null,
	positive: (v) => v > 0, nonnegative: (v) => v >= 0, nonzero: (v) => v !== 0,
	nonempty: (v) => v > 0, least: (v, n) => v >= n, most: (v, n) => v <= n,
	above: (v, n) => v > n, below: (v, n) => v < n,
	between: (v, a, b) => a <= v && v <= b,
};
const OF_NUMBERS = new Set(['positive', 'nonnegative', 'nonzero', 'between',
	'above', 'below']);

const number = (text) => text in NUMBERS ? NUMBERS[text] : Number(text);

// [{at, name, numbers}] of the bounds in a clause.
function phrases(text) {
	const out = [];
	for (const [pattern, name] of PHRASES)
		for (const m of text.matchAll(pattern))
			out.push({ at: m.index, name, numbers: m.slice(1)
				.filter((g) => g !== undefined).map(number) });
	return out;
}

// The text of a comment, without its stars.
const plain = (text) => text.replace(/^[ \t]*\*+ ?/gm, '');

// What stands after each "@param {type} name" or "name.member", up to the next
// tag.
function fieldsOf(text) {
	const out = new Map();
	for (const part of text.split(/(?:^|\s)@(?=[a-z])/)) {
		const m = /^(?:param|arg|argument)\s+(?:\{[^]*?\}+\s*)?\[?\s*([\w$]+(?:\.[\w$]+)*)(?![\w$.[])(?:\s*=[^\]\n]*)?\]?([^]*)$/
			.exec(part);
		if (m)
			out.set(m[1], m[2].replace(/\s+/g, ' ').trim());
	}
	return out;
}

// Clauses that name a parameter.  If a clause names several, the one nearest
// before the bound is meant.
function ofProse(text, names, add) {
	for (const part of text.split(/[.;]\s|[.;]$|\n\s*\n/)) {
		const clause = part.replace(/\s+/g, ' ').trim();
		const where = [...clause.matchAll(/[\w$]+/g)].filter((m) =>
			names.includes(m[0]) && (!ORDINARY.has(m[0]) ||
				/[`*]$/.test(clause.slice(0, m.index))));
		for (const m of clause.matchAll(BEFORE))
			if (names.includes(m[2]))
				add(m[2], { name: m[1].toLowerCase().replace('-', ''),
					numbers: [] });
		const low = clause.toLowerCase();
		for (const p of phrases(low)) {
			const near = where.filter((m) => m.index < p.at);
			if (near.length && !OTHERWISE.test(low.slice(0, p.at)))
				add(near[near.length - 1][0], p);
		}
	}
}

// {name of a parameter: [{name, numbers, path}]}, by the comment that documents
// its function.  path: the members that lead to what the bound is about.
function boundsOf(comment, names) {
	const out = new Map();
	const add = (name, bound) => {
		if (!out.has(name))
			out.set(name, []);
		out.get(name).push(bound);
	};
	const text = plain(comment);
	for (const [name, field] of fieldsOf(text)) {
		const [head, ...path] = name.split('.');
		if (names.includes(head))
			for (const p of phrases(field.toLowerCase()))
				add(head, { ...p, path });
	}
	ofProse(text.split(/(?:^|\s)@[a-z]/)[0], names, add);
	return out;
}

// What a bound is compared with: a number itself, otherwise a length; null for
// what has neither.
function sizeOf(v) {
	if (typeof v === 'number')
		return v;
	if (v && typeof v === 'object' && !Array.isArray(v)) {
		if (v.$bigint !== undefined)
			return Number(v.$bigint);
		if (v.$float !== undefined)
			return { nan: NaN, inf: Infinity, '-inf': -Infinity }[v.$float] ??
				null;
		v = Object.values(v)[0];
	}
	return Array.isArray(v) || typeof v === 'string' ? v.length : null;
}

const isNumber = (v) => typeof v === 'number' || Boolean(v && typeof v ===
	'object' && (v.$bigint !== undefined || v.$float !== undefined));

function memberOf(v, name) {
	const found = v && v.$object && v.$object.find(([k]) => k === name);
	return found ? found[1] : null;
}

function holds({ name, numbers, isInside }, v) {
	const size = sizeOf(v);
	if (size === null || (isNumber(v) ? name === 'nonempty' :
		OF_NUMBERS.has(name)))
		return true;
	if (isInside && name === 'nonempty' && v.$object)
		return v.$object.every(([, x]) => !Array.isArray(x) || x.length > 0);
	return HOLDS[name](size, ...numbers);
}

// Whether an encoded value satisfies all of the bounds.
const admits = (bounds, v) => bounds.every((b) => holds(b,
	(b.path || []).reduce(memberOf, v)));

// The bounds of a parameter whose type names its members: an object that is
// never empty then says so of the arrays in it.
const insideOf = (bounds) => bounds.map((b) => ({ ...b, isInside: true }));

// The numbers that the bounds name, as values to try.
const edges = (bounds) => bounds.flatMap((b) => (b.path || []).length ? [] :
	b.numbers);

module.exports = { admits, boundsOf, edges, insideOf };
