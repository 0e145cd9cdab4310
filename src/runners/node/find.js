// find.js -- finds functions, the ways to reach them, and where they may raise.
//
// A way is a list.  It begins with its root, "local" (followed by a name at the
// module's top level) or "export"; keys follow.
'use strict';

const { covers, functionsIn } = require('./asked.js');
const { FUNCTION, Failed, chain, childrenOf, isStatement, keyName, unwrap
	} = require('./tree.js');

const MODULE = '<module>'; // the name of what is no function

class Finder {
	constructor(ast) {
		this.found = []; // {name, node, way, this, receiver, member, owner}
		this.classes = new Map(); // name -> {node, way}
		this.locals = new Set(); // names at the top level
		this.functions = new Map(); // name -> node, for calls between them
		this.tables = new Map(); // name -> keys of an object at the top
		this.methods = new Map(); // node -> its call as a method
		this.statements(ast.program.body, 'local');
	}

	add(name, node, way, more) {
		this.found.push({ name, node, way, this: 'none', ...more });
	}

	statements(list, root) {
		for (const s of list)
			this.names(s.declaration && s.type !==
				'ExportDefaultDeclaration' ? s.declaration : s, root);
		for (const s of list)
			this.statement(s, root);
	}

	names(s, root) {
		const add = (id) => root === 'local' && id && this.locals.add(id.name);
		if (s.type === 'FunctionDeclaration' && s.id)
			this.functions.set(s.id.name, s);
		if (s.type === 'VariableDeclaration')
			s.declarations.forEach((d) => d.id.type === 'Identifier' &&
				add(d.id));
		else if (/^(Function|Class|TSEnum)Declaration$/.test(s.type))
			add(s.id);
		else if (s.type === 'ExportDefaultDeclaration')
			add(s.declaration.id);
	}

	statement(s, root) {
		switch (s.type) {
		case 'FunctionDeclaration':
			return this.value(s.id.name, s, [root, s.id.name]);
		case 'ClassDeclaration':
			return this.value(s.id.name, s, [root, s.id.name]);
		case 'VariableDeclaration':
			for (const d of s.declarations)
				if (d.id.type === 'Identifier' && d.init)
					this.variable(d, root);
			return undefined;
		case 'ExportNamedDeclaration':
			return s.declaration && this.statement(s.declaration, root);
		case 'ExportDefaultDeclaration': {
			const d = s.declaration;
			return this.value(d.id ? d.id.name : 'default', d,
				d.id ? [root, d.id.name] : ['export', 'default']);
		}
		case 'ExpressionStatement':
			return this.expression(unwrap(s.expression), root);
		case 'BlockStatement':
			return this.statements(s.body, 'export');
		case 'IfStatement':
			this.statement(s.consequent, 'export');
			return s.alternate && this.statement(s.alternate, 'export');
		default:
			return undefined;
		}
	}

	variable(d, root) {
		const init = this.given(d.init, root);
		if (FUNCTION.test(init.type))
			this.functions.set(d.id.name, init);
		if (init.type === 'CallExpression')
			this.wrapped(init);
		if (init.type === 'ObjectExpression')
			this.tables.set(d.id.name, init.properties.map((m) => m.key ?
				keyName(m) : null).filter((k) => k !== null));
		this.value(d.id.name, init, [root, d.id.name]);
	}

	// (function () { ... })(): what it declares is at best exported.
	wrapped(call) {
		const f = unwrap(call.callee);
		for (const c of [f, ...call.arguments])
			if (FUNCTION.test(c.type) && c.body.type === 'BlockStatement')
				this.statements(c.body.body, 'export');
	}

	// The value of a = b = value; what stands in between is read, too.
	given(node, root) {
		let value = unwrap(node);
		if (value.type === 'AssignmentExpression')
			this.expression(value, root);
		while (value.type === 'AssignmentExpression')
			value = unwrap(value.right);
		return value;
	}

