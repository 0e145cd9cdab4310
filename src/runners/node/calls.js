// calls.js -- the shape that a call returns, and what it says about its
// arguments.
'use strict';

const { Evaluation } = require('./eval.js');
const { textsOf } = require('./patterns.js');
const { Shape } = require('./shape.js');
const { FUNCTION, chain, keyName, unwrap } = require('./tree.js');
const { ARRAY, BOTH, ONE_OF, OTHER, SAME_ARRAY, STRING } = require('./use.js');

const SPACES = /(?: |\\s)[*+?]?/g; // around a text's separator

class Uses extends Evaluation {
	onCallExpression(node) {
		const callee = unwrap(node.callee);
		const member = /MemberExpression$/.test(callee.type) &&
			(!callee.computed || /Literal$/.test(callee.property.type));
		if (member && callee.property.type !== 'PrivateName')
			return this.method(node, callee, keyName(callee));
		const f = this.eval(callee);
		const args = node.arguments.map((a) => FUNCTION.test(a.type) ? null :
			this.eval(a.argument || a));
		const inner = callee.type === 'Identifier' &&
			this.inners.get(callee.name);
		if (inner) {
			this.callbacks(node, []);
			return this.into(inner, args) || this.derived(args);
		}
		if (callee.type === 'Identifier' && !this.scope.has(callee.name)) {
			const known = this.known(callee.name, args, node);
			if (known !== undefined)
				return this.callbacks(node, []) || known;
		}
		this.callbacks(node, []);
		if (!f)
			return this.derived(args);
		f.kind('function', 2);
		this.deref(f, callee, node.optional);
		const out = f.ret();
		out.source = f;
		return out;
	}

	onOptionalCallExpression(node) {
		return this.onCallExpression(node);
	}

	// A text is matched with a regular expression.
	matched(s, node) {
		const text = s && (s.cutOf || s.whole || s);
		const own = node && (node.type === 'RegExpLiteral' ? node :
			node.type === 'Identifier' && !this.scope.has(node.name) &&
			this.patterns.get(node.name));
		if (text && own && !s.cutOf && text.fitting.length < 8)
			text.fitting.push(...textsOf(own));
	}

	// Functions among the arguments, called with these shapes.
	callbacks(node, given) {
		let out = null;
		for (const a of node.arguments)
			if (FUNCTION.test(a.type))
				out = this.body(a, given);
		return out;
	}

	// Of an unknown call: it comes from where its arguments come from.
	derived(args) {
		const out = new Shape();
		for (const a of args)
			for (const r of a ? a.roots : [])
				out.roots.add(r);
		return out;
	}

	known(name, args, node) {
		const first = args[0];
		const own = this.finder.functions.get(name);
		if (name === this.selfName && this.params.length > 0) {
			this.itself(args, this.params);
			return null;
		}
		if (own && (this.calls < 2 || this.walking.has(own)))
			return this.into(own, args);
		if (!first)
			return undefined;
		if (name === 'parseInt' || name === 'parseFloat')
			first.kind('string');
		else if (name === 'BigInt')
			first.kind('number').kind('made');
		else if (name === 'isFinite')
			first.kind('number');
		else if (name === 'assert')
			return null;
		return node.arguments.length > 0 ? this.derived(args) : null;
	}

	// It calls itself: what it hands on is the parameter again, unless that is
	// another parameter.
	itself(args, given) {
		args.forEach((a, i) => {
			if (a && given[i] && !given.includes(a.whole || a))
				a.again(given[i]);
		});
	}

	// A function of the file, called with these shapes.
	into(fn, args) {
		const given = this.walking.get(fn);
		if (given) {
			this.itself(args, given);
			return null;
		}
		if (this.calls >= 2)
			return null;
		this.walking.set(fn, args.map((a) => a && (a.whole || a)));
		this.calls++;
		const out = this.body(fn, args.map((a) => a || undefined));
		this.calls--;
		this.walking.delete(fn);
		return out;
	}

	onNewExpression(node) {
		const args = node.arguments.map((a) => FUNCTION.test(a.type) ? null :
			this.eval(a.argument || a));
		const name = node.callee.type === 'Identifier' ? node.callee.name : '';
		this.callbacks(node, []);
		const callee = this.eval(node.callee);
		if (callee) {
			callee.kind('class');
			this.deref(callee, node.callee, false);
		}
		if (args[0] && /^(Array|ArrayBuffer|\w+Array)$/.test(name))
			args[0].kind('number').kind('length');
		else if (args[0] && /^(Set|Map)$/.test(name))
			args[0].kind('array');
		const out = this.derived(args);
		this.instance(out, node.callee);
		return out;
	}

	method(node, callee, key) {
		const whole = (chain(callee) || []).join('.');
		const head = unwrap(callee.object);
		const isGlobal = head.type === 'Identifier' &&
			/^(JSON|Object|Array|Math|Number|String|Promise|Reflect|Buffer|assert|console|Date|BigInt)$/
				.test(head.name) && !this.scope.has(head.name);
		if (isGlobal) {
			const args = node.arguments.map((a) => FUNCTION.test(a.type) ?
				null : this.eval(a.argument || a));
			return this.global(node, whole, args);
		}
		const s = this.eval(callee.object);
		if (s)
			this.deref(s, callee.object, callee.optional);
		if (s && s === this.self && this.ownMethod(node, s, key))
			return this.result;
		const args = () => node.arguments.map((a) => FUNCTION.test(a.type) ?
			null : this.eval(a.argument || a));
		if (!s) {
			const [first] = args();
			if (first && /^(exec|test)$/.test(key)) {
				first.kind('string');
				this.matched(first, head);
			}
			this.callbacks(node, []);
			return null;
		}
		if (ARRAY.has(key) && key !== 'entries')
			return this.arrayMethod(node, s, key, args());
		if (STRING.has(key))
			return this.stringMethod(node, s, key, args());
		return this.otherMethod(node, s, key, args());
	}

