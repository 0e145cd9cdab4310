// spoken.js -- the literal arguments of calls of the flagged function, and what
// in the source speaks for each argument of a witness: `annotation`,
// `docstring`, `guard`, `default`, `call-site`, or `none`.  A parameter's name
// is not a fact.
'use strict';

const { inside } = require('./moves.js');
const { callsElsewhere } = require('./sites.js');
const { childrenOf, keyName, unwrap } = require('./tree.js');

const SITES_MAX = 4;
const MOVES_MAX = 16; // calls with one argument at a boundary
const NEAR_MAX = 16; // calls with a place in an argument moved
const MUST_FAIL = /^(throws|rejects|toThrow\w*)$/;
const KEYWORD = { TSNumberKeyword: 'number', TSStringKeyword: 'string',
	TSBooleanKeyword: 'boolean', TSBigIntKeyword: '$bigint',
	TSArrayType: 'array', TSTupleType: 'array', TSNullKeyword: 'null',
	TSUndefinedKeyword: '$undefined' };

function kindOf(v) {
	if (v === null)
		return 'null';
	if (Array.isArray(v))
		return 'array';
	if (typeof v !== 'object')
		return typeof v;
	const tag = Object.keys(v)[0];
	return tag === '$float' ? 'number' : tag;
}

const NAMED = Object.assign(Object.create(null), {
	undefined: { $undefined: true }, NaN: { $float: 'nan' },
	Infinity: { $float: 'inf' } });

const isNothing = (v) => v === null || kindOf(v) === '$undefined';

// true, false, or null if the type cannot be judged from the value.
function fits(type, v) {
	if (!type)
		return null;
	if (type.type === 'TSUnionType') {
		const every = type.types.map((t) => fits(t, v));
		return every.includes(true) || (every.includes(null) ? null : false);
	}
	return KEYWORD[type.type] ? KEYWORD[type.type] === kindOf(v) : null;
}

// The encoded value of a literal; undefined for anything else.
function literalOf(node) {
	node = unwrap(node);
	const many = (list, of) => {
		const out = list.map((x) => x ? of(x) : undefined);
		return out.includes(undefined) ? undefined : out;
	};
	switch (node.type) {
	case 'NumericLiteral':
	case 'StringLiteral':
	case 'BooleanLiteral':
		return node.value;
	case 'NullLiteral':
		return null;
	case 'BigIntLiteral':
		return { $bigint: String(BigInt(node.value)) };
	case 'Identifier':
		return NAMED[node.name];
	case 'UnaryExpression':
		return node.operator === '-' &&
			node.argument.type === 'NumericLiteral' ?
			-node.argument.value : undefined;
	case 'ArrayExpression':
		return many(node.elements, literalOf);
	case 'ObjectExpression': {
		const out = many(node.properties, (p) => {
			const v = p.type === 'ObjectProperty' && !p.computed ?
				literalOf(p.value) : undefined;
			return v === undefined ? undefined : [String(keyName(p)), v];
		});
		return out && { $object: out };
	}
	default:
		return undefined;
	}
}

// The calls that `isIts(callee, member)` accepts, without those inside the
// function and those that a test expects to fail.
function callsIn(program, isIts, own) {
	const out = [], todo = [program];
	while (todo.length && out.length < SITES_MAX) {
		const node = todo.pop();
		const callee = node.type === 'CallExpression' ? node.callee : null;
		const member = callee && callee.type === 'MemberExpression' ?
			keyName({ key: callee.property, computed: callee.computed }) :
			null;
		if (node === own || MUST_FAIL.test(member || ''))
			continue;
		if (callee && (callee.type === 'Identifier' || member !== null) &&
		    isIts(callee, member))
			out.push(node);
		todo.push(...childrenOf(node).reverse());
	}
	return out;
}

// The calls in its own file, then those in the others.
function callsOf(ast, def, request, parse) {
	const word = def.name.split('.').pop();
	const here = callsIn(ast.program, (callee, member) => def.owner ?
		member === word : callee.name === word, def.node);
	return [...here, ...callsElsewhere(request, def, parse, callsIn,
		SITES_MAX)].slice(0, SITES_MAX);
}

// [{index of a slot: value}] of the literal arguments of calls.
function sitesOf(calls, slots) {
	const own = slots.map((s, i) => i).filter((i) =>
		slots[i].group === 'arguments' && slots[i].by === 'position');
	return calls.map((call) => {
		const out = new Map();
		call.arguments.slice(0, own.length).some((a, at) => {
			const v = literalOf(a);
			if (v !== undefined && fits(slots[own[at]].type, v) !== false)
				out.set(own[at], v);
			return a.type === 'SpreadElement'; // no places after it
		});
		return out;
	}).filter((m) => m.size > 0);
}

