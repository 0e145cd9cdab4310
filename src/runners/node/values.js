// values.js -- makes the values of a place from its shape, smallest first.
//
// A place has three lists: "ok" is what the code expects there; "odd" is null
// or undefined where an annotation, a default or a test says that it may be;
// "wild" is null or undefined where nothing says so, and only at a flagged line
// where nothing in the function looks at that parameter before it is used.
'use strict';

const { DEPTH_MAX } = require('./shape.js');

const VALUES_MAX = 14; // of one list of a place
const NOTHING = { $undefined: true };
const WILD = new Set(['null-deref', 'undefined-call']);

// Common forms of text, for code that parses one of them.
const FORMS = ['1.2.3', 'a=b', 'a.b', '/a/b', 'a@b.c', '2020-01-02'];

const encodeObject = (list) => ({ $object: list });

function distinct(values, max) {
	const seen = new Set(), out = [];
	for (const v of values) {
		const key = JSON.stringify(v);
		if (!seen.has(key))
			out.push(v);
		seen.add(key);
	}
	return out.slice(0, max || VALUES_MAX);
}

function place(ok, odd, wild, fixed) {
	return { ok: distinct(ok), odd: distinct(odd || [], 4),
		wild: distinct(wild || [], 3), fixed: Boolean(fixed) };
}

// The result of JSON.stringify for an encoded value; undefined if there is
// none.
function jsonOf(v) {
	if (Array.isArray(v))
		return '[' + v.map((x) => jsonOf(x) || 'null').join(',') + ']';
	if (v === null || typeof v !== 'object')
		return JSON.stringify(v);
	if (!v.$object)
		return undefined;
	return '{' + v.$object.map(([k, x]) => [JSON.stringify(k), jsonOf(x)])
		.filter((p) => p[1] !== undefined)
		.map((p) => p.join(':')).join(',') + '}';
}

class Maker {
	constructor(types, uses, request, spans) {
		this.types = types;
		this.uses = uses;
		this.flagClass = request.flag_class;
		this.hasLine = Boolean(request.line);
		this.lines = spans;
		this.unrolled = new Set(); // shapes that contain themselves
		this.needs = new Set(); // module names that a value needs
		this.hasBig = false; // the function mentions BigInt
	}

	isCared(shape) {
		for (const r of shape.roots)
			if (this.uses.cared.has(r))
				return true;
		return shape.nullable !== null;
	}

	// Who guards one thing in a function, and not the other, means it so: guards
	// for null and those of the flagged line speak for the rest.
	isGuarded() {
		const u = this.uses;
		return u.nullGuards > 0 || u.guardLines.some((l) =>
			this.lines.some((r) => r.from <= l && l <= r.to));
	}

	// Options that are all optional, at the end of the parameters: who has none
	// to give leaves them out.
	isBag(shape) {
		return this.hasLine && shape.isLast && shape.props.size > 0 &&
			[...shape.props.values()].every((p) => p.truthy || p.nullable);
	}

	isAtLine(shape) {
		return shape.derefs.some((l) =>
			this.lines.some((r) => r.from <= l && l <= r.to));
	}

	// Null by evidence and null without.
	nothings(shape) {
		const kinds = shape.kinds;
		const isPlain = kinds.has('number') || kinds.has('boolean');
		const isTested = shape.truthy && !isPlain;
		const how = isTested ? 'both' : shape.nullable ||
			(WILD.has(this.flagClass) && this.isBag(shape) ? 'undefined' :
				null);
		const odd = [...(how === 'both' || how === 'null' ? [null] : []),
			...(how === 'both' || how === 'undefined' ? [NOTHING] : [])];
		const isWild = WILD.has(this.flagClass) && odd.length === 0 &&
			!shape.isMethod && !shape.isElement && shape.roots.size > 0 &&
			shape.fallback === undefined && !shape.truthy &&
			!this.isGuarded() && !this.isCared(shape) &&
			this.hasLine && this.isAtLine(shape);
		const isCall = this.flagClass === 'undefined-call';
		return { odd, wild: isWild && isCall === kinds.has('function') ?
			[NOTHING, null] : [] };
	}

