// synthesise.js -- makes a short list of witnesses from a function's source.
//
// It runs inside a vessel of its own (boot.js loads it) and never runs the
// code: it reads the syntax tree.  Descriptor 5: the source.  Descriptor 6: the
// request, JSON {file, function, flag_class, line, witness_hints}.  Descriptor
// 3: the answer, JSON {failed} or {function, first_line, ranges, witnesses,
// preconditions, spoken, target}; target is passed unchanged to the call
// program.
//
// The same source and request give the same answer.
'use strict';

const { find } = require('./asked.js');
const { admits } = require('./bounds.js');
const { Uses } = require('./calls.js');
const { docOf, spreadDocs } = require('./doc.js');
const { Finder, MODULE, loadTarget, ranges, targetOf } = require('./find.js');
const { parserText } = require('./host.js');
const { patternsOf } = require('./patterns.js');
const { Shape } = require('./shape.js');
const { makeReceiver, placesOf, readReceiver, shapesOf
	} = require('./slots.js');
const { callsOf, fits, sited, sitesOf, strange, withFacts } = require('./spoken.js');
const { Refused, TS_FILE, parse, strip } = require('./strip.js');
const { Failed } = require('./tree.js');
const { Types } = require('./types.js');
const { Maker, NOTHING, VALUES_MAX } = require('./values.js');

const fs = require('fs');

const WITNESSES_MAX = 64;


// -- witnesses -----------------------------------------------------------------------

function witness(slots, values, hasReceiver) {
	const out = { arguments: [] };
	if (hasReceiver)
		out.receiver = [];
	slots.forEach((s, i) => {
		const a = { name: s.name, by: s.by, value: values[i] };
		if (s.made.fixed)
			a.fixed = true;
		out[s.group].push(a);
	});
	// What is left out at the end is not given at all.
	for (const list of [out.arguments, out.receiver || []])
		while (list.length && list[list.length - 1].value === NOTHING)
			list.pop();
	return out;
}

// Rows of ranks in the order of their sum, so that every pair of small ranks
// comes early.
function* rankedPairs(lists) {
	for (let sum = 2; sum < 2 * VALUES_MAX; sum++)
		for (let i = 0; i < lists.length; i++)
			for (let j = i + 1; j < lists.length; j++)
				for (let a = 1; a < sum; a++)
					if (a < lists[i].length && sum - a < lists[j].length)
						yield [[i, a], [j, sum - a]];
}

function* rows(slots) {
	const base = slots.map((s) => [...s.made.ok, ...s.made.odd][0]);
	const put = (changes) => {
		const row = base.slice();
		for (const [i, v] of changes)
			row[i] = v;
		return row;
	};
	const share = Math.max(4, Math.floor(36 / Math.max(1, slots.length)));
	const ok = slots.map((s) => s.made.ok);
	yield base;
	for (let rank = 1; rank < share; rank++)
		for (let i = 0; i < slots.length; i++)
			if (rank < ok[i].length)
				yield put([[i, ok[i][rank]]]);
	for (const list of ['odd', 'wild'])
		for (let i = 0; i < slots.length; i++)
			for (const v of slots[i].made[list])
				yield put([[i, v]]);
	// What is alike: two places may want the same.
	const most = Math.min(share, Math.max(0, ...ok.map((v) => v.length)));
	for (let rank = 1; rank < most && slots.length > 1; rank++)
		yield put(ok.map((v, i) => [i, v[rank]]).filter(([, v]) =>
			v !== undefined));
	// All there, but one that may be left out.
	for (let i = 0; i < slots.length && slots.length > 2; i++)
		for (const v of slots[i].made.odd)
			yield put([...ok.map((o, j) => [j, o[1]]).filter(([, x]) =>
				x !== undefined), [i, v]]);
	const all = slots.map((s) => {
		const few = s.made.ok.slice(0, 3);
		return [...few, ...s.made.odd.slice(0, 2), ...s.made.ok.slice(3)];
	});
	for (const [[i, a], [j, b]] of rankedPairs(all))
		yield put([[i, all[i][a]], [j, all[j][b]]]);
}

function* hinted(slots, hints) {
	const own = slots.map((s, i) => i).filter((i) =>
		slots[i].group === 'arguments');
	const list = Array.isArray(hints) && hints.length > 0 &&
		hints.every((h) => h && typeof h === 'object') ? hints : [hints];
	for (const hint of list.slice(0, 16)) {
		const row = slots.map((s) => [...s.made.ok, ...s.made.odd][0]);
		if (Array.isArray(hint) && hint.length === own.length)
			own.forEach((i, at) => { row[i] = hint[at]; });
		else if (hint && typeof hint === 'object' && !Array.isArray(hint) &&
			 Object.keys(hint).length > 0)
			own.forEach((i) => {
				if (Object.hasOwn(hint, slots[i].name))
					row[i] = hint[slots[i].name];
			});
		else
			continue;
		yield row;
	}
}

const ABOUT_MAX = 16; // values of an argument that must fail
const LOOKED_AT = 400; // rows that show what values there are

const butFor = (row, at) => JSON.stringify(row.filter((v, i) => i !== at));

// Rows for an argument that must fail: each combination of the others, with many
// values of this one.
function* about(rows, at) {
	const values = new Map(), firsts = new Map();
	let left = LOOKED_AT;
	for (const row of rows) {
		if (left-- === 0)
			break;
		const key = JSON.stringify(row[at]);
		if (!values.has(key))
			values.set(key, row[at]);
		if (!firsts.has(butFor(row, at)))
			firsts.set(butFor(row, at), row);
	}
	for (const row of firsts.values()) {
		yield row;
		for (const v of [...values.values()].slice(0, ABOUT_MAX))
			yield row.map((x, i) => i === at ? v : x);
	}
}

