// eval.js -- the shape that an expression gives; calls are in calls.js.
'use strict';

const { Shape } = require('./shape.js');
const { childrenOf, keyName, unwrap } = require('./tree.js');
const { ARITHMETIC, EQUAL, ORDER, Walk } = require('./use.js');

const TYPEOF = { number: 'number', string: 'string', boolean: 'boolean',
	function: 'function', object: 'object', bigint: 'bigint' };

class Evaluation extends Walk {
	/** What is made of several things, as a shape: calls.js.
	 * @returns {any} */
	derived(from) {
		throw new Error('no reader of ' + from.length + ' operands');
	}

	eval(node) {
		node = unwrap(node);
		const f = this['on' + node.type];
		if (f)
			return this.touch(f.call(this, node));
		for (const c of childrenOf(node))
			this.any(c);
		return null;
	}

	onIdentifier(node) {
		const s = this.scope.get(node.name) || null;
		const keys = !s && !this.scope.has(node.name) &&
			this.finder.tables.get(node.name);
		return keys ? this.table(keys) : s;
	}

	onThisExpression() {
		return this.self;
	}

	onArrowFunctionExpression(node) {
		return this.functionValue(node);
	}

	onFunctionExpression(node) {
		const self = this.self;
		this.self = null;
		this.functionValue(node);
		this.self = self;
		return null;
	}

	onClassExpression() {
		return null;
	}

	onAwaitExpression(node) {
		const s = this.eval(node.argument);
		if (s && s.source)
			s.source.awaited = true;
		return s;
	}

	onMemberExpression(node) {
		const s = this.eval(node.object);
		const key = node.computed && !/Literal$/.test(node.property.type) ?
			null : keyName(node);
		const index = key === null ? this.eval(node.property) : null;
		if (!s)
			return null;
		this.lookedUp(s, index);
		this.deref(s, node.object, node.optional);
		if (key === null)
			return this.indexed(s, index, node.property);
		if (node.property.type === 'NumericLiteral')
			return s.row(2).named(node.property.value + 1)
				.elem().maybe();
		if (key === 'length') {
			s.kind('sized').free();
			const n = new Shape();
			n.roots = s.roots;
			n.isLength = true;
			return n.kind('number');
		}
		if (key === 'size')
			s.kind('map');
		s.kind('object');
		return s.prop(key);
	}

	onOptionalMemberExpression(node) {
		return this.onMemberExpression(node);
	}

	table(keys) {
		const s = new Shape();
		s.keysOf = keys;
		return s;
	}

	// What is looked up in a table that the code has: its keys, and others.
	lookedUp(s, index) {
		if (!s.keysOf || !index)
			return;
		index.kind('string');
		s.keysOf.forEach((key) => index.constant(key));
	}

	indexed(s, index, node) {
		s.free();
		if (index && index.keyOf === s)
			return s.elem();
		const one = s.elem().maybe();
		const isText = (index && (index.keyOf || index.kinds.has('string'))) ||
			node.type === 'TemplateLiteral';
		if (isText) {
			s.kind('dict', 2);
		} else if (index && index.kinds.size === 0 &&
			   node.type === 'Identifier') {
			s.kind('indexed');
			index.kind('key');
		} else {
			s.row();
			if (index)
				index.kind('number');
		}
		return one;
	}

	onBinaryExpression(node) {
		const op = node.operator;
		const left = node.left.type === 'PrivateName' ? null :
			this.eval(node.left);
		const right = this.eval(node.right);
		const pairs = [[left, node.right, right], [right, node.left, left]];
		if (op === 'in' && right) {
			this.lookedUp(right, left);
			right.kind('dict');
			this.deref(right, node.right, false);
		} else if (op === 'instanceof' && left) {
			this.instance(left, node.right);
		} else if (EQUAL.has(op)) {
			if (this.typeofTest(node.left, node.right) ||
			    this.typeofTest(node.right, node.left))
				return null;
			for (const [s, other] of pairs)
				this.compared(s, other, op.length === 3);
			return null;
		} else if (ORDER.has(op) || ARITHMETIC.has(op)) {
			for (const [s, other, to] of pairs) {
				const isBig = other.type === 'BigIntLiteral' ||
					(to && to.kinds.has('bigint'));
				if (s && other.type === 'StringLiteral')
					s.kind('string');
				else if (s && !(to && to.kinds.has('string')))
					s.kind(isBig ? 'bigint' : 'number');
				if (s && other.type === 'NumericLiteral')
					s.constant(other.value);
			}
		} else if (op === '+') {
			for (const [s, other] of pairs)
				if (s && other.type === 'NumericLiteral')
					s.kind('number');
				else if (s && other.type === 'BigIntLiteral')
					s.kind('bigint', 2);
				else if (s && /^(String|Template)Literal$/.test(other.type))
					s.kind('printed');
				else if (s)
					s.kind('added');
		}
		return this.derived([left, right]).kind(op === '+' &&
			[left, right].some((s) => s && s.kinds.has('string')) ?
			'string' : 'number');
	}