	// -- by annotation first, then by use ---------------------------------------

	make(type, shape, depth) {
		if (type) {
			const made = this.types.make(this, type, shape, depth || 0);
			if (made)
				return made;
			return { ...this.byShape(shape, depth || 0), wild: [] };
		}
		return this.byShape(shape, depth || 0);
	}

	byShape(shape, depth) {
		const { odd, wild } = this.nothings(shape);
		if (shape.recursive)
			return this.again(shape, odd, wild);
		let ok = [];
		for (const kind of this.kindsOf(shape))
			ok = ok.concat(this.byKind(kind, shape, depth));
		// Who asks for a key takes any keys.
		if (shape.hidden && this.flagClass === 'undefined-call')
			ok.splice(1, 0, encodeObject([[shape.hidden, 0]]));
		return place(ok, odd, wild);
	}

	// A part that is the same kind of thing as the whole: the end of it, then
	// one more of it.  What ends is what some test asks for; else nothing.
	again(shape, odd, wild) {
		const whole = shape.recursive;
		const isList = whole.kinds.has('array');
		const ends = [...this.nothings(whole).odd, ...odd];
		const more = [];
		if (!this.unrolled.has(whole)) {
			this.unrolled.add(whole);
			more.push(...this.byShape(whole, shape.depth).ok.slice(0, 3));
			this.unrolled.delete(whole);
		}
		if (shape.isElement || isList)
			return place([...(isList ? [[]] : []), ...more,
				...(isList && !whole.props.size ? [0, 'a'] : []), ...ends]);
		return place([...(ends.length ? ends : [NOTHING]), ...more], [],
			wild);
	}

	kindsOf(shape) {
		const k = shape.kinds;
		const count = (name) => k.get(name) || 0;
		// Else it is what the other branch of the test does with it.
		if (shape.instanceOf)
			return [...['string', 'array', 'number'].filter(
				(n) => count(n) > 0), 'instance'];
		if (count('class'))
			return ['class'];
		const order = ['bigint', 'map', 'set', 'date', 'regexp', 'promise',
			'bytes', 'error', 'function', 'string', 'array', 'dict', 'object',
			'number', 'boolean'];
		let best = order.filter((n) => count(n) > 0)
			.sort((a, b) => count(b) - count(a));
		// Properties of an array or a string are its own.
		if (count('object') && best[0] !== 'object' &&
		    shape.props.size > 0 && /^(array|dict|string)$/.test(best[0]) &&
		    count('object') >= count(best[0]))
			best = ['object', ...best.filter((n) => n !== 'object')];
		if (best.length === 0 || best.join() === 'number' && count('sized')) {
			if (count('sized'))
				return ['array', 'string'];
			if (count('indexed'))
				return ['dict', 'array'];
			if (count('key'))
				return ['string', 'number'];
			return count('added') || count('printed') ?
				['number', 'string'] : ['any'];
		}
		if (count('sized') && best[0] === 'number')
			best = best.slice(1);
		if (count('string') && count('array') <= shape.soft &&
		    !shape.tests.has('array'))
			best = best.filter((n) => n !== 'array');
		if (best[0] === 'array' && count('array') <= shape.soft &&
		    this.letters(shape).length > 0)
			best = ['string', ...best];
		const tested = best.filter((n) => shape.tests.has(n));
		return [...new Set([best[0], ...tested])];
	}

	numbers(shape) {
		const near = [];
		for (const c of shape.consts)
			if (typeof c === 'number' && Math.abs(c) < 1e6)
				near.push(c, c + 1, c - 1);
		const isLength = this.flagClass === 'bad-array-length' ||
			this.flagClass === 'unbounded-recursion';
		const base = isLength ? [0, -1, 1, 2, -2, 5] : [0, 1, -1, 2];
		return [...base.slice(0, 3), ...near, ...base.slice(3), 10];
	}

