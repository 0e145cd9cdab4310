// shape.js -- what the code expects of a value: its kinds, its properties, its
// elements, and the result of calling it.
'use strict';

const DEPTH_MAX = 6;

class Shape {
	constructor(root) {
		this.kinds = new Map(); // name -> how often
		this.props = new Map();
		this.consts = [];
		this.seps = []; // the separators at which it is split
		this.fitting = []; // texts that fit what it is matched with
		this.roots = new Set(root === undefined ? [] : [root]);
		this.element = null;
		this.result = null; // of a call
		this.parsed = null; // of JSON.parse
		this.nullable = null; // "undefined", "null", "both": by evidence
		this.tests = new Set(); // kinds that a test asks for
		this.widest = 0; // how many elements are named by number
		this.isFree = false; // it may have any length
		this.soft = 0; // of "array": uses that also fit a string
		this.keysOf = null; // keys of a table that the code has
		this.keyOf = null; // the object that it is a key of
		this.whole = null; // the shape of which this views a part
		this.isLast = false; // last of a function's parameters
		this.isLength = false; // length of an array or a string
		this.cutOf = null; // the string of which it is a part
		this.hidden = null; // a method of every object that a key can hide
		this.parent = null;
		this.derefs = []; // lines that need it to be there
		this.recursive = null; // the shape that it repeats
		this.other = null; // what replaces it where a condition says so
		this.depth = 0;
	}

	child() {
		const s = new Shape();
		s.roots = this.roots;
		s.depth = this.depth + 1;
		s.parent = this.whole || this;
		return s;
	}

	kind(name, n) {
		this.kinds.set(name, (this.kinds.get(name) || 0) + (n || 1));
		return this;
	}

	prop(name) {
		if (!this.props.has(name) && this.depth < DEPTH_MAX &&
		    this.props.size < 24)
			this.props.set(name, this.child());
		return this.props.get(name) || this.child();
	}

	elem() {
		const s = this.whole || this;
		if (!s.element) {
			s.element = s.child();
			s.element.isElement = true;
		}
		return s.element;
	}

	// Whether it is a part of that one.
	isBelow(other) {
		for (let s = (this.whole || this).parent; s; s = s.parent)
			if (s === (other.whole || other))
				return true;
		return false;
	}

	// It is the same kind of thing as what it is a part of.
	again(other) {
		const s = this.whole || this;
		const whole = other.whole || other;
		if (s !== whole && !s.recursive && !whole.roots.has(-1) &&
		    !whole.isAgain(s)) {
			s.recursive = whole;
			if (s.other)
				s.other.again(whole);
		}
	}

	isAgain(other) {
		for (let s = this.recursive; s; s = s.recursive)
			if (s === other)
				return true;
		return false;
	}

	// Read by number, or walked over: an array, or a string.
	row(n) {
		const s = this.whole || this;
		s.soft += n || 1;
		return this.kind('array', n);
	}

	named(n) {
		const s = this.whole || this;
		s.widest = Math.max(s.widest, n);
		return this;
	}

	free() {
		(this.whole || this).isFree = true;
		return this;
	}

	ret() {
		const s = this.whole || this;
		return s.result = s.result || s.child();
	}

	// The same thing, which may not be there: what tests say of this one says
	// nothing of the things that are.
	maybe() {
		const s = Object.create(this.whole || this);
		s.whole = this.whole || this;
		s.nullable = null;
		s.truthy = false;
		s.derefs = [];
		return s;
	}

	text() {
		return this.parsed = this.parsed || this.child();
	}

	constant(v) {
		if (this.consts.length < 8 && !this.consts.includes(v))
			this.consts.push(v);
	}

	tested(how) {
		this.nullable = this.nullable && this.nullable !== how ? 'both' :
			how;
	}
}

module.exports = { DEPTH_MAX, Shape };
