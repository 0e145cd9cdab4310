// use.js -- how a function uses its parameters, as shapes (shape.js).
//
// The function's tree is walked once; each expression gives a shape.
'use strict';

const { Shape } = require('./shape.js');
const { FUNCTION, WRAPPERS, childrenOf, isStatement, keyName, unwrap
	} = require('./tree.js');

const ARRAY = new Set(('map filter forEach find findIndex findLast some every ' +
	'reduce reduceRight push pop shift unshift splice sort reverse flatMap ' +
	'flat fill join entries').split(' '));
const STRING = new Set(('split trim trimStart trimEnd toLowerCase toUpperCase ' +
	'charAt charCodeAt codePointAt match matchAll replace replaceAll ' +
	'startsWith endsWith substring substr padStart padEnd repeat localeCompare ' +
	'normalize search').split(' '));
const BOTH = new Set('slice includes indexOf lastIndexOf concat at'.split(' '));
const OTHER = { toFixed: 'number', toPrecision: 'number', getTime: 'date',
	getFullYear: 'date', getMonth: 'date', getDate: 'date', getDay: 'date',
	toISOString: 'date', getHours: 'date', test: 'regexp', exec: 'regexp',
	then: 'promise', catch: 'promise', finally: 'promise', call: 'function',
	apply: 'function', bind: 'function' };
const SAME_ARRAY = new Set(('filter slice sort reverse concat splice ' +
	'toSorted').split(' '));
const ONE_OF = new Set('find findLast pop shift at'.split(' '));
const ARITHMETIC = new Set(['-', '*', '/', '%', '**', '|', '&', '^', '<<', '>>',
	'>>>']);
const ORDER = new Set(['<', '>', '<=', '>=']);
const EQUAL = new Set(['==', '!=', '===', '!==']);

class Walk {
	constructor(finder, selfName) {
		this.finder = finder;
		this.selfName = selfName;
		this.cared = new Set(); // roots that some guard tests
		this.guard = 0; // depth of tests and tries
		this.guardLines = []; // the lines of tests
		this.nullGuards = 0; // tests for null only
		this.calls = 0; // depth of calls into other functions
		this.loops = 0; // depth of loops
		this.empty = new Set(); // variables that are initially empty
		this.scope = new Map();
		this.self = null; // what `this` is
		this.params = [];
		this.inners = new Map(); // inner functions, by name
		this.walking = new Map(); // function -> what it was called with
		this.methods = null; // of the class, by name
		this.patterns = new Map(); // of the module, by name
	}

	/** What an expression gives, as a shape or null: eval.js.
	 * @returns {any} */
	eval(node) {
		throw new Error('no reader of ' + node.type);
	}

	touch(shape) {
		if (shape && this.guard > 0)
			for (const r of shape.roots)
				this.cared.add(r);
		return shape;
	}

	bind(name, shape) {
		this.scope.set(name, shape);
	}

	inTest(node) {
		this.guardLines.push(node.loc.start.line);
		this.guard++;
		const s = this.eval(node);
		this.guard--;
		return s;
	}

	// A condition: what is truthy there may be null elsewhere.
	test(node) {
		node = unwrap(node);
		const s = this.inTest(node);
		if (node.type === 'UnaryExpression' && node.operator === '!')
			return this.test(node.argument);
		const isPlace = /^(Identifier|(Optional)?MemberExpression)$/
			.test(node.type);
		if (s && isPlace && s.isLength !== true)
			s.truthy = true;
		return s;
	}

	deref(s, node, optional) {
		if (!s)
			return;
		if (optional) {
			this.nullGuards++;
			s.tested('both');
			this.guard++;
			this.touch(s);
			this.guard--;
		} else {
			s.derefs.push(node.loc.end.line);
		}
	}

	// -- patterns: what a parameter or a variable is bound to -------------------

	pattern(p, shape) {
		switch (p.type) {
		case 'Identifier':
			return this.bind(p.name, shape);
		case 'TSParameterProperty':
			if (this.self)
				this.self.props.set((p.parameter.left || p.parameter).name,
					shape);
			return this.pattern(p.parameter, shape);
		case 'AssignmentPattern':
			shape.tested('undefined');
			shape.fallback = p.right;
			for (const r of shape.depth > 0 ? shape.roots : [])
				this.cared.add(r);
			this.like(shape, p.right);
			return this.pattern(p.left, shape);
		case 'ObjectPattern':
			shape.kind('object');
			this.deref(shape, p, false);
			for (const m of p.properties) {
				const key = m.type === 'RestElement' ? null : keyName(m);
				this.pattern(m.argument || m.value, key === null ?
					shape.child() : shape.prop(key));
			}
			return undefined;
		case 'ArrayPattern':
			shape.kind('array').named(p.elements.length);
			this.deref(shape, p, false);
			if (p.elements.some((e) => e && /^(Rest|Assign)/.test(e.type)))
				shape.free();
			for (const e of p.elements)
				if (e)
					this.pattern(e.argument || e, e.argument ? shape :
						shape.elem());
			return undefined;
		default:
			return undefined;
		}
	}

	// A default says what kind of thing is meant.
	like(shape, node) {
		const kinds = { NumericLiteral: 'number', StringLiteral: 'string',
			TemplateLiteral: 'string', BooleanLiteral: 'boolean',
			ArrayExpression: 'array', ObjectExpression: 'object',
			ArrowFunctionExpression: 'function', BigIntLiteral: 'bigint',
			FunctionExpression: 'function' };
		node = unwrap(node);
		if (node.type === 'NullLiteral')
			shape.tested('null');
		else if (kinds[node.type])
			shape.kind(kinds[node.type], 2);
		else if (node.type === 'NewExpression')
			this.instance(shape, node.callee);
		if (/^(Numeric|String)Literal$/.test(node.type))
			shape.constant(node.value);
	}