// Whether an annotation or the documentation rules out a value of a row.
function isExcluded(slots, row) {
	return slots.some((s, i) => row[i] !== NOTHING && (
		!admits(s.bounds, row[i]) || (s.by === 'position' &&
			fits(s.type, row[i]) === false &&
			![...s.made.ok, ...s.made.odd].includes(row[i]))));
}

function* inTurn(...lists) {
	for (const list of lists)
		yield* list;
}

// Where the argument that must fail stands among the slots, or -1.  An analyser's
// message may name something else.
function argumentAt(request, slots, name) {
	const at = slots.findIndex((s) => s.group === 'arguments' && s.isNamed &&
		s.name === request.argument);
	if (at < 0 && request.argument !== undefined &&
	    !request.argument_may_be_other)
		throw new Failed('no-such-argument: ' + name +
			' has no parameter ' + request.argument);
	return at;
}

function witnesses(slots, hasReceiver, hints, sites, last, at) {
	const seen = new Set(), out = [];
	const first = WITNESSES_MAX - last.length;
	const every = [[hinted(slots, hints), first], [sited(slots, sites), first],
		[rows(slots), first], [last, WITNESSES_MAX]];
	for (const [from, most] of at < 0 ? every : [[about(
		inTurn(...every.map(([list]) => list)), at), WITNESSES_MAX]])
		for (const row of from) {
			if (out.length === most)
				break;
			if (isExcluded(slots, row))
				continue;
			const w = witness(slots, row, hasReceiver);
			const key = JSON.stringify(w);
			if (!seen.has(key))
				out.push(w);
			seen.add(key);
		}
	return out;
}

// -- the answer ------------------------------------------------------------------------

function parsed(parser, text, file) {
	try {
		return parse(parser, text, file);
	} catch (e) {
		throw new Failed('cannot-parse: ' + e.message);
	}
}

function loadParser() {
	if (!parserText)
		throw new Failed('no-parser: this build has no parser for ' +
			'JavaScript');
	const module = { exports: {} };
	require('vm').compileFunction(parserText, ['module', 'exports', 'require'],
		{ filename: 'cupel-parser' })(module, module.exports, require);
	return module.exports;
}

function answer(request, source) {
	const parser = loadParser();
	const text = source.replace(/^\uFEFF/, '').replace(/^#!/, '//');
	const ast = parsed(parser, text, request.file);
	const line = request.line || null;
	if (TS_FILE.test(request.file))
		strip(parser, text, request.file);
	const load = loadTarget(ast, request.function, line, text);
	if (load) { // loading it is all that can be done
		argumentAt(request, [], MODULE);
		return { function: MODULE, first_line: 1,
			ranges: [{ from: line, to: line }], witnesses: [{ arguments: [] }],
			preconditions: [[]], spoken: [0], target: load };
	}
	spreadDocs(ast.program, null);
	const finder = new Finder(ast);
	const { def, only } = find(finder, ast, request.function, line);
	const spans = ranges(def, only, line);
	const types = new Types(finder, ast, parser);
	const uses = new Uses(finder, def.node.id ? def.node.id.name :
		def.name.split('.').pop());
	uses.patterns = patternsOf(ast.program);
	const maker = new Maker(types, uses, request, spans);
	maker.hasBig = /\bBigInt\b|\b\d+n\b/.test(text.slice(def.node.start,
		def.node.end));
	const isNew = def.this === 'new';
	const read = isNew ? readReceiver(uses, def.owner) : null;
	if (def.this === 'construct') {
		uses.self = new Shape();
		uses.self.kind('object');
	}
	const shapes = shapesOf(uses, def.node, 0);
	uses.params = shapes;
	uses.body(def.node, shapes);
	const slots = [
		...(isNew ? makeReceiver(maker, def.owner, read) : [])
			.map((s) => ({ ...s, group: 'receiver' })),
		...placesOf(maker, def.node, shapes,
			types.params(docOf(def.node) || ''))
			.map((s) => ({ ...s, group: 'arguments' })),
	];
	const target = targetOf(def, ast, text);
	for (const name of maker.needs)
		if (finder.locals.has(name) && !target.locals.includes(name))
			target.locals.push(name);
	const sites = sitesOf(callsOf(ast, def, request, (other, name) =>
		parse(parser, other, name)), slots);
	const at = argumentAt(request, slots, def.name);
	slots.forEach((s, i) => { // a smaller value of another might fail, too
		s.made.fixed = s.made.fixed || (at >= 0 && i !== at);
	});
	const list = witnesses(slots, isNew, request.witness_hints, sites,
		strange(slots, def.node), at);
	return { function: def.name, first_line: def.node.loc.start.line,
		ranges: spans, ...withFacts(maker, slots, list, sites), target,
		...(at < 0 ? {} : { argument: request.argument }) };
}

function main() {
	let out;
	try {
		out = answer(JSON.parse(fs.readFileSync(6, 'utf8')),
			fs.readFileSync(5, 'utf8'));
	} catch (e) {
		if (e instanceof RangeError)
			out = { failed: 'cannot-parse: too deep' };
		else if (e instanceof Failed || e instanceof Refused)
			out = { failed: e.message.slice(0, 200) };
		else
			throw e;
	}
	let text = JSON.stringify(out).replace(/[\u007f-\uffff]/g, (c) =>
		'\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
	while (text)
		text = text.slice(fs.writeSync(3, text));
}

main();
