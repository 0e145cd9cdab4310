'use strict';
// What a compiler of modules leaves, and functions that only a line names.

var numbers = /^(\d+)(?:-(\d+))?$/;

var span = exports.span = function span(text) {
	return text.match(numbers).slice(1).map(function (n) {
		return n ? parseInt(n, 10) : 0;
	});
};

var spanSafe = exports.spanSafe = function spanSafe(text) {
	return (text.match(numbers) || []).slice(1).map(function (n) {
		return n ? parseInt(n, 10) : 0;
	});
};

// The call stands on one line, what the callback does on another.
exports.firsts = function (rows) {
	return (rows || []).map(function (row) {
		return row.tags[0].name;
	});
};

exports.pick = function (table, keys) {
	return keys.filter((k) => table.hasOwnProperty(k)); // @here pick
};

exports.pickSafe = function (table, keys) {
	const has = Object.prototype.hasOwnProperty;
	return keys.filter((k) => has.call(table, k)); // @here pickSafe
};

// Who looks whether there is a title knows that there is a text.
exports.label = function (title, text) {
	if (title === null)
		return '';
	return title + text.label; // @here label
};

exports.lastName = function (rows) {
	let last = null, sum = 0;
	for (const row of rows) {
		sum += row.cost.net; // @here lastName
		last = row;
	}
	return last ? last.name + sum : '';
};