// Rows of those calls.  Then come the first calls with one place inside an
// argument moved, if no type says what is in it, then with one argument at a
// boundary.
function* sited(slots, sites) {
	const base = slots.map((s) => [...s.made.ok, ...s.made.odd][0]);
	const called = sites.map((m) => base.map((v, i) => m.has(i) ? m.get(i) :
		v));
	yield* called;
	let near = NEAR_MAX;
	for (const row of called.slice(0, 1))
		for (const i of sites[0].keys())
			for (const v of slots[i].type ? [] : inside(row[i]))
				if (near-- > 0)
					yield row.map((x, j) => j === i ? v : x);
	const share = Math.max(2, Math.floor(MOVES_MAX /
		Math.max(1, slots.length)));
	let left = MOVES_MAX;
	for (const row of called.slice(0, 1))
		for (let i = 0; i < slots.length; i++)
			for (const v of slots[i].made.ok.slice(0, share))
				if (left-- > 0)
					yield row.map((x, j) => j === i ? v : x);
}

// What speaks for one value of one slot.
function spokenOf(maker, slot, v, sites, at) {
	const { shape, said, type, fallback } = slot;
	const none = isNothing(v);
	const isOdd = slot.typeOdd.has(JSON.stringify(v));
	const isLeft = kindOf(v) === '$undefined';
	const out = [];
	if (slot.isNoted && (none ? isOdd || (isLeft && slot.mayLack) :
		type.type !== 'TSAnyKeyword'))
		out.push('annotation');
	if (said && (none ? (!slot.isNoted && isOdd) || (isLeft && said.optional) :
		true))
		out.push('docstring');
	if (none ? shape.truthy || (shape.nullable && !fallback) :
		[...shape.roots].some((r) => maker.uses.cared.has(r)))
		out.push('guard');
	if (fallback && (none ? isLeft || fallback.type === 'NullLiteral' :
		kindOf(literalOf(fallback)) === kindOf(v)))
		out.push('default');
	if (sites.some((m) => m.has(at) && kindOf(m.get(at)) === kindOf(v)))
		out.push('call-site');
	return out.length ? out : ['none'];
}

const LOOP = /^(For|ForIn|ForOf|While|DoWhile)Statement$/;
const STRANGE_MAX = 6;

const hasLoop = (node) => LOOP.test(node.type) ||
	childrenOf(node).some(hasLoop);

const SPEAKS = /^(isNaN|isFinite|NaN|Infinity|(POSITIVE|NEGATIVE)_INFINITY)$/;

const speaksOfThem = (node) => (node.type === 'Identifier' &&
	SPEAKS.test(node.name)) || childrenOf(node).some(speaksOfThem);

// NaN and infinities are numbers, too.  They come last, and only for a function
// that mentions them: `if (n <= 0)` does not keep NaN out, and bug fixes look
// like that.  A loop may run without end up to an infinity, and that says
// nothing about the flag.
function strange(slots, node) {
	if (!speaksOfThem(node))
		return [];
	const base = slots.map((s) => [...s.made.ok, ...s.made.odd][0]);
	const names = hasLoop(node) ? ['nan'] : ['nan', 'inf', '-inf'];
	const out = [];
	for (const name of names)
		slots.forEach((s, i) => {
			if (typeof base[i] === 'number' && s.by === 'position' &&
			    !s.made.fixed)
				out.push(base.map((v, j) => j === i ? { $float: name } :
					v));
		});
	return out.slice(0, STRANGE_MAX);
}

// {witnesses, preconditions, spoken}: each list of facts once, and for each
// witness which of them are its own.
function withFacts(maker, slots, list, sites) {
	const texts = [], spoken = [];
	for (const w of list) {
		const facts = [];
		for (const group of ['receiver', 'arguments'])
			slots.map((s, at) => [s, at]).filter(([s]) => s.group === group)
				.forEach(([s, at], i) => {
					if (!w[group] || !w[group][i])
						return;
					const by = spokenOf(maker, s, w[group][i].value, sites,
						at);
					facts.push({ group, argument: s.name, by,
						allows: by[0] === 'none' ? null : true });
				});
		const text = JSON.stringify(facts);
		if (!texts.includes(text))
			texts.push(text);
		spoken.push(texts.indexOf(text));
	}
	return { witnesses: list, preconditions: texts.map((t) => JSON.parse(t)),
		spoken };
}

module.exports = { callsOf, fits, sited, sitesOf, strange, withFacts };
