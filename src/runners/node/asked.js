// asked.js -- finds the function that a flag means, by its name or by a line.
'use strict';

const { FUNCTION, Failed, childrenOf, keyName } = require('./tree.js');

const CALL = /^(OptionalCall|Call|New)Expression$/;

// -- every function, reachable or not ---------------------------------------------

function functionsIn(node, out, name) {
	for (const c of childrenOf(node)) {
		const own = c.id ? c.id.name : c.key && keyName(c);
		if (FUNCTION.test(c.type))
			out.push({ node: c, name: own || name || null,
				isGiven: CALL.test(node.type) && node.callee !== c });
		functionsIn(c, out, c.type === 'VariableDeclarator' ||
			c.type === 'ObjectProperty' || c.type === 'ClassProperty' ?
			own : null);
	}
	return out;
}

const covers = (node, line) =>
	node.loc.start.line <= line && line <= node.loc.end.line;
const size = (node) => node.end - node.start;

function plainName(name) {
	return name.replace(/#/g, '.').replace(/\.prototype\./g, '.')
		.replace(/^(module\.)?exports\./, '')
		.replace(/^(async|static|get|set) /, '').replace(/\(\)$/, '');
}

function byName(found, name, line) {
	let hits = found.filter((d) => d.name === name);
	if (hits.length === 0)
		hits = found.filter((d) => d.name.split('.').pop() === name ||
			d.name === name + '.constructor');
	const inside = line === null ? [] :
		hits.filter((d) => covers(d.node, line));
	if (inside.length === 0 && new Set(hits.map((d) => d.name)).size > 1)
		throw new Failed('function-ambiguous: ' + name);
	return inside[0] || hits[0] || null;
}

// The innermost reachable function around a place.
function around(found, node) {
	return found.filter((d) => d.node.start <= node.start &&
		node.end <= d.node.end).sort((a, b) =>
		size(a.node) - size(b.node))[0] || null;
}

// Whether a function uses the `this` of its caller.
function usesThis(node) {
	return childrenOf(node).some((c) => c.type === 'ThisExpression' ||
		((!FUNCTION.test(c.type) || c.type === 'ArrowFunctionExpression') &&
		!/^Class/.test(c.type) && usesThis(c)));
}

// A function that uses `this` and is called without one is a method under
// another name, or a constructor.  Otherwise there is no object to call it on.
function called(finder, def) {
	if (def.this !== 'none' || def.node.type === 'ArrowFunctionExpression' ||
	    !usesThis(def.node))
		return def;
	const how = finder.methods.get(def.node) || (/^[A-Z]/.test(def.name) ?
		{ this: 'construct', owner: def.node, receiver: def.way } : null);
	if (!how)
		throw new Failed('no-receiver: nothing shows the object on which ' +
			def.name + ' is called');
	return { ...def, ...how };
}

// The first line of the body of a function; the head comes before it.
function begin(node) {
	const first = node.body.body ? node.body.body[0] : node.body;
	return first ? first.loc.start.line : Infinity;
}

// {def, only}: only is the node in which the exception has to be, or null.
function find(finder, ast, asked, line) {
	const name = asked && !/anonymous/.test(asked) ? plainName(asked) : null;
	const hit = name && byName(finder.found, name, line);
	if (hit)
		return { def: called(finder, hit), only: null };
	let inner = functionsIn(ast.program, []);
	if (name)
		inner = inner.filter((f) => f.name === name.split('.').pop());
	if (line !== null && (!name || inner.some((f) => covers(f.node, line))))
		inner = inner.filter((f) => covers(f.node, line));
	// Where a callback only begins, what may raise is the call that takes it.
	const own = inner.filter((f) => name || line === null || !f.isGiven ||
		begin(f.node) <= line);
	inner = own.length > 0 ? own : inner;
	inner.sort((a, b) => size(a.node) - size(b.node));
	if (inner.length === 0)
		throw new Failed('function-not-found: ' + (name || 'nothing at line '
			+ line));
	const def = around(finder.found, inner[0].node);
	if (!def)
		throw new Failed('not-reachable: ' + (name || 'the function at line '
			+ line) + ' is not reachable from outside its module');
	return { def: called(finder, def),
		only: def.node === inner[0].node ? null : inner[0].node };
}

module.exports = { covers, find, functionsIn };