	typeofTest(a, b) {
		if (a.type !== 'UnaryExpression' || a.operator !== 'typeof' ||
		    b.type !== 'StringLiteral')
			return false;
		const s = this.eval(a.argument);
		this.guard++;
		this.touch(s);
		this.guard--;
		if (s && b.value === 'undefined')
			s.tested('undefined');
		else if (s && TYPEOF[b.value])
			s.kind(TYPEOF[b.value]).tests.add(TYPEOF[b.value]);
		// Null is an object there.
		if (s && b.value === 'object')
			s.tested('null');
		return true;
	}

	onUnaryExpression(node) {
		const s = this.eval(node.argument);
		if (s && /^[-~]$/.test(node.operator))
			s.kind('number');
		return null;
	}

	onUpdateExpression(node) {
		const s = this.eval(node.argument);
		if (s)
			s.kind('number');
		return s;
	}

	onLogicalExpression(node) {
		this.nullGuards += node.operator === '&&' ? 0 : 1;
		const left = node.operator === '??' ? this.inTest(node.left) :
			this.test(node.left);
		const right = this.eval(node.right);
		if (left && node.operator === '??')
			left.tested('both');
		if (left && node.operator !== '&&')
			this.like(left, node.right);
		return node.operator === '&&' ? right : left || right;
	}

	onConditionalExpression(node) {
		this.test(node.test);
		const a = this.eval(node.consequent);
		const b = this.eval(node.alternate);
		if (a && b)
			(a.whole || a).other = b;
		return a;
	}

	onAssignmentExpression(node) {
		if (/^(\|\||&&|\?\?)=$/.test(node.operator)) {
			this.nullGuards++;
			return this.test(node.left) || this.eval(node.right);
		}
		const s = this.eval(node.right);
		const op = node.operator.slice(0, -1);
		if (node.operator === '=' && /^(Identifier|\w+Pattern)$/
			.test(node.left.type)) {
			const old = this.scope.get(node.left.name);
			if (this.loops > 0 && s && old && s.isBelow(old))
				s.again(old);
			// Whether it was given yet is all that a test of it says.
			if (s && this.empty.has(node.left.name)) {
				this.pattern(node.left, s.maybe());
				return s;
			}
			this.pattern(node.left, s || new Shape());
			return s;
		}
		if (node.operator === '=' && node.left.type === 'MemberExpression' &&
		    node.left.object.type === 'ThisExpression' && this.self && s &&
		    !node.left.computed && keyName(node.left) !== null) {
			this.self.props.set(keyName(node.left), s);
			return s;
		}
		const to = this.eval(node.left);
		if (to && ARITHMETIC.has(op))
			to.kind('number');
		if (s && ARITHMETIC.has(op))
			s.kind('number');
		if (to && node.left.property && keyName(node.left) === 'length')
			(s || to).kind('number').kind('length');
		return s || to;
	}

	onSpreadElement(node) {
		const s = this.eval(node.argument);
		if (s)
			s.row().free();
		return s;
	}

	onArrayExpression(node) {
		const out = new Shape().kind('array').free();
		for (const e of node.elements) {
			const s = e && this.eval(e.argument || e);
			const one = s && e.type === 'SpreadElement' ?
				s.row().free().elem() : s;
			if (one && !out.element) {
				out.element = one;
				out.roots = one.roots;
			}
		}
		return out;
	}

	onObjectExpression(node) {
		for (const p of node.properties) {
			if (p.type === 'SpreadElement') {
				const s = this.eval(p.argument);
				if (s)
					s.kind('object');
			} else if (p.value) {
				this.eval(p.value);
			} else {
				this.body(p, []);
			}
		}
		return node.properties.length > 0 && node.properties.every((p) =>
			p.key && keyName(p) !== null) ?
			this.table(node.properties.map(keyName)) : null;
	}

	onTaggedTemplateExpression(node) {
		this.eval(node.quasi);
		return null;
	}
}

module.exports = { Evaluation };
