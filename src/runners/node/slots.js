// slots.js -- every value that a call needs: its name, and its possible values.
'use strict';

const { admits, boundsOf, edges, insideOf } = require('./bounds.js');
const { Uses } = require('./calls.js');
const { docOf } = require('./doc.js');
const { Shape } = require('./shape.js');
const { FUNCTION, Failed, keyName } = require('./tree.js');
const { NOTHING, distinct } = require('./values.js');

const BAG = /^(opt(ion)?s?|config|settings|params)$/i;

function annotationOf(p, doc) {
	const inner = p.type === 'TSParameterProperty' ? p.parameter :
		p.type === 'RestElement' ? p.argument : p;
	const target = inner.left || inner;
	const own = (p.typeAnnotation || target.typeAnnotation || {})
		.typeAnnotation;
	const said = doc && doc.get(target.name);
	return { type: own || (said && said.type) || null,
		optional: Boolean(target.optional || inner.left ||
			(said && said.optional)),
		name: target.name || 'argument', isNamed: Boolean(target.name), fallback: inner.right, said,
		isNoted: Boolean(own), mayLack: Boolean(target.optional) };
}

// The shapes of a function's parameters, bound while the body is walked.
function shapesOf(uses, node, first) {
	const given = node.params.map((p, i) => new Shape(first + i));
	const last = node.params[node.params.length - 1];
	if (last && last.type === 'Identifier' && BAG.test(last.name))
		given[given.length - 1].isLast = true;
	if (last && last.type === 'RestElement') {
		given.rest = given[given.length - 1];
		given.rest.kind('array', 4);
	}
	return given;
}

// Leave out what the documentation excludes, and try the numbers that it names.
// A smaller value might not be allowed.
function keepBounds(made, bounds, name) {
	const isOk = (v) => admits(bounds, v);
	const numbers = made.ok.some((v) => typeof v === 'number') ?
		edges(bounds) : [];
	made.ok = distinct([...made.ok, ...numbers], made.ok.length + 4)
		.filter(isOk);
	made.odd = made.odd.filter(isOk);
	made.wild = made.wild.filter(isOk);
	made.fixed = true;
	if (made.ok.length + made.odd.length === 0)
		throw new Failed('no-valid-witness: the documentation excludes all ' +
			'values of ' + name);
}

function placesOf(maker, node, shapes, doc) {
	const bounds = boundsOf(docOf(node) || '', node.params.map((p) =>
		(p.left || p.argument || p).name).filter(Boolean));
	return node.params.filter((p) => p.name !== 'this').map((p, at) => {
		const i = node.params.indexOf(p);
		const { type, optional, name, isNamed, fallback, said, isNoted, mayLack } =
			annotationOf(p, doc);
		maker.isTyped = false;
		const made = maker.make(type, shapes[i], 0);
		made.fixed = made.fixed || maker.isTyped; // smaller: not that type
		const isRest = p.type === 'RestElement';
		if (type && made.ok.length + made.odd.length === 0)
			throw new Failed('unsupported-annotation: of parameter ' + name);
		const typeOdd = new Set(type ? made.odd.map((v) =>
			JSON.stringify(v)) : []);
		if ((optional || fallback) && !isRest)
			made.odd = distinct([...made.odd, NOTHING], 4);
		if (type)
			made.wild = [];
		const own = bounds.get(name) || [];
		const mine = type && type.type === 'TSTypeLiteral' &&
			!type.members.some((m) => m.type === 'TSIndexSignature') ?
			insideOf(own) : own;
		if (mine.length > 0)
			keepBounds(made, mine, name);
		return { name, isNamed, by: isRest ? 'rest' : 'position', made, at,
			type, shape: shapes[i], fallback, said, isNoted, mayLack, typeOdd,
			bounds: mine,
			isTyped: Boolean(type), isEmpty: Boolean(fallback) &&
				fallback.type === 'NullLiteral' &&
				shapes[i].kinds.size === 0 };
	});
}

function constructorOf(owner, finder) {
	if (FUNCTION.test(owner.type))
		return owner;
	const own = owner.body.body.find((m) => m.kind === 'constructor');
	const above = owner.superClass && owner.superClass.type === 'Identifier' &&
		finder.classes.get(owner.superClass.name);
	return own || (above && above.node !== owner ?
		constructorOf(above.node, finder) : null);
}

// The constructor's parameters.  What the method does with this.x is noted on
// them.
function readReceiver(uses, owner) {
	const make = owner && constructorOf(owner, uses.finder);
	uses.self = new Shape();
	uses.self.kind('object');
	if (owner && owner.body.body && !FUNCTION.test(owner.type)) {
		uses.methods = new Map(owner.body.body.filter((m) =>
			m.type === 'ClassMethod' && m.kind === 'method' && keyName(m))
			.map((m) => [keyName(m), m]));
		for (const m of owner.body.body)
			if (m.type === 'ClassProperty' && m.value && keyName(m)) {
				const s = new Shape();
				uses.like(s, m.value);
				uses.self.props.set(keyName(m), s);
			}
	}
	if (!make)
		return { node: null, shapes: [] };
	const shapes = shapesOf(uses, make, 100);
	uses.body(make, shapes);
	return { node: make, shapes };
}

function makeReceiver(maker, owner, read) {
	const uses = read ? maker.uses : new Uses(maker.uses.finder, null);
	const { node, shapes } = read || readReceiver(uses, owner);
	return node ? placesOf(maker, node, shapes,
		maker.types.params(docOf(node) || '')) : [];
}

module.exports = { makeReceiver, placesOf, readReceiver, shapesOf };