	instance(shape, callee) {
		const name = callee.type === 'Identifier' ? callee.name : '';
		const kind = { Map: 'map', Set: 'set', Date: 'date', Array: 'array',
			Error: 'error', RegExp: 'regexp', Promise: 'promise',
			Function: 'function', String: 'string', Number: 'number',
			Object: 'object', Buffer: 'bytes', Uint8Array: 'bytes' }[name];
		if (kind)
			shape.kind(kind, 2).tests.add(kind);
		else if (this.finder.classes.has(name) && !shape.instanceOf)
			shape.instanceOf = name;
	}

	// -- statements and everything else that only has parts -----------------------

	walk(node) {
		switch (node.type) {
		case 'FunctionDeclaration':
			this.functionValue(node);
			return;
		case 'VariableDeclarator': {
			if (node.init && FUNCTION.test(node.init.type))
				this.inners.set(node.id.name, node.init);
			const made = node.init ? this.eval(node.init) : null;
			this.pattern(node.id, made || new Shape());
			if (!node.init || node.init.type === 'NullLiteral')
				this.empty.add(node.id.name);
			return;
		}
		case 'ForOfStatement': {
			const over = this.eval(node.right);
			let one = new Shape();
			if (over) {
				over.row().free();
				this.deref(over, node.right, false);
				one = over.entriesOf || over.elem();
			}
			const left = node.left.declarations ?
				node.left.declarations[0].id : node.left;
			this.pattern(left, one);
			this.loops++;
			this.walk(node.body);
			this.loops--;
			return;
		}
		case 'ForInStatement': {
			const over = this.eval(node.right);
			const key = new Shape();
			if (over) {
				over.kind('dict');
				key.keyOf = over;
				key.roots = over.roots;
			}
			this.pattern(node.left.declarations ?
				node.left.declarations[0].id : node.left, key);
			this.walk(node.body);
			return;
		}
		case 'IfStatement':
			this.test(node.test);
			this.branch(node.consequent);
			this.branch(node.alternate);
			return;
		case 'WhileStatement':
		case 'DoWhileStatement':
		case 'ForStatement':
			if (node.init)
				this.any(node.init);
			this.loops++;
			if (node.test)
				this.eval(node.test);
			for (const part of [node.update, node.body])
				if (part)
					this.any(part);
			this.loops--;
			return;
		case 'SwitchStatement': {
			const s = this.eval(node.discriminant);
			for (const c of node.cases) {
				if (c.test)
					this.compared(s, c.test, true);
				c.consequent.forEach((x) => this.any(x));
			}
			return;
		}
		case 'TryStatement':
			this.guard += node.handler ? 1 : 0;
			this.guardLines.push(node.loc.start.line);
			this.any(node.block);
			this.guard -= node.handler ? 1 : 0;
			for (const part of [node.handler && node.handler.body,
				node.finalizer])
				if (part)
					this.any(part);
			return;
		case 'ReturnStatement':
			if (node.argument)
				this.returned = this.eval(node.argument) || this.returned;
			return;
		case 'ClassDeclaration':
			return;
		default:
			for (const c of childrenOf(node))
				this.any(c);
		}
	}

	// One of two ways: what a name is given there, it may not be afterwards.
	branch(node) {
		if (!node)
			return;
		const before = new Map(this.scope);
		this.any(node);
		for (const [name, s] of before)
			if (s && s.roots.size > 0)
				this.scope.set(name, s);
	}

	any(node) {
		if (isStatement(node) || node.type === 'VariableDeclarator' ||
		    node.type === 'SwitchCase' || node.type === 'CatchClause')
			this.walk(node);
		else if (!node.type.startsWith('TS') || WRAPPERS.test(node.type))
			this.eval(node);
	}

	// A function's body, its parameters bound to given shapes.
	body(node, given) {
		const before = this.scope;
		const value = this.returned;
		this.scope = new Map(before);
		this.returned = null;
		node.params.forEach((p, i) => {
			if (p.type === 'RestElement')
				this.pattern(p.argument, given.rest || new Shape());
			else
				this.pattern(p, given[i] || new Shape());
		});
		if (node.body.type === 'BlockStatement')
			this.walk(node.body);
		else
			this.returned = this.eval(node.body);
		const out = this.returned;
		this.scope = before;
		this.returned = value;
		return out;
	}

	functionValue(node) {
		if (node.id) {
			this.inners.set(node.id.name, node);
			this.bind(node.id.name, null);
		}
		this.walking.set(node, []);
		this.body(node, []);
		this.walking.delete(node);
		return null;
	}

	compared(s, node, isStrict) {
		node = unwrap(node);
		if (node.type === 'UnaryExpression' && node.operator === '-' &&
		    node.argument.type === 'NumericLiteral')
			node = { type: 'NumericLiteral', value: -node.argument.value };
		const isNothing = node.type === 'NullLiteral' ||
			(node.type === 'Identifier' && node.name === 'undefined');
		this.nullGuards += isNothing ? 1 : 0;
		if (!s)
			return;
		if (isNothing)
			s.tested(!isStrict ? 'both' :
				node.type === 'NullLiteral' ? 'null' : 'undefined');
		else if (/^(Numeric|String|Boolean|BigInt)Literal$/
			.test(node.type)) {
			s.kind(node.type.slice(0, -7).toLowerCase()
				.replace('numeric', 'number'));
			if (/^[NS]/.test(node.type))
				s.constant(node.value);
		}
	}
}

module.exports = {
	ARITHMETIC, ARRAY, BOTH, EQUAL, ONE_OF, ORDER, OTHER, SAME_ARRAY,
	STRING, Walk,
};
