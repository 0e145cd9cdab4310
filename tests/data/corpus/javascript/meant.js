'use strict';

// What callers mean: arguments that are all there, and of the kind that the
// code says.

function measure(a, b) {
	return b === 0 ? a : measure(a % b, b); // @here measure
}

function measureSafe(a, b) {
	return b === 0 ? a : measureSafe(b, a % b); // @here measureSafe
}

function flags(most) {
	return new Array(most + 1).fill(true); // @here flags
}

function flagsSafe(most) {
	return new Array(Math.max(0, most) + 1).fill(true); // @here flagsSafe
}

class Leaf {
	constructor(key, left = null, right = null) {
		this.key = key;
		this.left = left;
		this.right = right;
	}
}

/**
 * @param {Leaf|null} leaf
 * @param {number} key
 */
function seek(leaf, key) {
	if (leaf.key === key) // @here seek
		return leaf;
	return seek(key < leaf.key ? leaf.left : leaf.right, key);
}

/**
 * @param {Leaf|null} leaf
 * @param {number} key
 */
function seekSafe(leaf, key) {
	if (leaf === null)
		return null;
	if (leaf.key === key) // @here seekSafe
		return leaf;
	return seekSafe(key < leaf.key ? leaf.left : leaf.right, key);
}

// A type that this file does not have: what it is is what is done with it.
/** @param {Twig} root */
function keysOf(root) {
	const out = [];
	const visit = (twig) => {
		visit(twig.left); // @here keysOf
		out.push(twig.key);
		visit(twig.right);
	};
	visit(root);
	return out;
}

/** @param {Twig} root */
function keysOfSafe(root) {
	const out = [];
	const visit = (twig) => {
		if (twig === null)
			return;
		visit(twig.left); // @here keysOfSafe
		out.push(twig.key);
		visit(twig.right);
	};
	visit(root);
	return out;
}

class Hedge {
	holds(leaf, key) {
		if (leaf.key === key) // @here holds
			return true;
		return this.holds(key < leaf.key ? leaf.left : leaf.right, key);
	}

	holdsSafe(leaf, key) {
		if (leaf === null)
			return false;
		if (leaf.key === key)
			return true;
		return this.holdsSafe(key < leaf.key ? leaf.left : leaf.right, key);
	}
}

/**
 * @param {Array} a
 * @param {Array} b
 * @param {Function} [join]
 */
function paired(a, b, join) {
	const out = [];
	for (let i = 0; i < Math.min(a.length, b.length); i++)
		out.push(join(a[i], b[i])); // @here paired
	return out;
}

/**
 * @param {Array} a
 * @param {Array} b
 * @param {Function} [join]
 */
function pairedSafe(a, b, join) {
	const out = [];
	for (let i = 0; i < Math.min(a.length, b.length); i++)
		out.push(join ? join(a[i], b[i]) : [a[i], b[i]]); // @here pairedSafe
	return out;
}

function fields(text) {
	const out = {};
	for (const part of text.split(/ *; */).slice(1))
		out[part.split('=')[0]] = part.split('=')[1].trim(); // @here fields
	return out;
}

function fieldsSafe(text) {
	const out = {};
	for (const part of text.split(/ *; */).slice(1))
		out[part.split('=')[0]] = (part.split('=')[1] || '').trim(); // @here fieldsSafe
	return out;
}

module.exports = { measure, measureSafe, flags, flagsSafe, Leaf, seek, seekSafe,
	keysOf,
	keysOfSafe, Hedge, paired, pairedSafe, fields, fieldsSafe };
