'use strict';
// The ways of a call: steps of a generator, a constructor, whose method it is.

exports.walk = function* walk(rows) {
	for (const row of rows)
		yield row.cost.net; // @here walk
};

exports.stream = async function* stream(rows) {
	for (const row of rows)
		yield row.cost.net; // @here stream
};

exports.Cart = class Cart {
	constructor(items) {
		this.first = items.list[0].price; // @here constructor
	}
};

exports.box = {
	key: 'a',
	label(text) {
		return this.key + text; // @here label
	},
};

// What is rejected was made nowhere; the promise was made here.
exports.drop = function (code) {
	Promise.reject(code); // @here drop
};