	expression(e, root) {
		if (e.type === 'UnaryExpression')
			e = unwrap(e.argument);
		if (e.type === 'CallExpression')
			return this.wrapped(e);
		if (e.type !== 'AssignmentExpression')
			return undefined;
		const value = this.given(e.right, root);
		const keys = chain(e.left);
		return keys && this.assigned(keys, value, root);
	}

	assigned(keys, value, root) {
		let way;
		if (keys[0] === 'module' && keys[1] === 'exports')
			way = ['export', ...(keys = keys.slice(2))];
		else if (keys[0] === 'exports')
			way = ['export', ...(keys = keys.slice(1))];
		else if (keys.length > 1 && (this.locals.has(keys[0]) ||
			 root === 'export'))
			way = [root, ...keys];
		else
			return;
		const p = keys.indexOf('prototype');
		if (p < 0)
			return this.value(keys.join('.'), value, way);
		const receiver = way.slice(0, way.indexOf('prototype'));
		const head = keys.slice(0, p).join('.');
		const owner = this.functions.get(head);
		const named = value.type === 'Identifier' &&
			this.functions.get(value.name);
		if (owner)
			this.methods.set(owner, { this: 'construct', owner, receiver });
		if (named && owner)
			this.methods.set(named, { this: 'new', receiver, owner });
		if (keys.length === p + 2 && FUNCTION.test(value.type))
			this.add(head + '.' + keys[p + 1], value, way,
				{ this: 'new', receiver, owner });
		else if (keys.length === p + 1 && value.type === 'ObjectExpression')
			for (const m of value.properties)
				this.property(m, head, way,
					{ this: 'new', receiver, owner });
	}

	value(name, node, way, more) {
		node = unwrap(node);
		const isMember = way.length > (way[0] === 'local' ? 2 : 1);
		if (FUNCTION.test(node.type))
			return this.add(name || 'module.exports', node, way,
				more || (isMember ? { this: 'owner' } : {}));
		if (/^Class(Declaration|Expression)$/.test(node.type))
			return this.members(name || (node.id && node.id.name) ||
				'default', node, way);
		if (node.type === 'ObjectExpression' && way.length < 6)
			for (const m of node.properties)
				this.property(m, name === 'default' ? '' : name, way);
		const isFrozen = node.type === 'CallExpression' &&
			(chain(node.callee) || []).join('.') === 'Object.freeze';
		if (isFrozen && node.arguments[0])
			this.value(name, node.arguments[0], way);
	}

	property(m, prefix, way, more) {
		const key = m.type === 'SpreadElement' ? null : keyName(m);
		if (key === null)
			return;
		const name = prefix ? prefix + '.' + key : key;
		const kind = /^[gs]et$/.test(m.kind) ? m.kind + ' ' : '';
		const to = [...way, kind + key];
		if (m.type === 'ObjectMethod')
			this.add(name, m, to, more || { this: 'owner' });
		else if (unwrap(m.value).type !== 'Identifier')
			this.value(name, m.value, to, more);
	}

	members(name, node, way) {
		this.classes.set(name, { node, way });
		for (const m of node.body.body) {
			const key = m.key && !/Private/.test(m.type) ? keyName(m) : null;
			const value = m.value && unwrap(m.value);
			const self = { owner: node, receiver: way };
			const kind = /^[gs]et$/.test(m.kind) ? m.kind + ' ' : '';
			if (key === null)
				continue;
			if (m.kind === 'constructor')
				this.add(name + '.constructor', m, way,
					{ ...self, this: 'construct' });
			else if (m.type === 'ClassMethod' && m.static)
				this.add(name + '.' + key, m, [...way, kind + key],
					{ this: 'owner' });
			else if (m.type === 'ClassMethod')
				this.add(name + '.' + key, m, [...way, 'prototype',
					kind + key], { ...self, this: 'new' });
			else if (value && FUNCTION.test(value.type))
				this.add(name + '.' + key, value, [...way, key],
					m.static ? { this: 'owner' } :
					{ ...self, this: 'new', member: key });
		}
	}
}

// -- where the exception may come from ----------------------------------------------