	strings(shape, depth) {
		const own = shape.consts.filter((c) => typeof c === 'string');
		if (!shape.parsed)
			return distinct(['', ...own, ...shape.fitting, 'a',
				...this.split(shape),
				...this.letters(shape), '0', ' ', ...FORMS], 24);
		const inner = this.make(null, shape.parsed, depth + 1);
		const texts = [...inner.ok, ...inner.odd].map(jsonOf)
			.filter((x) => x !== undefined);
		return this.flagClass === 'json-parse' ?
			['', '{', 'a', ...texts, '{}'] :
			[...texts, ...(this.isCared(shape) ? [] : ['{}', '[]'])];
	}

	// Texts with what they are split at, one in the other.
	split(shape) {
		const [a, b] = [...new Set(shape.seps)];
		if (a === undefined)
			return [];
		const one = 'a' + a + 'b';
		return b === undefined ? [one, a, a + 'a', 'a' + a] :
			[one, 'a' + b + 'b', 'a' + b + 'b' + a + 'c', a, b];
	}

	// Texts of the letters that its parts are compared with.
	letters(shape) {
		const list = (shape.element ? shape.element.consts : []).filter((c) =>
			typeof c === 'string' && c.length === 1).slice(0, 8);
		return [...list, ...list.slice(1).map((c) => list[0] + c),
			...list.slice(0, 2).map((c) => c + 'a')];
	}

	byKind(kind, shape, depth) {
		switch (kind) {
		case 'number':
			return this.isBig(shape) ? this.bigs() : this.numbers(shape);
		case 'bigint':
			return this.bigs();
		case 'string':
			return this.strings(shape, depth);
		case 'boolean':
			return [false, true];
		case 'array':
			return this.arrays(this.make(null, shape.elem(), depth + 1),
				depth, shape);
		case 'dict':
			return this.dicts(this.make(null, shape.elem(), depth + 1),
				shape);
		case 'object':
			return this.objects(shape, depth);
		case 'map':
			return this.maps(this.make(null, shape.elem(), depth + 1),
				['a']);
		case 'set':
			return [{ $set: [] }, { $set: [0] }, { $set: ['a'] }];
		case 'date':
			return [{ $date: 0 }, { $date: 86400000 }];
		case 'regexp':
			return [{ $regexp: ['', ''] }, { $regexp: ['a', ''] }];
		case 'bytes':
			return [{ $bytes: '' }, { $bytes: '61' }];
		case 'error':
			return [{ $error: '' }, { $error: 'failed' }];
		case 'function':
		case 'class':
			return this.functions(this.make(null, shape.ret(), depth + 1),
				shape);
		case 'promise':
			return this.promises(this.make(null, shape.ret(), depth + 1));
		case 'instance':
			return this.types.instances(this, shape.instanceOf, depth,
				shape);
		default:
			return [0, '', 'a', [], encodeObject([])];
		}
	}

	// In a function that has to do with big integers what is computed with is
	// one; what it makes one of is not.
	isBig(shape) {
		return this.flagClass === 'bigint-div-zero' && this.hasBig &&
			!shape.kinds.has('made');
	}

	bigs() {
		return ['0', '1', '-1', '2'].map((v) => ({ $bigint: v }));
	}

	// Elements that are named by number, and nothing else: so many there are.
	tuples(one, width) {
		const row = (v) => Array(width).fill(v);
		const [a] = one.ok.length ? one.ok : [NOTHING];
		return [row(a), ...one.ok.slice(1, 4).map(row), ...one.ok.slice(1, 3)
			.map((v) => [v, ...row(a).slice(1)]), ...one.ok.slice(1, 3)
			.map((v) => [...row(a).slice(1), v]), ...one.odd.map(row)];
	}

	arrays(one, depth, shape) {
		if (shape && shape.isElement && !shape.isFree && shape.widest > 0)
			return this.tuples(one, Math.min(shape.widest, 8));
		const all = [...one.ok.slice(0, depth > 1 ? 3 : 8), ...one.odd];
		const [a] = one.ok;
		return [[], ...(one.ok.length ? [[a]] : []),
			...all.slice(1).map((v) => [v]), ...one.ok.slice(0, 1)
				.map((v) => [v, v]),
			...(one.ok.length > 1 ? [[one.ok[1], a], [a, one.ok[1]]] : [])];
	}