	stringMethod(node, s, key, args) {
		const text = s.cutOf || s.whole || s;
		if (/^(startsWith|endsWith|localeCompare)$/.test(key))
			args.forEach((a) => a && a.kind('string'));
		this.callbacks(node, []);
		s.kind('string', 2);
		if (/^(match|matchAll|search)$/.test(key))
			this.matched(s, node.arguments[0]);
		for (const a of node.arguments.slice(0, 1))
			if (a.type === 'StringLiteral' && a.value !== '' &&
			    /^(split|startsWith|endsWith)$/.test(key))
				(key === 'split' ? text.seps : text.consts)
					.push(a.value);
			else if (a.type === 'RegExpLiteral' && key === 'split' &&
				 /^.$/.test(a.pattern.replace(SPACES, '')))
				text.seps.push(a.pattern.replace(SPACES, ''));
		const out = new Shape();
		out.roots = s.roots;
		out.cutOf = text;
		if (!/^(split|match)/.test(key))
			return out.kind('string');
		if (key === 'split') {
			out.element = new Shape();
			out.element.roots = s.roots;
			out.element.cutOf = text;
		}
		return out.kind('array');
	}

	arrayMethod(node, s, key, args) {
		s.kind('array', 2).free();
		const one = s.elem();
		if (/^(push|unshift)$/.test(key)) {
			if (args[0] && args[0].isBelow(one))
				args[0].again(one);
			return null;
		}
		if (/^reduce/.test(key)) {
			const start = args[1] || (node.arguments.length > 1 ?
				new Shape() : one);
			this.callbacks(node, [start, one]);
			return start;
		}
		const got = this.callbacks(node, key === 'sort' ? [one, one] : [one]);
		if (args[0] && node.arguments[0].type === 'Identifier')
			args[0].kind('function');
		if (ONE_OF.has(key))
			return one.maybe();
		if (SAME_ARRAY.has(key))
			return s;
		const out = new Shape();
		out.roots = s.roots;
		if (/^(map|flatMap)$/.test(key)) {
			out.element = got;
			return out.kind('array');
		}
		return out;
	}

	otherMethod(node, s, key, args) {
		if (BOTH.has(key)) {
			s.kind('sized', 2).free();
			return key === 'at' ? s.elem().maybe() : key === 'slice' ? s : null;
		}
		if (/^(hasOwnProperty|propertyIsEnumerable)$/.test(key)) {
			s.kind('dict');
			s.hidden = key;
			return null;
		}
		if (/^(get|has|set|delete)$/.test(key) && args.length > 0 &&
		    s !== this.self) {
			s.kind('map', 2);
			return key === 'get' ? s.elem().maybe() : null;
		}
		if (key === 'add') {
			s.kind('set');
			return null;
		}
		if (OTHER[key]) {
			s.kind(OTHER[key], 2);
			const out = s.kinds.has('promise') ? s.ret() : null;
			this.callbacks(node, out ? [out] : []);
			return key === 'call' || key === 'apply' ? s.ret() : out ? s :
				null;
		}
		if (/^(keys|values|entries)$/.test(key))
			return s.kind('array').free().elem() && s;
		const f = s.kind('object').prop(key).kind('function', 2);
		f.isMethod = true;
		this.deref(f, node.callee, node.optional);
		this.callbacks(node, []);
		const out = f.ret();
		out.source = f;
		return out;
	}

	// this.other(x): the class's own method, with these shapes.
	ownMethod(node, s, key) {
		const m = this.methods && this.methods.get(key);
		if (!m || this.calls >= 2)
			return false;
		const args = node.arguments.map((a) => FUNCTION.test(a.type) ?
			undefined : this.eval(a.argument || a) || undefined);
		if (key === this.selfName && this.params.length > 0) {
			this.itself(args, this.params);
			this.result = null;
			return true;
		}
		this.calls++;
		this.result = this.body(m, args);
		this.calls--;
		return true;
	}

	global(node, whole, args) {
		const s = args[0];
		if (/^Math\./.test(whole))
			args.forEach((a) => a && a.kind('number'));
		this.callbacks(node, s ? [s.elem()] : []);
		if (!s)
			return null;
		switch (whole) {
		case 'JSON.parse':
			return s.kind('string', 3).text();
		case 'Object.keys':
		case 'Object.values':
		case 'Object.entries': {
			s.kind('dict');
			this.deref(s, node.arguments[0], false);
			const out = new Shape();
			out.roots = s.roots;
				out.kind('array');
			if (whole === 'Object.values')
				out.element = s.elem();
			else
				out.elem().kind('string').keyOf = s;
			return out;
		}
		case 'Array.isArray':
			s.kind('array').free().tests.add('array');
			return null;
		case 'Array.from':
			s.kind('array');
			return s;
		case 'Promise.all':
		case 'Promise.allSettled':
		case 'Promise.race':
		case 'Promise.any':
			s.kind('array');
			return s;
		default:
			if (/^Buffer\.alloc/.test(whole))
				s.kind('number').kind('length');
			return this.derived(args);
		}
	}
}

module.exports = { Uses };
