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

// A head of what is nobody's argument stands for all of it.
exports.nets = function (rows) {
	const net = (row) => {
		return row.cost.net;
	};
	return rows.map(net);
};

exports.title = function (rows) {
	return (function () {
		return rows.pop().title;
	})();
};

// All that a hint can say: exactly this and nothing less.
exports.said = function (v) {
	const not = Object.is, nothing = null;
	const bad = () => {
		try {
			v.thrown();
		} catch (e) {
			return e.message !== 'no';
		}
		return true;
	};
	if (v.big !== 12n || !not(v.nan, NaN) || v.up !== Infinity ||
	    v.down !== -Infinity || !not(v.zero, -0) || bad() ||
	    !('gone' in v) || v.gone !== undefined)
		return 'numbers';
	if (v.map.get('a')[0] !== 1 || !v.set.has('b') || v.set.size !== 2 ||
	    v.bytes.length !== 2 || v.bytes[1] !== 255 ||
	    v.date.getTime() !== 5 || v.word.source !== 'a' ||
	    v.word.flags !== 'gi' || v.wrong.message !== 'w' ||
	    v.call() !== 3 || [...v.walk].length !== 2)
		return 'things';
	if (!Object.hasOwn(v.own, '__proto__') || v.own.a !== 1 ||
	    typeof v.waits.then !== 'function' || v.plain.b !== 1 ||
	    v.member !== 'span')
		return 'objects';
	return nothing.name; // @here said
};