	dicts(one, shape) {
		const keys = shape.consts.filter((c) => typeof c === 'string');
		const key = keys[0] || 'a';
		return [encodeObject([]), ...[...one.ok.slice(0, 4), ...one.odd]
			.map((v) => encodeObject([[key, v]])), ...one.ok.slice(0, 1)
			.map((v) => encodeObject([['a', v], ['b', v]]))];
	}

	maps(one, keys) {
		return [{ $map: [] }, ...[...one.ok.slice(0, 4), ...one.odd]
			.map((v) => ({ $map: [[keys[0], v]] }))];
	}

	functions(one, shape) {
		const wrap = shape.awaited ? (v) => ({ $promise: v }) : (v) => v;
		const used = shape.result && (shape.result.kinds.size > 0 ||
			shape.result.derefs.length > 0 || one.odd.length > 0);
		const rejects = this.flagClass === 'unhandled-rejection' &&
			(shape.awaited || (shape.result &&
			shape.result.kinds.has('promise')));
		const values = used ? [...one.ok.slice(0, 4), ...one.odd,
			...one.ok.slice(4).slice(-2)] :
			[NOTHING];
		const made = values.map((v) => ({ $call: wrap(v) }));
		return rejects ? [made[0], { $call: { $reject: 'rejected' } },
			...made.slice(1)] : made;
	}

	promises(one) {
		const made = [...one.ok.slice(0, 4), ...one.odd]
			.map((v) => ({ $promise: v }));
		return this.flagClass === 'unhandled-rejection' ?
			[...made.slice(0, 1), { $reject: 'rejected' },
				...made.slice(1)] : made;
	}

	objects(shape, depth) {
		if (depth > DEPTH_MAX)
			return [encodeObject([])];
		const members = [...shape.props].map(([name, s]) =>
			({ name, made: this.make(null, s, depth + 1) }));
		return variants(members);
	}

	// What nothing says the type of: as the function uses the property of that
	// name, else left to a default that is null.
	asUsed(p, shape, depth) {
		const own = shape && shape.props.get(p.name);
		const isKnown = own && (own.recursive || own.kinds.size > 0 ||
			own.props.size > 0);
		const ok = isKnown ? this.make(null, own, depth + 1).ok : [];
		if (ok.length > 0)
			p.made.ok = ok;
		else if (p.isEmpty)
			p.made.ok = [NOTHING];
	}
}

// Objects with these members: the plain one, then with one member changed at a
// time, then with two.  Wild values come last.
function variants(members) {
	const base = members.filter((m) => m.made.ok.length > 0)
		.map((m) => [m.name, m.made.ok[0]]);
	const out = [encodeObject(base.filter(([, v]) => v !== NOTHING))];
	const changed = (changes) => encodeObject(members.map((m) =>
		[m.name, changes.has(m.name) ? changes.get(m.name) :
			m.made.ok[0]]).filter(([, v]) =>
		v !== undefined && v !== NOTHING && !(v && v.$undefined)));
	const most = Math.max(0, ...members.map((m) => m.made.ok.length));
	for (const m of members)
		for (const v of m.made.odd)
			out.push(changed(new Map([[m.name, v]])));
	for (let i = 1; i < most && out.length < 10; i++)
		for (const m of members)
			if (i < m.made.ok.length)
				out.push(changed(new Map([[m.name, m.made.ok[i]]])));
	for (const m of members)
		for (const o of members)
			if (o !== m && m.made.ok.length > 1 && o.made.odd.length > 0 &&
			    out.length < VALUES_MAX - 2)
				out.push(changed(new Map([[m.name, m.made.ok[1]],
					[o.name, o.made.odd[0]]])));
	const wild = members.filter((m) => m.made.wild.length > 0)
		.map((m) => changed(new Map([[m.name, NOTHING]])));
	return [...out.slice(0, VALUES_MAX - Math.min(wild.length, 4)), ...wild];
}

module.exports = { Maker, NOTHING, VALUES_MAX, distinct, place, variants };