const RAISING = /^(Optional)?(Call|Member)Expression$|^(New|Await|Yield|Binary|Update|Unary|TaggedTemplate|Template|Assignment|Import)(Expression|Literal)$|^(Throw|ForOf|ForIn)Statement$|^(Object|Array)Pattern$|^Spread|^JSX|^Identifier$|^Class/;

// The nodes that can raise the narrow classes; the others may come from
// anywhere.
function canRaise(node) {
	return RAISING.test(node.type);
}

// [line, line] for each of a statement's own nodes, without nested functions.
function ownSpan(stmt) {
	let from = Infinity, to = 0, able = false;
	const todo = [stmt];
	while (todo.length > 0) {
		const n = todo.pop();
		if (n !== stmt && (FUNCTION.test(n.type) || isStatement(n) ||
		    n.type === 'CatchClause' || n.type === 'SwitchCase'))
			continue;
		able = able || canRaise(n);
		const kids = childrenOf(n);
		from = Math.min(from, n.loc.start.line);
		to = Math.max(to, n.loc.start.line);
		if (!kids.some((c) => FUNCTION.test(c.type) || isStatement(c)))
			to = Math.max(to, kids.length ? n.loc.start.line :
				n.loc.end.line);
		todo.push(...kids);
	}
	return able ? { from, to } : null;
}

function statementsIn(node, out) {
	for (const c of childrenOf(node)) {
		const isBody = c.type !== 'BlockStatement' && (isStatement(c) ||
			c.type === 'SwitchCase' || (node.body === c &&
			node.type === 'ArrowFunctionExpression'));
		if (isBody)
			out.push(c);
		statementsIn(c, out);
	}
	return out;
}

function ranges(def, only, line) {
	const node = only || def.node;
	let spans = statementsIn(node, []).map(ownSpan).filter((s) => s);
	if (line !== null && !covers(def.node, line))
		throw new Failed('line-not-in-function: ' + line);
	const first = (node.body.body || [node.body])[0];
	if (line !== null && covers(node, line) && first &&
	    line >= first.loc.start.line) {
		spans = spans.filter((s) => s.from <= line && line <= s.to);
		// The innermost statement, not the one around it.
		const least = Math.min(...spans.map((s) => s.to - s.from));
		spans = spans.filter((s) => s.to - s.from === least);
	}
	if (spans.length === 0)
		throw new Failed('cannot-raise: no code at that place can raise it');
	return spans.sort((a, b) => a.from - b.from || a.to - b.to)
		.slice(0, 2000);
}

// What the call program needs to know about the function.
function targetOf(def, ast, source) {
	const roots = [def.way, def.receiver].filter((w) => w &&
		w[0] === 'local').map((w) => w[1]);
	const out = { module: ast.program.sourceType === 'module',
		span: [def.node.start, def.node.body.start, def.node.end],
		inner: functionsIn(def.node.body, []).map((f) =>
			[f.node.start, f.node.end]),
		ways: [def.way], this: def.this, locals: [...new Set(roots)] };
	if (FUNCTION.test(def.node.body.type))
		out.inner.unshift([def.node.body.start, def.node.body.end]);
	if (def.way[0] === 'export' && def.way.length > 1)
		out.ways.push(['export', 'default', ...def.way.slice(1)],
			['export', ...def.way.slice(2)]);
	if (def.receiver)
		out.receiver = def.receiver;
	if (def.member)
		out.member = def.member;
	return out;
}

// What the call program needs to load the module, when the flag means a
// statement that runs then; else null.
function loadTarget(ast, asked, line, source) {
	if (line === null || (asked && asked !== MODULE) ||
	    !ast.program.body.some((s) => covers(s, line)))
		return null;
	const inner = functionsIn(ast.program, []).map((f) => f.node);
	if (inner.some((f) => covers(f, line)))
		return null;
	return { module: ast.program.sourceType === 'module', load: true,
		span: [0, 0, source.length], inner: inner.map((f) => [f.start, f.end]),
		ways: [], this: 'none', locals: [] };
}

module.exports = { Finder, MODULE, loadTarget, ranges, targetOf };
