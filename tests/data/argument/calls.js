'use strict';

/** @param {bigint} a
 * @param {bigint} b */
function ratio(a, b) {
	return a / b; // @here ratio
}

function pick(items, at) {
	return items[at].name; // @here pick
}

function never(a) {
	return [][0].name + a; // @here never
}

function names(first, last) {
	return first.name + last.name; // @here names
}

/** @param {number} rows
 * @param {number} columns */
function grid(rows, columns) {
	return new Array(rows).fill(columns); // @here grid
}

function local(items) {
	const found = items.find((i) => i === 'none');
	return found.name; // @here local
}

function inner({ user }) {
	return user.name; // @here inner
}

class Box {
	constructor(parts) {
		this.parts = parts;
	}

	first(label) {
		return label + this.parts[0].name; // @here first
	}
}

module.exports = { ratio, pick, never, names, grid, local, inner, Box };
